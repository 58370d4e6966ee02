// Making a skeleton when it is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/CacheFolder.h"
#include "libmemshape/skeletons/Modules.h"
#include "libmemshape/skeletons/Skeleton.h"

#include "memshape/SkeletonKind.h"

#include <chrono>

namespace memshape {

/// Summaries of closed libraries: docs/libraries.md.
struct SummaryDocument {
  std::string Name, Text;
};

struct SlicerOptions {
  std::string Executable; ///< memshape-slicer
  bool Trust = false;     ///< it works even where this system gives no sandbox
  CacheFolder Kept = {};  ///< what it has answered before
};

/// Lets memshape-slicer make a skeleton of the operator Symbol from the units at Units, its own one first, with what
/// Summaries tell of functions without a body. The process is ended at Deadline. What it answered to the same question
/// is not asked again; that it has run out of processor time counts as its answer when it has done so a few times.
Result<Skeleton> sliceNow(const SlicerOptions &Options, const std::vector<ModuleHead> &Heads,
                          const std::vector<std::size_t> &Units, const std::string &Symbol, SkeletonKind Kind,
                          const std::vector<SummaryDocument> &Summaries,
                          std::chrono::steady_clock::time_point Deadline);

} // namespace memshape
