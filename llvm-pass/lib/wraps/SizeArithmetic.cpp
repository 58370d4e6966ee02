// What a size is made of, and where it can leave its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wraps/SizeArithmetic.h"
#include "operators/Narrowings.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

SmallVector<CallBase *, 4> callersOf(Function &F) {
  SmallVector<CallBase *, 4> Calls;
  if (!F.hasLocalLinkage())
    return Calls;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
      Calls.push_back(Call);
  return Calls;
}

SmallVector<Value *, 4> comparedIn(Value &Condition) {
  SmallVector<Value *, 4> Compared;
  SmallVector<Value *, 4> Work = {&Condition};
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (auto *Compare = dyn_cast<ICmpInst>(I))
      append_range(Compared, Compare->operands());
    else if (I->isShift()) // the bit of a sign
      Compared.push_back(I->getOperand(0));
    else if (isa<ZExtInst, TruncInst, SelectInst>(I) || I->isBitwiseLogicOp())
      append_range(Work, I->operands());
  }
  return Compared;
}

/// What a function that was not inlined returns.
static SmallVector<Value *, 4> resultsOf(Function &F) {
  SmallVector<Value *, 4> Results;
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Results.push_back(Return->getReturnValue());
  return Results;
}

static SmallVector<Value *, 4> partsOfCall(CallBase &Call) {
  if (runnerCall(Call) == RunnerCall::Within)
    return {Call.getArgOperand(0)};
  Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return {};
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax: return {Call.getArgOperand(0), Call.getArgOperand(1)};
  case Intrinsic::usub_sat:
  case Intrinsic::abs: return {Call.getArgOperand(0)};
  default: return Callee->isDeclaration() ? SmallVector<Value *, 4>() : resultsOf(*Callee);
  }
}

namespace {

/// A conversion to fewer bits in another form: what is left of X are Bits.
struct Narrowing {
  Value *X = nullptr;
  unsigned Bits = 0, Low = 0; ///< that are left of X; those of them that its factor clears
  bool IsSigned = false;
};

} // namespace

static bool isWidth(unsigned Bits) { return Bits == 8 || Bits == 16 || Bits == 32; }

/// zext(trunc X), which is a mask: X & 0xffff, or X & 0x3fffc where it is multiplied by 4.
static std::optional<Narrowing> unsignedNarrowing(const Instruction &I) {
  Value *X = nullptr;
  const APInt *Mask = nullptr;
  if (!match(&I, m_And(m_Value(X), m_APInt(Mask))) || !Mask->isShiftedMask())
    return std::nullopt;
  const unsigned End = Mask->getActiveBits(), Low = Mask->countr_zero();
  const Module &M = *I.getModule();
  for (unsigned Bits : {End, End - Low})
    if (isWidth(Bits) && End != I.getType()->getIntegerBitWidth() && isNarrowing(M, I.getDebugLoc(), Bits))
      return Narrowing{X, End, End - Bits, false};
  return std::nullopt;
}

/// sext(trunc X) as the optimiser writes it: ashr (shl X, 32), 32, or less than 32 where it is multiplied.
static std::optional<Narrowing> signedNarrowing(const Instruction &I) {
  Value *X = nullptr;
  uint64_t Up = 0, Down = 0;
  if (!match(&I, m_AShr(m_Shl(m_Value(X), m_ConstantInt(Up)), m_ConstantInt(Down))) || Down > Up ||
      Up >= I.getType()->getIntegerBitWidth() || !isWidth(I.getType()->getIntegerBitWidth() - unsigned(Up)))
    return std::nullopt;
  return Narrowing{X, I.getType()->getIntegerBitWidth() - unsigned(Up), 0, true};
}

static std::optional<Narrowing> narrowing(const Instruction &I) {
  const std::optional<Narrowing> Signed = signedNarrowing(I);
  return Signed ? Signed : unsignedNarrowing(I);
}

/// X & -16.
static bool aligns(const Instruction &I) {
  const APInt *Mask = nullptr;
  return match(&I, m_And(m_Value(), m_APInt(Mask))) && Mask->isNegatedPowerOf2();
}

SmallVector<Value *, 4> partsOf(Value &V) {
  SmallVector<Value *, 4> Parts;
  if (!V.getType()->isIntegerTy())
    return Parts;
  if (auto *A = dyn_cast<Argument>(&V)) {
    for (CallBase *Call : callersOf(*A->getParent()))
      Parts.push_back(Call->getArgOperand(A->getArgNo()));
    return Parts;
  }
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return Parts;
  if (const std::optional<Narrowing> Narrow = narrowing(*I))
    return {Narrow->X};
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul: return {I->getOperand(0), I->getOperand(1)};
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I)->isDisjoint())
      return {I->getOperand(0), I->getOperand(1)};
    return Parts;
  case Instruction::And:
    if (aligns(*I))
      return {I->getOperand(0)};
    return Parts;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::Trunc:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Freeze: return {I->getOperand(0)};
  case Instruction::Select: return {I->getOperand(1), I->getOperand(2)};
  case Instruction::PHI: append_range(Parts, cast<PHINode>(I)->incoming_values()); return Parts;
  case Instruction::ExtractValue:
    // The operator asks itself whether the result fits.
    if (auto *Checked = dyn_cast<WithOverflowInst>(cast<ExtractValueInst>(I)->getAggregateOperand()))
      return {Checked->getLHS(), Checked->getRHS()};
    return Parts;
  case Instruction::Call: return partsOfCall(*cast<CallBase>(I));
  default: return Parts;
  }
}

unsigned readingOf(const Value &V, unsigned How) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return How;
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::AShr:
  case Instruction::SDiv: return AsSigned;
  case Instruction::ZExt: return I->hasNonNeg() ? AsSigned : AsUnsigned;
  case Instruction::LShr:
  case Instruction::UDiv: return AsUnsigned;
  default: return How;
  }
}

/// Whether it may happen, as far as the operands tell.
static bool mayOverflow(const Instruction &I, bool IsSigned) {
  const SimplifyQuery Query(I.getModule()->getDataLayout());
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  const auto May = [](OverflowResult R) { return R != OverflowResult::NeverOverflows; };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return May(IsSigned ? computeOverflowForSignedAdd(L, R, Query) : computeOverflowForUnsignedAdd(L, R, Query));
  case Instruction::Mul:
    return May(IsSigned ? computeOverflowForSignedMul(L, R, Query) : computeOverflowForUnsignedMul(L, R, Query));
  case Instruction::Shl: {
    const auto *By = dyn_cast<ConstantInt>(R);
    const unsigned Bits = I.getType()->getIntegerBitWidth();
    if (!By || By->getValue().uge(Bits))
      return true;
    const unsigned Shift = unsigned(By->getZExtValue());
    return IsSigned ? ComputeNumSignBits(L, Query.DL) <= Shift
                    : computeKnownBits(L, Query.DL).countMinLeadingZeros() < Shift;
  }
  default: return true;
  }
}

/// A number in the upper half of one that another was put into: a structure of two that is copied as one.
static bool isUpperHalf(const Value &V, unsigned Bits) {
  uint64_t Up = 0;
  return match(&V, m_Shl(m_Value(), m_ConstantInt(Up))) && Up >= Bits;
}

/// V may be two numbers in one, of which the lower one has so many Bits.
static bool isPair(const Value &V, unsigned Bits) {
  const size_t Most = 64;
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 8> Work = {&V};
  while (!Work.empty() && Seen.size() < Most) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (const auto *Or = dyn_cast<PossiblyDisjointInst>(I);
        Or && Or->isDisjoint() && any_of(Or->operands(), [&](const Use &U) { return isUpperHalf(*U.get(), Bits); }))
      return true;
    if (isa<PHINode, SelectInst, FreezeInst>(I))
      append_range(Work, I->operands());
  }
  return false;
}

/// The optimiser knows that nothing is lost.
static bool isProven(const TruncInst &I) { return I.hasNoSignedWrap() || I.hasNoUnsignedWrap(); }

std::optional<Departure> departure(const Instruction &I, unsigned How) {
  if (!I.getType()->isIntegerTy())
    return std::nullopt;
  if (const std::optional<Narrowing> Narrow = narrowing(I))
    return isPair(*Narrow->X, Narrow->Bits) ? std::nullopt
                                            : std::optional(Departure{Narrow->Bits - Narrow->Low, Narrow->IsSigned});
  Departure Found{I.getType()->getIntegerBitWidth(), (How & AsSigned) != 0};
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    Found.InBoth = !Found.IsSigned;
    return isWidth(Found.Bits) && !isProven(cast<TruncInst>(I)) && !isPair(*I.getOperand(0), Found.Bits)
               ? std::optional(Found)
               : std::nullopt;
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::Shl: break;
  default: return std::nullopt;
  }
  if (!isWidth(Found.Bits) && Found.Bits != 64)
    return std::nullopt;
  if (isUpperHalf(I, Found.Bits / 2) && all_of(I.users(), [&](const User *U) { return isPair(*U, Found.Bits / 2); }))
    return std::nullopt;
  const auto *Constant = dyn_cast<ConstantInt>(I.getOperand(1));
  const bool Subtracts = Constant && Constant->isNegative() && I.getOpcode() != Instruction::Shl;
  if (I.hasNoSignedWrap()) {
    Found.IsSigned = true;
  } else if (I.hasNoUnsignedWrap() || (Subtracts && !Found.IsSigned)) {
    return std::nullopt; // the optimiser has proven it; x - 1 and x + (2^64 - 1) are one
  } else if (Found.Bits == 64 || (I.getOpcode() == Instruction::Add && !Found.IsSigned)) {
    Found.InBoth = true;
    Found.IsSigned = false;
  }
  if (!mayOverflow(I, Found.IsSigned) || (Found.InBoth && !mayOverflow(I, true)))
    return std::nullopt;
  return Found;
}

/// A product or sum in the signed or the unsigned type.
static Value *overflows(IRBuilderBase &B, Instruction &I, bool IsSigned) {
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  if (I.getOpcode() == Instruction::Shl) {
    Value *Up = B.CreateShl(L, R);
    return B.CreateICmpNE(IsSigned ? B.CreateAShr(Up, R) : B.CreateLShr(Up, R), L);
  }
  const bool IsSum = I.getOpcode() == Instruction::Add;
  const Intrinsic::ID Id = IsSum ? (IsSigned ? Intrinsic::sadd_with_overflow : Intrinsic::uadd_with_overflow)
                                 : (IsSigned ? Intrinsic::smul_with_overflow : Intrinsic::umul_with_overflow);
  return B.CreateExtractValue(B.CreateBinaryIntrinsic(Id, L, R), 1);
}

Value *hasDeparted(IRBuilderBase &B, Instruction &I, const Departure &How) {
  if (const std::optional<Narrowing> Narrow = narrowing(I)) {
    if (!Narrow->IsSigned)
      return B.CreateIsNotNull(B.CreateLShr(Narrow->X, Narrow->Bits));
    Value *Kept = B.CreateSExt(B.CreateTrunc(Narrow->X, B.getIntNTy(Narrow->Bits)), Narrow->X->getType());
    return B.CreateICmpNE(Kept, Narrow->X);
  }
  const auto Leaves = [&](bool IsSigned) {
    if (auto *Cut = dyn_cast<TruncInst>(&I)) {
      Value *X = Cut->getOperand(0);
      return B.CreateICmpNE(IsSigned ? B.CreateSExt(Cut, X->getType()) : B.CreateZExt(Cut, X->getType()), X);
    }
    return overflows(B, I, IsSigned);
  };
  return How.InBoth ? B.CreateAnd(Leaves(true), Leaves(false)) : Leaves(How.IsSigned);
}

} // namespace memshape
