// What foreign code may ask of the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order matters. The calls that make and apply rules for files are refused by the filter, so the filter comes last.

#include "runner/sandbox/Box.h"
#include "runner/sandbox/BoxParts.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace memshape;

/// The prepared parts of a box.
struct Parts {
  CallFilter Filter;  ///< empty where it cannot be made
  int FileRules = -1; ///< none
};

static Parts &partsOf(Box Which) {
  static std::array<Parts, 4> Made;
  Parts &Those = Made[std::size_t(Which)];
  if (Those.Filter.empty()) {
    Those.Filter = makeFilter(Which);
    Those.FileRules = makeFileRules(Which);
  }
  return Those;
}

void memshape::prepareBox(Box Which) { partsOf(Which); }

static std::string because(const char *What) { return std::string(What) + ": " + std::strerror(errno); }

std::optional<std::string> memshape::shutBox(Box Which) {
  Parts &Made = partsOf(Which);
  const CallFilter &Filter = Made.Filter;
  if (Filter.empty())
    return "libseccomp makes no filter for this machine";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return because("privileges cannot be given up");
  // Where the kernel has no Landlock, the filter alone prevents writing to files.
  if (Made.FileRules >= 0) {
    restrictFiles(Made.FileRules);
    close(std::exchange(Made.FileRules, -1));
  }
  if (!dropCapabilities(Which))
    return because("capabilities cannot be dropped");
  const sock_fprog Program = {static_cast<unsigned short>(Filter.size()), const_cast<sock_filter *>(Filter.data())};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &Program) != 0)
    return because("the kernel does not filter system calls");
  return std::nullopt;
}
