// One block instead of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Ceiling.h"
#include "memory/ModRefIndex.h"
#include "memshape/Bodies.h"
#include "skeleton/Stages.h"
#include "skeleton/UnprovenCalls.h"

using namespace llvm;

namespace memshape {

bool countBlocks(Module &M, SkeletonState &State) {
  PointsTo Memory(M, *State.Root, State.mostSteps());
  if (!Memory.isComplete())
    return State.fail("its pointers are too tangled to be followed");
  listSilentCalls(M, Memory, State);
  Function *Made;
  {
    ModRefIndex Accesses(M, *State.Root, Memory);
    std::string Why;
    Made = buildCeiling(*State.Root, Memory, Accesses, State.Simplify.analyses(), Why);
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

} // namespace memshape
