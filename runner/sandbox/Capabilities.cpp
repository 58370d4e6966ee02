// Drops privileges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/sandbox/BoxParts.h"

#include <array>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace memshape;

static_assert(CAP_DAC_READ_SEARCH < 32, "one bit of the first word");

bool memshape::dropCapabilities(Box Which) {
  __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> Held = {};
  if (syscall(SYS_capget, &Header, Held.data()) != 0)
    return false;
  if (!Held[0].permitted && !Held[1].permitted)
    return true; // no_new_privs keeps it that way
  const bool Outermost = Held[1].permitted || Held[0].permitted != 1U << CAP_DAC_READ_SEARCH;
  if (Outermost) {
    // Fails in a process that may not set capabilities; then the sets below are all there is.
    for (unsigned long Capability = 0; prctl(PR_CAPBSET_DROP, Capability, 0, 0, 0) == 0;)
      ++Capability;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  }
  const std::uint32_t Kept = Which == Box::Loading ? Held[0].permitted & 1U << CAP_DAC_READ_SEARCH : 0;
  Held = {};
  Held[0].permitted = Held[0].effective = Kept;
  return syscall(SYS_capset, &Header, Held.data()) == 0;
}
