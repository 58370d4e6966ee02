//===- Skeleton.h - The allocation skeleton of an operator ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decides an operator's allocations and frees, as a module of its own that can be run at any shape:
//
//     extract   clone the operator with everything it reaches
//     lower     allocations become calls of the runner; no exceptions, no blocks that cannot return
//     flatten   inline and simplify, until one function is left or a limit is reached
//     points-to which objects each pointer can reach; which functions each indirect call
//     data      which values come from the contents of tensors
//     slice     what the sizes, blocks and order of allocations depend on; data is cut: decisions
//     rewrite   delete the rest
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_H
#define MEMSHAPE_SKELETON_H

#include "memshape/SkeletonCodes.h"
#include "operators/Operators.h"
#include "operators/SourcePlace.h"
#include "llvm/Support/JSON.h"
#include <memory>

namespace memshape {

/// An allocation site of the skeleton; its id is its position in SkeletonFacts::Sites.
struct SkeletonSite {
  llvm::SmallVector<SourcePlace, 8> Chain; ///< innermost first
  SourcePlace Place;                       ///< the one its author would name
  std::string Allocator;
  std::string Space;
};

/// A condition or value that comes from data.
struct SkeletonDecision {
  SourcePlace Place;     ///< the line that its author would name
  SourcePlace Inside;    ///< in a library's header, where that is what Place came to
  std::string Condition; ///< as written; "" where the source could not be read
  DecisionEffect Effect = DecisionEffect::Size;
  SourcePlace Source; ///< where the data is read that it comes from
  bool IsBranch = true;
  bool InLoop = false;
  bool Succeeds = false;  ///< a library call before it is taken to succeed
  bool IsBounded = false; ///< a value that reaches nothing but sizes whose bounds the skeleton knows
};

/// A function without a body that the skeleton had to take a stand on.
struct SkeletonUnknown {
  std::string Symbol;
  SourcePlace Place;
  CallReason Reason = CallReason::NoBody;
  bool IsCalled = false; ///< executed for real; otherwise it is dropped
  std::string Text = {}; ///< of its summary, where the reason is CallReason::Conditional
};

struct SkeletonFacts {
  std::string Reason;    ///< why there is no skeleton; "" where there is one
  bool Replayed = false; ///< it is the operator itself: nothing was sliced away
  std::vector<SkeletonSite> Sites;
  std::vector<SkeletonDecision> Decisions;
  std::vector<SkeletonUnknown> Unknowns;
  std::vector<std::string> Machine; ///< what the answer depends on beside the shape: "OMP_NUM_THREADS"
  bool Rounds = false;              ///< it computes with floating-point numbers
  bool BesideData = false;          ///< a decision comes from a number that lies in memory beside data
  bool Compares = false;            ///< it asks which of two addresses comes first, or how far they are apart
  /// Uses of what calls at other shapes may have left, to be displayed, by the numbers of their marks.
  std::vector<std::string> Recalled;
  std::vector<std::string> Libraries; ///< sonames that functions called for real are in
  std::vector<std::string> Notes;
  /// Linker's names of what the flattened operator uses and this module does not define.
  std::vector<std::string> Undefined;
  unsigned Flattened = 0; ///< instructions after flattening
  uint64_t Spent = 0;     ///< work, as Effort counts it
  unsigned Kept = 0;      ///< instructions of the skeleton
};

/// How much work the making of a skeleton may be.
struct SlicingLimits {
  unsigned PointerBudget = 1;      ///< times the work of a compilation that pointers may take to be followed
  uint64_t Allowance = UINT64_MAX; ///< work in all, as Effort counts it
  unsigned Reached = 0;            ///< instructions of the operator and of what it reaches, where that is known
};

/// Whether numbers that lie beside data are data, or the skeleton asks where data was written: Taint.h.
enum class DataBeside { IsData, IsAsked };

/// Builds the skeleton of Op, whose module is left as it was. Null when it cannot be built: Facts.Reason says why.
std::unique_ptr<llvm::Module> buildSkeleton(const Operator &Op, SkeletonFacts &Facts, SlicingLimits Limits = {},
                                            DataBeside Numbers = DataBeside::IsData);

/// The operator itself in the form of a skeleton, for where there is no better one: nothing is sliced away, exceptions
/// unwind, blocks have memory. Null when it cannot be built.
std::unique_ptr<llvm::Module> buildReplay(const Operator &Op, SkeletonFacts &Facts);

/// In the form of a skeleton: one block of the bytes that the operator takes at most, whatever data is. Null where that
/// has no bound: Facts.Reason says why.
std::unique_ptr<llvm::Module> buildCeiling(const Operator &Op, SkeletonFacts &Facts, SlicingLimits Limits = {});

/// The document memshape.skeleton/2 of docs/formats.md.
llvm::json::Object skeletonDocument(const Operator &Op, const SkeletonFacts &Facts);

} // namespace memshape

#endif // MEMSHAPE_SKELETON_H
