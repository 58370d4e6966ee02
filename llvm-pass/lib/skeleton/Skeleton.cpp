// The allocation skeleton of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Skeleton.h"
#include "skeleton/StagePass.h"

using namespace llvm;

namespace memshape {

std::unique_ptr<Module> buildSkeleton(const Operator &Op, SkeletonKind Kind, SkeletonFacts &Facts, SlicingLimits Limits,
                                      PassInstrumentationCallbacks *Watch) {
  Facts.Replayed = Kind == SkeletonKind::Replay;
  SkeletonState State(Op, Facts, Limits);
  std::unique_ptr<Module> Skeleton = runStages(Kind, State, Watch);
  Facts.Spent = State.Spent.spent();
  return Skeleton;
}

} // namespace memshape
