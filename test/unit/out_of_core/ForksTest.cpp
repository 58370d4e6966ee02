// Programs that fork while a store works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Child.h"
#include "Job.h"
#include "Stores.h"
#include "TemporaryFolder.h"

#include <optional>
#include <sched.h>
#include <spawn.h>
#include <thread>

using namespace memshape::out_of_core;

/// Threads that a forked process does not have point to what is left there: with AddressSanitizer, its exit would fail.
extern "C" int __lsan_is_turned_off() { return 1; }

namespace {

std::optional<Store> Static; // destroyed by exit()

class OutOfCoreForks : public testing::Test {
protected:
  ~OutOfCoreForks() override { Static.reset(); }

  Options options() const { return {.budget_bytes = Job::Budget, .folder = Folder.Path, .threads = 2}; }

  /// What is in the folder once another store has been there.
  std::size_t leftOver() const {
    {
      const Store Next(options());
    }
    return Folder.entries().size();
  }

  /// Names of Folder that a process has open.
  std::size_t openFiles(pid_t Of) const {
    std::size_t Count = 0;
    std::error_code Ignored;
    for (const auto &Each : std::filesystem::directory_iterator("/proc/" + std::to_string(Of) + "/fd"))
      Count += std::filesystem::read_symlink(Each.path(), Ignored).string().starts_with(Folder.Path.string());
    return Count;
  }

  TemporaryFolder Folder;
};

template <class Call> void isRefused(Call What) { EXPECT_EQ(refusal(What), ErrorCode::usage); }

TEST_F(OutOfCoreForks, AStoreRefusesToWorkInAForkedProcessAndWorksOnInItsOwn) {
  Store Parents(options());
  Job Work(Parents);
  EXPECT_EQ(Work.wrong(1), 0u);
  const Executor<char[]> Block = Parents.add<char[]>(1);
  auto Handle = std::make_optional(Parents.pin(update(Block)));
  std::thread Running([&] { EXPECT_EQ(Work.wrong(30), 0u); });
  for (int Times = 0; Times < 10; ++Times)
    Child([&] {
      isRefused([&] { Parents.run(); });
      isRefused([&] { (void)Parents.pin(read(Block)); });
      isRefused([&] { Parents.submit([](auto) {}, read(Block)); });
      isRefused([&] { Parents.fence([] {}); });
      isRefused([&] { Parents.add<char[]>(1); });
      isRefused([&] { Parents.set_budget(unlimited); });
      isRefused([&] { (void)Parents.forecast(unlimited); });
      isRefused([&] { (void)Parents.statistics(); });
      isRefused([&] { (void)Parents.resident(); });
      Handle.reset();
      Parents.~Store();
    }).end();
  Running.join();
  **Handle;
  Handle.reset();
  EXPECT_EQ(Work.wrong(2), 0u);
  EXPECT_EQ(Folder.entries().size(), 1u);
}

TEST_F(OutOfCoreForks, AForkedProcessThatExitsLeavesTheFolder) {
  Static.emplace(options());
  Job Work(*Static);
  std::thread Running([&] { EXPECT_EQ(Work.wrong(30), 0u); });
  for (int Times = 0; Times < 5; ++Times)
    Child([] { std::exit(testing::Test::HasFailure()); }).end();
  Running.join();
  EXPECT_EQ(Work.wrong(2), 0u);
}

TEST_F(OutOfCoreForks, TasksMayFork) {
  Store Parents(options());
  Job Work(Parents);
  for (int Times = 0; Times < 5; ++Times) {
    Parents.fence([&] { Child([&] { isRefused([&] { Parents.fence([] {}); }); }).end(); });
    EXPECT_EQ(Work.wrong(2), 0u);
  }
}

TEST_F(OutOfCoreForks, AForkedProcessThatLivesOnDoesNotKeepTheFolderOfADeadOne) {
  for (const bool InATask : {false, true}) {
    Pipe Told;
    Child Dies([&] {
      Store Made(options());
      Job Work(Made);
      const auto Fork = [&] {
        if (::fork() != 0)
          return;
        Told.tell(::getpid());
        for (;;)
          ::pause();
      };
      EXPECT_EQ(Work.wrong(1), 0u);
      if (InATask)
        Made.fence(Fork);
      else
        Fork();
      Made.run();
      ::pause();
    });
    const pid_t LivesOn = Told.told();
    EXPECT_EQ(Folder.entries().size(), 1u);
    EXPECT_EQ(Dies.endsWith(SIGKILL), SIGKILL);
    EXPECT_EQ(leftOver(), 0u);
    EXPECT_EQ(openFiles(LivesOn), 0u);
    EXPECT_EQ(::kill(LivesOn, SIGKILL), 0);
  }
}

TEST_F(OutOfCoreForks, AProgramThatIsStartedHoldsNoFile) {
  for (const bool Spawned : {false, true}) {
    Pipe Told;
    Child Dies([&] {
      Store Made(options());
      Job Work(Made);
      std::thread Running([&] { Work.wrong(20); });
      char Name[] = "sleep", Seconds[] = "1000";
      char *Words[] = {Name, Seconds, nullptr};
      pid_t Program = -1;
      if (Spawned)
        EXPECT_EQ(::posix_spawnp(&Program, Name, nullptr, nullptr, Words, environ), 0);
      else if ((Program = ::fork()) == 0)
        ::_exit(::execvp(Name, Words));
      while (std::filesystem::read_symlink("/proc/" + std::to_string(Program) + "/exe") ==
             std::filesystem::read_symlink("/proc/self/exe"))
        std::this_thread::yield();
      Running.join();
      Told.tell(Program);
      ::pause();
    });
    const pid_t Program = Told.told();
    EXPECT_EQ(openFiles(Program), 0u);
    EXPECT_EQ(openFiles(Dies.process()), 2u); // its parent folder and its own
    EXPECT_EQ(Dies.endsWith(SIGKILL), SIGKILL);
    EXPECT_EQ(leftOver(), 0u);
    EXPECT_EQ(::kill(Program, SIGKILL), 0);
  }
}

TEST_F(OutOfCoreForks, AForkedProcessMayMakeAStoreOfItsOwn) {
  if (IsThreadSanitized)
    GTEST_SKIP() << "ThreadSanitizer ends a forked process that starts a thread";
  Store Parents(options());
  Job Work(Parents);
  EXPECT_EQ(Work.wrong(1), 0u);
  Child([&] {
    Store Own(options());
    EXPECT_EQ(Folder.entries().size(), 2u);
    EXPECT_EQ(Job(Own).wrong(5), 0u);
  }).end();
  EXPECT_EQ(Folder.entries().size(), 1u);
  EXPECT_EQ(Work.wrong(1), 0u);
}

TEST_F(OutOfCoreForks, AForkedProcessMayHaveTheSameNumber) {
  Child([&] {
    if (::unshare(CLONE_NEWPID) != 0) {
      std::puts("skipped: no namespace for processes may be made here");
      return;
    }
    Child([&] { // number 1
      Store Made(options());
      EXPECT_EQ(::getpid(), 1);
      ASSERT_EQ(::unshare(CLONE_NEWPID), 0);
      Child([&] {
        EXPECT_EQ(::getpid(), 1);
        Made.~Store();
      }).end();
      EXPECT_EQ(Folder.entries().size(), 1u);
    })
        .end();
  }).end();
}

} // namespace
