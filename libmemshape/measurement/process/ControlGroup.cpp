// Memory of this process's control group.
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

} // namespace memshape
