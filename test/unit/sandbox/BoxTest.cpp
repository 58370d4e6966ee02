// What processes in a box can and cannot do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each look is taken by a child, which tells by its exit status. Every system call there is is tried by
// test/e2e/sandbox.py.

#include "runner/sandbox/Box.h"
#include "TemporaryFolder.h"
#include "runner/sandbox/Availability.h"
#include "runner/sandbox/Guard.h"
#include "runner/sandbox/Limits.h"
#include "runner/sandbox/ProcessTree.h"
#include "runner/sandbox/SignalCalls.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

using namespace memshape;

namespace {

constexpr int NoBox = 100, BySignal = 128;

/// The exit status of a child that does What; 128 + N where signal N ended it.
template <class Function> int inChild(Function What) {
  const pid_t Child = fork();
  if (Child == 0)
    _exit(What());
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : BySignal + WTERMSIG(Status);
}

/// The same, in a box.
template <class Function> int inBox(Box Which, Function What) {
  return inChild([&] { return shutBox(Which) ? NoBox : What(); });
}

/// Its errno, or 0.
int openError(const char *Path, int Flags) { return open(Path, Flags, 0666) < 0 ? errno : 0; }

/// A file of this test alone, in a folder where nothing else lies.
class OwnFile : public testing::Test {
protected:
  void SetUp() override {
    const int Made = open(Path.c_str(), O_WRONLY | O_CREAT, 0666);
    ASSERT_EQ(write(Made, "text", 4), 4);
    close(Made);
  }
  const TemporaryFolder Temporary;
  const std::string Folder = Temporary.Path, Path = Folder + "/file";
};

void *noteThread(void *Into) {
  *static_cast<std::atomic<bool> *>(Into) = true;
  return nullptr;
}

/// 0 where a thread ran.
int threadError() {
  std::atomic<bool> Ran = false;
  pthread_t Thread;
  if (const int Error = pthread_create(&Thread, nullptr, noteThread, &Ran))
    return Error;
  pthread_join(Thread, nullptr);
  return Ran ? 0 : 1;
}

int processError() {
  const pid_t Child = fork();
  if (Child == 0)
    _exit(0);
  return Child < 0 ? errno : 0;
}

constexpr Box AllBoxes[] = {Box::Loading, Box::Evaluating, Box::Replaying, Box::Slicing};

std::atomic<SignalCall> Seen = SignalCall::None;

void onSystemCall(int, siginfo_t *Info, void *Context) { Seen = answerSignalCall(*Info, Context); }

void catchSystemCalls() {
  struct sigaction Action = {};
  Action.sa_sigaction = onSystemCall;
  Action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &Action, nullptr);
}

bool hasLandlock() { return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1; }

} // namespace

TEST_F(OwnFile, IsReadWhileLibrariesAreOpened) {
  EXPECT_EQ(inBox(Box::Loading, [&] { return openError(Path.c_str(), O_RDONLY); }), 0);
}

TEST_F(OwnFile, IsNotWrittenInAnyBox) {
  for (Box Which : AllBoxes)
    for (int Flags : {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_RDWR | O_CREAT | O_TRUNC, O_WRONLY | O_APPEND})
      EXPECT_EQ(inBox(Which, [&] { return openError(Path.c_str(), Flags); }),
                Which == Box::Loading || Which == Box::Evaluating ? EACCES : ENOSYS);
  struct stat Found;
  ASSERT_EQ(stat(Path.c_str(), &Found), 0);
  EXPECT_EQ(Found.st_size, 4);
}

TEST_F(OwnFile, HasNoNeighbourAfterwards) {
  const std::string Other = Folder + "/other";
  for (Box Which : AllBoxes) {
    EXPECT_NE(inBox(Which, [&] { return openError(Other.c_str(), O_RDONLY | O_CREAT); }), 0);
    EXPECT_NE(inBox(Which, [&] { return openError(Folder.c_str(), O_TMPFILE | O_RDWR); }), 0);
    EXPECT_EQ(inBox(Which, [&] { return mkdir(Other.c_str(), 0777) < 0 ? errno : 0; }), ENOSYS);
    EXPECT_EQ(inBox(Which, [&] { return rename(Path.c_str(), Other.c_str()) < 0 ? errno : 0; }), ENOSYS);
    EXPECT_EQ(inBox(Which, [&] { return unlink(Path.c_str()) < 0 ? errno : 0; }), ENOSYS);
    EXPECT_EQ(inBox(Which, [&] { return chmod(Path.c_str(), 0) < 0 ? errno : 0; }), ENOSYS);
  }
  EXPECT_EQ(access(Path.c_str(), R_OK), 0);
  EXPECT_NE(access(Other.c_str(), F_OK), 0);
}

TEST_F(OwnFile, IsHiddenFromSkeletonsWhereTheKernelHasLandlock) {
  if (hasLandlock()) {
    EXPECT_EQ(inBox(Box::Evaluating, [&] { return openError(Path.c_str(), O_RDONLY); }), EACCES);
  } else {
    EXPECT_EQ(inBox(Box::Evaluating, [&] { return openError(Path.c_str(), O_RDONLY); }), 0);
  }
}

TEST(Evaluating, ReadsWhatTheSystemHas) {
  for (const char *Path : {"/proc/self/pagemap", "/proc/self/maps", "/sys/devices/system/cpu/online", "/usr", "/etc"})
    EXPECT_EQ(inBox(Box::Evaluating, [&] { return openError(Path, O_RDONLY); }), 0) << Path;
}

TEST(Replaying, OpensNothing) {
  for (Box Which : {Box::Replaying, Box::Slicing})
    for (const char *Path : {"/proc/self/maps", "/usr", "/dev/null"})
      EXPECT_EQ(inBox(Which, [&] { return openError(Path, O_RDONLY); }), ENOSYS) << Path;
}

TEST(Boxes, HaveThreadsWhereLibrariesAre) {
  for (Box Which : {Box::Loading, Box::Evaluating, Box::Replaying})
    EXPECT_EQ(inBox(Which, threadError), 0);
  EXPECT_NE(inBox(Box::Slicing, threadError), 0);
}

TEST(Boxes, HaveChildrenOnlyWhileLoading) {
  EXPECT_EQ(inBox(Box::Loading, processError), 0);
  for (Box Which : {Box::Evaluating, Box::Replaying, Box::Slicing})
    EXPECT_EQ(inBox(Which, processError), ENOSYS);
}

TEST(Boxes, KeepChildrenInside) {
  EXPECT_EQ(inBox(Box::Loading, [] { return inChild([] { return openError("/dev/null", O_WRONLY); }); }), EACCES);
}

TEST(Boxes, AreShutInsideEachOther) {
  for (Box Inner : {Box::Evaluating, Box::Replaying})
    EXPECT_EQ(inBox(Box::Loading, [&] { return inChild([&] { return shutBox(Inner) ? NoBox : processError(); }); }),
              ENOSYS);
}

TEST(Boxes, AreNotOpenedAgain) {
  EXPECT_EQ(inBox(Box::Replaying,
                  [] {
                    // The filter of the larger box cannot be had here, and would add to the one there is.
                    shutBox(Box::Loading);
                    return openError("/usr", O_RDONLY);
                  }),
            ENOSYS);
}

TEST(Boxes, StartNoProgramsAndReachNobody) {
  for (Box Which : AllBoxes) {
    char Path[] = "/bin/true";
    EXPECT_EQ(inBox(Which,
                    [&] {
                      char *Arguments[] = {Path, nullptr};
                      execv(Path, Arguments);
                      return errno;
                    }),
              ENOSYS);
    EXPECT_EQ(inBox(Which, [] { return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0; }), ENOSYS);
  }
}

TEST(Boxes, SendNoSignals) {
  for (Box Which : AllBoxes) {
    EXPECT_EQ(inBox(Which, [] { return kill(getppid(), 0); }), BySignal + SIGSYS);
    const auto Refused = [](auto Send) {
      catchSystemCalls();
      return Send() == -1 && errno == EPERM && Seen == SignalCall::Refused ? 0 : 1;
    };
    EXPECT_EQ(inBox(Which, [&] { return Refused([] { return kill(getppid(), SIGTERM); }); }), 0);
    EXPECT_EQ(inBox(Which, [&] { return Refused([] { return syscall(SYS_tkill, getppid(), SIGTERM); }); }), 0);
    EXPECT_EQ(inBox(Which, [&] { return Refused([] { return syscall(SYS_tgkill, getppid(), getppid(), SIGABRT); }); }),
              0);
  }
}

TEST(Boxes, TellAbortFromOtherSignals) {
  EXPECT_EQ(inBox(Box::Evaluating,
                  [] {
                    catchSystemCalls();
                    raise(SIGABRT);
                    return Seen == SignalCall::Abort ? 0 : 1;
                  }),
            0);
  EXPECT_EQ(inBox(Box::Evaluating,
                  [] {
                    catchSystemCalls();
                    return raise(SIGTERM) != 0 && Seen == SignalCall::Refused ? 0 : 1;
                  }),
            0);
}

TEST(Boxes, ChangeNoOtherProcess) {
  const pid_t Here = getpid();
  for (Box Which : AllBoxes) {
    rlimit Limit;
    EXPECT_EQ(inBox(Which, [&] { return prlimit(Here, RLIMIT_NOFILE, nullptr, &Limit) < 0 ? errno : 0; }), ENOSYS);
    EXPECT_EQ(inBox(Which, [&] { return fcntl(0, F_SETOWN, Here) < 0 ? errno : 0; }), ENOSYS);
    EXPECT_EQ(inBox(Which, [&] { return setpriority(PRIO_PROCESS, id_t(Here), 19) < 0 ? errno : 0; }), ENOSYS);
  }
  cpu_set_t Before, After, One;
  ASSERT_EQ(sched_getaffinity(0, sizeof Before, &Before), 0);
  CPU_ZERO(&One);
  for (int Processor = 0; Processor < CPU_SETSIZE; ++Processor)
    if (CPU_ISSET(Processor, &Before) && CPU_COUNT(&One) == 0)
      CPU_SET(Processor, &One);
  EXPECT_EQ(inBox(Box::Evaluating, [&] { return sched_setaffinity(Here, sizeof One, &One) < 0 ? errno : 0; }), 0);
  ASSERT_EQ(sched_getaffinity(0, sizeof After, &After), 0);
  EXPECT_TRUE(CPU_EQUAL(&Before, &After));
}

TEST(Boxes, ReadTheirOwnLimits) {
  for (Box Which : AllBoxes)
    EXPECT_EQ(inBox(Which,
                    [] {
                      rlimit Limit;
                      if (getrlimit(RLIMIT_NOFILE, &Limit) != 0)
                        return 1;
                      limitProcessorTime(100);
                      return getrlimit(RLIMIT_CPU, &Limit) == 0 && Limit.rlim_cur != RLIM_INFINITY ? 0 : 2;
                    }),
              0);
}

TEST(Boxes, HoldNoCapabilities) {
  const auto Capabilities = [] {
    __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct Held[_LINUX_CAPABILITY_U32S_3] = {};
    if (syscall(SYS_capget, &Header, Held) != 0 || Held[1].permitted || Held[1].effective || Held[0].inheritable)
      return 2;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
      return 3;
    if (Held[0].permitted & ~(1U << CAP_DAC_READ_SEARCH))
      return 4;
    return Held[0].permitted ? 1 : 0;
  };
  for (Box Which : {Box::Evaluating, Box::Replaying, Box::Slicing})
    EXPECT_EQ(inBox(Which, Capabilities), 0);
  EXPECT_LE(inBox(Box::Loading, Capabilities), 1); // files in folders of other users
  if (getuid() == 0) {
    EXPECT_EQ(inBox(Box::Evaluating, [] { return int(prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0)); }), 0);
  }
}

TEST(Boxes, AreRefusedWhereTheKernelFiltersNothing) {
  EXPECT_EQ(whyNoSandbox(), std::nullopt);
  EXPECT_EQ(inChild([] {
              // As a kernel without filters: this one filter says so.
              sock_filter Program[] = {
                  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
              const sock_fprog Filter = {4, Program};
              if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Filter) != 0)
                return 1;
              if (!whyNoSandbox())
                return 2;
              const std::optional<std::string> Why = shutBox(Box::Evaluating);
              return Why && Why->find("does not filter") != std::string::npos ? 0 : 3;
            }),
            0);
}

TEST(Boxes, DoNotRaiseTheirProcessorTime) {
  for (Box Which : AllBoxes)
    EXPECT_EQ(inChild([&] {
                limitAllProcessorTime(100);
                if (shutBox(Which))
                  return NoBox;
                const rlimit Endless = {RLIM_INFINITY, RLIM_INFINITY};
                return setrlimit(RLIMIT_CPU, &Endless) == 0 ? 1 : 0;
              }),
              0);
}

TEST(StandardStreams, AreAllThatIsLeftOpen) {
  EXPECT_EQ(inChild([] {
              const int Low = open("/dev/null", O_WRONLY);
              const int High = fcntl(Low, F_DUPFD, 200);
              const DialogueDescriptors Streams = takeStandardStreams();
              if (Streams.In < 0 || Streams.Out < 0 || fcntl(Streams.In, F_GETFD) < 0 ||
                  fcntl(Streams.Out, F_GETFD) < 0)
                return 1;
              for (int Descriptor = 3; Descriptor < 300; ++Descriptor)
                if (Descriptor != Streams.In && Descriptor != Streams.Out && fcntl(Descriptor, F_GETFD) >= 0)
                  return 2;
              return Low > 2 && High >= 200 ? 0 : 3;
            }),
            0);
}

TEST(Limits, LetOthersLiveWhereMemoryRunsOut) {
  EXPECT_EQ(inChild([] {
              limitProcess(-1);
              char Score[8] = {};
              const int From = open("/proc/self/oom_score_adj", O_RDONLY);
              return read(From, Score, sizeof Score - 1) > 0 && std::atoi(Score) == 1000 ? 0 : 1;
            }),
            0);
}

TEST(Limits, AreNotRaisedAgain) {
  EXPECT_EQ(inChild([] {
              limitProcess(-1);
              limitOpenFiles();
              for (auto [Which, Value] :
                   {std::pair(RLIMIT_CORE, 0), std::pair(RLIMIT_FSIZE, 0), std::pair(RLIMIT_NOFILE, 64)}) {
                rlimit Limit;
                if (getrlimit(Which, &Limit) != 0 || Limit.rlim_max > rlim_t(Value))
                  return 1;
              }
              return 0;
            }),
            0);
}

/// What is answered, and how the guard ends, where the worker does What within so many MiB.
template <class Function> static std::pair<std::string, int> guarded(unsigned MiB, Function What) {
  int Out[2], Status = 0;
  if (pipe2(Out, O_CLOEXEC) != 0)
    return {};
  const pid_t Child = fork();
  if (Child == 0) {
    dup2(Out[1], STDOUT_FILENO);
    std::string Words[] = {"worker", "--memory", std::to_string(std::uint64_t(MiB) << 20)};
    char *Arguments[] = {Words[0].data(), Words[1].data(), Words[2].data()};
    const Worker Own = beginWork(3, Arguments, "the worker", Sight::OwnProcesses);
    _exit(What(Own.Streams.Out));
  }
  close(Out[1]);
  std::string Answer;
  char Buffer[512];
  for (ssize_t Count; (Count = read(Out[0], Buffer, sizeof Buffer)) > 0;)
    Answer.append(Buffer, std::size_t(Count));
  close(Out[0]);
  waitpid(Child, &Status, 0);
  return {Answer, WIFEXITED(Status) ? WEXITSTATUS(Status) : BySignal + WTERMSIG(Status)};
}

static int sleepForLong() {
  for (;;)
    pause();
}

TEST(Guards, EndAsTheirWorkersDo) {
  EXPECT_EQ(guarded(512, [](int) { return 7; }), std::pair(std::string(), 7));
  EXPECT_EQ(guarded(512,
                    [](int To) {
                      if (write(To, "answer", 6) == 6)
                        __builtin_trap();
                      return 1;
                    }),
            std::pair(std::string("answer"), BySignal + SIGILL));
}

TEST(Guards, LimitTheMemoryOfAllProcesses) {
  const auto Fill = [](std::size_t Bytes) {
    volatile char *Filled = static_cast<char *>(std::malloc(Bytes));
    for (std::size_t I = 0; I < Bytes; I += 4096)
      Filled[I] = 1;
  };
  const auto [Answer, Status] = guarded(64, [&](int) {
    for (int I = 0; I < 4; ++I)
      if (fork() == 0) {
        Fill(32 << 20); // each of them alone is within the limit
        sleepForLong();
      }
    return sleepForLong();
  });
  EXPECT_EQ(Answer, "{\"status\": \"limit\", \"message\": \"the worker fills more than 64 MiB of memory; "
                    "--work-memory allows more\"}\n");
  EXPECT_EQ(Status, BySignal + SIGKILL);
}

TEST(Guards, LetAddressSpaceBeReserved) {
  EXPECT_EQ(guarded(64,
                    [](int) {
                      void *Reserved = mmap(nullptr, std::size_t(1) << 44, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
                      for (int Look = 0; Look < 500; ++Look) // longer than the guard's interval
                        (void)useOf(getpid());
                      return Reserved == MAP_FAILED ? 1 : 0;
                    })
                .second,
            0);
}

TEST(Guards, LimitProcesses) {
  const auto [Answer, Status] = guarded(512, [](int) {
    for (;;)
      if (fork() == 0)
        sleepForLong();
    return 0;
  });
  EXPECT_NE(Answer.find("the worker starts more than 64 processes"), std::string::npos) << Answer;
}

TEST(Guards, EndWhatWorkersLeaveBehind) {
  // A process that was left would keep the pipe open, and this test waiting.
  EXPECT_EQ(guarded(512,
                    [](int) {
                      if (fork() == 0 && fork() == 0)
                        sleepForLong();
                      return 3;
                    })
                .second,
            3);
}

TEST(Guards, EndAllWhereNobodyReadsTheAnswers) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // whatever outlives the guard comes here
  int Out[2];
  ASSERT_EQ(pipe2(Out, O_CLOEXEC), 0);
  const pid_t Guard = fork();
  if (Guard == 0) {
    dup2(Out[1], STDOUT_FILENO);
    char Name[] = "worker";
    char *Arguments[] = {Name};
    const Worker Own = beginWork(1, Arguments, "the worker", Sight::OwnProcesses);
    if (fork() == 0)
      sleepForLong();
    (void)!write(Own.Streams.Out, "!", 1);
    sleepForLong();
  }
  close(Out[1]);
  char Ready;
  EXPECT_EQ(read(Out[0], &Ready, 1), 1);
  close(Out[0]); // as when memshape is killed
  int Status = 0;
  EXPECT_EQ(waitpid(Guard, &Status, 0), Guard);
  EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  EXPECT_EQ(kill(-Guard, 0), -1); // nobody is in its group
}

TEST(Guards, HideOtherProcesses) {
  const pid_t Here = getpid();
  const auto [Answer, Status] = guarded(512, [&](int) {
    if (getpid() != 1)
      return 0; // this system has no namespaces for us
    return access(("/proc/" + std::to_string(Here) + "/cmdline").c_str(), R_OK) == 0 ? 1 : 0;
  });
  EXPECT_EQ(Status, 0);
}
