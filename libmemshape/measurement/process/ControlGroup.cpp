// Memory of this process's control group, and kills by the kernel for lack of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/ControlGroup.h"

#include <memshape/checkpoint/memory.h>

namespace memshape {

std::optional<GroupMemory> groupMemory(const std::string &Root) {
  const checkpoint::KernelFiles Files(Root);
  for (const bool IsSecond : {true, false})
    if (const auto Group = Files.group(IsSecond))
      // In a container the path may be the host's, while the group itself is mounted.
      for (const std::string &Folder : {Group->folder, Group->outermost}) {
        const auto Number = [&](const char *Second, const char *First) {
          return Files.number(Folder + "/memory." + (IsSecond ? Second : First));
        };
        if (const auto Current = Number("current", "usage_in_bytes"))
          return GroupMemory{IsSecond ? 2 : 1, Number("peak", "max_usage_in_bytes"), Current,
                             Number("max", "limit_in_bytes")};
      }
  return std::nullopt;
}

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
