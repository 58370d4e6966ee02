// A program under the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <string>
#include <vector>

namespace memshape {

/// How a program ended.
struct Ending {
  int Pid = 0;
  int Status = 0; ///< exit status, or 128 + Signal
  int Signal = 0; ///< what killed it; 0 for none
  long ResidentPeakKiB = 0;
  std::string OutOfMemory; ///< "cgroup" or "system" if the kernel killed it for lack of memory there
};

/// The file that a command's first word names, found as a shell does; a failure if it cannot be run.
Result<std::string> findProgram(const std::string &Name);

/// Starts Program with the arguments Command and with Variables ("NAME=value") set, forwards the signals that ask this
/// process to end, and waits.
Result<Ending> launch(const std::string &Program, const std::vector<std::string> &Command,
                      const std::vector<std::string> &Variables);

} // namespace memshape
