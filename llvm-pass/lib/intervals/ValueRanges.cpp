// Bounds of values from data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intervals/ValueRanges.h"
#include "intervals/Bounder.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Most values visited for one size and for one comparison; most comparisons in a function.
static constexpr unsigned StepsForSize = 400, StepsForComparison = 60, MostComparisons = 4000;

/// Passes the size's bounds to the runner.
static bool boundSize(CallBase &Call, Bounder &In) {
  const unsigned Operand = runnerCall(Call) == RunnerCall::Alloc ? AllocBytes : ReallocBytes;
  Value *Size = Call.getArgOperand(Operand);
  if (!In.flow().isData(Size) || !canBeBounded(Size))
    return false;
  const Interval X = In.bounds(Size, /*Signed=*/false, Call, StepsForSize, Bounder::Purpose::Size);
  IRBuilder<> B(&Call);
  IntervalArithmetic A(B);
  Value *High = X.High ? X.High : B.getInt64(INT64_MAX); // no bound; the least size is known even so
  Call.setArgOperand(Operand, B.CreateCall(runnerFunction(*Call.getModule(), RunnerCall::Within),
                                           {Size, A.lowOf(A.meet(X, A.atLeast(0))), High}));
  return true;
}

/// Removes the decision where the bounds of both sides determine the comparison.
static bool boundComparison(ICmpInst &Compare, Bounder &In) {
  const DataFlow &Flow = In.flow();
  Value *Left = Compare.getOperand(0), *Right = Compare.getOperand(1);
  if (!Flow.isVerdict(&Compare) || !canBeBounded(Left) || !(Flow.isData(Left) || Flow.isData(Right)))
    return false;
  const CmpInst::Predicate Predicate = Compare.getPredicate();
  const bool Signed = CmpInst::isSigned(Predicate);
  const Interval X = In.bounds(Left, Signed, Compare, StepsForComparison, Bounder::Purpose::Comparison),
                 Y = In.bounds(Right, Signed, Compare, StepsForComparison, Bounder::Purpose::Comparison);
  IRBuilder<> B(&Compare);
  IntervalArithmetic A(B);
  // The range of its type says nothing about a number.
  const auto SaysNothing = [&](const Value *V, Interval I) {
    const ConstantRange All = ConstantRange::getFull(V->getType()->getIntegerBitWidth());
    const auto *Low = dyn_cast_or_null<ConstantInt>(I.Low), *High = dyn_cast_or_null<ConstantInt>(I.High);
    return In.flow().isData(V) && All.getBitWidth() >= 32 &&
           (I.isAnything() || (!I.High && match(I.Low, m_Zero())) ||
            (Low && High && Low->getValue() == (Signed ? All.getSignedMin() : All.getUnsignedMin()).sext(64) &&
             High->getValue() == (Signed ? All.getSignedMax().sext(64) : All.getUnsignedMax().zext(64))));
  };
  if (SaysNothing(Left, X) || SaysNothing(Right, Y))
    return false;
  const auto AtMost = [&](Interval One, Interval Two) { return A.isBelow(One, A.add(Two, A.constant(1, 1))); };
  Value *Always = B.getFalse(), *Never = B.getFalse();
  switch (CmpInst::getNonStrictPredicate(Predicate)) {
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    Always = CmpInst::isStrictPredicate(Predicate) ? A.isBelow(X, Y) : AtMost(X, Y);
    Never = CmpInst::isStrictPredicate(Predicate) ? AtMost(Y, X) : A.isBelow(Y, X);
    break;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    Always = CmpInst::isStrictPredicate(Predicate) ? A.isBelow(Y, X) : AtMost(Y, X);
    Never = CmpInst::isStrictPredicate(Predicate) ? AtMost(X, Y) : A.isBelow(X, Y);
    break;
  case CmpInst::ICMP_EQ: Never = B.CreateOr(A.isBelow(X, Y), A.isBelow(Y, X)); break;
  case CmpInst::ICMP_NE: Always = B.CreateOr(A.isBelow(X, Y), A.isBelow(Y, X)); break;
  default: return false;
  }
  if (match(Always, m_Zero()) && match(Never, m_Zero()))
    return false;
  B.SetInsertPoint(Compare.getNextNode());
  B.SetCurrentDebugLocation(Compare.getDebugLoc());
  SmallVector<Use *, 4> Uses;
  for (Use &U : Compare.uses())
    Uses.push_back(&U);
  Value *Open = B.CreateSelect(Always, B.getTrue(), &Compare);
  Open = B.CreateSelect(Never, B.getFalse(), Open);
  for (Use *U : Uses)
    U->set(Open);
  return true;
}

static bool boundIn(Function &F, const DataFlow &Flow) {
  Bounder In(F, Flow);
  SmallVector<CallBase *, 16> Requests;
  SmallVector<ICmpInst *, 32> Compared;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && (runnerCall(*Call) == RunnerCall::Alloc || runnerCall(*Call) == RunnerCall::Realloc))
      Requests.push_back(Call);
    else if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compared.size() < MostComparisons)
      Compared.push_back(Compare);
  }
  bool Changed = false;
  // Sizes first, while the comparisons that led to them are still those of the source.
  for (CallBase *Call : Requests)
    Changed |= boundSize(*Call, In);
  for (ICmpInst *Compare : Compared)
    Changed |= boundComparison(*Compare, In);
  return Changed;
}

/// Bounds the sizes of blocks and the comparisons in M that depend on data. True if M changed; analyses of M are then
/// invalid.
static bool boundValues(Module &M, const DataFlow &Flow) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= boundIn(F, Flow);
  return Changed;
}

/// An i1: whether V is one of Values, which are constants.
static Value *isOneOf(IRBuilder<> &B, Value *V, SmallVectorImpl<ConstantInt *> &Values) {
  sort(Values, [](const ConstantInt *X, const ConstantInt *Y) { return X->getValue().ult(Y->getValue()); });
  if (Values.size() > 1 && Values.back()->getValue() - Values.front()->getValue() == Values.size() - 1)
    return B.CreateICmpULT(B.CreateSub(V, Values.front()), ConstantInt::get(V->getType(), Values.size()));
  Value *Is = nullptr;
  for (ConstantInt *Each : Values) {
    Value *Same = B.CreateICmpEQ(V, Each);
    Is = Is ? B.CreateOr(Is, Same) : Same;
  }
  return Is;
}

/// Lowers each switch on data to a chain of comparisons: one decision per destination. True if there was any.
static bool lowerDataSwitches(Module &M, const DataFlow &Flow) {
  const unsigned MostCases = 256; // switches of interpreters are left alone
  SmallVector<SwitchInst *, 8> Found;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
          Switch && Flow.isData(Switch->getCondition()) && Switch->getNumCases() <= MostCases)
        Found.push_back(Switch);
  for (SwitchInst *Switch : Found) {
    BasicBlock *From = Switch->getParent();
    Value *V = Switch->getCondition();
    // One question per destination, the default last.
    MapVector<BasicBlock *, SmallVector<ConstantInt *, 4>> Cases;
    for (auto Case : Switch->cases())
      if (Case.getCaseSuccessor() != Switch->getDefaultDest())
        Cases[Case.getCaseSuccessor()].push_back(Case.getCaseValue());
    IRBuilder<> B(Switch);
    const auto LeadTo = [&](BasicBlock *To, BasicBlock *Asking) {
      for (PHINode &Phi : To->phis())
        Phi.addIncoming(Phi.getIncomingValueForBlock(From), Asking);
    };
    BasicBlock *Asking = From;
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> Ways;
    const bool Defaults = !isa<UnreachableInst>(Switch->getDefaultDest()->getFirstNonPHIOrDbg());
    for (auto &[To, Values] : Cases) {
      if (!Defaults && To == Cases.back().first) {
        B.CreateBr(To);
        Ways.push_back({To, Asking});
        break;
      }
      Value *Is = isOneOf(B, V, Values);
      BasicBlock *Next = BasicBlock::Create(M.getContext(), "", From->getParent(), Switch->getDefaultDest());
      B.CreateCondBr(Is, To, Next)->setDebugLoc(Switch->getDebugLoc());
      Ways.push_back({To, Asking});
      Asking = Next;
      B.SetInsertPoint(Next);
      B.SetCurrentDebugLocation(Switch->getDebugLoc());
    }
    if (Defaults || Cases.empty()) {
      B.CreateBr(Switch->getDefaultDest());
      Ways.push_back({Switch->getDefaultDest(), Asking});
    } else {
      for (unsigned Edges = count(successors(From), Switch->getDefaultDest()); Edges; --Edges)
        Switch->getDefaultDest()->removePredecessor(From);
    }
    for (auto [To, By] : Ways)
      if (By != From)
        LeadTo(To, By);
    // Removes the edges that the phis had from the switch.
    for (auto [To, By] : Ways)
      for (PHINode &Phi : To->phis()) {
        bool Keep = By == From;
        for (unsigned Number = Phi.getNumIncomingValues(); Number-- != 0;)
          if (Phi.getIncomingBlock(Number) == From && !std::exchange(Keep, false))
            Phi.removeIncomingValue(Number, /*DeletePHIIfEmpty=*/false);
      }
    Switch->eraseFromParent();
  }
  return !Found.empty();
}

/// Removes bounds that are themselves read from data, according to Flow, which belongs to M after boundValues.
static void dropBoundsFromData(Module &M, const DataFlow &Flow) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && runnerCall(*Call) == RunnerCall::Within)
        if (Flow.isData(Call->getArgOperand(1)) || Flow.isData(Call->getArgOperand(2))) {
          Call->replaceAllUsesWith(Call->getArgOperand(0));
          Call->eraseFromParent();
        }
}

std::pair<std::unique_ptr<ModRefIndex>, std::unique_ptr<DataFlow>> flowWithBounds(Module &M, Function &Root,
                                                                                  const PointsTo &Memory) {
  std::unique_ptr<ModRefIndex> Accesses;
  std::unique_ptr<DataFlow> Flow;
  const auto Look = [&] {
    Flow.reset();
    Accesses = std::make_unique<ModRefIndex>(M, Root, Memory);
    Flow = std::make_unique<DataFlow>(M, Root, Memory, *Accesses);
  };
  Look();
  const bool Switches = lowerDataSwitches(M, *Flow);
  if (askForCountsOnce(M, *Flow) || Switches)
    Look();
  if (boundValues(M, *Flow)) {
    Look();
    dropBoundsFromData(M, *Flow);
  }
  return {std::move(Accesses), std::move(Flow)};
}

/// Whether V is used only for sizes of blocks with bounds.
static bool onlyBounded(Value *V) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {V};
  while (!Work.empty()) {
    const Value *Each = Work.pop_back_val();
    if (!Seen.insert(Each).second)
      continue;
    for (const Use &U : Each->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      const auto *Call = dyn_cast<CallBase>(I);
      const RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<PHINode>(I) || isa<FreezeInst>(I) ||
          isa<UnaryOperator>(I) || isa<ExtractValueInst>(I) || (isa<GetElementPtrInst>(I) && U.getOperandNo() != 0) ||
          (isa<SelectInst>(I) && U.getOperandNo() != 0) || (isa<IntrinsicInst>(I) && !I->mayReadOrWriteMemory()))
        Work.push_back(I);
      else if (!(Which == RunnerCall::Within && U.getOperandNo() == 0) && Which != RunnerCall::Touch)
        return false;
    }
  }
  return true;
}

SmallVector<unsigned, 4> markBoundedValues(Module &M) {
  SmallVector<unsigned, 4> Ids;
  SmallVector<CallBase *, 8> Values;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (runnerCall(*Call) == RunnerCall::BlockSize)
          return Ids; // sizes come back as numbers
        if (runnerCall(*Call) == RunnerCall::Value)
          Values.push_back(Call);
      }
  for (CallBase *Call : Values)
    if (onlyBounded(Call)) {
      Call->setCalledFunction(runnerFunction(M, RunnerCall::BoundedValue));
      Ids.push_back(unsigned(cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue()));
    }
  return Ids;
}

} // namespace memshape
