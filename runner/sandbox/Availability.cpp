// Whether the kernel gives a sandbox.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/sandbox/Availability.h"

#include <cerrno>
#include <cstring>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

std::optional<std::string> memshape::whyNoSandbox() {
  // seccomp(2): a kernel that knows the flag goes on to read the filter, and fails because it is null.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, nullptr) == -1 && errno == EFAULT)
    return std::nullopt;
  return std::string(std::strerror(errno));
}
