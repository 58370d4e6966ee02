// Disks that fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"
#include "Stores.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <cerrno>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t Page = 4096, Count = 6;

enum class Fault {
  None,
  NoSpace,
  WriteError,
  ReadError,
  ShortRead,
  ShortWrite,
  Ends,
  EndsInAPage,
  Corrupt,
  Lost,
  Interrupted
};

struct Faults {
  std::atomic<Fault> Now = Fault::None;
  std::atomic<bool> RefusesDirect = false;
};

/// The disk, with the fault of the moment in front.
class FaultyLayer final : public FileLayer {
public:
  explicit FaultyLayer(Faults &Of) : Of(Of) {}

  int open(int Folder, const char *Name, int Flags, mode_t Mode) override {
    if (Of.RefusesDirect && (Flags & O_DIRECT))
      return fails(EINVAL);
    if (Of.Now == Fault::Interrupted && (Interrupts ^= 1))
      return fails(EINTR);
    return Of.Now == Fault::Lost && !(Flags & O_CREAT) ? fails(ENOENT) : FileLayer::open(Folder, Name, Flags, Mode);
  }
  ssize_t write(int File, const void *Data, size_t Bytes, off_t At) override {
    if (Of.Now == Fault::Interrupted && (Interrupts ^= 1))
      return fails(EINTR);
    if (Of.Now == Fault::NoSpace && At > 0)
      return fails(ENOSPC);
    if (Of.Now == Fault::ShortWrite)
      return isWithinAPage(At)
                 ? fails(EINVAL)
                 : std::min(ssize_t(Page + 100), FileLayer::write(File, Data, std::min<size_t>(Bytes, 2 * Page), At));
    return Of.Now == Fault::WriteError ? fails(EIO)
                                       : FileLayer::write(File, Data, Of.Now == Fault::NoSpace ? Page : Bytes, At);
  }
  ssize_t read(int File, void *Data, size_t Bytes, off_t At) override {
    if (Of.Now == Fault::Interrupted && (Interrupts ^= 1))
      return fails(EINTR);
    if (Of.Now == Fault::ReadError)
      return fails(EIO);
    if (Of.Now == Fault::Ends && At > 0)
      return 0;
    if (Of.Now == Fault::EndsInAPage)
      return isWithinAPage(At)
                 ? fails(EINVAL)
                 : std::clamp(ssize_t(Page + 100) - At, ssize_t(0), FileLayer::read(File, Data, Bytes, At));
    const bool Short = Of.Now == Fault::ShortRead || Of.Now == Fault::Ends || Of.Now == Fault::Interrupted;
    const ssize_t Got = FileLayer::read(File, Data, Short ? Page : Bytes, At);
    if (Of.Now == Fault::Corrupt && Got > 0)
      static_cast<char *>(Data)[Got / 2] ^= 4;
    return Got;
  }

private:
  /// Which file systems refuse past the page cache.
  bool isWithinAPage(off_t At) const { return !Of.RefusesDirect && At % off_t(Page) != 0; }
  static int fails(int Number) {
    errno = Number;
    return -1;
  }
  Faults &Of;
  std::atomic<int> Interrupts = 0;
};

struct Pages {
  std::vector<char> All;
  std::uint64_t bytes() const { return All.size(); }
  void save(Writer &To) const { To.vector(All); }
  static Pages load(Reader &From) { return {From.vector<char>()}; }
};

/// Blocks and objects of three pages, each full of its number; the budget has room for two.
class OutOfCoreFaults : public testing::TestWithParam<bool> {
protected:
  OutOfCoreFaults() { Now.RefusesDirect = GetParam(); }

  void SetUp() override {
    Options Of{.budget_bytes = 6 * Page, .folder = Folder.Path, .threads = 2};
    Tested.emplace(std::make_unique<detail::Core>(Of, std::make_unique<FaultyLayer>(Now)));
    for (std::uint64_t Each = 0; Each < Count; ++Each) {
      Plain.push_back(Tested->add<char[]>(3 * Page));
      Objects.push_back(Tested->add<Pages>(3 * Page, [Each] { return Pages{std::vector(3 * Page, char(Each))}; }));
    }
  }

  void fill() {
    for (std::uint64_t Each = 0; Each < Count; ++Each) {
      Tested->submit([Each](std::span<char> Block) { std::fill(Block.begin(), Block.end(), char(Each)); },
                     update(Plain[Each]));
      Tested->submit([](Pages &) {}, update(Objects[Each]));
    }
  }

  /// Runs over all; wrong bytes that a task has seen.
  std::uint64_t wrong() {
    std::atomic<std::uint64_t> Wrong = 0;
    const auto Look = [&](std::span<const char> Block, std::uint64_t Each) {
      Wrong += static_cast<std::uint64_t>(Block.size() - std::size_t(std::count(Block.begin(), Block.end(), Each)));
    };
    for (std::uint64_t Each = 0; Each < Count; ++Each) {
      Tested->submit([=](std::span<const char> Block) { Look(Block, Each); }, read(Plain[Each]));
      Tested->submit([=](const Pages &Of) { Look(Of.All, Each); }, read(Objects[Each]));
    }
    try {
      Tested->run();
    } catch (...) {
      EXPECT_EQ(Wrong, 0u);
      throw;
    }
    return Wrong;
  }

  void failsWith(Fault What, ErrorCode Code) {
    Now.Now = What;
    EXPECT_EQ(refusal([&] { wrong(); }, Folder.Path.string()), Code);
    Now.Now = Fault::None;
  }

  TemporaryFolder Folder;
  Faults Now;
  std::optional<Store> Tested;
  std::vector<Executor<char[]>> Plain;
  std::vector<Executor<Pages>> Objects;
};

TEST_P(OutOfCoreFaults, NoSpaceIsAnErrorAndNothingIsLost) {
  fill();
  failsWith(Fault::NoSpace, ErrorCode::full);
  fill(); // what had not begun was dropped
  EXPECT_EQ(wrong(), 0u);
}

TEST_P(OutOfCoreFaults, AFailedWriteKeepsItsExecutorInMemory) {
  Tested->submit([](std::span<char> Block) { Block[5] = 7; }, update(Plain[0]));
  Tested->run();
  Tested->submit([](std::span<char> Block) { Block[5] = 8; }, update(Plain[1]));
  Tested->submit([](std::span<char> Block) { Block[5] = 9; }, update(Plain[2]));
  Now.Now = Fault::WriteError;
  EXPECT_THROW(Tested->run(), Error);
  Now.Now = Fault::None;
  EXPECT_EQ((*Tested->pin(read(Plain[0])))[5], 7);
  EXPECT_LE(Tested->statistics().peak_bytes, 6 * Page);
}

TEST_P(OutOfCoreFaults, WhatCannotBeReadIsAnError) {
  fill();
  EXPECT_EQ(wrong(), 0u);
  failsWith(Fault::ReadError, ErrorCode::io);
  failsWith(Fault::Ends, ErrorCode::lost);
  failsWith(Fault::EndsInAPage, ErrorCode::lost);
  failsWith(Fault::Lost, ErrorCode::lost);
  failsWith(Fault::Corrupt, ErrorCode::corrupt);
  EXPECT_EQ(wrong(), 0u);
}

TEST_P(OutOfCoreFaults, AHandleIsToldToo) {
  fill();
  EXPECT_EQ(wrong(), 0u);
  Now.Now = Fault::Corrupt;
  EXPECT_THROW((void)Tested->pin(read(Plain[0])), Error);
  Now.Now = Fault::None;
  EXPECT_EQ((*Tested->pin(read(Plain[0])))[0], 0);
}

TEST_P(OutOfCoreFaults, ShortAndInterruptedCallsGoOn) {
  fill();
  Now.Now = Fault::ShortRead;
  EXPECT_EQ(wrong(), 0u);
  for (const Fault Each : {Fault::Interrupted, Fault::ShortWrite}) {
    Now.Now = Each;
    fill();
    EXPECT_EQ(wrong(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Direct, OutOfCoreFaults, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ThroughThePageCache, OutOfCoreFaults, testing::Values(true));

} // namespace
