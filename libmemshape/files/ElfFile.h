// Sections and libraries of an ELF file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit little-endian relocatable objects, executables and shared libraries. Layout: System V ABI, "Object Files".

#pragma once

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

struct ElfFile {
  std::vector<Bytes> Sections;       ///< contents of every section called .memshape
  std::vector<std::string> Needed;   ///< DT_NEEDED, in order
  std::vector<std::string> RunPaths; ///< DT_RUNPATH or DT_RPATH, split at colons, $ORIGIN as written
  std::vector<std::string> Imports;  ///< symbols that others have to define
  std::uint64_t ProgramBytes = 0;    ///< of an executable, what of it is loaded from the file; 0 of others
};

bool isElf(Bytes File);

/// A function of a linked file that is Meant by its name, whatever uses it, and that the dynamic loader finds before one
/// of a library; none in a file that brings its libraries along.
std::optional<std::string> ownDefinition(Bytes File, const std::function<bool(const std::string &)> &Meant);

/// Messages are of the form "is truncated: ..." so that the caller can put the file's name before them.
Result<ElfFile> readElf(Bytes File);

} // namespace memshape
