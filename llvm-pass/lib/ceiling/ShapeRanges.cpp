// Ranges of values in any call at a shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/ShapeRanges.h"
#include "Compat.h"
#include "intervals/Bounder.h"
#include "intervals/IntervalOperations.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Most values that are visited on the paths to one.
static constexpr size_t MostBehind = 300;

ShapeRanges::ShapeRanges(Function &Fn, const PointsTo &P, ModRefIndex &T, const ThreadRoles &R,
                         FunctionAnalysisManager &FAM, IRBuilder<> &Into, ArrayRef<Value *> Given)
    : F(Fn), Memory(P), Accesses(T), Roles(R), DT(FAM.getResult<DominatorTreeAnalysis>(Fn)),
      LI(FAM.getResult<LoopAnalysis>(Fn)), SE(FAM.getResult<ScalarEvolutionAnalysis>(Fn)),
      Library(FAM.getResult<TargetLibraryAnalysis>(Fn)), DL(Fn.getDataLayout()), Known(Fn, DT), B(Into), A(Into),
      Arguments(Given) {}

Interval ShapeRanges::at(Value *V, bool Signed, const Instruction &Place) {
  if (isa<Constant>(V) || !canBeBounded(V))
    return of({V, nullptr, Signed});
  return withFacts(V, Signed, Known.before(Place));
}

Interval ShapeRanges::of(const Node &N) {
  if (N.Base == N.V)
    return A.constant(0, 0);
  if (!N.Base) {
    if (!canBeBounded(N.V))
      return {};
    if (const auto *C = dyn_cast<ConstantInt>(N.V)) {
      if (!N.Signed && C->getValue().getActiveBits() > 62)
        return A.atLeast((int64_t(1) << 62) - 1); // as large as a test of a size is against
      const int64_t Number = N.Signed ? C->getSExtValue() : int64_t(C->getZExtValue());
      return A.constant(Number, Number);
    }
    if (const auto *Arg = dyn_cast<Argument>(N.V); Arg && Arg->getParent() == &F)
      if (Value *Here = Arguments[Arg->getArgNo()])
        return A.exactly(Here, N.Signed);
  }
  if (auto At = Ranges.find(N); At != Ranges.end())
    return At->second;
  if (Hypothesis && Hypothesis->first == N)
    return Hypothesis->second;
  if (Open.contains(N) || !Room) {
    ++OpenMet;
    return N.Base || N.Signed ? Interval() : A.atLeast(0);
  }
  --Room;
  const unsigned MetBefore = OpenMet;
  const std::set<Node> Cycle = cycleOf(N);
  Interval X;
  if (Cycle.empty()) {
    Open.insert(N);
    X = computed(N);
    if (OpenMet != MetBefore && !Hypothesis && isa<PHINode, LoadInst>(N.V))
      X = A.meet(X, byInduction(N, X));
    Open.erase(N);
  } else {
    std::set<Node> Opened;
    for (const Node &Each : Cycle)
      if (Open.insert(Each).second)
        Opened.insert(Each);
    X = A.meet(around(N, Cycle), limited(N, Cycle));
    for (const Node &Each : Opened)
      Open.erase(Each);
  }
  // What was computed while some values were still open may get better bounds the next time.
  if (OpenMet == MetBefore || Open.empty()) {
    Ranges[N] = X;
    if (Open.empty())
      OpenMet = 0;
  }
  return X;
}

/// What N is at most if it is at most what it starts from, X being what it can be if nothing is known of what it leads
/// back to, through the number of iterations of a loop for one. That is so if it would be so, had all that it was before
/// been so: the shape that is asked decides.
Interval ShapeRanges::byInduction(const Node &N, Interval X) {
  const auto [At, IsNew] = Induced.try_emplace(N);
  if (!IsNew)
    return At->second;
  // Counted while values were open.
  const auto Forget = [&] {
    Ways.clear();
    Iterations.clear();
    Visits.clear();
  };
  Edges Again;
  Interval Start;
  bool First = true;
  for (const Edge &Way : Edges(edges(N))) {
    Forget();
    const unsigned MetBefore = OpenMet;
    const Interval From = onWay(Way);
    if (OpenMet != MetBefore)
      Again.push_back(Way);
    else
      Start = std::exchange(First, false) ? From : A.hull(Start, From);
  }
  if (Again.empty() || isVague(Start.High))
    return {};
  // What is found under an assumption is forgotten with it.
  const auto Kept = std::tuple(Ranges, Deals, Reachable, Members, Open, OpenLoops, OpenVisits, OpenMet);
  Open.clear();
  OpenLoops.clear();
  OpenVisits.clear();
  Forget();
  Start.Low = X.Low; // which rests on no assumption
  Hypothesis = {N, Start};
  Interval Next = Start;
  for (const Edge &Way : Again)
    Next = A.hull(Next, onWay(Way));
  Hypothesis.reset();
  Forget();
  std::tie(Ranges, Deals, Reachable, Members, Open, OpenLoops, OpenVisits, OpenMet) = Kept;
  if (isVague(Next.High))
    return {};
  return At->second = A.choose(B.CreateICmpSLE(Next.High, Start.High), {nullptr, Start.High}, {});
}

Interval ShapeRanges::computed(const Node &N) {
  if (N.Base) {
    Interval All;
    bool First = true;
    for (const Edge &Way : Edges(edges(N))) {
      const Interval X = onWay(Way);
      All = std::exchange(First, false) ? X : A.hull(All, X);
    }
    return All;
  }
  const unsigned Bits = N.V->getType()->getIntegerBitWidth();
  auto *I = dyn_cast<Instruction>(N.V);
  if (!I)
    return A.ofType(Bits, N.Signed);
  if (Value * X, *Y; match(I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y))))) {
    const Node Plainly = {X->stripPointerCasts(), Y->stripPointerCasts()}, Else = distanceOf(*I);
    return A.viewed(Else == Plainly ? of(Plainly) : A.meet(of(Plainly), of(Else)), Bits, N.Signed);
  }
  if (auto *Select = dyn_cast<SelectInst>(I)) {
    if (Value *Product = productOfNew(*Select))
      return of({Product, nullptr, N.Signed});
    if (isa<ICmpInst>(Select->getCondition())) {
      Interval Arms[2];
      Value *Can[2];
      for (unsigned Arm : {0u, 1u}) {
        Comparisons Facts;
        addComparisons(Select->getCondition(), Arm == 0, Facts);
        Can[Arm] = B.getTrue();
        for (const Comparison &C : Facts)
          Can[Arm] = B.CreateAnd(Can[Arm], canHold(C, *I));
        Arms[Arm] =
            onWay({{I->getOperand(Arm + 1), nullptr, N.Signed}, {}, I, nullptr, Select->getCondition(), Arm == 0});
      }
      return A.choose(Can[0], A.choose(Can[1], A.hull(Arms[0], Arms[1]), Arms[0]), Arms[1]);
    }
  }
  if (auto *Load = dyn_cast<LoadInst>(I))
    if (const Interval Table = ofConstants(*Load, N.Signed); Table.High)
      return Table;
  if (isa<PHINode>(I) || isa<SelectInst>(I) || isa<LoadInst>(I)) {
    const Edges All = edges(N);
    if (All.empty())
      return A.ofType(Bits, N.Signed);
    Interval Hull;
    bool First = true;
    for (const Edge &Way : All) {
      const Interval X = onWay(Way);
      Hull = std::exchange(First, false) ? X : A.hull(Hull, X);
    }
    return isa<PHINode>(I) ? A.meet(Hull, multipliedBelow(cast<PHINode>(*I), N.Signed)) : Hull;
  }
  if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I)) {
    const Interval Converted = ofConversion(*I);
    return N.Signed ? Converted : A.viewed(Converted, Bits, false);
  }
  if (auto *Taken = dyn_cast<AtomicRMWInst>(I)) {
    const std::optional<Deal> Dealt = dealOf(*Taken);
    return A.meet(A.ofType(Bits, N.Signed), Dealt ? A.viewed(Dealt->Range, Bits, N.Signed) : Interval());
  }
  if (auto *Part = dyn_cast<ExtractValueInst>(I))
    if (auto *Call = dyn_cast<CallBase>(Part->getAggregateOperand()); Call && !isa<IntrinsicInst>(Call))
      return Bits > 1 ? ofCall(*Call) : A.ofType(Bits, N.Signed);
  if (auto *Call = dyn_cast<CallBase>(I); Call && !isa<IntrinsicInst>(Call))
    return A.meet(A.ofType(Bits, N.Signed), A.meet(ofTeam(*Call), ofCall(*Call)));
  return intervalOf(A, *I, N.Signed, [&](Value *V, bool Signed) { return at(V, Signed, *I); });
}

/// An i1: whether the sum I of two unsigned numbers cannot wrap around.
Value *ShapeRanges::cannotWrap(Instruction &I) {
  const unsigned Bits = I.getType()->getIntegerBitWidth(), MostBits = 62;
  const Interval Sum = A.add(at(I.getOperand(0), false, I), at(I.getOperand(1), false, I));
  Value *Most = B.getInt64(Bits < MostBits ? (int64_t(1) << Bits) - 1 : INT64_MAX - 1);
  return B.CreateICmpSLE(A.highOf(Sum), Most);
}

/// The values that a node comes from through sums alone.
const ShapeRanges::Edges &ShapeRanges::edges(const Node &N) {
  if (auto At = Ways.find(N); At != Ways.end())
    return At->second;
  Edges Out;
  Ways[N] = Out; // the operands of an addend may lead back here
  if (N.Base)
    distanceEdges(N, Out);
  else
    integerEdges(N, Out);
  return Ways[N] = std::move(Out);
}

/// An incoming value of a phi and the block that it comes from, each once.
static SmallVector<std::pair<Value *, BasicBlock *>, 4> incoming(PHINode &Phi) {
  SmallVector<std::pair<Value *, BasicBlock *>, 4> All;
  for (unsigned Number = 0; Number != Phi.getNumIncomingValues(); ++Number)
    if (!is_contained(All, std::pair(Phi.getIncomingValue(Number), Phi.getIncomingBlock(Number))))
      All.push_back({Phi.getIncomingValue(Number), Phi.getIncomingBlock(Number)});
  return All;
}

/// X plus or minus Y: one goes round a loop, the other is added in each iteration.
void ShapeRanges::sumEdges(BinaryOperator &I, bool Signed, Edges &Out) {
  const bool Minus = I.getOpcode() == Instruction::Sub;
  Value *X = I.getOperand(0), *Y = I.getOperand(1);
  const auto IsCarried = [&](Value *V) {
    const auto *Phi = dyn_cast<PHINode>(V);
    const Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
    return (L && L->getHeader() == Phi->getParent() && L->contains(&I)) ? 2 : isa<Instruction>(V) ? 1 : 0;
  };
  if (!Minus && IsCarried(Y) > IsCarried(X))
    std::swap(X, Y);
  // A value that itself goes round is no addend.
  const Interval Addend = at(Y, !isa<ConstantInt>(Y) ? Signed : true, I);
  const bool Exact = Signed ? I.hasNoSignedWrap() : I.hasNoUnsignedWrap();
  Edge Way{{X, nullptr, Signed}, Minus ? A.subtract(A.constant(0, 0), Addend) : Addend, &I};
  if (Way.Plus.isAnything())
    return;
  Way.WrapBits = Exact ? 0 : I.getType()->getIntegerBitWidth();
  Out.push_back(Way);
}

/// A few bits are bounded by their mask, wherever they come from.
static bool isMaskOfFewBits(const Instruction &I) {
  constexpr uint64_t Few = 256;
  const auto *Mask = I.getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  return Mask && Mask->getValue().ult(Few);
}

void ShapeRanges::integerEdges(const Node &N, Edges &Out) {
  auto *I = dyn_cast<Instruction>(N.V);
  if (!I || !canBeBounded(I))
    return;
  const unsigned Bits = I->getType()->getIntegerBitWidth();
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    for (auto [V, From] : incoming(*Phi))
      if (V != Phi)
        Out.push_back({{V, nullptr, N.Signed}, {}, From->getTerminator(), Phi->getParent()});
    return;
  }
  if (auto *Select = dyn_cast<SelectInst>(I)) {
    for (unsigned Arm : {0u, 1u})
      Out.push_back({{I->getOperand(Arm + 1), nullptr, N.Signed}, {}, I, nullptr, Select->getCondition(), Arm == 0});
    return;
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    SmallVector<StoreInst *, 8> Stores;
    SmallVector<Constant *, 2> Filled;
    if (!storedValues(*Load, Stores, Filled))
      return;
    for (StoreInst *Store : Stores)
      Out.push_back({{Store->getValueOperand(), nullptr, N.Signed}, {}, Store});
    for (Constant *Each : Filled)
      Out.push_back({{Each, nullptr, N.Signed}, {}});
    // Memory to which nothing was stored yet holds zeros, if anything.
    Out.push_back({{ConstantInt::get(I->getType(), 0), nullptr, N.Signed}, {}});
    return;
  }
  Value *From = I->getNumOperands() ? I->getOperand(0) : nullptr;
  switch (I->getOpcode()) {
  case Instruction::Freeze: Out.push_back({{From, nullptr, N.Signed}, {}, I}); return;
  case Instruction::ZExt: Out.push_back({{From, nullptr, false}, {}, I}); return;
  case Instruction::SExt:
    if (N.Signed)
      Out.push_back({{From, nullptr, true}, {}, I});
    return;
  case Instruction::Trunc:
    if (canBeBounded(From)) {
      Out.push_back({{From, nullptr, N.Signed}, {}, I});
      Out.back().WrapBits = Bits;
    }
    return;
  case Instruction::Add: return sumEdges(cast<BinaryOperator>(*I), N.Signed, Out);
  case Instruction::Sub:
    if (match(I, m_Sub(m_PtrToInt(m_Value()), m_PtrToInt(m_Value())))) {
      if (N.Signed)
        Out.push_back({distanceOf(*I), {}, I});
      return;
    }
    return sumEdges(cast<BinaryOperator>(*I), N.Signed, Out);
  case Instruction::LShr:
  case Instruction::UDiv:
  case Instruction::And:
    if (!N.Signed && !isMaskOfFewBits(*I)) {
      Out.push_back({{From, nullptr, false}, {}, I});
      Out.back().Shrinks = true;
    }
    return;
  case Instruction::AShr:
  case Instruction::SDiv:
    // An exact division, as of bytes into elements, moves the number towards zero.
    if (N.Signed && cast<PossiblyExactOperator>(I)->isExact() && isa<ConstantInt>(I->getOperand(1)))
      Out.push_back({{From, nullptr, true}, {}, I});
    if (!Out.empty())
      Out.back().Shrinks = true;
    return;
  default: break;
  }
  if (auto *Extreme = dyn_cast<MinMaxIntrinsic>(I); Extreme && Extreme->isSigned() == N.Signed)
    for (Value *V : {Extreme->getLHS(), Extreme->getRHS()})
      Out.push_back({{V, nullptr, N.Signed}, {}, I});
}

/// The bytes by which Gep moves its pointer.
bool ShapeRanges::moves(GEPOperator &Gep, Interval &Bytes) {
  compat::OffsetMap Steps;
  const unsigned Bits = DL.getIndexTypeSizeInBits(Gep.getType());
  APInt Constant(Bits, 0);
  if (!Gep.collectOffset(DL, Bits, Steps, Constant))
    return false;
  Bytes = A.constant(Constant.getSExtValue(), Constant.getSExtValue());
  for (auto &[Index, Scale] : Steps) {
    auto *I = dyn_cast<Instruction>(&Gep);
    const Interval X = I ? at(Index, true, *I) : of({Index});
    Bytes = A.add(Bytes, A.multiply(X, A.constant(Scale.getSExtValue(), Scale.getSExtValue())));
  }
  return true;
}

/// Whether Pointer advances in constant steps, or is a distance of pointers away from a block.
static bool movesInSteps(Value *Pointer, SmallPtrSetImpl<const Value *> &Seen) {
  Pointer = Pointer->stripPointerCasts();
  if (!Seen.insert(Pointer).second)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(Pointer))
    return all_of(Phi->incoming_values(), [&](Value *V) { return movesInSteps(V, Seen); });
  if (auto *Select = dyn_cast<SelectInst>(Pointer))
    return movesInSteps(Select->getTrueValue(), Seen) && movesInSteps(Select->getFalseValue(), Seen);
  if (auto *Gep = dyn_cast<GEPOperator>(Pointer)) {
    const bool BySteps = Gep->hasAllConstantIndices() ||
                         (Gep->getNumIndices() == 1 &&
                          match(Gep->idx_begin()->get(), m_Sub(m_PtrToInt(m_Value()), m_PtrToInt(m_Value()))));
    return BySteps && movesInSteps(Gep->getPointerOperand(), Seen);
  }
  return true;
}

/// The distance at Place that equals the one from Y to X. A full array ends where its block ends, and its end is what
/// counts its elements.
ShapeRanges::Node ShapeRanges::distance(Value *X, Value *Y, const Instruction &Place) {
  X = X->stripPointerCasts();
  SmallPtrSet<const Value *, 8> Seen;
  if (!movesInSteps(X, Seen))
    for (const Comparison &C : Known.before(Place))
      if (Seen.clear();
          C.Predicate == CmpInst::ICMP_EQ && C.Left->stripPointerCasts() == X && movesInSteps(C.Right, Seen)) {
        X = C.Right->stripPointerCasts();
        break;
      }
  return {X, Y->stripPointerCasts()};
}

ShapeRanges::Node ShapeRanges::distanceOf(Instruction &I) {
  Value *X = nullptr, *Y = nullptr;
  [[maybe_unused]] const bool Matches = match(&I, m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y))));
  assert(Matches && "no distance");
  return distance(X, Y, I);
}

/// Follows both pointers together: what holds for their distance holds for values that they have at the same time.
void ShapeRanges::distanceEdges(const Node &N, Edges &Out) {
  Value *X = N.V, *Y = N.Base;
  if (isa<ConstantPointerNull>(X) && isa<ConstantPointerNull>(Y)) {
    Out.push_back({{ConstantInt::get(Type::getInt64Ty(F.getContext()), 0)}, {}});
    return;
  }
  if (const std::optional<Node> Copied = copiedFrom(X, Y)) {
    Out.push_back({*Copied, {}});
    Out.back().Shrinks = true;
    return;
  }
  auto *XPhi = dyn_cast<PHINode>(X), *YPhi = dyn_cast<PHINode>(Y);
  const auto Pair = [](Value *V, Value *Base) { return Node{V->stripPointerCasts(), Base->stripPointerCasts()}; };
  Interval Bytes;
  if (auto *Gep = dyn_cast<GEPOperator>(X)) {
    auto *I = dyn_cast<Instruction>(X);
    // The pointer plus a number of bytes.
    if (Gep->getPointerOperand()->stripPointerCasts() == Y && Gep->getNumIndices() == 1 &&
        Gep->getSourceElementType()->isIntegerTy(8) && Gep->idx_begin()->get()->getType()->isIntegerTy(64)) {
      Out.push_back({{*Gep->idx_begin()}, {}, I});
      return;
    }
    if (moves(*Gep, Bytes))
      Out.push_back({Pair(Gep->getPointerOperand(), Y), Bytes, I});
    return;
  }
  if (auto *Gep = dyn_cast<GEPOperator>(Y)) {
    auto *I = dyn_cast<Instruction>(Y);
    if (moves(*Gep, Bytes))
      Out.push_back({Pair(X, Gep->getPointerOperand()), A.subtract(A.constant(0, 0), Bytes), I});
    return;
  }
  if (XPhi && YPhi && XPhi->getParent() == YPhi->getParent()) {
    for (auto [V, From] : incoming(*XPhi))
      Out.push_back({Pair(V, YPhi->getIncomingValueForBlock(From)), {}, From->getTerminator(), XPhi->getParent()});
    return;
  }
  // The value that is computed later is followed first.
  const auto Comes = [&](Value *V) { return isa<Instruction>(V) ? cast<Instruction>(V)->getParent() : nullptr; };
  const auto IsLater = [&](PHINode *Phi, Value *Than) {
    return Phi && (!Comes(Than) || (Comes(Than) != Phi->getParent() && DT.dominates(Comes(Than), Phi->getParent())));
  };
  if (IsLater(XPhi, Y)) {
    for (auto [V, From] : incoming(*XPhi))
      Out.push_back({Pair(V, Y), {}, From->getTerminator(), XPhi->getParent()});
    return;
  }
  if (IsLater(YPhi, X)) {
    for (auto [V, From] : incoming(*YPhi))
      Out.push_back({Pair(X, V), {}, From->getTerminator(), YPhi->getParent()});
    return;
  }
  if (auto *Select = dyn_cast<SelectInst>(X); Select && (!Comes(Y) || DT.dominates(Y, Select))) {
    for (unsigned Arm : {1u, 2u})
      Out.push_back({Pair(Select->getOperand(Arm), Y), {}, Select});
    return;
  }
}

/// The strongly connected component of N; empty if N is not on a cycle.
std::set<ShapeRanges::Node> ShapeRanges::cycleOf(const Node &N) {
  std::map<Node, SmallVector<Node, 4>> Before; // predecessors
  SmallVector<Node, 32> Work = {N};
  std::set<Node> Seen = {N};
  while (!Work.empty()) {
    const Node Each = Work.pop_back_val();
    Room -= Room ? 1 : 0;
    for (const Edge &Way : Edges(edges(Each))) {
      Before[Way.To].push_back(Each);
      if (Seen.size() < MostBehind && Seen.insert(Way.To).second)
        Work.push_back(Way.To);
    }
  }
  if (!Before.contains(N))
    return {};
  std::set<Node> Cycle = {N};
  Work = {N};
  while (!Work.empty())
    for (const Node &Each : Before[Work.pop_back_val()])
      if (Cycle.insert(Each).second)
        Work.push_back(Each);
  return Cycle;
}

/// The innermost loop that contains all of Cycle. Memory is outside of every loop.
const Loop *ShapeRanges::commonLoop(const std::set<Node> &Cycle) {
  const Loop *Common = nullptr;
  bool First = true;
  for (const Node &Each : Cycle)
    for (Value *V : {Each.V, Each.Base}) {
      auto *I = dyn_cast_or_null<Instruction>(V);
      if (isa_and_nonnull<LoadInst>(I))
        return nullptr;
      if (!I || (V == Each.Base && !isa<PHINode>(I)))
        continue;
      const Loop *L = LI.getLoopFor(I->getParent());
      if (std::exchange(First, false))
        Common = L;
      while (Common && !Common->contains(I))
        Common = Common->getParentLoop();
    }
  return Common;
}

/// Whether what is at V's address is read or written wherever V is computed.
static bool isAccessed(const Value &V) {
  const auto *I = dyn_cast<Instruction>(&V);
  return I && any_of(I->users(), [&](const User *U) {
           const auto *Access = dyn_cast<Instruction>(U);
           return Access && Access->getParent() == I->getParent() && getLoadStorePointerOperand(Access) == I;
         });
}

/// Whether Pointer is where a block begins, or null.
static bool isStartOfBlock(const Value &Pointer, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(&Pointer).second || isa<ConstantPointerNull>(Pointer))
    return true;
  if (const auto *Phi = dyn_cast<PHINode>(&Pointer))
    return all_of(Phi->incoming_values(), [&](const Value *V) { return isStartOfBlock(*V, Seen); });
  const auto *Call = dyn_cast<CallBase>(&Pointer);
  return Call && isHeapCall(runnerCall(*Call));
}

/// What a number that goes round Cycle is where each way to it is passed within bounds alone.
Interval ShapeRanges::limited(const Node &N, const std::set<Node> &Cycle) {
  if (N.Base || !isa<PHINode>(N.V))
    return {};
  Interval All;
  bool First = true;
  for (const Edge &Way : Edges(edges(N))) {
    const Interval X = Cycle.contains(Way.To) ? boundsFromFacts(Way.To.V, Way.To.Signed, factsOn(Way)) : onWay(Way);
    All = std::exchange(First, false) ? X : A.hull(All, X);
    if (All.isAnything())
      break;
  }
  return All;
}

/// A value of Cycle is what comes in from outside plus what was added since.
Interval ShapeRanges::around(const Node &N, const std::set<Node> &Cycle) {
  const Loop *Within = commonLoop(Cycle);
  Interval Start, Sum = A.constant(0, 0);
  bool First = true;
  const unsigned Bits = N.Base ? 64 : N.V->getType()->getIntegerBitWidth();
  unsigned WrapBits[2] = {0, 0}; ///< for unsigned and signed arithmetic
  const auto StartFrom = [&](Interval X) { Start = std::exchange(First, false) ? X : A.hull(Start, X); };
  Additions Added;
  for (const Node &Each : Cycle) {
    for (const Edge &Way : Edges(edges(Each))) {
      if (unsigned &Fewest = WrapBits[Each.Signed]; Way.WrapBits)
        Fewest = Fewest ? std::min(Fewest, Way.WrapBits) : Way.WrapBits;
      if (Way.Shrinks)
        StartFrom(A.constant(0, 0));
      if (!Cycle.contains(Way.To)) {
        StartFrom(onWay(Way));
        continue;
      }
      if (Way.Plus.isAnything())
        continue;
      // A sum below a limit is as good as one that starts at the limit.
      const Interval Limit = limitInFront(Way);
      const Interval Limited = A.add(Limit, Way.Plus);
      Value *Times = Way.Where ? executions(*Way.Where->getParent(), Within) : nullptr;
      const auto *Least = dyn_cast_or_null<ConstantInt>(Way.Plus.Low),
                 *Most = dyn_cast_or_null<ConstantInt>(Way.Plus.High);
      const Interval Often = {B.getInt64(0), Times};
      if (!Most || !Most->isNegative()) {
        if (Limited.High && (isVague(Times) || (isa<ConstantInt>(Limited.High) && !isVague(Limited.High))))
          StartFrom({Limited.High, Limited.High});
        else if (Times && Way.Plus.High)
          Added[Way.Where->getParent()] =
              A.add(Added.lookup(Way.Where->getParent()).High ? Added.lookup(Way.Where->getParent()) : A.constant(0, 0),
                    A.maximum(A.constant(0, 0), {nullptr, Way.Plus.High}));
        else
          Sum.High = nullptr;
      }
      if (!Least || Least->isNegative()) {
        SmallPtrSet<const Value *, 8> Seen;
        if (Limited.Low)
          StartFrom({Limited.Low, Limited.Low});
        else if (Each.Base && isAccessed(*Each.V) && isStartOfBlock(*Each.Base, Seen))
          StartFrom(A.constant(0, 0)); // what is accessed does not lie in front of its block
        else if (Times && Way.Plus.Low && Sum.Low)
          Sum.Low = A.add(Sum, A.minimum(A.constant(0, 0), A.multiply({Way.Plus.Low, Way.Plus.Low}, Often))).Low;
        else
          Sum.Low = nullptr;
      }
    }
  }
  Sum.High = A.add(Sum, addedBy(Added, Within)).High;
  Interval X = First ? Interval() : A.add(Start, Sum);
  for (bool Signed : {true, false}) {
    // A narrow type that wraps around says nothing about a wide one.
    const unsigned Narrow = 30;
    if (WrapBits[Signed] && WrapBits[Signed] <= Narrow && WrapBits[Signed] != Bits)
      return N.Base || N.Signed ? Interval() : A.atLeast(0);
    if (WrapBits[Signed])
      X = A.wrapped(X, WrapBits[Signed], Signed);
    if (WrapBits[Signed] && N.Signed && !Signed)
      X.Low = nullptr;
  }
  return N.Base || N.Signed ? X : A.meet(X, A.atLeast(0));
}

} // namespace memshape
