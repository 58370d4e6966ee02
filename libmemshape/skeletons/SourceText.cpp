// The source that an answer speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/SourceText.h"
#include "libmemshape/text/Escapes.h"

#include "memshape/SourceCondition.h"
#include "memshape/SourceExpression.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

namespace fs = std::filesystem;

constexpr std::uintmax_t LargestFile = std::uintmax_t(4) << 20; ///< bytes
/// Generated code may have everything on one line.
constexpr std::size_t LongestLine = 400;

/// Where compilers and packages put headers, in folders named include.
constexpr const char *OfTheSystem[] = {"/usr", "/opt", "/nix/store", "/gnu/store"};

/// Headers of the C++ library, and Eigen's, have no ending.
static bool looksLikeSource(const fs::path &Path) {
  static const std::set<std::string> Known = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".cu",  ".h",   ".hh",
                                              ".hpp", ".hxx", ".h++", ".cuh", ".hip", ".inl", ".ipp", ".tcc",
                                              ".tpp", ".txx", ".inc", ".def", ".m",   ".mm",  ".C",   ".H"};
  return Known.contains(Path.extension()) ||
         (!Path.has_extension() && std::find(Path.begin(), Path.end(), "include") != Path.end());
}

/// What follows Folder in Path; empty where Path does not lie in it.
static fs::path below(const fs::path &Path, const fs::path &Folder) {
  const auto [Rest, Differs] = std::mismatch(Path.begin(), Path.end(), Folder.begin(), Folder.end());
  fs::path Inside;
  if (Differs == Folder.end() && !Folder.empty())
    for (auto Part = Rest; Part != Path.end(); ++Part)
      Inside /= *Part;
  return Inside;
}

/// Such a folder holds what has nothing to do with a project.
static bool holdsTheHome(const fs::path &Folder) {
  const char *Home = std::getenv("HOME");
  return Folder == Folder.root_path() || (Home && (Home == Folder || !below(Home, Folder).empty()));
}

static fs::path withoutLinks(const fs::path &Path) {
  std::error_code Error;
  fs::path Found = fs::canonical(Path, Error);
  return Error ? fs::path() : Found;
}

/// What can be read of Path without being waited for, as a pipe or a device would be; a reason where it is no text.
static std::string readText(const fs::path &Path, std::string &Text) {
  const int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat Status = {};
  std::string Reason;
  if (File < 0 || ::fstat(File, &Status) != 0 || !S_ISREG(Status.st_mode))
    Reason = "the file cannot be read";
  else if (static_cast<std::uintmax_t>(Status.st_size) > LargestFile)
    Reason = "the file is too large to be shown";
  else
    for (char Buffer[1 << 12]; Text.size() <= LargestFile;) {
      const ssize_t Count = ::read(File, Buffer, sizeof Buffer);
      if (Count <= 0)
        break;
      Text.append(Buffer, static_cast<std::size_t>(Count));
    }
  if (File >= 0)
    ::close(File);
  if (Text.find('\0') != std::string::npos)
    Reason = "the file is no text";
  return Reason;
}

SourceFolders::SourceFolders() : Folders{withoutLinks(".")} {}

void SourceFolders::add(const std::string &File, const std::string &Compiled) {
  const fs::path Path = withoutLinks(File), Own = Path.parent_path(), Claimed = withoutLinks(Compiled);
  Folders.push_back(Own);
  // An object says what it wants; that it lies where it says to have been made is true.
  if (!below(Path, Claimed).empty() && !holdsTheHome(Claimed))
    Folders.push_back(Claimed);
  std::error_code Error;
  for (fs::path Tree = Own; Tree.has_relative_path(); Tree = Tree.parent_path())
    if (fs::exists(Tree / ".git", Error)) {
      if (!holdsTheHome(Tree))
        Folders.push_back(Tree);
      break;
    }
}

bool SourceFolders::hold(const fs::path &Path) const {
  if (!looksLikeSource(Path))
    return false;
  for (const char *Each : OfTheSystem)
    if (const fs::path Inside = below(Path, Each); std::find(Inside.begin(), Inside.end(), "include") != Inside.end())
      return true;
  return std::any_of(Folders.begin(), Folders.end(), [&](const fs::path &Folder) {
    const fs::path Inside = below(Path, Folder);
    return !Inside.empty() && std::none_of(Inside.begin(), Inside.end(),
                                           [](const fs::path &Part) { return Part.native().starts_with("."); });
  });
}

SourceText readSource(const std::string &Path, const SourceFolders &Shown) {
  if (!looksLikeSource(Path))
    return {{}, "its name is not that of a source file"};
  std::error_code Error;
  if (fs::status(Path, Error).type() == fs::file_type::not_found)
    return {{}, "the file is not there any more"};
  const fs::path Real = withoutLinks(Path);
  if (Real.empty())
    return {{}, "the file cannot be read"};
  if (!Shown.hold(Real))
    return {{}, "it lies neither in the project of the instrumented file nor where memshape was started"};
  std::string Text;
  if (std::string Reason = readText(Real, Text); !Reason.empty())
    return {{}, std::move(Reason)};
  std::istringstream Stream(Text);
  SourceText Source;
  for (std::string Line; std::getline(Stream, Line);) {
    bool Cut = Line.size() > LongestLine;
    std::string Shortened;
    for (char C : Line.substr(0, LongestLine))
      Shortened += C == '\t' ? std::string(4, ' ') : std::string(1, C);
    Source.Lines.push_back(oneLine(Shortened) + (Cut ? " ..." : ""));
  }
  return Source;
}

void readConditions(Skeleton &S, const std::string &File) {
  SourceFolders Shown;
  Shown.add(File, S.Directory);
  std::map<std::string, SourceText> Files;
  const auto LineOf = [&](const SourcePlace &Place) {
    if (Place.File.empty() || !Place.Line)
      return std::string();
    const std::string Path = (std::filesystem::path(S.Directory) / Place.File).string();
    auto [Known, IsNew] = Files.try_emplace(Path);
    if (IsNew)
      Known->second = readSource(Path, Shown);
    return Place.Line <= Known->second.Lines.size() ? Known->second.Lines[Place.Line - 1] : "";
  };
  for (SkeletonDecision &D : S.Decisions)
    // A condition is where it is written; a size is named where it is asked for.
    if (D.Condition.empty())
      D.Condition = conditionOn(LineOf(D.IsValue || !D.Inside.Line ? D.Place : D.Inside));
  for (SizeWrap &Wrap : S.Wraps)
    if (Wrap.Place.Text.empty())
      Wrap.Place.Text = expressionOn(LineOf(Wrap.Place), Wrap.Place.Column);
}

} // namespace memshape
