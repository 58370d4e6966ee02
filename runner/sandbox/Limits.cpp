// Descriptors and limits of a sandboxed process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/sandbox/Limits.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace memshape;

/// Closes all descriptors but the standard ones and Kept. Before Linux 5.9, which has no call for that, it closes those
/// that /proc lists.
static void closeAllBut(const DialogueDescriptors &Kept) {
  const unsigned Low = unsigned(std::min(Kept.In, Kept.Out)), High = unsigned(std::max(Kept.In, Kept.Out));
  const std::pair<unsigned, unsigned> Gaps[] = {
      {STDERR_FILENO + 1, Low - 1}, {Low + 1, High - 1}, {High + 1, UINT_MAX}};
  bool Closed = true;
  for (auto [First, Last] : Gaps)
    Closed = (First > Last || syscall(SYS_close_range, First, Last, 0) == 0) && Closed;
  DIR *Listed = Closed ? nullptr : opendir("/proc/self/fd");
  if (!Listed)
    return;
  std::vector<int> Others;
  while (const dirent *Entry = readdir(Listed))
    if (const int Descriptor = std::atoi(Entry->d_name);
        Descriptor > STDERR_FILENO && Descriptor != Kept.In && Descriptor != Kept.Out && Descriptor != dirfd(Listed))
      Others.push_back(Descriptor);
  closedir(Listed);
  for (int Descriptor : Others)
    close(Descriptor);
}

DialogueDescriptors memshape::takeStandardStreams() {
  DialogueDescriptors Result;
  Result.In = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  Result.Out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  if (Result.In < 0 || Result.Out < 0)
    return Result;
  closeAllBut(Result);
  const int Null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (Null >= 0) {
    for (int Standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(Null, Standard);
    if (Null > STDERR_FILENO)
      close(Null);
  }
  return Result;
}

enum class Strength {
  Soft, ///< the process may raise it again
  Hard
};

static void setLimit(__rlimit_resource Which, std::uint64_t Value, Strength How = Strength::Soft) {
  rlimit Limit;
  if (getrlimit(Which, &Limit) != 0)
    return;
  Limit.rlim_cur = std::min<rlim_t>(Value, Limit.rlim_max);
  if (How == Strength::Hard)
    Limit.rlim_max = Limit.rlim_cur;
  setrlimit(Which, &Limit);
}

/// If the machine runs out of memory, the kernel ends this process rather than another one.
static void preferForOutOfMemoryKill() {
  const int Score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (Score < 0)
    return;
  constexpr std::string_view Highest = "1000";
  [[maybe_unused]] const ssize_t Written = write(Score, Highest.data(), Highest.size());
  close(Score);
}

void memshape::limitProcess(int AnswerDescriptor) {
  preferForOutOfMemoryKill();
  setLimit(RLIMIT_CORE, 0, Strength::Hard);
  struct stat Answers;
  if (fstat(AnswerDescriptor, &Answers) != 0 || !S_ISREG(Answers.st_mode))
    setLimit(RLIMIT_FSIZE, 0, Strength::Hard);
  // Code that was compiled without optimisation has larger frames; recursion must still reach as deep.
  setLimit(RLIMIT_DATA, RLIM_INFINITY);
  rlimit Stack;
  constexpr rlim_t Wanted = 64 << 20;
  if (getrlimit(RLIMIT_STACK, &Stack) == 0 && Stack.rlim_cur != RLIM_INFINITY && Stack.rlim_cur < Wanted)
    setLimit(RLIMIT_STACK, Wanted);
}

void memshape::limitAddressSpace(std::uint64_t Bytes) {
  if (Bytes)
    setLimit(RLIMIT_AS, Bytes);
}

void memshape::limitOpenFiles() { setLimit(RLIMIT_NOFILE, 64, Strength::Hard); }

/// Threads of a library may use all processors at once. The number is cached: the C library reads a file for it, and an
/// evaluation may take less time than a system call.
static double processors() {
  static const double Count = double(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return Count;
}

/// Seconds of processor time so far.
static double spentTime() {
  rusage Used;
  return getrusage(RUSAGE_SELF, &Used) == 0 ? double(Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) + 1 : 0;
}

void memshape::limitAllProcessorTime(unsigned Seconds) {
  setLimit(RLIMIT_CPU, Seconds + 1, Strength::Hard); // SIGKILL
  setLimit(RLIMIT_CPU, Seconds);                     // SIGXCPU
}

void memshape::limitTimeOfEvaluations(double Seconds) {
  constexpr double Loading = 10;
  limitAllProcessorTime(unsigned(std::min(1e9, spentTime() + Loading + Seconds * processors())));
}

void memshape::limitProcessorTime(double Seconds) {
  static std::uint64_t Given = 0; // a child has the limit of its parent
  if (const std::uint64_t Wanted = std::uint64_t(spentTime() + Seconds * processors()) + 2; Wanted != Given)
    setLimit(RLIMIT_CPU, Given = Wanted);
}
