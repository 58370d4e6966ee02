// Kills by the kernel for lack of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/OutOfMemory.h"

#include <memshape/checkpoint/memory.h>

namespace memshape {

OutOfMemoryKills outOfMemoryKills(const std::string &Root) {
  const checkpoint::KernelFiles Files(Root);
  OutOfMemoryKills Found = {std::nullopt, Files.behind("/proc/vmstat", "oom_kill")};
  for (const bool IsSecond : {false, true})
    if (const auto Group = Files.group(IsSecond))
      // In a container the path may be the host's, while the group itself is mounted.
      for (const std::string &Folder : {Group->folder, Group->outermost})
        if (!Found.Group)
          Found.Group = Files.behind(Folder + (IsSecond ? "/memory.events" : "/memory.oom_control"), "oom_kill");
  return Found;
}

std::string whereMemoryEnded(const OutOfMemoryKills &Before, const OutOfMemoryKills &After) {
  if (Before.Group && After.Group && *After.Group > *Before.Group)
    return "cgroup";
  if (Before.System && After.System && *After.System > *Before.System)
    return "system";
  return "";
}

} // namespace memshape
