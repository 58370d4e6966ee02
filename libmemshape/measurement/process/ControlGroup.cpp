// Memory of this process's control group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/ControlGroup.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace memshape {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> linesOf(const fs::path &Path) {
  std::ifstream Stream(Path);
  std::vector<std::string> Lines;
  for (std::string Line; std::getline(Stream, Line);)
    Lines.push_back(Line);
  return Lines;
}

/// The number in a file; nothing if there is none, or a word such as "max".
std::optional<std::uint64_t> numberIn(const fs::path &Path) {
  std::vector<std::string> Lines = linesOf(Path);
  std::uint64_t Value = 0;
  if (Lines.empty() || std::from_chars(Lines[0].data(), Lines[0].data() + Lines[0].size(), Value).ec != std::errc())
    return std::nullopt;
  return Value;
}

bool hasWord(const std::string &List, const std::string &Word) {
  return ("," + List + ",").find("," + Word + ",") != std::string::npos;
}

/// The group's path in the hierarchy of version 2, or of version 1's memory controller: "0::/a/b", "4:memory:/a/b".
std::optional<std::string> pathInHierarchy(const fs::path &Root, int Version) {
  for (const std::string &Line : linesOf(Root / "proc/self/cgroup")) {
    std::size_t First = Line.find(':'), Second = Line.find(':', First + 1);
    if (Second == std::string::npos)
      continue;
    std::string Controllers = Line.substr(First + 1, Second - First - 1);
    if (Version == 2 ? Controllers.empty() : hasWord(Controllers, "memory"))
      return Line.substr(Second + 1);
  }
  return std::nullopt;
}

/// Where a hierarchy is mounted, and which group is its root there.
struct Mount {
  std::string Top;
  fs::path Place;
};

std::optional<Mount> mountOf(const fs::path &Root, int Version) {
  for (const std::string &Line : linesOf(Root / "proc/self/mountinfo")) {
    std::size_t Dash = Line.find(" - ");
    if (Dash == std::string::npos)
      continue;
    std::istringstream Front(Line.substr(0, Dash)), Back(Line.substr(Dash + 3));
    std::string Id, Parent, Device, Top, Place, Type, Source, Options;
    Front >> Id >> Parent >> Device >> Top >> Place;
    Back >> Type >> Source >> Options;
    if (Version == 2 ? Type == "cgroup2" : Type == "cgroup" && hasWord(Options, "memory"))
      return Mount{Top, Place};
  }
  return std::nullopt;
}

/// The folder of the group. In a container the path may be the host's, while the group itself is mounted.
std::optional<fs::path> folderOf(const fs::path &Root, int Version, const char *File) {
  std::optional<std::string> Path = pathInHierarchy(Root, Version);
  std::optional<Mount> Where = mountOf(Root, Version);
  if (!Path || !Where)
    return std::nullopt;
  fs::path Mounted = Root / Where->Place.relative_path();
  std::string Below = Path->compare(0, Where->Top.size(), Where->Top) == 0 ? Path->substr(Where->Top.size()) : *Path;
  std::error_code Ignored;
  for (const fs::path &Folder : {Mounted / fs::path(Below).relative_path(), Mounted})
    if (fs::exists(Folder / File, Ignored))
      return Folder;
  return std::nullopt;
}

} // namespace

std::optional<GroupMemory> groupMemory(const fs::path &Root) {
  if (std::optional<fs::path> Folder = folderOf(Root, 2, "memory.current"))
    return GroupMemory{2, numberIn(*Folder / "memory.peak"), numberIn(*Folder / "memory.current"),
                       numberIn(*Folder / "memory.max")};
  if (std::optional<fs::path> Folder = folderOf(Root, 1, "memory.usage_in_bytes")) {
    std::optional<std::uint64_t> Limit = numberIn(*Folder / "memory.limit_in_bytes");
    if (Limit && *Limit >= std::uint64_t(1) << 62) // version 1 writes a huge number for no limit
      Limit.reset();
    return GroupMemory{1, numberIn(*Folder / "memory.max_usage_in_bytes"), numberIn(*Folder / "memory.usage_in_bytes"),
                       Limit};
  }
  return std::nullopt;
}

} // namespace memshape
