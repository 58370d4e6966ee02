// What an operator keeps on the stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Frames.h"
#include "ceiling/ShapeRanges.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Return addresses, saved registers and spilled values: of one frame, and of all functions that are called once.
static constexpr int64_t OfCodeGenerator = 256, OfOrdinaryFrames = 4096;

static int64_t fixedBytes(const Function &F) {
  int64_t Bytes = 0;
  for (const Instruction &I : instructions(F))
    if (const auto *Variable = dyn_cast<AllocaInst>(&I); Variable && Variable->isStaticAlloca())
      Bytes += int64_t(Variable->getAllocationSize(F.getDataLayout())->getKnownMinValue());
  return Bytes;
}

/// Functions of M that lead back to themselves, as their call graph has them.
static SmallVector<SmallVector<Function *, 2>, 4> cyclesOf(Module &M) {
  SmallVector<SmallVector<Function *, 2>, 4> Found;
  CallGraph Calls(M);
  for (scc_iterator<CallGraph *> Each = scc_begin(&Calls); !Each.isAtEnd(); ++Each)
    if (Each.hasCycle()) {
      Found.emplace_back();
      for (const CallGraphNode *Node : *Each)
        Found.back().push_back(Node->getFunction());
    }
  return Found;
}

static bool isVariableArray(const Instruction &I) {
  const auto *Array = dyn_cast<AllocaInst>(&I);
  return Array && !Array->isStaticAlloca();
}

static bool startsThreads(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && (runnerCall(*Call) == RunnerCall::Team || runnerCall(*Call) == RunnerCall::Spawn ||
                  runnerCall(*Call) == RunnerCall::Region);
}

bool haveLargeFrames(Module &M) {
  int64_t Fixed = 0;
  bool HasArrays = false;
  for (const Function &F : M) {
    if (any_of(instructions(F), startsThreads))
      return false;
    Fixed += fixedBytes(F);
    HasArrays = HasArrays || any_of(instructions(F), isVariableArray);
  }
  return HasArrays || Fixed > int64_t(OrdinaryFrames) || !cyclesOf(M).empty();
}

namespace {

class FrameCounter {
public:
  FrameCounter(Function &F, const Function &Root, ShapeRanges &Ranges, FunctionAnalysisManager &FAM)
      : F(F), Root(Root), Ranges(Ranges), A(Ranges.arithmetic()), FAM(FAM) {}
  Frames run();

private:
  Interval ofArray(AllocaInst &Array);
  bool isGivenBack(const AllocaInst &Array, const Loop &In);
  Interval openCalls(Function &Recursive);
  bool usesUp(ScalarEvolution &SE, Argument &Number, CallBase &Again);

  Function &F;
  const Function &Root;
  ShapeRanges &Ranges;
  IntervalArithmetic &A;
  FunctionAnalysisManager &FAM;
};

} // namespace

/// Each iteration of In gives Array back: it restores what the stack was in front of it.
bool FrameCounter::isGivenBack(const AllocaInst &Array, const Loop &In) {
  const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  return any_of(In.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      const auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call || Call->getIntrinsicID() != Intrinsic::stackrestore)
        return false;
      const auto *Saved = dyn_cast<Instruction>(Call->getArgOperand(0));
      return Saved && In.contains(Saved) && DT.dominates(Saved, &Array) && DT.dominates(&Array, Call);
    });
  });
}

Interval FrameCounter::ofArray(AllocaInst &Array) {
  const int64_t Element = int64_t(F.getDataLayout().getTypeAllocSize(Array.getAllocatedType()));
  const Interval Length = Ranges.at(Array.getArraySize(), false, Array);
  if (ShapeRanges::isVague(Length.High))
    return {};
  Interval Bytes = A.multiply(Length, A.constant(Element, Element));
  const int64_t Aligned = int64_t(Array.getAlign().value()) - 1;
  Bytes = A.add(Bytes, A.constant(0, Aligned));
  const Loop *Around = Ranges.loops().getLoopFor(Array.getParent());
  if (!Around || isGivenBack(Array, *Around))
    return A.choose(Ranges.canComeTo(*Array.getParent()), Bytes, A.constant(0, 0));
  Value *Times = Ranges.executions(*Array.getParent());
  return Times ? A.multiply(Bytes, {A.constant(0, 0).Low, Times}) : Interval();
}

/// Whether the call Again, which Number's function makes of itself, hands on less than Number, and only where Number is
/// above 0. Where it hands on one less, not 0 will do: from below 0 it comes to no end that a stack has room for.
bool FrameCounter::usesUp(ScalarEvolution &SE, Argument &Number, CallBase &Again) {
  Value *Next = Again.getArgOperand(Number.getArgNo());
  const SCEV *Now = SE.getSCEV(&Number), *Zero = SE.getZero(Number.getType());
  const auto *Step = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(Next), Now));
  const APInt *Part;
  const bool Shifts = match(Next, m_Shr(m_Specific(&Number), m_APInt(Part))) && Part->sgt(0);
  const bool Divides = match(Next, m_IDiv(m_Specific(&Number), m_APInt(Part))) && Part->sgt(1);
  if (!(Step && Step->getAPInt().isNegative()) && !Shifts && !Divides)
    return false;
  return SE.isBasicBlockEntryGuardedByCond(Again.getParent(), ICmpInst::ICMP_SGT, Now, Zero) ||
         (Step && Step->getAPInt().isAllOnes() && Step->getAPInt().getBitWidth() >= 32 &&
          SE.isBasicBlockEntryGuardedByCond(Again.getParent(), ICmpInst::ICMP_NE, Now, Zero));
}

/// How many calls of Recursive may be open at a time.
Interval FrameCounter::openCalls(Function &Recursive) {
  SmallVector<CallBase *, 4> Again, First;
  for (User *U : Recursive.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledOperand() != &Recursive || is_contained(Call->args(), &Recursive))
      return {};
    const Function *By = Call->getFunction();
    if (By == &Recursive)
      Again.push_back(Call);
    else if (By == &F)
      First.push_back(Call);
    else if (By != &Root)
      return {};
  }
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(Recursive);
  for (Argument &Number : Recursive.args()) {
    if (!Number.getType()->isIntegerTy() || Number.getType()->getIntegerBitWidth() > 64 ||
        !all_of(Again, [&](CallBase *Call) { return usesUp(SE, Number, *Call); }))
      continue;
    Interval Start = A.constant(0, 0);
    for (CallBase *Call : First)
      Start = A.hull(Start, Ranges.at(Call->getArgOperand(Number.getArgNo()), true, *Call));
    if (!ShapeRanges::isVague(Start.High))
      return A.add({A.constant(0, 0).Low, Start.High}, A.constant(1, 1));
  }
  return {};
}

Frames FrameCounter::run() {
  Frames Found;
  Interval Sum = A.constant(OfOrdinaryFrames, OfOrdinaryFrames);
  const auto Add = [&](Interval Bytes) {
    Sum = A.add(Sum, Bytes);
    return Sum.High != nullptr;
  };
  for (Function &Each : *F.getParent()) {
    const int64_t Fixed = &Each == &F ? 0 : fixedBytes(Each);
    Add(A.constant(Fixed, Fixed));
    for (Instruction &I : instructions(Each))
      if (&Each != &Root && isVariableArray(I)) {
        Found.Array = Found.Array ? Found.Array : &I;
        if (&Each != &F || !Add(ofArray(cast<AllocaInst>(I))))
          return Found;
      }
  }
  for (const SmallVector<Function *, 2> &Cycle : cyclesOf(*F.getParent())) {
    Function &Recursive = *Cycle.front();
    Found.Recursive = &Recursive;
    const int64_t Frame = fixedBytes(Recursive) + OfCodeGenerator;
    if (Cycle.size() > 1 || any_of(instructions(Recursive), isVariableArray) ||
        !Add(A.multiply(openCalls(Recursive), A.constant(Frame, Frame))))
      return Found;
  }
  Found.Most = Sum.High;
  return Found;
}

Frames framesOf(Function &F, const Function &Root, ShapeRanges &Ranges, FunctionAnalysisManager &FAM) {
  return FrameCounter(F, Root, Ranges, FAM).run();
}

} // namespace memshape
