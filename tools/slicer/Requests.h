// What the slicer is asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/SkeletonKind.h"

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

/// docs/formats.md, section 6.
struct SlicerRequest {
  std::string Symbol; ///< linker's name of the operator, in the first module
  SkeletonKind Wanted = SkeletonKind::Slice;
  struct ModuleBytes {
    std::string Name; ///< display name
    std::uint64_t Bytes = 0;
  };
  std::vector<ModuleBytes> Modules;
  struct SummaryDocument {
    std::string Name, Text;
  };
  std::vector<SummaryDocument> Summaries; ///< of closed libraries, beside those that the modules carry
};

/// Parses the first line. False with a one-line Problem where it is no such request.
bool parseSlicerRequest(llvm::StringRef Line, SlicerRequest &Request, std::string &Problem);

} // namespace memshape
