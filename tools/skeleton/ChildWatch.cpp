//===- ChildWatch.cpp - The memory that an evaluation fills --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No resource limit of Linux bounds resident memory; the parent looks from time to time. At the rate at which a
// processor fills fresh pages (some GB/s), a look each 2 ms leaves an error of some MB.
//
//===----------------------------------------------------------------------===//

#include "ChildWatch.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

using namespace memshape;

/// Bytes of its own that a process holds: /proc/PID/statm, resident less shared pages. 0 where it cannot be read.
static std::uint64_t privateBytes(pid_t Process) {
  char Path[64];
  std::snprintf(Path, sizeof Path, "/proc/%d/statm", int(Process));
  std::FILE *File = std::fopen(Path, "re");
  if (!File)
    return 0;
  unsigned long Size = 0, Resident = 0, Shared = 0;
  const int Read = std::fscanf(File, "%lu %lu %lu", &Size, &Resident, &Shared);
  std::fclose(File);
  return Read == 3 && Resident > Shared ? (Resident - Shared) * std::uint64_t(sysconf(_SC_PAGESIZE)) : 0;
}

bool memshape::waitWithin(pid_t Child, std::uint64_t ResidentBytes, int &Status) {
  constexpr long LongestWait = 2'000'000; // ns
  for (long Wait = 50'000;; Wait = std::min(2 * Wait, LongestWait)) {
    const pid_t Ended = waitpid(Child, &Status, ResidentBytes ? WNOHANG : 0);
    if (Ended == Child)
      return true;
    if (Ended < 0 && errno != EINTR) {
      Status = 0;
      return true;
    }
    if (Ended < 0)
      continue;
    if (privateBytes(Child) > ResidentBytes)
      return false;
    const timespec Pause = {0, Wait};
    nanosleep(&Pause, nullptr);
  }
}
