// A process that watches over another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/sandbox/Guard.h"
#include "runner/sandbox/ProcessTree.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace memshape;

/// A processor fills fresh pages at some GB/s: the memory is known to some MB for each of its processors.
constexpr long Interval = 5'000'000; // ns
/// Libraries start a thread for each processor, and few processes.
constexpr std::uint64_t MostProcesses = 64, FewThreads = 512, ThreadsOfEach = 4;

static std::uint64_t mostThreads() {
  return std::max(FewThreads, ThreadsOfEach * std::uint64_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))));
}

[[noreturn]] static void endAll() {
  kill(0, SIGKILL);
  _exit(1);
}

/// Ends all that the worker is and has started, and waits until it is gone; false if it does not go. What ends slowly,
/// as thousands of threads do, would otherwise be there still beside what the next runner starts.
static bool endTree() {
  for (int Round = 0; Round < 8; ++Round) {
    for (pid_t Left : descendantsOf(getpid()))
      kill(Left, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0) {
    }
    if (errno == ECHILD)
      return true;
  }
  return false;
}

/// Answers for the worker. What it may have written of an answer of its own is no line, and no answer.
[[noreturn]] static void reach(const DialogueDescriptors &Streams, const char *Name, const char *What,
                               std::uint64_t Most, const char *Unit, const char *Help) {
  char Text[512];
  const int Length =
      std::snprintf(Text, sizeof Text, "{\"status\": \"limit\", \"message\": \"%s %s more than %llu %s%s\"}\n", Name,
                    What, static_cast<unsigned long long>(Most), Unit, Help);
  endTree();
  [[maybe_unused]] const ssize_t Written = write(Streams.Out, Text, std::size_t(Length));
  endAll();
}

/// Ends as the worker did, once nothing is left of what it has started.
[[noreturn]] static void endAs(int Status) {
  if (!endTree())
    endAll();
  if (WIFSIGNALED(Status)) {
    signal(WTERMSIG(Status), SIG_DFL);
    raise(WTERMSIG(Status));
  }
  _exit(WIFEXITED(Status) ? WEXITSTATUS(Status) : 1);
}

/// On a machine that has no processor left, a worker would start thousands of processes between two looks.
static void goFirst() {
  const sched_param Lowest = {1}; // of those that go before all ordinary processes
  if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &Lowest) != 0)
    setpriority(PRIO_PROCESS, 0, -20); // neither is allowed to everybody
}

[[noreturn]] static void watch(pid_t Worker, const DialogueDescriptors &Streams, std::uint64_t Bytes, const char *Name,
                               const sigset_t &Signals) {
  goFirst();
  close(Streams.In); // the worker alone reads it: who writes there sees when it has ended
  struct sigaction Noted = {};
  Noted.sa_handler = [](int) {};
  sigaction(SIGCHLD, &Noted, nullptr);
  signal(SIGPIPE, SIG_IGN);
  const std::uint64_t MostThreads = mostThreads();
  for (;;) {
    int Status = 0;
    for (pid_t Ended; (Ended = waitpid(-1, &Status, WNOHANG)) > 0;)
      if (Ended == Worker)
        endAs(Status);
    const TreeUse Use = useOf(getpid());
    if (Bytes && Use.Bytes > Bytes)
      reach(Streams, Name, "fills", Bytes >> 20, "MiB of memory", "; --work-memory allows more");
    if (Use.Processes > MostProcesses)
      reach(Streams, Name, "starts", MostProcesses, "processes", "");
    if (Use.Threads > MostThreads)
      reach(Streams, Name, "starts", MostThreads, "threads", "");
    // Of a pipe that nobody reads any more: memshape has ended, in whichever way.
    pollfd Reader = {Streams.Out, 0, 0};
    const timespec Pause = {0, Interval};
    if (ppoll(&Reader, 1, &Pause, &Signals) > 0 && (Reader.revents & POLLERR))
      endAll();
  }
}

/// Numbers of users and groups that mean the same inside.
static void keepIdentity(uid_t User, gid_t Group) {
  const auto Say = [](const char *File, const std::string &Text) {
    const int To = open(File, O_WRONLY | O_CLOEXEC);
    [[maybe_unused]] const ssize_t Written = write(To, Text.data(), Text.size());
    close(To);
  };
  const auto Same = [](unsigned Id) { return std::to_string(Id) + " " + std::to_string(Id) + " 1"; };
  Say("/proc/self/setgroups", "deny");
  Say("/proc/self/uid_map", Same(User));
  Say("/proc/self/gid_map", Same(Group));
}

/// The next child is the first process of a namespace, where the kernel allows that.
static bool separateChild() {
  const uid_t User = geteuid();
  const gid_t Group = getegid();
  if (unshare(CLONE_NEWPID) == 0)
    return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
    return false;
  keepIdentity(User, Group);
  return true;
}

/// Lets /proc show the processes of the own namespace alone: those of others tell their command lines.
static void showOwnProcesses() {
  if (unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

Worker memshape::beginWork(int Count, char **Arguments, const char *Name, Sight Of) {
  Worker Own;
  std::uint64_t Bytes = 0;
  for (int I = 1; I < Count; ++I) {
    const std::string_view Word = Arguments[I];
    if (Word == "--trust")
      Own.Trusted = true;
    else if (Word == "--memory" && I + 1 < Count)
      Bytes = std::strtoull(Arguments[++I], nullptr, 10);
  }
  Own.Streams = takeStandardStreams();
  if (Own.Streams.In < 0 || Own.Streams.Out < 0)
    return Own;
  limitProcess(Own.Streams.Out);
  setpgid(0, 0);                    // it leads a group already where memshape has started it
  prctl(PR_SET_CHILD_SUBREAPER, 1); // whose parents have ended stay in the tree
  sigset_t ChildEnds, Before;
  sigemptyset(&ChildEnds);
  sigaddset(&ChildEnds, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ChildEnds, &Before);
  const bool Apart = Of == Sight::OwnProcesses && separateChild();
  const pid_t Process = fork();
  if (Process > 0)
    watch(Process, Own.Streams, Bytes, Name, Before);
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  if (Process < 0)
    Own.Streams = {};
  else
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (Apart)
    showOwnProcesses();
  return Own;
}
