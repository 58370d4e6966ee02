// What the stages of one skeleton share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/SkeletonState.h"

using namespace llvm;

namespace memshape {

bool SkeletonState::fail(const Twine &Reason) {
  Facts.Reason = Reason.str();
  Failed = true;
  return false;
}

bool SkeletonState::affords(const Module &M, Effort::Cost Each) {
  return Spent.spend(Each, instructionCount(M)) || fail(TooLarge);
}

void SkeletonState::simplify(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      Simplify.thorough(F);
}

const PointsTo *SkeletonState::pointers(Module &M) {
  if (!Memory)
    Memory = followPointers(M, mostSteps());
  if (!Memory->isComplete())
    fail(TooTangled);
  return Memory->isComplete() ? Memory.get() : nullptr;
}

std::unique_ptr<PointsTo> SkeletonState::followPointers(Module &M, uint64_t MaxSteps) {
  const uint64_t Each = Effort::StepsOfPointers;
  auto Found = std::make_unique<PointsTo>(M, *Root, std::min(MaxSteps / Each, Spent.left()) * Each);
  Spent.spend(Effort::Copying, Found->steps() / Each + 1);
  return Found;
}

} // namespace memshape
