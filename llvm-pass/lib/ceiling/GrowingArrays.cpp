// Arrays that grow as elements come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/GrowingArrays.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

static constexpr unsigned MostDepth = 16;
/// Sizes from here on make a container throw length_error.
static constexpr double Endless = double(uint64_t(1) << 58);

/// A linear function of Bytes, which is not negative, that is an upper bound of V.
std::optional<GrowingArrays::Line> GrowingArrays::lineOf(Value *V, const Instruction &Bytes, unsigned Depth) const {
  if (V == &Bytes)
    return Line{1, 0};
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->isNegative() ? std::nullopt : std::optional(Line{0, double(C->getZExtValue())});
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MostDepth)
    return std::nullopt;
  const auto Of = [&](unsigned Operand) { return lineOf(I->getOperand(Operand), Bytes, Depth + 1); };
  const auto Above = [](std::optional<Line> X, std::optional<Line> Y) -> std::optional<Line> {
    if (!X || !Y)
      return std::nullopt;
    return Line{std::max(X->Factor, Y->Factor), std::max(X->Constant, Y->Constant)};
  };
  const auto Times = [](std::optional<Line> X, double By) -> std::optional<Line> {
    if (X)
      X = Line{X->Factor * By, X->Constant * By};
    return X;
  };
  const auto IsEndless = [](const std::optional<Line> &X) { return X && !X->Factor && X->Constant >= Endless; };
  const APInt *By;
  if (match(I, m_AShr(m_Value(), m_APInt(By))) || match(I, m_LShr(m_Value(), m_APInt(By))))
    return By->ult(32) ? Times(Of(0), 1.0 / double(uint64_t(1) << By->getZExtValue())) : std::nullopt;
  if (match(I, m_Shl(m_Value(), m_APInt(By))))
    return By->ult(32) ? Times(Of(0), double(uint64_t(1) << By->getZExtValue())) : std::nullopt;
  if (match(I, m_SDiv(m_Value(), m_APInt(By))) || match(I, m_UDiv(m_Value(), m_APInt(By))))
    return By->isStrictlyPositive() ? Times(Of(0), 1.0 / By->roundToDouble()) : std::nullopt;
  if (match(I, m_Mul(m_Value(), m_APInt(By))))
    return By->isStrictlyPositive() ? Times(Of(0), By->roundToDouble()) : std::nullopt;
  if (I->getOpcode() == Instruction::Add) {
    const std::optional<Line> X = Of(0), Y = Of(1);
    if (!X || !Y)
      return std::nullopt;
    return Line{X->Factor + Y->Factor, X->Constant + Y->Constant};
  }
  if (isa<ZExtInst>(I) || isa<FreezeInst>(I))
    return Of(0);
  if (isa<SelectInst>(I)) {
    const std::optional<Line> X = Of(1), Y = Of(2);
    return IsEndless(X) ? Y : IsEndless(Y) ? X : Above(X, Y);
  }
  if (const auto *Extreme = dyn_cast<MinMaxIntrinsic>(I)) {
    const std::optional<Line> X = Of(0), Y = Of(1);
    const Intrinsic::ID Which = Extreme->getIntrinsicID();
    if (Which == Intrinsic::umax || Which == Intrinsic::smax)
      return Above(X, Y);
    return IsEndless(X) || !X ? Y : X;
  }
  return std::nullopt;
}

/// Matches a call whose size has a linear bound in the bytes between two pointers of one array header, where the old
/// block is freed afterwards.
std::optional<GrowingArrays::Growth> GrowingArrays::growthOf(CallBase &Call) {
  if (runnerCall(Call) != RunnerCall::Alloc)
    return std::nullopt;
  SmallVector<Value *, 8> Work = {Call.getArgOperand(AllocBytes)};
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty() && Seen.size() < 40) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    Value *X, *Y;
    if (!match(I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y))))) {
      if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<SelectInst>(I) || isa<IntrinsicInst>(I))
        Work.append(I->op_begin(), I->op_end());
      continue;
    }
    auto *End = dyn_cast<LoadInst>(X);
    auto *Begin = dyn_cast<LoadInst>(Y);
    if (!End || !Begin || !Lives.goesBehind(*Begin, Call))
      continue;
    if (const std::optional<Line> Size = lineOf(Call.getArgOperand(AllocBytes), *I, 0))
      return Growth{End, I, *Size};
  }
  return std::nullopt;
}

/// Collects the stores that Load may read; false if they store anything but pointers and zeros.
bool GrowingArrays::addStores(LoadInst &Load) {
  const ArrayRef<ModRef> Reads = Accesses.of(&Load);
  if (Reads.size() != 1 || Load.isAtomic() || Ranges.mayBeLeftBehind(Reads.front()))
    return false;
  bool AllKnown = true;
  Accesses.forWritersOf(Reads.front(), [&](const ModRef &Write) {
    AllKnown &= Write.By->getFunction() == &F;
    if (auto *Store = dyn_cast<StoreInst>(Write.By)) {
      if (Store->getValueOperand()->getType()->isPointerTy())
        Stores.insert(Store);
      else if (const auto *C = dyn_cast<Constant>(Store->getValueOperand()); !C || !C->isNullValue())
        AllKnown = false;
      return;
    }
    const auto *Set = dyn_cast<MemSetInst>(Write.By);
    const auto *C = Set ? dyn_cast<ConstantInt>(Set->getValue()) : nullptr;
    const auto *Call = dyn_cast<CallBase>(Write.By);
    AllKnown &= (C && C->isZero()) || (Call && isHeapCall(runnerCall(*Call)));
  });
  return AllKnown;
}

/// Counts what is appended when Store sets the end of an array to End.
bool GrowingArrays::appends(Value *End, const StoreInst &Store, unsigned Depth) {
  IntervalArithmetic &A = Ranges.arithmetic();
  if (Depth > MostDepth)
    return false;
  if (isa<ConstantPointerNull>(End) || isa<UndefValue>(End))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(End)) // moved from another array
    return addStores(*Load);
  if (auto *Phi = dyn_cast<PHINode>(End))
    return Phi->getNumIncomingValues() < 4 &&
           all_of(
               Phi->incoming_values(),
               [&](Value *V) { return V != Phi && !isa<PHINode>(V) && appends(V, Store, Depth + 1); });
  const auto Count = [&](int64_t Bytes) {
    if (Bytes <= 0)
      return Bytes == 0;
    Interval &Here = Steps[Store.getParent()];
    Here = A.add(Here.High ? Here : A.constant(0, 0), A.constant(Bytes, Bytes));
    return true;
  };
  // In place: one step forwards or back.
  APInt Offset(64, 0);
  Value *Base = End->stripAndAccumulateConstantOffsets(F.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  if (auto *Load = dyn_cast<LoadInst>(Base))
    return Load->getPointerOperand() == Store.getPointerOperand() &&
           (Offset.isNegative() || Count(Offset.getSExtValue()));
  // In a new block: behind the elements of the old one, which are moved.
  if (auto *Gep = dyn_cast<GEPOperator>(Base))
    if (auto *Block = dyn_cast<CallBase>(Gep->getPointerOperand()); Block && runnerCall(*Block) == RunnerCall::Alloc) {
      auto [At, New] = Known.try_emplace(Block);
      if (New)
        At->second = growthOf(*Block);
      const std::optional<Growth> Grown = Known[Block];
      if (Grown && Gep->getNumIndices() == 1 && Gep->getSourceElementType()->isIntegerTy(8) &&
          *Gep->idx_begin() == Grown->Bytes) {
        if (Calls.insert(Block).second && !addStores(*Grown->End))
          return false;
        // Bytes of the block beyond a multiple of its elements must be covered by what is appended now.
        if (Offset.isNegative() || Grown->Size.Constant > Grown->Size.Factor * Offset.roundToDouble())
          return false;
        Covered.insert(Block);
        return Count(Offset.getSExtValue());
      }
    }
  // In a block that has elements from the start: all that fit count.
  if (auto *Block = dyn_cast<CallBase>(Base); Block && runnerCall(*Block) == RunnerCall::Alloc)
    return Count(Offset.getSExtValue());
  if (auto *Gep = dyn_cast<GEPOperator>(Base))
    if (auto *Block = dyn_cast<CallBase>(Gep->getPointerOperand()); Block && runnerCall(*Block) == RunnerCall::Alloc) {
      const Interval Size = {A.constant(0, 0).Low, Ranges.at(Block->getArgOperand(AllocBytes), false, *Block).High};
      Value *Times = Ranges.executions(*Block->getParent());
      if (!Size.High || !Times)
        return false;
      Started = A.add(Started, A.multiply(Size, {A.constant(0, 0).Low, Times}));
      return true;
    }
  return false;
}

Value *GrowingArrays::bytesOf(CallBase &Call, SmallPtrSetImpl<CallBase *> &Others) {
  auto [At, New] = Known.try_emplace(&Call);
  if (New)
    At->second = growthOf(Call);
  const std::optional<Growth> Grown = Known[&Call];
  if (!Grown)
    return nullptr;
  IntervalArithmetic &A = Ranges.arithmetic();
  Calls.clear();
  Covered.clear();
  Stores.clear();
  Steps.clear();
  Started = A.constant(0, 0);
  Calls.insert(&Call);
  if (!addStores(*Grown->End))
    return nullptr;
  for (size_t Number = 0; Number != Stores.size(); ++Number) // the loop adds stores while it runs
    if (!appends(Stores[Number]->getValueOperand(), *Stores[Number], 0))
      return nullptr;
  double Factor = 0;
  for (CallBase *Each : Calls) {
    const std::optional<Growth> &One = Known[Each];
    if (!One || !Covered.contains(Each))
      return nullptr;
    Factor = std::max(Factor, One->Size.Factor);
  }
  if (Factor > 64)
    return nullptr;
  Others.insert(Calls.begin(), Calls.end());
  // The old block lives until the new one is filled: each is within the bound.
  const int64_t Twice = int64_t(std::ceil(2 * Factor));
  const Interval All = Ranges.addedBy(Steps);
  return All.High ? A.multiply(A.add(All, Started), A.constant(Twice, Twice)).High : nullptr;
}

} // namespace memshape
