// Bytes on disk, without a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <memshape/out_of_core/files.h>

#include "Stores.h"
#include "TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

using namespace memshape::out_of_core;

namespace {

using Bytes = std::vector<std::byte>;

/// Different in each place.
Bytes filled(std::size_t Count, unsigned Seed) {
  Bytes Made(Count);
  for (std::size_t At = 0; At < Count; ++At)
    Made[At] = std::byte((At * 2654435761U + Seed) >> 13);
  return Made;
}

class Pages {
public:
  explicit Pages(std::uint64_t Count)
      : At(static_cast<std::byte *>(std::aligned_alloc(Files::page, Count ? Count : Files::page))), Count(Count) {}
  ~Pages() { std::free(At); }
  Pages(const Pages &) = delete;
  std::span<std::byte> all() { return {At, Count}; }

private:
  std::byte *At;
  std::uint64_t Count;
};

Bytes readBack(const Files &From, std::uint64_t Number) {
  const std::uint64_t Count = From.bytes(Number);
  Pages Into(Files::padded(Count));
  From.read(Number, Into.all());
  for (std::uint64_t At = Count; At < Files::padded(Count); ++At)
    EXPECT_EQ(Into.all()[At], std::byte(0));
  return Bytes(Into.all().begin(), Into.all().begin() + std::ptrdiff_t(Count));
}

TEST(OutOfCoreFiles, GiveBackWhatWasWrittenWhateverTheSizesOfTheParts) {
  const TemporaryFolder Folder;
  Files All(Folder.Path);
  for (const std::vector<std::size_t> &Sizes : std::vector<std::vector<std::size_t>>{
           {}, {0}, {1}, {4096}, {4095, 2}, {1 << 20}, {(1 << 20) - 1, 1, 1}, {17, 3 << 20, 0, 12345}}) {
    std::vector<Bytes> Parts;
    std::vector<std::span<const std::byte>> Views;
    Bytes Whole;
    for (const std::size_t Size : Sizes)
      Parts.push_back(filled(Size, unsigned(Parts.size())));
    for (const Bytes &Part : Parts) {
      Views.emplace_back(Part);
      Whole.insert(Whole.end(), Part.begin(), Part.end());
    }
    const std::uint64_t Number = All.write(Views);
    EXPECT_EQ(All.bytes(Number), Whole.size());
    EXPECT_EQ(readBack(All, Number), Whole);
    All.remove(Number);
  }
  EXPECT_TRUE(std::filesystem::is_empty(All.folder()));
}

TEST(OutOfCoreFiles, KeepEachFileUnderItsNumberAndLeaveNothingBehind) {
  const TemporaryFolder Folder;
  {
    Files All(Folder.Path);
    const Bytes One = filled(5000, 1), Two = filled(9000, 2);
    const std::span<const std::byte> OneView(One), TwoView(Two);
    const std::uint64_t First = All.write({&OneView, 1}), Second = All.write({&TwoView, 1});
    EXPECT_EQ(readBack(All, Second), Two);
    All.remove(Second);
    EXPECT_EQ(readBack(All, First), One);
    EXPECT_EQ(refusal([&] { All.remove(Second); }), ErrorCode::usage);
    EXPECT_EQ(refusal([&] { (void)All.bytes(Second); }), ErrorCode::usage);
  }
  EXPECT_TRUE(std::filesystem::is_empty(Folder.Path));
}

TEST(OutOfCoreFiles, SayWhatIsWrong) {
  const TemporaryFolder Folder;
  Files All(Folder.Path);
  const Bytes Data = filled(10000, 3);
  const std::span<const std::byte> View(Data);
  const std::uint64_t Number = All.write({&View, 1});
  Pages Into(Files::padded(Data.size()));
  EXPECT_EQ(refusal([&] { All.read(Number, Into.all().first(Data.size())); }), ErrorCode::usage);
  EXPECT_EQ(refusal([&] { All.read(Number, Into.all().subspan(1)); }), ErrorCode::usage);
  const std::filesystem::path File = All.folder() / (std::to_string(Number) + "-1");
  std::fstream(File, std::ios::in | std::ios::out | std::ios::binary).seekp(5000).put('\xff').put('\x00');
  EXPECT_EQ(refusal([&] { All.read(Number, Into.all()); }), ErrorCode::corrupt);
  std::filesystem::resize_file(File, 4096);
  EXPECT_EQ(refusal([&] { All.read(Number, Into.all()); }), ErrorCode::lost);
  std::filesystem::remove(File);
  EXPECT_EQ(refusal([&] { All.read(Number, Into.all()); }), ErrorCode::lost);
}

} // namespace
