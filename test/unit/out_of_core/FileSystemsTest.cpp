// Real file systems that refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each in a process of its own, whose mounts and limits end with it. Where no
// mounts may be made, the reason is printed.

#include "Child.h"
#include "Job.h"
#include "Stores.h"
#include "TemporaryFolder.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <vector>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t Page = 4096;

class OutOfCoreFileSystems : public testing::Test {
protected:
  Options options() const { return {.budget_bytes = Job::Budget, .folder = Folder.Path, .threads = 2}; }

  /// A file system of this process alone at Folder.
  bool mounts(const char *Type, const char *Data, unsigned long Flags = 0) const {
    const char *Step = "unshare";
    if (::unshare(CLONE_NEWNS) == 0 && (Step = "mount", ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) &&
        ::mount("none", Folder.Path.c_str(), Type, Flags | MS_NOSUID | MS_NODEV, Data) == 0)
      return true;
    std::printf("skipped: %s: %s\n", Step, std::strerror(errno));
    return false;
  }

  /// The error of a job that cannot be done here; the store can be used again.
  std::optional<ErrorCode> refusal(Store &In) const {
    return ::refusal([&] { EXPECT_EQ(Job(In).wrong(2), 0u); }, Folder.Path.string());
  }

  std::filesystem::path only() const {
    EXPECT_EQ(Folder.entries().size(), 1u);
    return Folder.entries().at(0);
  }

  TemporaryFolder Folder;
};

/// Blocks that are full of their number, in a store with room for two of them.
struct Filled {
  explicit Filled(Store &In, std::uint64_t Count = 6) : In(In), All(filled(In, Count, Job::Budget / 16)) { In.run(); }
  void isRight() const {
    for (std::uint64_t Each = 0; Each < All.size(); ++Each) {
      const auto Block = In.pin(read(All[Each]));
      EXPECT_EQ(std::uint64_t(std::count((*Block).begin(), (*Block).end(), Each)), Job::Budget / 16) << Each;
    }
  }
  /// Those that are on the disk cannot be read.
  void failWith(ErrorCode Code) const {
    int Refused = 0;
    for (const auto &Each : All)
      if (const auto Is = refusal([&] { (void)In.pin(read(Each)); })) {
        EXPECT_EQ(Is, Code);
        ++Refused;
      }
    EXPECT_GE(Refused, 2);
  }
  Store &In;
  Blocks All;
};

TEST_F(OutOfCoreFileSystems, AFullDiskIsAnErrorNothingIsLostAndWithSpaceItGoesOn) {
  Child([&] {
    if (!mounts("tmpfs", "size=192k"))
      return;
    Store Tested(options());
    const Filled Before(Tested, 2);
    std::ofstream Fills(Folder.Path / "fills");
    Fills << std::string(150 << 10, 'x') << std::flush;
    for (int Times = 0; Times < 5; ++Times)
      EXPECT_EQ(refusal(Tested), ErrorCode::full);
    std::filesystem::remove(Folder.Path / "fills");
    Fills.close();
    Before.isRight();
  }).end();
}

TEST_F(OutOfCoreFileSystems, ADiskThatIsFullFromTheStartIsAnError) {
  Child([&] {
    if (!mounts("tmpfs", "size=16k"))
      return;
    std::ofstream(Folder.Path / "fills") << std::string(16 << 10, 'x') << std::flush;
    Store Tested(options());
    EXPECT_EQ(refusal(Tested), ErrorCode::full);
    Tested.set_budget(unlimited);
    EXPECT_EQ(refusal(Tested), std::nullopt);
  }).end();
}

TEST_F(OutOfCoreFileSystems, NoMoreFilesIsAFullDisk) {
  Child([&] {
    if (!mounts("tmpfs", "nr_inodes=5"))
      return;
    Store Tested(options());
    EXPECT_EQ(refusal(Tested), ErrorCode::full);
    Tested.set_budget(unlimited);
    EXPECT_EQ(refusal(Tested), std::nullopt);
  }).end();
}

TEST_F(OutOfCoreFileSystems, AReadOnlyOneIsRefused) {
  Child([&] {
    if (!mounts("tmpfs", "", MS_RDONLY))
      return;
    EXPECT_THROW(Store{options()}, Error);
    Store Unlimited({.folder = Folder.Path});
    EXPECT_EQ(refusal(Unlimited), std::nullopt);
    EXPECT_THROW(Unlimited.set_budget(Job::Budget), Error);
    EXPECT_EQ(refusal(Unlimited), std::nullopt);
  }).end();
}

TEST_F(OutOfCoreFileSystems, OneThatBecomesReadOnlyIsAnError) {
  Child([&] {
    if (!mounts("tmpfs", ""))
      return;
    Store Tested(options());
    ASSERT_EQ(::mount("none", Folder.Path.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, ""), 0);
    EXPECT_EQ(refusal(Tested), ErrorCode::io);
    ASSERT_EQ(::mount("none", Folder.Path.c_str(), "tmpfs", MS_REMOUNT, ""), 0);
    EXPECT_EQ(refusal(Tested), std::nullopt);
  }).end();
}

/// RLIMIT_FSIZE: the system's own error, on the disk of the tests.
TEST_F(OutOfCoreFileSystems, AFileThatMayNotGrowIsAnErrorAndNothingIsLost) {
  Child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Store Tested(options());
    const Filled Before(Tested, 2);
    rlimit Limit;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Limit), 0);
    const rlimit Small = {2 * Page, Limit.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
    EXPECT_EQ(refusal(Tested), ErrorCode::io);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Limit), 0);
    Before.isRight();
    EXPECT_EQ(refusal(Tested), std::nullopt);
  }).end();
}

TEST_F(OutOfCoreFileSystems, NoDescriptorIsAnErrorAndTheFolderIsRemovedWithoutOne) {
  const auto Exhausted = [](std::vector<int> &Held) {
    for (int File; (File = ::dup(1)) >= 0;)
      Held.push_back(File);
    EXPECT_EQ(errno, EMFILE);
  };
  Child([&] {
    const rlimit Few = {64, 64};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &Few), 0);
    std::vector<int> Held;
    std::optional<Store> Tested(options());
    EXPECT_EQ(refusal(*Tested), std::nullopt);
    Exhausted(Held);
    EXPECT_EQ(refusal(*Tested), ErrorCode::io);
    EXPECT_THROW(Store{options()}, Error);
    ::close(Held.back()), Held.pop_back();
    EXPECT_THROW(Store{options()}, Error); // opens the folder around it, and no more
    for (int Each = 0; Each < 2; ++Each)
      ::close(Held.back()), Held.pop_back();
    EXPECT_EQ(refusal(*Tested), std::nullopt); // two threads read and write: a file each
    Exhausted(Held);
    Tested.reset();
    for (const int Each : Held)
      ::close(Each);
    EXPECT_TRUE(Folder.entries().empty());
  }).end();
}

TEST_F(OutOfCoreFileSystems, AFolderThatIsGoneIsAnError) {
  Store Tested(options());
  const Filled Before(Tested);
  const std::filesystem::path Own = only();
  std::filesystem::remove_all(Own);
  EXPECT_EQ(refusal(Tested), ErrorCode::lost);
  Tested.set_budget(unlimited);
  EXPECT_EQ(refusal(Tested), std::nullopt);
  EXPECT_THROW((void)Tested.pin(read(Before.All[0])), Error);
}

TEST_F(OutOfCoreFileSystems, AFileThatIsShorterOrAnotherIsAnError) {
  Store Tested(options());
  const Filled Before(Tested);
  std::vector<std::filesystem::path> Files;
  for (const auto &Each : std::filesystem::directory_iterator(only()))
    Files.push_back(Each.path());
  ASSERT_GE(Files.size(), 2u);
  for (const std::uint64_t Bytes : {std::uint64_t(0), 100ul, Page, Page + 100, 2 * Page + 512}) {
    for (const auto &Each : Files)
      std::filesystem::resize_file(Each, Bytes);
    Before.failWith(ErrorCode::lost);
  }
  for (const auto &Each : Files)
    std::filesystem::resize_file(Each, Job::Budget);
  Before.failWith(ErrorCode::corrupt);
  for (const auto &Each : Files)
    std::filesystem::remove(Each);
  Before.failWith(ErrorCode::lost);
}

TEST_F(OutOfCoreFileSystems, LinksInTheFolderAreNotFollowed) {
  const TemporaryFolder Other;
  std::ofstream(Other.Path / "precious") << "mine";
  {
    Store Tested(options());
    for (int Each = 0; Each < 100; ++Each)
      for (int Times = 1; Times < 4; ++Times)
        std::filesystem::create_symlink(Other.Path / "precious",
                                        only() / (std::to_string(Each) + "-" + std::to_string(Times)));
    EXPECT_EQ(refusal(Tested), ErrorCode::io);
  }
  {
    Store Tested(options());
    const Filled Before(Tested);
    std::vector<std::filesystem::path> Files;
    for (const auto &Each : std::filesystem::directory_iterator(only()))
      Files.push_back(Each.path());
    for (const auto &Each : Files) {
      std::filesystem::rename(Each, Other.Path / Each.filename());
      std::filesystem::create_symlink(Other.Path / Each.filename(), Each);
    }
    Before.failWith(ErrorCode::io);
  }
  EXPECT_TRUE(Folder.entries().empty());
  std::string Word;
  EXPECT_TRUE(std::ifstream(Other.Path / "precious") >> Word);
  EXPECT_EQ(Word, "mine");
  EXPECT_GT(Other.entries().size(), 1u);
}

/// Where O_DIRECT is refused: ramfs takes no such files.
TEST_F(OutOfCoreFileSystems, OneThatRefusesDirectAccessIsUsedThroughThePageCache) {
  Child([&] {
    for (const char *Type : {"ramfs", "tmpfs"})
      if (mounts(Type, "")) {
        Store Tested(options());
        EXPECT_EQ(Job(Tested).wrong(3), 0u);
        EXPECT_GT(Tested.statistics().reads, 0u);
      }
  }).end();
}

} // namespace
