// Processes that end in the middle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMSHAPE_KILLS: how many processes are killed (50).

#include "Child.h"
#include "Job.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <list>
#include <random>
#include <sys/time.h>
#include <time.h>

using namespace memshape::out_of_core;

namespace {

class OutOfCoreProcesses : public testing::Test {
protected:
  Options options() const { return {.budget_bytes = Job::Budget, .folder = Folder.Path, .threads = 2}; }

  /// Makes stores and works so often with each until it is ended; tells its number once files are there.
  auto worksForEver(Pipe &Told, int Often = 5) const {
    return [this, &Told, Often] {
      for (;;) {
        Store Made(options());
        Job Work(Made);
        for (int Times = 0; Times < Often; ++Times) {
          if (Work.wrong(2) != 0)
            ::_exit(1);
          if (Told.isOpen())
            Told.tell(::getpid()), Told.close();
        }
      }
    };
  }

  /// The same, killed by the system after so long.
  auto isKilledAfter(long Nanoseconds, Pipe &Told) const {
    return [this, Nanoseconds, &Told] {
      sigevent Event = {};
      Event.sigev_notify = SIGEV_SIGNAL;
      Event.sigev_signo = SIGKILL;
      timer_t Timer;
      const itimerspec Once = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = Nanoseconds}};
      if (::timer_create(CLOCK_MONOTONIC, &Event, &Timer) == 0 && ::timer_settime(Timer, 0, &Once, nullptr) == 0)
        worksForEver(Told)();
    };
  }

  std::size_t files() const {
    std::size_t Count = 0;
    std::error_code Gone; // files come and go meanwhile
    for (const auto &Each : Folder.entries())
      for (std::filesystem::directory_iterator At(Each, Gone), End; !Gone && At != End; At.increment(Gone))
        ++Count;
    return Count;
  }

  TemporaryFolder Folder;
};

TEST_F(OutOfCoreProcesses, ASignalEndsTheProcessAndTheNextStoreRemovesItsFolder) {
  for (const int Signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    Pipe Told;
    Child Works(worksForEver(Told, std::numeric_limits<int>::max()));
    EXPECT_EQ(Told.told(), Works.process());
    EXPECT_EQ(Works.endsWith(Signal), Signal);
    EXPECT_EQ(Folder.entries().size(), 1u);
    {
      const Store Next(options());
    }
    EXPECT_TRUE(Folder.entries().empty());
  }
}

TEST_F(OutOfCoreProcesses, KilledAtAnyMomentTheyLeaveNothingThatTheNextStoreDoesNotRemove) {
  const char *Asked = std::getenv("MEMSHAPE_KILLS");
  const int Kills = Asked ? std::atoi(Asked) : 50;
  std::mt19937 Random(17);
  int LeftFolders = 0, LeftFiles = 0;
  for (int Times = 0; Times < Kills; ++Times) {
    Pipe Told;
    Child Works(isKilledAfter(long(1 + Random() % (Times % 2 ? 50'000'000 : 5'000'000)), Told));
    const int Status = Works.status();
    ASSERT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGKILL) << "a wrong result, or 60 s: " << Status;
    LeftFolders += !Folder.entries().empty();
    LeftFiles += files() != 0;
    Child([this] {
      Store Next(options());
      EXPECT_EQ(Folder.entries().size(), 1u);
      EXPECT_EQ(Job(Next).wrong(3), 0u);
    }).end();
    ASSERT_TRUE(Folder.entries().empty());
  }
  std::printf("killed %d, of these %d left a folder and %d left files in it\n", Kills, LeftFolders, LeftFiles);
}

TEST_F(OutOfCoreProcesses, StoresInOneFolderDoNotTouchEachOther) {
  Pipe Told;
  Child Works(worksForEver(Told));
  EXPECT_EQ(Told.told(), Works.process());
  Store Mine(options());
  Job Work(Mine);
  EXPECT_EQ(Work.wrong(5), 0u);
  EXPECT_EQ(Works.endsWith(SIGKILL), SIGKILL);
  EXPECT_EQ(Work.wrong(5), 0u);
  {
    Store Other(options());
    EXPECT_EQ(Folder.entries().size(), 2u); // the dead one's is gone
    EXPECT_EQ(Job(Other).wrong(5), 0u);
  }
  EXPECT_EQ(Work.wrong(5), 0u);
  EXPECT_EQ(Folder.entries().size(), 1u);
}

TEST_F(OutOfCoreProcesses, ManyMayBeginEndAndDieInOneFolder) {
  Pipe Told;
  std::mt19937 Random(18);
  std::list<Child> Survive, Die;
  for (int Each = 0; Each < 4; ++Each) {
    Die.emplace_back(isKilledAfter(long(1 + Random() % 50'000'000), Told));
    Survive.emplace_back([this] {
      for (int Times = 0; Times < 20; ++Times) {
        Store Made(options());
        EXPECT_EQ(Job(Made).wrong(1), 0u);
      }
    });
  }
  for (Child &Each : Die)
    EXPECT_EQ(WTERMSIG(Each.status()), SIGKILL);
  for (Child &Each : Survive)
    Each.end();
  {
    const Store Next(options());
  }
  EXPECT_TRUE(Folder.entries().empty());
}

TEST_F(OutOfCoreProcesses, ASignalThatIsHandledInterruptsNothing) {
  Child([this] {
    static std::atomic<bool> Handled = false; // any thread may be the one that is interrupted
    struct sigaction Action = {};
    Action.sa_handler = [](int) { Handled = true; }; // and calls are not restarted
    ASSERT_EQ(::sigaction(SIGPROF, &Action, nullptr), 0);
    const itimerval Often = {{0, 200}, {0, 200}};
    ASSERT_EQ(::setitimer(ITIMER_PROF, &Often, nullptr), 0);
    Store Made(options());
    Job Work(Made);
    do
      EXPECT_EQ(Work.wrong(10), 0u);
    while (!Handled);
  }).end();
}

} // namespace
