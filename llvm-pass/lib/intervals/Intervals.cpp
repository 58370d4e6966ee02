// Arithmetic on intervals, as IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "intervals/Intervals.h"

using namespace llvm;

namespace memshape {

/// Numbers from here on count as unbounded, so that sums of two ends fit 64 bits and an unbounded end stays unbounded.
static constexpr int64_t Beyond = int64_t(1) << 62;

static std::optional<int64_t> known(const Value *V) {
  const auto *C = dyn_cast_or_null<ConstantInt>(V);
  return C ? std::optional(C->getSExtValue()) : std::nullopt;
}

Value *IntervalArithmetic::lowOf(Interval X) { return X.Low ? X.Low : B.getInt64(INT64_MIN); }
Value *IntervalArithmetic::highOf(Interval X) { return X.High ? X.High : B.getInt64(INT64_MAX); }

Value *IntervalArithmetic::least(Value *X, Value *Y) {
  if (X == Y)
    return X;
  if (auto A = known(X), C = known(Y); A && C)
    return B.getInt64(std::min(*A, *C));
  return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
}

Value *IntervalArithmetic::greatest(Value *X, Value *Y) {
  if (X == Y)
    return X;
  if (auto A = known(X), C = known(Y); A && C)
    return B.getInt64(std::max(*A, *C));
  return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
}

Value *IntervalArithmetic::tidyLow(Value *V) {
  Value *Near = least(V, B.getInt64(Beyond - 1));
  return B.CreateSelect(B.CreateICmpSLE(V, B.getInt64(-Beyond)), B.getInt64(INT64_MIN), Near);
}

Value *IntervalArithmetic::tidyHigh(Value *V) {
  Value *Near = greatest(V, B.getInt64(1 - Beyond));
  return B.CreateSelect(B.CreateICmpSGE(V, B.getInt64(Beyond)), B.getInt64(INT64_MAX), Near);
}

Interval IntervalArithmetic::exactly(Value *V, bool Signed) {
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  if (Bits < 64) {
    V = Signed ? B.CreateSExt(V, B.getInt64Ty()) : B.CreateZExt(V, B.getInt64Ty());
    return {V, V};
  }
  if (Signed)
    return {tidyLow(V), tidyHigh(V)};
  Value *Huge = B.CreateICmpSLT(V, B.getInt64(0));
  return {B.CreateSelect(Huge, B.getInt64(0), tidyLow(V)), B.CreateSelect(Huge, B.getInt64(INT64_MAX), tidyHigh(V))};
}

Interval IntervalArithmetic::ofType(unsigned Bits, bool Signed) {
  if (Bits > MostBits)
    return Signed ? Interval() : atLeast(0);
  const int64_t Size = int64_t(1) << Bits;
  return Signed ? constant(-Size / 2, Size / 2 - 1) : constant(0, Size - 1);
}

Value *IntervalArithmetic::saturated(Intrinsic::ID Operation, Value *X, Value *Y) {
  if (auto A = known(X), C = known(Y); A && C) {
    int64_t Sum;
    const bool Minus = Operation == Intrinsic::ssub_sat;
    if (Minus ? __builtin_sub_overflow(*A, *C, &Sum) : __builtin_add_overflow(*A, *C, &Sum))
      Sum = *A < 0 ? INT64_MIN : INT64_MAX;
    return B.getInt64(Sum);
  }
  return B.CreateBinaryIntrinsic(Operation, X, Y);
}

Interval IntervalArithmetic::add(Interval X, Interval Y) {
  Interval Sum;
  if (X.Low && Y.Low)
    Sum.Low = tidyLow(saturated(Intrinsic::sadd_sat, X.Low, Y.Low));
  if (X.High && Y.High)
    Sum.High = tidyHigh(saturated(Intrinsic::sadd_sat, X.High, Y.High));
  return Sum;
}

Interval IntervalArithmetic::subtract(Interval X, Interval Y) {
  Interval Difference;
  if (X.Low && Y.High)
    Difference.Low = tidyLow(saturated(Intrinsic::ssub_sat, X.Low, Y.High));
  if (X.High && Y.Low)
    Difference.High = tidyHigh(saturated(Intrinsic::ssub_sat, X.High, Y.Low));
  return Difference;
}

/// INT64_MIN or INT64_MAX if it is too large. An unbounded end times 0 is 0.
Value *IntervalArithmetic::product(Value *X, Value *Y) {
  if (auto A = known(X), C = known(Y); A && C) {
    int64_t Product;
    if (__builtin_mul_overflow(*A, *C, &Product))
      Product = (*A < 0) == (*C < 0) ? INT64_MAX : INT64_MIN;
    return B.getInt64(Product);
  }
  Value *Both = B.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, X, Y);
  Value *Negative = B.CreateICmpSLT(B.CreateXor(X, Y), B.getInt64(0));
  Value *Far = B.CreateSelect(Negative, B.getInt64(INT64_MIN), B.getInt64(INT64_MAX));
  return B.CreateSelect(B.CreateExtractValue(Both, 1), Far, B.CreateExtractValue(Both, 0));
}

Interval IntervalArithmetic::multiply(Interval X, Interval Y) {
  if (!X.High && !Y.High)
    return {};
  const auto Natural = [](Interval I) { return known(I.Low).value_or(-1) >= 0; };
  Value *XLow = lowOf(X), *XHigh = highOf(X), *YLow = lowOf(Y), *YHigh = highOf(Y);
  if (Natural(X) && Natural(Y))
    return {tidyLow(product(XLow, YLow)), tidyHigh(product(XHigh, YHigh))};
  Value *Products[] = {product(XLow, YLow), product(XLow, YHigh), product(XHigh, YLow), product(XHigh, YHigh)};
  Value *Low = Products[0], *High = Products[0];
  for (Value *Each : drop_begin(Products)) {
    Low = least(Low, Each);
    High = greatest(High, Each);
  }
  return {tidyLow(Low), tidyHigh(High)};
}

Interval IntervalArithmetic::shiftLeft(Interval X, Interval Amount) {
  if (!Amount.High)
    return {};
  const auto Power = [&](Value *By) {
    Value *Within = greatest(least(By, B.getInt64(62)), B.getInt64(0));
    return B.CreateShl(B.getInt64(1), Within);
  };
  return multiply(X, {Power(lowOf(Amount)), Power(Amount.High)});
}

Interval IntervalArithmetic::shiftRight(Interval X, Interval Amount) {
  Value *Least = greatest(least(lowOf(Amount), B.getInt64(63)), B.getInt64(0)),
        *Most = greatest(least(highOf(Amount), B.getInt64(63)), B.getInt64(0));
  Interval Shifted;
  if (X.Low)
    Shifted.Low = least(B.CreateAShr(X.Low, Least), B.CreateAShr(X.Low, Most));
  if (X.High) {
    Value *High = greatest(B.CreateAShr(X.High, Least), B.CreateAShr(X.High, Most));
    Shifted.High = B.CreateSelect(B.CreateICmpEQ(X.High, B.getInt64(INT64_MAX)), B.getInt64(INT64_MAX), tidyHigh(High));
  }
  if (X.Low)
    Shifted.Low =
        B.CreateSelect(B.CreateICmpEQ(X.Low, B.getInt64(INT64_MIN)), B.getInt64(INT64_MIN), tidyLow(Shifted.Low));
  return Shifted;
}

/// An i1: whether no number of X is negative.
Value *IntervalArithmetic::isNatural(Interval X) { return B.CreateICmpSGE(lowOf(X), B.getInt64(0)); }

Interval IntervalArithmetic::divide(Interval X, Interval Y) {
  // Division moves a number towards zero, and to the other side if the divisor is negative.
  const Interval Anyway = magnitude(X);
  Value *Far = highOf(Anyway);
  const Interval Else = {tidyLow(B.CreateNeg(Far)), Far};
  Value *Divisor = greatest(lowOf(Y), B.getInt64(1)), *Most = greatest(highOf(Y), B.getInt64(1));
  Value *High = highOf(X), *Low = lowOf(X);
  const Interval Quotient = {B.CreateSDiv(Low, Most), B.CreateSelect(B.CreateICmpEQ(High, B.getInt64(INT64_MAX)), High,
                                                                     B.CreateSDiv(High, Divisor))};
  return choose(B.CreateAnd(isNatural(X), isNatural(Y)), Quotient, Else);
}

Interval IntervalArithmetic::remainder(Interval X, Interval Y) {
  const Interval Size = magnitude(Y);
  Value *Divisor = highOf(Size);
  Value *Most = B.CreateSelect(B.CreateICmpEQ(Divisor, B.getInt64(INT64_MAX)), Divisor,
                               greatest(B.CreateSub(Divisor, B.getInt64(1)), B.getInt64(0)));
  Most = least(Most, highOf(magnitude(X)));
  Value *Low = B.CreateSelect(isNatural(X), B.getInt64(0), tidyLow(B.CreateNeg(Most)));
  return {Low, Most};
}

Interval IntervalArithmetic::bitAnd(Interval X, Interval Y) {
  // If one number is not negative, the result of `and` is at most that number.
  Value *XNatural = isNatural(X), *YNatural = isNatural(Y);
  Value *None = B.getInt64(INT64_MAX);
  Value *High = least(B.CreateSelect(XNatural, highOf(X), None), B.CreateSelect(YNatural, highOf(Y), None));
  Value *Low = B.CreateSelect(B.CreateOr(XNatural, YNatural), B.getInt64(0), B.getInt64(INT64_MIN));
  return {Low, High};
}

Interval IntervalArithmetic::bitOr(Interval X, Interval Y, bool IsXor) {
  if (!X.High || !Y.High || !X.Low || !Y.Low)
    return {};
  const Interval Sum = add(X, Y);
  Value *Natural = B.CreateAnd(isNatural(X), isNatural(Y));
  Value *Low = IsXor ? B.getInt64(0) : greatest(X.Low, Y.Low);
  return choose(Natural, {Low, Sum.High}, {});
}

Interval IntervalArithmetic::minimum(Interval X, Interval Y) {
  Interval Least;
  if (X.Low && Y.Low)
    Least.Low = least(X.Low, Y.Low);
  if (X.High || Y.High)
    Least.High = least(highOf(X), highOf(Y));
  return Least;
}

Interval IntervalArithmetic::maximum(Interval X, Interval Y) {
  Interval Greatest;
  if (X.Low || Y.Low)
    Greatest.Low = greatest(lowOf(X), lowOf(Y));
  if (X.High && Y.High)
    Greatest.High = greatest(X.High, Y.High);
  return Greatest;
}

Interval IntervalArithmetic::magnitude(Interval X) {
  if (!X.Low || !X.High)
    return known(X.Low).value_or(-1) >= 0 ? X : atLeast(0);
  if (known(X.Low).value_or(-1) >= 0)
    return X;
  Value *Below =
      B.CreateSelect(B.CreateICmpEQ(X.Low, B.getInt64(INT64_MIN)), B.getInt64(INT64_MAX), B.CreateNeg(X.Low));
  return {B.getInt64(0), greatest(Below, X.High)};
}

Interval IntervalArithmetic::hull(Interval X, Interval Y) {
  Interval All;
  if (X.Low && Y.Low)
    All.Low = least(X.Low, Y.Low);
  if (X.High && Y.High)
    All.High = greatest(X.High, Y.High);
  return All;
}

Interval IntervalArithmetic::meet(Interval X, Interval Y) {
  Interval Both;
  if (X.Low || Y.Low)
    Both.Low = !X.Low ? Y.Low : !Y.Low ? X.Low : greatest(X.Low, Y.Low);
  if (X.High || Y.High)
    Both.High = !X.High ? Y.High : !Y.High ? X.High : least(X.High, Y.High);
  return Both;
}

Interval IntervalArithmetic::choose(Value *Condition, Interval X, Interval Y) {
  if (const auto *C = dyn_cast<ConstantInt>(Condition))
    return C->isZero() ? Y : X;
  Interval One;
  if (X.Low || Y.Low)
    One.Low = B.CreateSelect(Condition, lowOf(X), lowOf(Y));
  if (X.High || Y.High)
    One.High = B.CreateSelect(Condition, highOf(X), highOf(Y));
  return One;
}

Interval IntervalArithmetic::wrapped(Interval X, unsigned Bits, bool Signed) {
  const Interval Whole = ofType(Bits, Signed);
  if (!X.Low || !X.High)
    return Whole;
  Value *Fits = B.getTrue();
  if (Bits < 62 || (Signed && Bits == 62)) {
    const int64_t Size = int64_t(1) << Bits;
    Fits = B.CreateAnd(B.CreateICmpSGE(X.Low, B.getInt64(Signed ? -Size / 2 : 0)),
                       B.CreateICmpSLE(X.High, B.getInt64(Signed ? Size / 2 - 1 : Size - 1)));
  } else {
    Fits = B.CreateAnd(B.CreateICmpSGE(X.Low, B.getInt64(Signed ? 1 - Beyond : 0)),
                       B.CreateICmpNE(X.High, B.getInt64(INT64_MAX)));
  }
  return choose(Fits, X, Whole);
}

Interval IntervalArithmetic::viewed(Interval X, unsigned Bits, bool Signed) {
  if (Signed) // from an unsigned number: the same if the highest bit is clear
    return wrapped(X, Bits, true);
  if (!X.Low)
    return ofType(Bits, false);
  return choose(isNatural(X), X, ofType(Bits, false));
}

Value *IntervalArithmetic::canBePositive(Interval X) { return B.CreateICmpSGT(highOf(X), B.getInt64(0)); }

Value *IntervalArithmetic::isBelow(Interval X, Interval Y) {
  if (!X.High || !Y.Low)
    return B.getFalse();
  return B.CreateICmpSLT(X.High, Y.Low);
}

} // namespace memshape
