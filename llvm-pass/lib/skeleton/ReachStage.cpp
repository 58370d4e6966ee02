// How far the operator uses its pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Ceiling.h"
#include "ceiling/Reach.h"
#include "memory/ModRefIndex.h"
#include "skeleton/Stages.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

/// Operators with more instructions are mostly their libraries'. A copy is simplified, which a slice spares itself.
static constexpr size_t MostInstructions = 20000;

bool measureReach(Module &M, SkeletonState &State) {
  SmallVector<unsigned, 8> Numbers;
  for (const auto &[I, P] : enumerate(State.Op.Fact.Parameters))
    if (P.Role == ParameterRole::Tensor && !P.Name.empty())
      Numbers.push_back(State.Op.argumentOf(unsigned(I))->getArgNo()), State.Facts.Reached.push_back(P.Name);
  if (Numbers.empty() || instructionCount(M) > MostInstructions)
    return true;
  ValueToValueMapTy Copied;
  Function *Copy = CloneFunction(State.Root, Copied);
  dropWaysWithoutReturn(*Copy);
  State.Simplify.thorough(*Copy);
  dropWaysWithoutReturn(*Copy);
  State.Simplify.loops(*Copy);
  State.Simplify.canonical(*Copy);
  SmallVector<const Argument *, 8> Pointers;
  for (unsigned Number : Numbers)
    Pointers.push_back(Copy->getArg(Number));
  if (PointsTo Memory(M, *Copy, State.mostSteps()); Memory.isComplete()) {
    State.Reach = std::make_unique<Module>(ReachName, M.getContext());
    State.Reach->setDataLayout(M.getDataLayout());
    ModRefIndex Accesses(M, *Copy, Memory);
    buildReach(*Copy, Memory, Accesses, State.Simplify.analyses(), Pointers, State.Op.Fact.Results.size(),
               *State.Reach);
  }
  State.Simplify.analyses().clear(*Copy, ReachName);
  Copy->eraseFromParent();
  return true;
}

} // namespace memshape
