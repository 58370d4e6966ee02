// What is known of a call before it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/residency/Posterior.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace memshape {

inline constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();
inline bool known(double Value) { return !std::isnan(Value); }

/// One call of an operator in one process, as features: no names of operators or libraries. Bytes, or counts; Unknown
/// where nobody can tell.
struct Situation {
  std::map<std::string, double> Shape;

  // From the skeleton, or a footprint formula.
  double Heap = Unknown;        ///< requested bytes at the peak of the call
  double Total = Unknown;       ///< requested bytes in all
  double Allocations = Unknown; ///< count
  double OneTime = Unknown;     ///< what only a first call requests
  double Touched = Unknown;     ///< what is written of requested bytes, at most, when that is most
  /// The same of requested bytes and the caller's tensors together: those that nobody has written before.
  double TouchedWithTensors = Unknown;
  double Kept = Unknown; ///< how much higher that is with freed blocks that the allocator does not give back

  // From the caller and the process.
  double Held = Unknown;       ///< tensors and other memory that the process holds besides
  double Fresh = Unknown;      ///< of that, tensors that nobody has written yet; 0 where unknown
  double Libraries = Unknown;  ///< count of shared libraries
  double CalledCode = Unknown; ///< bytes of libraries that a call brings into memory, as far as they were called before
};

/// Bytes of the heap, and of fresh tensors, that are in memory when that is most: what is requested where nobody knows
/// how much of it is written.
double writtenBytes(const Situation &At);

/// The same call if all that it requests were written, to the end of each block's last page.
Situation allRequested(Situation At);

/// Whether both name the same shape symbols: runs with others are of an earlier version of the operator.
bool haveSameSymbols(const Situation &A, const Situation &B);

/// The terms of the generic prior, each in bytes: what an unseen operator's resident peak is made of.
enum PriorTerm {
  Base,
  LibraryCount,
  HeldBytes,
  HeapBytes,
  BlockOverhead,
  Churn,
  OneTimeBytes,
  CalledBytes,
  PriorTerms
};

/// Bytes of one library in the terms.
inline constexpr double LibraryUnit = 65536;

/// Name of a term, as people read it.
const char *priorTermName(int Term);

/// The terms of a situation, PriorTerms values in bytes. What is unknown is taken to be 0, of the process to be that of
/// a plain C++ program.
Row priorTerms(const Situation &At);

} // namespace memshape
