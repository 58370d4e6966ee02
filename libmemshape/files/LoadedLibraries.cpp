// How many libraries a process loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/LoadedLibraries.h"

#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/MappedFile.h"

#include <filesystem>
#include <set>

namespace memshape {

namespace {

namespace fs = std::filesystem;

/// More than any program has; ends endless chains.
constexpr std::size_t MostLibraries = 4096;

fs::path locate(const std::string &Library) {
  std::error_code Ignored;
  if (Library.find('/') != std::string::npos)
    return Library;
  for (const char *Folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib",
                             "/usr/lib", "/usr/local/lib"})
    if (fs::path Candidate = fs::path(Folder) / Library; fs::is_regular_file(Candidate, Ignored))
      return Candidate;
  return {};
}

} // namespace

std::size_t countLoadedLibraries(const std::vector<std::string> &Libraries) {
  std::vector<std::string> Open = Libraries;
  std::set<std::string> Seen;
  while (!Open.empty() && Seen.size() < MostLibraries) {
    std::string Library = std::move(Open.back());
    Open.pop_back();
    if (!Seen.insert(fs::path(Library).filename()).second)
      continue;
    Result<MappedFile> File = MappedFile::open(locate(Library));
    if (!File || !isElf(File->bytes()))
      continue;
    if (Result<ElfFile> Elf = readElf(File->bytes()))
      Open.insert(Open.end(), Elf->Needed.begin(), Elf->Needed.end());
  }
  return Seen.size();
}

} // namespace memshape
