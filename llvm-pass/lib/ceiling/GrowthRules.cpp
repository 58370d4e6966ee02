// Blocks whose sizes follow a rule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/GrowthRules.h"
#include "Compat.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// A rule with more values is none: it adds rather than multiplies.
static constexpr size_t MostValues = 160;
/// No process has addresses for so many bytes.
static constexpr uint64_t Endless = uint64_t(1) << 48;

bool GrowthRules::Rule::start(uint64_t At, Way Where) {
  Starts.insert(Where);
  const bool Same = !Start || *Start == At;
  Start = At;
  return Same;
}

/// One becomes V, or the bytes from Begin to V, on Where.
bool GrowthRules::Rule::add(const Capacity &One, Value *V, Value *Begin, Way Where) {
  if (!Begin) {
    if (const auto *C = dyn_cast<ConstantInt>(V))
      return C->getBitWidth() <= 64 && !C->isNegative() && start(C->getZExtValue(), Where);
    if (auto *Phi = dyn_cast<PHINode>(V))
      return Held.insert({Phi}).second || true;
    Steps.push_back({V, nullptr, 1, 0, Where});
    return isa<Instruction>(V);
  }
  if (isa<ConstantPointerNull>(V) && isa<ConstantPointerNull>(Begin))
    return start(0, Where);
  auto *Phi = dyn_cast<PHINode>(V), *BeginPhi = dyn_cast<PHINode>(Begin);
  if (Phi && BeginPhi && Phi->getParent() == BeginPhi->getParent())
    return Held.insert({Phi, BeginPhi}).second || true;
  auto *Gep = dyn_cast<GEPOperator>(V);
  const DataLayout &DL = One.V->getDataLayout();
  APInt Offset(64, 0);
  if (V->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true) == Begin)
    return !Offset.isNegative() && start(Offset.getZExtValue(), Where); // a block from the start
  compat::OffsetMap Indices;
  APInt Constant(64, 0);
  if (!Gep || Gep->getPointerOperand() != Begin || !Gep->collectOffset(DL, 64, Indices, Constant) ||
      Indices.size() != 1 || Constant.isNegative() || !Indices.begin()->second.isStrictlyPositive())
    return false;
  Steps.push_back(
      {Indices.begin()->first, Begin, Indices.begin()->second.getZExtValue(), Constant.getZExtValue(), Where});
  return true;
}

/// Whether no capacity replaces One on any path from its block to At.
bool GrowthRules::Rule::isNewest(const Capacity &One, const BasicBlock &At) const {
  SmallVector<const BasicBlock *, 16> Work = {&At};
  SmallPtrSet<const BasicBlock *, 32> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == One.V->getParent() || !Seen.insert(BB).second)
      continue;
    if (any_of(Held, [&](const Capacity &Each) { return Each.V->getParent() == BB; }) || pred_empty(BB))
      return false;
    Work.append(pred_begin(BB), pred_end(BB));
  }
  return true;
}

/// Whether the capacity becomes another one, or starts anew, before one of Until is executed behind Call.
bool GrowthRules::Rule::isRenewed(const CallBase &Call, ArrayRef<const CallBase *> Until) const {
  SmallVector<const BasicBlock *, 16> Work = {Call.getParent()};
  SmallPtrSet<const BasicBlock *, 32> Seen;
  while (!Work.empty()) {
    const BasicBlock *From = Work.pop_back_val();
    for (const BasicBlock *To : successors(From)) {
      const Way Here{From, To};
      if (Starts.contains(Here) || any_of(Steps, [&](const Step &Each) { return Each.Where == Here; }))
        continue;
      if (any_of(Until, [&](const CallBase *Each) { return Each->getParent() == To; }))
        return false;
      if (Seen.insert(To).second)
        Work.push_back(To);
    }
  }
  return true;
}

std::optional<GrowthRules::Rule> GrowthRules::ruleOf(const Capacity &One) {
  constexpr size_t MostHeld = 32;
  Rule Of;
  Of.Held = {One};
  SmallVector<Capacity, 8> Work = {One};
  while (!Work.empty()) {
    const Capacity Each = Work.pop_back_val();
    for (unsigned Number = 0; Number != Each.V->getNumIncomingValues(); ++Number) {
      BasicBlock *From = Each.V->getIncomingBlock(Number);
      Value *V = Each.V->getIncomingValue(Number);
      const std::set<Capacity> Before = Of.Held;
      if (!Of.add(Each, V, Each.Begin ? Each.Begin->getIncomingValueForBlock(From) : nullptr,
                  {From, Each.V->getParent()}) ||
          Of.Held.size() > MostHeld)
        return std::nullopt;
      for (const Capacity &Next : Of.Held)
        if (!Before.contains(Next))
          Work.push_back(Next);
    }
  }
  // At each time one of them is the newest, and from no other one comes the next.
  for (const Capacity &Each : Of.Held)
    for (const Capacity &Other : Of.Held) {
      if (Each != Other && Each.V->getParent() == Other.V->getParent())
        return std::nullopt;
      for (unsigned Number = 0; Number != Each.V->getNumIncomingValues(); ++Number)
        if (Each.V->getIncomingValue(Number) == Other.V && !Of.isNewest(Other, *Each.V->getIncomingBlock(Number)))
          return std::nullopt;
    }
  return Of.Start && !Of.Steps.empty() && findSources(Of) ? std::optional(Of) : std::nullopt;
}

/// What each step of Of is made of.
bool GrowthRules::findSources(Rule &Of) {
  return all_of(Of.Steps, [&](Step &Each) {
    for (const Capacity &One : Of.Held)
      if (evaluate(Each.V, One, *Of.Start, *Each.Where.first->getTerminator()) && Of.isNewest(One, *Each.Where.first)) {
        Each.From = One;
        return true;
      }
    return false;
  });
}

/// The values that are known to equal V at Place, V among them.
SmallVector<Value *, 4> GrowthRules::equalTo(Value *V, const Instruction &Place) {
  SmallVector<Value *, 4> Equal = {V};
  for (const Comparison &C : Ranges.facts().before(Place))
    if (C.Predicate == CmpInst::ICMP_EQ && C.Left == V && !isa<Constant>(C.Right) && !is_contained(Equal, C.Right))
      Equal.push_back(C.Right);
  return Equal;
}

/// V at Place, where One is the number Is.
std::optional<uint64_t> GrowthRules::evaluate(Value *V, const Capacity &One, uint64_t Is, const Instruction &Place) {
  const SmallVector<Value *, 4> Ends = equalTo(One.V, Place);
  const DataLayout &DL = F.getDataLayout();
  const auto IsEnds = [&](Value *X, Value *Y) { return is_contained(Ends, X) && Y == One.Begin; };
  if (!One.Begin && !isUIntN(One.V->getType()->getScalarSizeInBits(), Is))
    return std::nullopt;
  DenseMap<Value *, Constant *> Known;
  unsigned Room = 64;
  const std::function<Constant *(Value *)> Of = [&](Value *Each) -> Constant * {
    if (auto *C = dyn_cast<Constant>(Each))
      return isa<UndefValue>(C) ? nullptr : C;
    auto *I = dyn_cast<Instruction>(Each);
    if (auto At = Known.find(Each); At != Known.end())
      return At->second;
    if (!One.Begin && is_contained(Ends, Each) && Each->getType() == One.V->getType())
      return ConstantInt::get(Each->getType(), Is);
    Value *X = nullptr, *Y = nullptr;
    if (One.Begin && match(Each, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y)))) && IsEnds(X, Y))
      return ConstantInt::get(Each->getType(), Is);
    const auto *Compare = dyn_cast<ICmpInst>(Each);
    if (One.Begin && Compare && Compare->isEquality() &&
        (IsEnds(I->getOperand(0), I->getOperand(1)) || IsEnds(I->getOperand(1), I->getOperand(0))))
      return ConstantInt::getBool(Each->getContext(), (Is == 0) == (Compare->getPredicate() == CmpInst::ICMP_EQ));
    if (!I || !Room-- || I->mayReadOrWriteMemory() || isa<PHINode>(I) || !I->getType()->isIntegerTy())
      return nullptr;
    if (auto *Select = dyn_cast<SelectInst>(I)) {
      const auto *Which = dyn_cast_or_null<ConstantInt>(Of(Select->getCondition()));
      return Which ? Known[Each] = Of(Which->isOne() ? Select->getTrueValue() : Select->getFalseValue()) : nullptr;
    }
    SmallVector<Constant *, 3> Operands;
    for (Value *Operand : I->operands()) {
      Operands.push_back(Of(Operand));
      if (!Operands.back())
        return nullptr;
    }
    return Known[Each] = Compare
                             ? ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1], DL)
                             : ConstantFoldInstOperands(I, Operands, DL);
  };
  const auto *C = dyn_cast_or_null<ConstantInt>(Of(V));
  if (!C || C->getBitWidth() > 64 || C->isNegative())
    return std::nullopt;
  return C->getZExtValue();
}

std::optional<GrowthRules::Site> GrowthRules::siteOf(CallBase &Call) {
  const auto [At, New] = Sites.try_emplace(&Call);
  if (New)
    At->second = findSite(Call);
  return At->second;
}

/// The capacity from which the size at Call is made.
std::optional<GrowthRules::Site> GrowthRules::findSite(CallBase &Call) {
  const RunnerCall Which = runnerCall(Call);
  if (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc)
    return std::nullopt;
  Value *Bytes = Call.getArgOperand(Which == RunnerCall::Realloc ? ReallocBytes : AllocBytes);
  SmallVector<Value *, 8> Work = {Bytes};
  SmallPtrSet<Value *, 16> Seen;
  // The rule has to tell the blocks of all shapes.
  constexpr uint64_t Many = 1 << 28;
  const auto Fits = [&](const Capacity &One) {
    const std::optional<Rule> Of = evaluate(Bytes, One, 1 << 20, Call) ? ruleOf(One) : std::nullopt;
    const auto All = Of ? valuesOf(*Of, {{&Call, One, nullptr}}) : std::nullopt;
    return All && All->Last >= Many;
  };
  while (!Work.empty() && Seen.size() < 40) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    Value *X = nullptr, *Y = nullptr;
    if (!I || !Seen.insert(I).second)
      continue;
    if (match(I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y))))) {
      for (Value *End : equalTo(X, Call))
        if (auto *Phi = dyn_cast<PHINode>(End), *Begin = dyn_cast<PHINode>(Y);
            Phi && Begin && Phi->getParent() == Begin->getParent() && Fits({Phi, Begin}))
          return Site{&Call, {Phi, Begin}, I};
    } else if (isa<PHINode>(I)) {
      for (Value *Same : equalTo(I, Call))
        if (auto *Phi = dyn_cast<PHINode>(Same); Phi && Fits({Phi}))
          return Site{&Call, {Phi}, I};
    } else if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<SelectInst>(I) || isa<IntrinsicInst>(I)) {
      Work.append(I->op_begin(), I->op_end());
    }
  }
  return std::nullopt;
}

/// Executes the rule; nothing where the sites do not agree, or where it is none.
std::optional<GrowthRules::Values> GrowthRules::valuesOf(const Rule &Of, ArrayRef<Site> All) {
  Values Found;
  uint64_t Is = *Of.Start;
  for (;;) {
    std::optional<uint64_t> Size, Next;
    for (const Site &Each : All) {
      const bool Again = runnerCall(*Each.Call) == RunnerCall::Realloc;
      const auto Here =
          evaluate(Each.Call->getArgOperand(Again ? ReallocBytes : AllocBytes), Each.From, Is, *Each.Call);
      if (Size && Here != Size)
        return std::nullopt;
      Size = Here;
    }
    for (const Step &Each : Of.Steps) {
      auto Here = evaluate(Each.V, Each.From, Is, *Each.Where.first->getTerminator());
      if (Here)
        Here = *Here > Endless ? std::nullopt : std::optional(*Here * Each.Scale + Each.Plus);
      if (Next && Here != Next)
        return std::nullopt;
      Next = Here;
    }
    Found.Last = Is;
    if (!Size || *Size > Endless || (!Found.All.empty() && *Size <= Found.All.back().second))
      return Found;
    Found.All.push_back({Is, *Size});
    if (!Next || *Next <= Is)
      return Found;
    if (Found.All.size() > MostValues)
      return std::nullopt;
    Is = *Next;
  }
}

/// Whether control comes from From to To's block, unless it ends before, and V is not computed anew on the way.
static bool leadsTo(const Instruction &From, const Instruction &To, const Value &V) {
  const auto *Made = dyn_cast<Instruction>(&V);
  SmallVector<const BasicBlock *, 16> Work = {From.getParent()};
  SmallPtrSet<const BasicBlock *, 32> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == To.getParent())
      continue;
    if (succ_empty(BB) && !isa<UnreachableInst>(BB->getTerminator()))
      return false;
    for (const BasicBlock *Next : successors(BB)) {
      if (Next == From.getParent() || (Made && Next == Made->getParent()))
        return false;
      if (Seen.insert(Next).second)
        Work.push_back(Next);
    }
  }
  return true;
}

/// What the capacity at Of can be at most. What is stored behind the call, in any case, was not there in front of it.
Interval GrowthRules::limitOf(const Site &Of) {
  IntervalArithmetic &A = Ranges.arithmetic();
  Interval Most = {nullptr, A.meet(Ranges.at(Of.Is, true, *Of.Call), Ranges.at(Of.Is, false, *Of.Call)).High};
  const auto Less = [&](Interval Later, uint64_t By) {
    Most = A.meet(Most, {nullptr, A.subtract({nullptr, Later.High}, A.constant(int64_t(By), int64_t(By))).High});
  };
  for (Value *Same : equalTo(Of.Is, *Of.Call))
    for (User *U : Same->users()) {
      auto *I = dyn_cast<Instruction>(U);
      const APInt *Plus;
      if (!Of.From.Begin && match(I, m_NSWAdd(m_Specific(Same), m_APInt(Plus))) && Plus->isStrictlyPositive() &&
          Plus->getActiveBits() < 31 && leadsTo(*Of.Call, *I, *Same))
        Less(Ranges.at(I, true, *I), Plus->getZExtValue());
      auto *Behind = dyn_cast<GetElementPtrInst>(U); // the elements of the old block
      if (!Of.From.Begin || !Behind || Behind->getNumIndices() != 1 || *Behind->idx_begin() != Same ||
          !Behind->getSourceElementType()->isIntegerTy(8))
        continue;
      for (User *Next : Behind->users()) {
        auto *End = dyn_cast<GetElementPtrInst>(Next);
        APInt Bytes(64, 0);
        if (End && End->getPointerOperand() == Behind && End->accumulateConstantOffset(F.getDataLayout(), Bytes) &&
            Bytes.isStrictlyPositive() && leadsTo(*Of.Call, *End, *Same))
          Less(Ranges.bytesBetween(Behind->getPointerOperand(), End, *End), Bytes.getZExtValue());
      }
    }
  return Most;
}

/// Whether all blocks of All are those of one array: each becomes the array's with the next capacity, and the one that
/// it replaces is freed before another one is asked for.
bool GrowthRules::isOneArray(const Rule &Of, const SmallVectorImpl<Site> &All, const Lives &LivesOf) {
  SmallVector<const CallBase *, 4> Calls;
  SmallPtrSet<const BasicBlock *, 4> Parents;
  for (const Site &Each : All)
    Calls.push_back(Each.Call);
  const auto IsBlockOf = [](const Value *V, const Site &By) {
    const auto *Phi = dyn_cast<PHINode>(V);
    return V == By.Call || (Phi && all_of(Phi->incoming_values(), [&](const Value *Each) {
                              return Each == By.Call || isa<ConstantPointerNull>(Each);
                            }));
  };
  return all_of(All,
                [&](const Site &Each) {
                  const auto Life = LivesOf.find(Each.Call);
                  return Each.From.Begin && Parents.insert(Each.Call->getParent()).second &&
                         runnerCall(*Each.Call) == RunnerCall::Alloc && Life != LivesOf.end() && Life->second.Most &&
                         none_of(Of.Starts, [&](const Way &At) { return Life->second.Ways.contains(At); }) &&
                         Of.isRenewed(*Each.Call, Calls) && Blocks.goesBehind(*Each.From.Begin, *Each.Call, Calls);
                }) &&
         all_of(Of.Steps, [&](const Step &Each) {
           return any_of(All, [&](const Site &By) { return By.From == Each.From && IsBlockOf(Each.Begin, By); });
         });
}

Value *GrowthRules::bytesOf(CallBase &Call, const Lives &LivesOf, SmallPtrSetImpl<CallBase *> &Others) {
  const std::optional<Site> Here = siteOf(Call);
  const std::optional<Rule> Of = Here ? ruleOf(Here->From) : std::nullopt;
  if (!Of || !Of->isNewest(Here->From, *Call.getParent()))
    return nullptr;
  SmallVector<Site, 4> Alike = {*Here};
  for (Instruction &I : instructions(F))
    if (auto *Other = dyn_cast<CallBase>(&I); Other && Other != &Call)
      if (const std::optional<Site> There = siteOf(*Other);
          There && Of->Held.contains(There->From) && Of->isNewest(There->From, *Other->getParent()))
        Alike.push_back(*There);
  // A capacity becomes the next one only behind a block for it.
  for (const Step &Each : Of->Steps)
    if (none_of(Alike, [&](const Site &By) {
          return By.From == Each.From && Ranges.dominators().dominates(By.Call->getParent(), Each.Where.first);
        }))
      return nullptr;
  IntervalArithmetic &A = Ranges.arithmetic();
  const std::optional<Values> All = valuesOf(*Of, Alike);
  Interval Most = A.constant(0, 0);
  for (const Site &Each : Alike)
    Most = A.maximum(Most, limitOf(Each));
  if (!All || !Most.High)
    return nullptr;
  if (Alike.size() > 1 && isOneArray(*Of, Alike, LivesOf)) {
    for (const Site &Each : drop_begin(Alike))
      Others.insert(Each.Call);
    return emit(*All, Most.High, 2, /*Strict=*/true);
  }
  // Blocks that live at one time were made for different capacities, unless the older one is of another array.
  const Lifetime &Life = LivesOf.at(&Call);
  const bool Strict =
      Of->isRenewed(Call, &Call) && none_of(Of->Starts, [&](const Way &Each) { return Life.Ways.contains(Each); });
  return emit(*All, Most.High, Life.Most, Strict);
}

Value *GrowthRules::emit(const Values &All, Value *Most, unsigned Number, bool Strict) {
  IRBuilder<> &B = Ranges.builder();
  Value *Bytes = B.getInt64(0);
  uint64_t Before = 0;
  for (const auto &[Capacity, Size] : All.All) {
    const uint64_t Together = Size + (Number < 2 ? 0 : Strict ? Before : Size);
    Bytes = B.CreateSelect(B.CreateICmpSGE(Most, B.getInt64(Capacity)), B.getInt64(Together), Bytes);
    Before = Size;
  }
  return B.CreateSelect(B.CreateICmpSGE(Most, B.getInt64(All.Last)), B.getInt64(INT64_MAX), Bytes);
}

} // namespace memshape
