// What is known of a skeleton beside its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "extract/MadeObjects.h"
#include "memshape/SkeletonCodes.h"
#include "operators/Operators.h"
#include "operators/SourcePlace.h"
#include "llvm/Support/JSON.h"

namespace memshape {

/// An allocation site of the skeleton; its id is its position in SkeletonFacts::Sites.
struct SkeletonSite {
  llvm::SmallVector<SourcePlace, 8> Chain; ///< innermost first
  SourcePlace Place;                       ///< the one its author would name
  std::string Allocator;
  std::string Space;
  SourcePlace From;       ///< where the root calls what leads to Place, where that is one call and Place is no reader's
  std::string Elements;   ///< the type under which its blocks are written; "" where that is not one
  bool UsesKnown = false; ///< the next two lists are complete
  /// Sites: once one has allocated, nobody looks at blocks of this one; and those whose blocks are a copy, the last use
  /// there is.
  std::vector<unsigned> UnusedAfter, MovedTo;
  std::vector<unsigned> CopiedTo; ///< sites whose blocks are given what is in one of this
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
  /// What it asks is whether this tensor is there, by its number among the parameters that the runner hands out; -1:
  /// something else.
  int Tensor = -1;
  bool OneIsNull = false; ///< and 1 says that it is not
};

/// The skeleton asks whether a tensor is there, which it takes the runner's word for.
struct SkeletonPresence {
  unsigned Tensor = 0; ///< its number among the parameters that the runner hands out
  std::string Name;
  SourcePlace Place;     ///< of the first question
  std::string Condition; ///< as written there; "" where the source could not be read
};

/// A variable through which the operator allocates, taken to hold the function of its definition.
struct SkeletonInitial {
  std::string Variable; ///< to be displayed
  std::string Function; ///< to be displayed
  SourcePlace Place;    ///< of the first call
};

/// A function without a body that the skeleton had to take a stand on.
struct SkeletonUnknown {
  std::string Symbol;
  SourcePlace Place;
  CallReason Reason = CallReason::NoBody;
  bool IsCalled = false;        ///< executed for real; otherwise it is dropped
  std::string Text = {};        ///< of its summary, where the reason is CallReason::Conditional
  bool RequestsNothing = false; ///< taken to: the program chooses the function, and it gives back no pointer
  bool MayFree = false;         ///< blocks that the operator has requested are within its reach
};

/// An extent of what the operator returns, or leaves in an argument.
struct SkeletonResult {
  std::string Symbol;
  bool IsDecided = false; ///< by data, at Place; the skeleton does not tell it
  SourcePlace Place = {};
  std::string Condition = {}; ///< as written there
};

/// A result that can leave its type on the way to a size.
struct SkeletonWrap {
  SourcePlace Place;      ///< the line that its author would name
  std::string Expression; ///< as written there, or in a library's header; "" where the source could not be read
  unsigned Bits = 0;      ///< of the type
  bool IsSigned = false;
  std::vector<unsigned> Sites; ///< whose sizes it reaches
};

/// What the operator keeps on the stack, where that is more than a few pages.
struct SkeletonFrames {
  SourcePlace Place =
      {}; ///< why the skeleton does not tell it: an array without a bound, or a function that calls itself
  bool IsRecursion = false;
};

struct SkeletonFacts {
  std::string Reason;    ///< why there is no skeleton; "" where there is one
  bool Replayed = false; ///< it is the operator itself: nothing was sliced away
  std::vector<SkeletonSite> Sites;
  std::vector<SkeletonDecision> Decisions;
  std::vector<SkeletonUnknown> Unknowns;
  std::vector<SkeletonInitial> Initial;    ///< one for each variable and function
  std::vector<std::string> Reached;        ///< pointers by name: numbers behind the results tell their bytes
  std::optional<SkeletonFrames> Frames;    ///< the number behind these
  std::vector<SkeletonPresence> Presences; ///< one for each tensor that is asked for
  std::vector<SkeletonWrap> Wraps;         ///< by the numbers that the runner is told, less one
  std::vector<SkeletonResult> Results;     ///< each stands for a site, behind those of arguments
  std::vector<std::string> Machine;        ///< what the answer depends on beside the shape: "OMP_NUM_THREADS"
  bool Rounds = false;                     ///< it computes with floating-point numbers
  bool BesideData = false;                 ///< a decision comes from a number that lies in memory beside data
  bool MakesNumbers = false;               ///< of places, other than by comparing them
  bool Interferes = false;                 ///< it depends on what threads that it starts tell each other
  /// Uses of what calls at other shapes may have left, to be displayed, by the numbers of their marks.
  std::vector<std::string> Recalled;
  std::vector<std::string> Changing;  ///< variables that a call may change, to be displayed
  std::vector<std::string> Libraries; ///< sonames that functions called for real are in
  /// Members of arguments that nothing in the skeleton reads: they need not be given.
  std::vector<std::string> Unread;
  /// Those on which only what the argument takes depends.
  std::vector<std::string> OfArguments;
  /// Settings that are what a constructor leaves in all objects.
  SettingDefaults Defaults;
  std::vector<std::string> Notes;
  /// Linker's names of what the flattened operator uses and this module does not define.
  std::vector<std::string> Undefined;
  unsigned Flattened = 0; ///< instructions after flattening
  uint64_t Spent = 0;     ///< work, as Effort counts it
  unsigned Kept = 0;      ///< instructions of the skeleton
};

/// The document memshape.skeleton/2 of docs/formats.md.
llvm::json::Object skeletonDocument(const Operator &Op, const SkeletonFacts &Facts);

} // namespace memshape
