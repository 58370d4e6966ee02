// One block instead of an operator, and how far it uses what it is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Ceiling.h"
#include "ceiling/Frames.h"
#include "ceiling/Reach.h"
#include "ceiling/ShapeRanges.h"
#include "ceiling/StandIn.h"
#include "lower/Lower.h"
#include "memory/ModRefIndex.h"
#include "memshape/Bodies.h"
#include "skeleton/Stages.h"
#include "skeleton/UnprovenCalls.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

bool countBlocks(Module &M, SkeletonState &State) {
  separateDistances(M);
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

/// Operators with more instructions are mostly their libraries'. A copy is simplified, which a slice spares itself.
static constexpr size_t MostInstructions = 20000;

/// Tells the bytes of frames in Made as result Number, or lists why they have no bound.
static void tellFrames(Function &Copy, ShapeRanges &Ranges, unsigned Number, SkeletonState &State, StandIn &Made) {
  const Frames Found = framesOf(Copy, *State.Root, Ranges, State.Simplify.analyses());
  SkeletonFrames &Said = State.Facts.Frames.emplace();
  const DISubprogram *Source = Found.Recursive ? Found.Recursive->getSubprogram() : nullptr;
  if (Source && !isInSystemHeader(*Source))
    Said = {displayPlace(DILocation::get(Copy.getContext(), Source->getLine(), 0, const_cast<DISubprogram *>(Source))),
            true};
  else if (Found.Array && !Found.Recursive)
    Said.Place = displayPlace(Found.Array->getDebugLoc());
  if (Found.Most)
    Made.tell(Number, Found.Most);
  else if (!Said.Place.Line)
    State.Facts.Frames.reset();
}

bool measureReach(Module &M, SkeletonState &State) {
  SmallVector<unsigned, 8> Numbers;
  for (const auto &[I, P] : enumerate(State.Op.Fact.Parameters))
    if (P.Role == ParameterRole::Tensor && !P.Name.empty())
      Numbers.push_back(State.Op.argumentOf(unsigned(I))->getArgNo()), State.Facts.Reached.push_back(P.Name);
  const bool HasFrames = haveLargeFrames(M);
  if ((Numbers.empty() && !HasFrames) || instructionCount(M) > MostInstructions)
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
    StandIn Made(*Copy, ReachName, *State.Reach);
    const ThreadRoles Roles(*Copy, Memory);
    ShapeRanges Ranges(*Copy, Memory, Accesses, Roles, State.Simplify.analyses(), Made.builder(), Made.arguments());
    const unsigned First = unsigned(State.Op.Fact.Results.size());
    buildReach(*Copy, Memory, Accesses, Ranges, Pointers, First, Made);
    if (HasFrames)
      tellFrames(*Copy, Ranges, First + unsigned(Pointers.size()), State, Made);
    Made.finish()->setLinkage(GlobalValue::ExternalLinkage);
  }
  State.Simplify.analyses().clear();
  Copy->eraseFromParent();
  return true;
}

} // namespace memshape
