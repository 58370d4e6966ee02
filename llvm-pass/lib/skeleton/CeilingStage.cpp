// Counted blocks instead of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Ceiling.h"
#include "ceiling/Reach.h"
#include "memory/ModRefIndex.h"
#include "memshape/Bodies.h"
#include "skeleton/Stages.h"

using namespace llvm;

namespace memshape {

/// Puts what Build makes in the place of all that M has.
template <typename Builder> static bool replaceOperator(Module &M, SkeletonState &State, Builder Build) {
  PointsTo Memory(M, *State.Root, State.mostSteps());
  if (!Memory.isComplete())
    return State.fail("its pointers are too tangled to be followed");
  Function *Made;
  {
    ModRefIndex Accesses(M, *State.Root, Memory);
    std::string Why;
    Made = Build(Memory, Accesses, Why);
    if (!Made)
      return State.fail(Why);
  }
  State.Root = Made;
  for (Function &F : M)
    if (&F != Made && !F.isDeclaration())
      leaveDeclaration(F);
  if (GlobalVariable *Constructors = M.getNamedGlobal("llvm.global_ctors"))
    Constructors->eraseFromParent();
  return true;
}

bool countBlocks(Module &M, SkeletonState &State) {
  return replaceOperator(M, State, [&](const PointsTo &Memory, ModRefIndex &Accesses, std::string &Why) {
    return buildCeiling(*State.Root, Memory, Accesses, State.Simplify.analyses(), Why);
  });
}

bool measureReach(Module &M, SkeletonState &State) {
  SmallVector<const Argument *, 8> Pointers;
  State.Op.Fact.Results.clear();
  for (const auto &[I, P] : enumerate(State.Op.Fact.Parameters))
    if (P.Role == ParameterRole::Tensor && !P.Name.empty()) {
      Pointers.push_back(State.Root->getArg(State.Op.argumentOf(unsigned(I))->getArgNo()));
      State.Op.Fact.Results.push_back(P.Name);
    }
  return replaceOperator(M, State, [&](const PointsTo &Memory, ModRefIndex &Accesses, std::string &) {
    return buildReach(*State.Root, Memory, Accesses, State.Simplify.analyses(), Pointers);
  });
}

} // namespace memshape
