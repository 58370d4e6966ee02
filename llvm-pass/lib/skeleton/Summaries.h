//===- Summaries.h - What functions without a body do to memory -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A skeleton meets functions that nobody compiled with memshape: libc, libm, libstdc++, BLAS, FFTW. A summary says how
// each is treated; a function without one is dropped, named in the answer, and makes the answer inexact.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SUMMARIES_H
#define MEMSHAPE_SUMMARIES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace memshape {

enum class Treatment {
  Compute, ///< result from the arguments alone, no memory: executed where the result is needed (libm)
  Inspect, ///< reads memory it is given, allocates nothing: executed where the result is needed (strlen, tree walks)
  Adjust,  ///< reads and writes memory it is given, allocates nothing: executed where what it writes is needed
  Perform, ///< may allocate: executed always, its allocations are counted (std::string, FFTW's planner)
  Repeat,  ///< as Perform, but each call with the same first argument allocates alike: one call stands for all
  Ask,     ///< as Compute, but the answer is the machine's, not the shape's (omp_get_max_threads)
  Skip,    ///< allocates nothing that a later call would not find; only writes data (BLAS, printf)
  Unknown  ///< no summary
};

struct Summary {
  Treatment How = Treatment::Unknown;
  const char *Library = "";     ///< soname that defines it, "" where the process has it anyway
  uint32_t ReadArguments = ~0u; ///< bit i: memory behind argument i is read (Inspect, Adjust, Perform)
  bool FollowsPointers = true;  ///< memory behind pointers in that memory is touched too
  /// Not 0: the arguments are nodes of a linked structure whose first bytes, this many, hold its pointers (and what
  /// they are ordered by); the function follows and changes those alone, in any node of the structure.
  unsigned LinkBytes = 0;
  uint32_t WrittenArguments = ~0u; ///< bit i: memory behind argument i is written (all but Compute, Inspect, Ask)
};

/// True for a variable without a definition here whose contents every process of this system has: streams, the C++
/// library's own tables. Other undefined variables have unknown contents.
bool isProcessVariable(const llvm::GlobalVariable &G);

/// The summary of declaration F.
Summary summaryOf(const llvm::Function &F);

} // namespace memshape

#endif // MEMSHAPE_SUMMARIES_H
