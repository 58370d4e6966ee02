// Bounds of what is read, and of lengths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sizes[x & 3] is one of four numbers, which the skeleton may know; strlen(s) is limited by the block of s.

#include "Compat.h"
#include "intervals/Bounder.h"
#include "libraries/Summaries.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace memshape {

/// The bytes of an object whose definition is visible.
Interval Bounder::bytesOf(Value *Object, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const DataLayout &Layout = F.getParent()->getDataLayout();
  const auto Exactly = [&](TypeSize Bytes) {
    return Bytes.isScalable() ? Interval() : A.constant(int64_t(Bytes.getFixedValue()), int64_t(Bytes.getFixedValue()));
  };
  if (auto *Variable = dyn_cast<AllocaInst>(Object))
    if (std::optional<TypeSize> Bytes = Variable->getAllocationSize(Layout))
      return Exactly(*Bytes);
  if (auto *Variable = dyn_cast<GlobalVariable>(Object); Variable && Variable->hasInitializer())
    return Exactly(Layout.getTypeAllocSize(Variable->getValueType()));
  if (auto *Call = dyn_cast<CallBase>(Object); Call && runnerCall(*Call) == RunnerCall::Alloc)
    return rangeOf(Call->getArgOperand(AllocBytes), /*Signed=*/false, At, Depth);
  return {};
}

Interval Bounder::steppedFrom(Value *&Pointer, uint64_t &Step, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const DataLayout &Layout = F.getParent()->getDataLayout();
  Interval Offset = A.constant(0, 0);
  Step = 0;
  while (auto *Address = dyn_cast<GEPOperator>(Pointer)) {
    compat::OffsetMap Variable;
    APInt Constant(64, 0);
    if (Address->getType()->isVectorTy() || !Address->collectOffset(Layout, 64, Variable, Constant))
      return {};
    Offset = A.add(Offset, A.constant(Constant.getSExtValue(), Constant.getSExtValue()));
    for (auto &[Index, Scale] : Variable) {
      const int64_t Bytes = Scale.getSExtValue();
      Offset = A.add(Offset, A.multiply(rangeOf(Index, /*Signed=*/true, At, Depth), A.constant(Bytes, Bytes)));
      if (Flow.isData(Index))
        Step = std::gcd(Step, uint64_t(std::abs(Bytes)));
    }
    Pointer = Address->getPointerOperand();
  }
  return Offset;
}

Interval Bounder::roomBehind(Value *Pointer, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  uint64_t Step;
  // A pointer is never before its object's start.
  Interval Offset = A.meet(steppedFrom(Pointer, Step, At, Depth), A.atLeast(0));
  const Interval Bytes = Flow.isData(Pointer) ? Interval() : bytesOf(Pointer, At, Depth);
  return {nullptr, A.subtract(Bytes, Offset).High};
}

/// The table is searched where it is read, because it may change later.
Interval Bounder::ofLoad(LoadInst &I, bool Signed, unsigned Depth) {
  IRBuilder<> B(&I);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  Interval Result = A.ofType(Bits, Signed);
  if (const MDNode *Told = I.getMetadata(LLVMContext::MD_range)) {
    const ConstantRange R = getConstantRangeFromMetadata(*Told);
    const APInt Low = Signed ? R.getSignedMin() : R.getUnsignedMin(),
                High = Signed ? R.getSignedMax() : R.getUnsignedMax();
    if (High.getSignificantBits() <= 32 && Low.getSignificantBits() <= 32)
      Result = A.constant(Low.getSExtValue(), High.getSExtValue());
  }
  if (!Tables || Bits % 8 != 0)
    return Result;
  Value *Object = I.getPointerOperand();
  uint64_t Step;
  Comparisons Outside; // these may refer to values that come after this place
  std::swap(Outside, Assumed);
  const Interval Offset = steppedFrom(Object, Step, I, Depth);
  const bool Indexed = Step && !Flow.isData(Object);
  const Interval Extent = Indexed ? bytesOf(Object, I, Depth) : Interval();
  std::swap(Outside, Assumed);
  if (!Indexed)
    return Result;
  const int64_t Bytes = Bits / 8;
  const Interval Last = A.subtract(Extent, A.constant(Bytes, Bytes));
  // For any index, the program reads inside the object.
  Value *From = A.lowOf(Offset), *To = A.highOf(A.meet({nullptr, Offset.High}, Last));
  Module &M = *F.getParent();
  const auto Extreme = [&](uint32_t Flags) {
    return B.CreateCall(runnerFunction(M, RunnerCall::Extreme),
                        {Object, From, To, B.getInt64(Step), B.getInt32(uint32_t(Bytes) | Flags)});
  };
  // If the object is not visible, the runner looks for the block that begins there.
  const uint32_t Sign = (Signed ? MEMSHAPE_SK_SIGNED : 0) | (Last.High ? 0 : MEMSHAPE_SK_BLOCK);
  return A.meet(Result, {Extreme(Sign), Extreme(Sign | MEMSHAPE_SK_GREATEST)});
}

Interval Bounder::ofCall(CallBase &I, bool Signed, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  const Function *Callee = I.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || runnerCall(I) != RunnerCall::None)
    return A.ofType(Bits, Signed);
  const Summary S = summaryOf(*Callee);
  Interval Length = A.atLeast(0);
  if (S.LengthBehind >= 0 && unsigned(S.LengthBehind) < I.arg_size()) {
    // The terminating character is not counted.
    Interval Text = roomBehind(I.getArgOperand(unsigned(S.LengthBehind)), At, Depth);
    Length = A.meet(Length, A.maximum(A.subtract(Text, A.constant(1, 1)), A.constant(0, 0)));
  }
  if (S.AtMost >= 0 && unsigned(S.AtMost) < I.arg_size() && S.PlaceBehind < 0)
    Length = A.meet(Length, {nullptr, rangeOf(I.getArgOperand(unsigned(S.AtMost)), false, At, Depth).High});
  return Length.High ? A.viewed(Length, Bits, Signed) : A.ofType(Bits, Signed);
}

Interval Bounder::distance(Value *X, Value *Y, Instruction &At, unsigned Depth) {
  IRBuilder<> B(&At);
  IntervalArithmetic A(B, MostBits);
  uint64_t Step;
  Interval To = steppedFrom(X, Step, At, Depth), From = steppedFrom(Y, Step, At, Depth);
  // The result of a search is behind the place where it began.
  for (unsigned Searches = 0; Searches != 4 && X != Y; ++Searches) {
    auto *Call = dyn_cast<CallBase>(X);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    const Summary S =
        Callee && Callee->isDeclaration() && runnerCall(*Call) == RunnerCall::None ? summaryOf(*Callee) : Summary();
    if (S.PlaceBehind < 0 || unsigned(S.PlaceBehind) >= Call->arg_size())
      break;
    X = Call->getArgOperand(unsigned(S.PlaceBehind));
    Interval Found = A.meet(A.atLeast(0), roomBehind(X, At, Depth));
    if (S.AtMost >= 0 && unsigned(S.AtMost) < Call->arg_size())
      Found = A.meet(Found, {nullptr, rangeOf(Call->getArgOperand(unsigned(S.AtMost)), false, At, Depth).High});
    To = A.add(A.add(To, Found), steppedFrom(X, Step, At, Depth));
  }
  return X == Y ? A.subtract(To, From) : Interval();
}

} // namespace memshape
