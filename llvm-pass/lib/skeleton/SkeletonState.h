// What the stages of one skeleton share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "data-flow/BlockUses.h"
#include "flatten/Flatten.h"
#include "memory/PointsTo.h"
#include "skeleton/Skeleton.h"

namespace memshape {

/// Beside the module itself, all that a stage hands on to later ones.
class SkeletonState {
public:
  SkeletonState(const Operator &O, SkeletonFacts &F, SlicingLimits L)
      : Op(O), Facts(F), Limits(L), Spent(L.Allowance), Simplify(Spent) {}

  /// What is sliced. Its function is the original, which no stage changes; where a stage runs alone it is Root.
  Operator Op;
  SkeletonFacts &Facts;
  const SlicingLimits Limits;
  /// The operator in the module that the stages change.
  llvm::Function *Root = nullptr;
  /// A function like Root that tells how far pointers are used; null where that is not known.
  std::unique_ptr<llvm::Module> Reach;
  /// The module that a stage has made, until it takes the place of the one before.
  std::unique_ptr<llvm::Module> Made;
  Effort Spent;
  Simplifier Simplify;
  /// Linker's names of what the module uses and does not define: at first, and when allocations are lowered.
  std::vector<std::string> UndefinedAtFirst, UndefinedWhenLowered;
  BlockUses Uses; ///< of blocks, before anything was cut

  /// There is no skeleton, because of Reason. To be returned by the stage that finds out.
  bool fail(const llvm::Twine &Reason);
  bool hasFailed() const { return Failed; }

  /// Spends a stage's work on M. False, with a reason, where it must not be begun.
  bool affords(const llvm::Module &M, Effort::Cost Each);

  /// Simplifies all functions of M.
  void simplify(llvm::Module &M);

  /// Which objects the pointers of M can reach. Followed by the first stage that asks, and valid until a stage ends that
  /// does not keep them. Null, with a reason, where they are too tangled.
  const PointsTo *pointers(llvm::Module &M);
  void forgetPointers() { Memory.reset(); }
  /// What a stage has found out itself.
  void keepPointers(std::unique_ptr<PointsTo> Found) { Memory = std::move(Found); }

  /// Steps that following pointers may take.
  uint64_t mostSteps() const { return Limits.PointerBudget * uint64_t(100'000'000); }
  /// Follows the pointers of M in at most MaxSteps, and in what may still be spent; incomplete where that is too
  /// little.
  std::unique_ptr<PointsTo> followPointers(llvm::Module &M, uint64_t MaxSteps);

private:
  std::unique_ptr<PointsTo> Memory;
  bool Failed = false;
};

/// Why a skeleton is given up in a compilation, and made in a prediction.
inline constexpr char TooLarge[] = "it is too large to be sliced within the time that a compilation has";
inline constexpr char TooTangled[] =
    "its pointers are too tangled to be followed within the time that a compilation has";

} // namespace memshape
