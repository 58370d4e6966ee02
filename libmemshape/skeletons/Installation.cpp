// Where the parts of this installation lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Installation.h"

#include <dlfcn.h>
#include <link.h>

namespace memshape {

namespace fs = std::filesystem;

/// The shared library that holds this code; "" where the program itself does.
static std::string ownLibrary() {
  Dl_info Ignored;
  link_map *Object = nullptr;
  const void *Here = reinterpret_cast<const void *>(&ownLibrary);
  if (!dladdr1(Here, &Ignored, reinterpret_cast<void **>(&Object), RTLD_DL_LINKMAP) || !Object)
    return "";
  return Object->l_name;
}

Result<Installation> Installation::ofThisCode() {
  std::error_code Error;
  if (const std::string Library = ownLibrary(); !Library.empty()) {
    const fs::path Real = fs::canonical(Library, Error);
    if (Error)
      return Failure{"cannot find out where '" + Library + "' lies: " + Error.message()};
    return Installation((Real.parent_path() / MEMSHAPE_PROGRAM_DIRECTORY).lexically_normal());
  }
  fs::path Executable = fs::read_symlink("/proc/self/exe", Error);
  if (Error)
    return Failure{"cannot find out where this program lies: " + Error.message()};
  return Installation(Executable.parent_path());
}

static fs::path inner(const fs::path &Bin, const char *Program) {
  return (Bin / ".." / "libexec" / "memshape" / Program).lexically_normal();
}

fs::path Installation::runner() const { return inner(Bin, "memshape-skeleton"); }
fs::path Installation::slicer() const { return inner(Bin, "memshape-slicer"); }
fs::path Installation::extractor() const { return inner(Bin, "memshape-extractor"); }

Result<fs::path> Installation::libraries() const {
  std::error_code Ignored;
  // MEMSHAPE_LIBRARY_DIRECTORY is where this build puts libraries, relative to bin.
  for (const char *Candidate : {MEMSHAPE_LIBRARY_DIRECTORY, "../lib", "../lib64"}) {
    fs::path Directory = (Bin / Candidate).lexically_normal();
    if (fs::is_regular_file(Directory / "memshape", Ignored))
      return Directory;
  }
  return Failure{"this installation has no plugin: '" +
                 (Bin / MEMSHAPE_LIBRARY_DIRECTORY / "memshape").lexically_normal().string() + "' is missing"};
}

Result<fs::path> Installation::headers() const {
  std::error_code Ignored;
  fs::path Directory = (Bin / ".." / "include").lexically_normal();
  if (fs::is_regular_file(Directory / "memshape" / "operator.h", Ignored))
    return Directory;
  return Failure{"this installation has no headers: '" + (Directory / "memshape" / "operator.h").string() +
                 "' is missing"};
}

} // namespace memshape
