// Libraries that the user names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/LibraryNames.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace memshape {

namespace fs = std::filesystem;

/// Folders that /etc/ld.so.conf and the files that it includes name; the cache of ldconfig is made of them.
static void addConfigured(std::vector<fs::path> &Folders) {
  std::vector<fs::path> Files = {"/etc/ld.so.conf"};
  std::error_code Ignored;
  for (const fs::directory_entry &Entry : fs::directory_iterator("/etc/ld.so.conf.d", Ignored))
    Files.push_back(Entry.path());
  for (const fs::path &File : Files) {
    std::ifstream Lines(File);
    for (std::string Line; std::getline(Lines, Line);)
      if (!Line.empty() && Line.front() == '/')
        Folders.emplace_back(Line);
  }
}

static std::vector<fs::path> searchedFolders() {
  std::vector<fs::path> Folders;
  if (const char *Given = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream Parts(Given);
    for (std::string Part; std::getline(Parts, Part, ':');)
      Folders.emplace_back(Part.empty() ? "." : Part);
  }
  addConfigured(Folders);
  for (const char *Standard : {"/lib", "/usr/lib", "/lib64", "/usr/lib64"})
    Folders.emplace_back(Standard);
  return Folders;
}

std::optional<Failure> checkLibraries(const std::vector<std::string> &Names) {
  std::error_code Ignored;
  for (const std::string &Name : Names) {
    if (Name.find('/') != std::string::npos) {
      if (!fs::exists(Name, Ignored))
        return Failure{"cannot find the library '" + Name + "'"};
      continue;
    }
    const std::vector<fs::path> Folders = searchedFolders();
    if (std::none_of(Folders.begin(), Folders.end(),
                     [&](const fs::path &Folder) { return fs::exists(Folder / Name, Ignored); }))
      return Failure{"cannot find the library '" + Name + "' where the dynamic linker looks; give its path"};
  }
  return std::nullopt;
}

} // namespace memshape
