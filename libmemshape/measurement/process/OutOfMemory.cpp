// Kills by the kernel for lack of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/OutOfMemory.h"

#include <charconv>
#include <fstream>
#include <iterator>

namespace memshape {
namespace {

std::string textOf(const std::string &Path) {
  std::ifstream Stream(Path);
  return {std::istreambuf_iterator<char>(Stream), {}};
}

/// The path of this process's group in one line of /proc/self/cgroup, "4:memory:/a/b" or, in version 2, "0::/a/b".
std::string groupPath(const std::string &Lines, std::string_view Controller) {
  for (std::size_t At = 0; At < Lines.size();) {
    std::size_t End = std::min(Lines.find('\n', At), Lines.size());
    std::string_view Line = std::string_view(Lines).substr(At, End - At);
    std::size_t First = Line.find(':'), Second = Line.find(':', First + 1);
    if (Second != std::string_view::npos && Line.substr(First + 1, Second - First - 1) == Controller)
      return std::string(Line.substr(Second + 1));
    At = End + 1;
  }
  return "";
}

std::optional<std::uint64_t> killsInGroup() {
  const std::string Groups = textOf("/proc/self/cgroup");
  // In a container the group's path may be the host's, while the group's files are at the top of the mount.
  for (const std::string &Path : {groupPath(Groups, "memory"), std::string()})
    if (auto Count = numberAfter(textOf("/sys/fs/cgroup/memory" + Path + "/memory.oom_control"), "oom_kill "))
      return Count;
  for (const std::string &Path : {groupPath(Groups, ""), std::string()})
    if (auto Count = numberAfter(textOf("/sys/fs/cgroup" + Path + "/memory.events"), "oom_kill "))
      return Count;
  return std::nullopt;
}

} // namespace

std::optional<std::uint64_t> numberAfter(std::string_view Text, std::string_view Word) {
  for (std::size_t At = 0; At < Text.size();) {
    std::size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line = Text.substr(At, End - At);
    std::uint64_t Value = 0;
    if (Line.starts_with(Word) &&
        std::from_chars(Line.data() + Word.size(), Line.data() + Line.size(), Value).ec == std::errc())
      return Value;
    At = End + 1;
  }
  return std::nullopt;
}

OutOfMemoryKills outOfMemoryKills() { return {killsInGroup(), numberAfter(textOf("/proc/vmstat"), "oom_kill ")}; }

std::string whereMemoryEnded(const OutOfMemoryKills &Before, const OutOfMemoryKills &After) {
  if (Before.Group && After.Group && *After.Group > *Before.Group)
    return "cgroup";
  if (Before.System && After.System && *After.System > *Before.System)
    return "system";
  return "";
}

} // namespace memshape
