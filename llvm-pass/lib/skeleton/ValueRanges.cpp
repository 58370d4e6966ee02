//===- ValueRanges.cpp - How large can a value from data be? --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"
#include "Intervals.h"
#include "KnownComparisons.h"
#include "RunnerCalls.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

namespace {

/// Emits the bounds of values in one function. What is emitted stands right before the place where it is asked for; a
/// phi has phis of its bounds beside it.
class Bounder {
public:
  Bounder(Function &Fn, const DataFlow &D) : F(Fn), Flow(D), DT(Fn), Known(Fn, DT) {}
  bool run();

private:
  using Key = std::pair<const PHINode *, unsigned>; // seen with a sign or without

  Interval bounds(Value *V, bool Signed, Instruction &At, unsigned Steps);
  Interval rangeOf(Value *V, bool Signed, Instruction &At, unsigned Depth);
  Interval computed(Value *V, bool Signed, Instruction &At, unsigned Depth);
  Interval ofBinary(BinaryOperator &I, bool Signed, Instruction &At, unsigned Depth);
  Interval ofCast(CastInst &I, bool Signed, Instruction &At, unsigned Depth);
  Interval ofSelect(SelectInst &I, bool Signed, Instruction &At, unsigned Depth);
  Interval ofIntrinsic(IntrinsicInst &I, bool Signed, Instruction &At, unsigned Depth);
  Interval ofPhi(PHINode &I, bool Signed, unsigned Depth);
  Interval refined(Interval X, Value *V, bool Signed, Instruction &At, ArrayRef<Comparison> Facts);
  bool boundSize(CallBase &Call);
  bool boundComparison(ICmpInst &Compare);

  Function &F;
  const DataFlow &Flow;
  DominatorTree DT;
  KnownComparisons Known;
  DenseMap<Key, Interval> Phis;
  DenseSet<Key> Endless; ///< phis of which it turned out that they have no upper bound
  bool FoundEndless = false;
  unsigned Room = 0; ///< values that may still be looked at
};

} // namespace

/// Of values behind one size, and behind one comparison; how deep these may lie; comparisons in a function.
static constexpr unsigned StepsForSize = 400, StepsForComparison = 60, MostDepth = 40, MostComparisons = 4000;

static bool canBeBounded(const Value *V) {
  return V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64;
}

static Interval anything(IntervalArithmetic &A, bool Signed) { return Signed ? Interval() : A.atLeast(0); }

/// The bounds of V at At. A phi that turns out to have none spoils what was built on it, which is then done again.
Interval Bounder::bounds(Value *V, bool Signed, Instruction &At, unsigned Steps) {
  const unsigned MostRounds = 6;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    FoundEndless = false;
    Room = Steps;
    Interval X = rangeOf(V, Signed, At, 0);
    if (!FoundEndless)
      return X;
    Phis.clear();
  }
  return {};
}

Interval Bounder::rangeOf(Value *V, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  if (!canBeBounded(V))
    return {};
  if (!Flow.isData(V))
    return A.exactly(V, Signed);
  if (!Room || Depth > MostDepth)
    return anything(A, Signed);
  --Room;
  return refined(computed(V, Signed, At, Depth + 1), V, Signed, At, Known.before(At));
}

/// What Facts say of V, where they compare it with something that is known.
Interval Bounder::refined(Interval X, Value *V, bool Signed, Instruction &At, ArrayRef<Comparison> Facts) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  Interval Other; // in the other view
  for (const Comparison &C : Facts) {
    std::optional<Comparison::About> About = C.about(V, Signed);
    if (!About || !canBeBounded(C.Right) || Flow.isData(C.Right))
      continue;
    const Interval Right = A.exactly(C.Right, About->RightSigned), One = A.constant(1, 1);
    Interval Says;
    switch (C.Predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      Says.High = A.subtract(Right, One).High;
      break;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      Says.High = Right.High;
      break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      Says.Low = A.add(Right, One).Low;
      break;
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      Says.Low = Right.Low;
      break;
    case CmpInst::ICMP_EQ:
      Says = Right;
      break;
    case CmpInst::ICMP_NE:
      if (!match(C.Right, m_Zero()) || About->Offset)
        continue;
      About->ValueSigned = false;
      Says.Low = B.getInt64(1);
      break;
    default:
      continue;
    }
    if (About->Wraps)
      Says.Low = B.getInt64(0);
    if (About->Offset)
      Says = A.subtract(Says, A.constant(About->Offset, About->Offset));
    if (About->Wraps)
      Says = A.wrapped(Says, Bits, About->ValueSigned);
    Interval &View = About->ValueSigned == Signed ? X : Other;
    View = A.meet(View, Says);
  }
  if (Other.isAnything())
    return X;
  if (Signed)
    Other = A.meet(Other, A.atLeast(0));
  return A.meet(X, A.viewed(Other, Bits, Signed));
}

Interval Bounder::computed(Value *V, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return A.ofType(Bits, Signed);
  if (auto *Binary = dyn_cast<BinaryOperator>(I))
    return ofBinary(*Binary, Signed, At, Depth);
  if (auto *Cast = dyn_cast<CastInst>(I))
    return ofCast(*Cast, Signed, At, Depth);
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return ofSelect(*Choice, Signed, At, Depth);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return ofPhi(*Phi, Signed, Depth);
  if (auto *Call = dyn_cast<IntrinsicInst>(I))
    return ofIntrinsic(*Call, Signed, At, Depth);
  if (isa<FreezeInst>(I))
    return rangeOf(I->getOperand(0), Signed, At, Depth);
  if (auto *Part = dyn_cast<ExtractValueInst>(I))
    if (auto *Whole = dyn_cast<WithOverflowInst>(Part->getAggregateOperand());
        Whole && Part->getIndices() == ArrayRef<unsigned>(0)) {
      Interval X = rangeOf(Whole->getLHS(), Signed, At, Depth), Y = rangeOf(Whole->getRHS(), Signed, At, Depth);
      const Instruction::BinaryOps Op = Whole->getBinaryOp();
      Interval Result = Op == Instruction::Mul   ? A.multiply(X, Y)
                        : Op == Instruction::Add ? A.add(X, Y)
                                                 : A.subtract(X, Y);
      return A.wrapped(Result, Bits, Signed);
    }
  if (const MDNode *Told = I->getMetadata(LLVMContext::MD_range)) {
    const ConstantRange R = getConstantRangeFromMetadata(*Told);
    const APInt Low = Signed ? R.getSignedMin() : R.getUnsignedMin(), High = Signed ? R.getSignedMax() : R.getUnsignedMax();
    if (High.getSignificantBits() <= 32 && Low.getSignificantBits() <= 32)
      return A.constant(Low.getSExtValue(), High.getSExtValue());
  }
  return A.ofType(Bits, Signed);
}

Interval Bounder::ofBinary(BinaryOperator &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) {
    return rangeOf(I.getOperand(Operand), WithSign, At, Depth);
  };
  const auto *Exact = dyn_cast<OverflowingBinaryOperator>(&I);
  const bool Wraps = !Exact || !(Signed ? Exact->hasNoSignedWrap() : Exact->hasNoUnsignedWrap());
  const auto Fitted = [&](Interval X) {
    if (Wraps)
      return A.wrapped(X, Bits, Signed);
    return Signed ? X : A.meet(X, A.atLeast(0));
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return Fitted(A.add(Side(0, Signed), Side(1, Signed)));
  case Instruction::Sub:
    return Fitted(A.subtract(Side(0, Signed), Side(1, Signed)));
  case Instruction::Mul:
    return Fitted(A.multiply(Side(0, Signed), Side(1, Signed)));
  case Instruction::Shl:
    return Fitted(A.shiftLeft(Side(0, Signed), Side(1, false)));
  case Instruction::UDiv:
    return A.viewed(A.divide(Side(0, false), Side(1, false)), Bits, Signed);
  case Instruction::SDiv: {
    Interval X = A.divide(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::URem:
    return A.viewed(A.remainder(Side(0, false), Side(1, false)), Bits, Signed);
  case Instruction::SRem: {
    Interval X = A.remainder(Side(0, true), Side(1, true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::LShr: {
    Interval Amount = Side(1, false), X = A.shiftRight(Side(0, false), Amount);
    // Of Bits bits so many are left.
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ult(Bits))
      X = A.meet(X, A.ofType(Bits - unsigned(By->getZExtValue()), false));
    return A.viewed(X, Bits, Signed);
  }
  case Instruction::AShr: {
    Interval X = A.shiftRight(Side(0, true), Side(1, false));
    if (const auto *By = dyn_cast<ConstantInt>(I.getOperand(1)); By && By->getValue().ult(Bits))
      X = A.meet(X, A.ofType(Bits - unsigned(By->getZExtValue()), true));
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::And:
    return A.bitAnd(Side(0, Signed), Side(1, Signed));
  case Instruction::Or:
  case Instruction::Xor:
    return A.wrapped(A.bitOr(Side(0, Signed), Side(1, Signed), I.getOpcode() == Instruction::Xor), Bits, Signed);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofCast(CastInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  Value *From = I.getOperand(0);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  switch (I.getOpcode()) {
  case Instruction::ZExt:
    return rangeOf(From, false, At, Depth);
  case Instruction::SExt: {
    Interval X = rangeOf(From, true, At, Depth);
    return Signed ? X : A.viewed(X, Bits, false);
  }
  case Instruction::Trunc:
    return A.wrapped(rangeOf(From, Signed, At, Depth), Bits, Signed);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofSelect(SelectInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  Value *Condition = I.getCondition();
  // operator new[] is asked for SIZE_MAX where its count overflows: as good as no bound, which the product has then.
  if (match(I.getTrueValue(), m_AllOnes()) && match(Condition, m_ExtractValue<1>(m_Value())) &&
      match(I.getFalseValue(), m_ExtractValue<0>(m_Specific(cast<ExtractValueInst>(Condition)->getAggregateOperand()))))
    return rangeOf(I.getFalseValue(), Signed, At, Depth);
  Interval Arms[2];
  for (unsigned Arm : {0u, 1u}) {
    Value *V = I.getOperand(Arm + 1);
    Comparisons Facts;
    addComparisons(Condition, Arm == 0, Facts);
    Arms[Arm] = rangeOf(V, Signed, At, Depth);
    if (Flow.isData(V))
      Arms[Arm] = refined(Arms[Arm], V, Signed, At, Facts);
  }
  return A.hull(Arms[0], Arms[1]);
}

Interval Bounder::ofIntrinsic(IntrinsicInst &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto Side = [&](unsigned Operand, bool WithSign) {
    return rangeOf(I.getArgOperand(Operand), WithSign, At, Depth);
  };
  const auto View = [&](Interval X, bool WithSign) { return WithSign == Signed ? X : A.viewed(X, Bits, Signed); };
  switch (I.getIntrinsicID()) {
  case Intrinsic::umin:
    return View(A.minimum(Side(0, false), Side(1, false)), false);
  case Intrinsic::umax:
    return View(A.maximum(Side(0, false), Side(1, false)), false);
  case Intrinsic::smin:
    return View(A.minimum(Side(0, true), Side(1, true)), true);
  case Intrinsic::smax:
    return View(A.maximum(Side(0, true), Side(1, true)), true);
  case Intrinsic::abs:
    return View(A.wrapped(A.magnitude(Side(0, true)), Bits, true), true);
  case Intrinsic::usub_sat:
    return View(A.maximum(A.subtract(Side(0, false), Side(1, false)), A.constant(0, 0)), false);
  case Intrinsic::uadd_sat:
    return View(A.add(Side(0, false), Side(1, false)), false);
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return A.constant(0, Bits);
  default:
    return A.ofType(Bits, Signed);
  }
}

Interval Bounder::ofPhi(PHINode &I, bool Signed, unsigned Depth) {
  const Key Here{&I, Signed};
  IRBuilder<> B(&I);
  IntervalArithmetic A(B);
  if (Endless.contains(Here))
    return anything(A, Signed);
  if (auto At = Phis.find(Here); At != Phis.end())
    return At->second;
  PHINode *Low = B.CreatePHI(B.getInt64Ty(), I.getNumIncomingValues()),
          *High = B.CreatePHI(B.getInt64Ty(), I.getNumIncomingValues());
  Phis[Here] = {Low, High};
  bool IsEndless = false;
  for (unsigned Number = 0; Number != I.getNumIncomingValues(); ++Number) {
    BasicBlock *From = I.getIncomingBlock(Number);
    Value *V = I.getIncomingValue(Number);
    // An edge that was there before came first: two of them from one block bring the same.
    if (int Before = Low->getBasicBlockIndex(From); Before >= 0) {
      Low->addIncoming(Low->getIncomingValue(Before), From);
      High->addIncoming(High->getIncomingValue(Before), From);
      continue;
    }
    Instruction &End = *From->getTerminator();
    Interval X = rangeOf(V, Signed, End, Depth);
    if (Flow.isData(V))
      X = refined(X, V, Signed, End, KnownComparisons::onWay(*From, *I.getParent()));
    IRBuilder<> AtEnd(&End);
    IntervalArithmetic There(AtEnd);
    IsEndless |= !X.High;
    Low->addIncoming(There.lowOf(X), From);
    High->addIncoming(There.highOf(X), From);
  }
  if (IsEndless) {
    Endless.insert(Here);
    FoundEndless = true;
  }
  return {Low, High};
}

/// The runner gets the size and its bounds.
bool Bounder::boundSize(CallBase &Call) {
  const unsigned Operand = runnerCall(Call) == RunnerCall::Alloc ? AllocBytes : ReallocBytes;
  Value *Size = Call.getArgOperand(Operand);
  if (!Flow.isData(Size) || !canBeBounded(Size))
    return false;
  const Interval X = bounds(Size, /*Signed=*/false, Call, StepsForSize);
  if (!X.High)
    return false;
  IRBuilder<> B(&Call);
  IntervalArithmetic A(B);
  Call.setArgOperand(Operand, B.CreateCall(runnerFunction(*F.getParent(), RunnerCall::Within),
                                           {Size, A.lowOf(A.meet(X, A.atLeast(0))), X.High}));
  return true;
}

/// What the bounds of both sides tell of a comparison is no decision.
bool Bounder::boundComparison(ICmpInst &Compare) {
  Value *Left = Compare.getOperand(0), *Right = Compare.getOperand(1);
  if (!Flow.isVerdict(&Compare) || !canBeBounded(Left) || !(Flow.isData(Left) || Flow.isData(Right)))
    return false;
  const CmpInst::Predicate Predicate = Compare.getPredicate();
  const bool Signed = CmpInst::isSigned(Predicate);
  const Interval X = bounds(Left, Signed, Compare, StepsForComparison),
                 Y = bounds(Right, Signed, Compare, StepsForComparison);
  IRBuilder<> B(&Compare);
  IntervalArithmetic A(B);
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
  case CmpInst::ICMP_EQ:
    Never = B.CreateOr(A.isBelow(X, Y), A.isBelow(Y, X));
    break;
  case CmpInst::ICMP_NE:
    Always = B.CreateOr(A.isBelow(X, Y), A.isBelow(Y, X));
    break;
  default:
    return false;
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

bool Bounder::run() {
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
  // Sizes first: comparisons that led to them are as in the source until then.
  for (CallBase *Call : Requests)
    Changed |= boundSize(*Call);
  for (ICmpInst *Compare : Compared)
    Changed |= boundComparison(*Compare);
  return Changed;
}

bool boundValues(Module &M, const DataFlow &Flow) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= Bounder(F, Flow).run();
  return Changed;
}

/// V is one of Values, which are constants.
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

bool lowerDataSwitches(Module &M, const DataFlow &Flow) {
  const unsigned MostCases = 256; // an interpreter's are left alone
  SmallVector<SwitchInst *, 8> Found;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
          Switch && Flow.isData(Switch->getCondition()) && Switch->getNumCases() <= MostCases)
        Found.push_back(Switch);
  for (SwitchInst *Switch : Found) {
    BasicBlock *From = Switch->getParent();
    Value *V = Switch->getCondition();
    // One question for each place that it can lead to, the default last.
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
      Switch->getDefaultDest()->removePredecessor(From);
    }
    for (auto [To, By] : Ways)
      if (By != From)
        LeadTo(To, By);
    // Of the edges that phis know from the switch those remain that still are there.
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

/// All that becomes of V are sizes of blocks that are handed over with bounds.
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
      if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<PHINode>(I) || isa<FreezeInst>(I) || isa<UnaryOperator>(I) ||
          isa<ExtractValueInst>(I) || (isa<SelectInst>(I) && U.getOperandNo() != 0) ||
          (isa<IntrinsicInst>(I) && !I->mayReadOrWriteMemory()))
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
