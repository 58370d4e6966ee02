// Executions of a basic block in any call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar evolution gives for each exit of a loop an upper bound of its trip count; exits that depend on data do not
// count. The product over all loops around a block bounds its executions.

#include "ceiling/ShapeRanges.h"
#include "intervals/Bounder.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

static constexpr unsigned MostDepth = 24;

Value *ShapeRanges::executions(const BasicBlock &BB, const Loop *Outermost) {
  if (BB.getParent() != &F)
    return nullptr;
  Interval Product = A.constant(1, 1);
  for (const Loop *L = LI.getLoopFor(&BB); L; L = L->getParentLoop()) {
    Value *Times = iterations(*L, BB);
    if (!Times)
      return visits(BB).High;
    Product = A.multiply(Product, {B.getInt64(0), Times});
    if (L == Outermost)
      break;
  }
  return LI.getLoopFor(&BB) ? A.meet(Product, visits(BB)).High : Product.High;
}

/// An i1: whether numbers within the bounds at Place may compare as C says.
Value *ShapeRanges::canHold(const Comparison &C, const Instruction &Place) {
  if (!canBeBounded(C.Left) || !canBeBounded(C.Right) || C.Left == C.Right)
    return B.getTrue();
  const bool Signed = CmpInst::isSigned(C.Predicate);
  const Interval X = at(C.Left, Signed, Place), Y = at(C.Right, Signed, Place);
  switch (C.Predicate) {
  case CmpInst::ICMP_ULT:
    if (auto *Sum = dyn_cast<Instruction>(C.Left); Sum && match(Sum, m_c_Add(m_Specific(C.Right), m_Value())))
      return B.CreateNot(cannotWrap(*Sum));
    [[fallthrough]];
  case CmpInst::ICMP_SLT: return B.CreateICmpSLT(A.lowOf(X), A.highOf(Y));
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_EQ: // the operands are compared in both orders
    return B.CreateICmpSLE(A.lowOf(X), A.highOf(Y));
  default: return B.getTrue();
  }
}

Value *ShapeRanges::canComeTo(const BasicBlock &BB) {
  if (auto At = Reachable.find(&BB); At != Reachable.end())
    return At->second;
  const unsigned MostAbove = 32;
  Value *Can = B.getTrue();
  const DomTreeNode *Node = DT.getNode(&BB);
  for (unsigned Above = 0; Node && Above != MostAbove; ++Above, Node = Node->getIDom())
    if (const BasicBlock *Before = Node->getBlock()->getSinglePredecessor())
      for (const Comparison &C : KnownComparisons::onWay(*Before, *Node->getBlock()))
        Can = B.CreateAnd(Can, canHold(C, *Before->getTerminator()));
  return Reachable[&BB] = Can;
}

/// Control can come from one block to another in one iteration of L.
static bool reachesInIteration(const BasicBlock &From, const BasicBlock &To, const Loop &L) {
  SmallVector<const BasicBlock *, 16> Ways = {&From};
  SmallPtrSet<const BasicBlock *, 32> Seen;
  while (!Ways.empty())
    for (const BasicBlock *Next : successors(Ways.pop_back_val()))
      if (Next == &To && Next != L.getHeader())
        return true;
      else if (Next != L.getHeader() && L.contains(Next) && Seen.insert(Next).second)
        Ways.push_back(Next);
  return false;
}

Interval ShapeRanges::addedBy(const Additions &All, const Loop *Outermost) {
  Interval Sum = A.constant(0, 0);
  SmallVector<std::pair<const BasicBlock *, Interval>, 8> Left(All.begin(), All.end());
  DenseMap<const BasicBlock *, Interval> Times;
  for (const auto &[BB, Bytes] : Left)
    Times[BB] = {B.getInt64(0), executions(*BB, Outermost)};
  while (!Left.empty()) {
    const Loop *L = LI.getLoopFor(Left.front().first);
    const auto From = Takes.find(Left.front().first);
    SmallVector<const BasicBlock *, 4> Either;
    Interval Most = A.constant(0, 0), Often = A.constant(0, 0);
    const auto TakesLikewise = [&](const BasicBlock *X) {
      return From != Takes.end() && Takes.contains(X) && Takes.lookup(X) == From->second;
    };
    const auto Excludes = [&](const BasicBlock *X, const BasicBlock *Y) {
      if (LI.getLoopFor(X) != LI.getLoopFor(Y))
        return true;
      const Loop *Own = LI.getLoopFor(X);
      return Own && X != Y && !reachesInIteration(*X, *Y, *Own) && !reachesInIteration(*Y, *X, *Own);
    };
    Interval Apart = A.constant(0, 0); // blocks that are counted by themselves
    erase_if(Left, [&](const auto &Step) {
      const auto [BB, Bytes] = Step;
      if ((LI.getLoopFor(BB) != L && !TakesLikewise(BB)) ||
          !all_of(Either, [&, X = BB](const BasicBlock *Y) { return Excludes(X, Y); }))
        return false;
      Either.push_back(BB);
      Most = A.maximum(Most, Bytes);
      Often = A.maximum(Often, Times[BB]);
      Apart = A.add(Apart, A.multiply({B.getInt64(0), Bytes.High}, Times[BB]));
      return true;
    });
    // Alternative blocks are executed together no more often than a block that all paths to them pass, or than numbers
    // are taken.
    if (!all_of(Either, TakesLikewise)) {
      const BasicBlock *Common = Either.front();
      for (const BasicBlock *BB : Either)
        Common = DT.findNearestCommonDominator(Common, BB);
      Often = {B.getInt64(0), executions(*Common, Outermost)};
    }
    const Interval Together = A.multiply({B.getInt64(0), Most.High}, Often);
    Sum = A.add(Sum, A.meet(Together, Apart));
  }
  return Sum;
}

bool ShapeRanges::isAtLeast(Value *V, int64_t Least, std::map<Value *, int64_t> &Assumed) {
  constexpr size_t Most = 64;
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().sge(APInt(128, uint64_t(Least), true).trunc(C->getBitWidth()));
  const auto [At, New] = Assumed.try_emplace(V, Least);
  if (!New && At->second >= Least)
    return true;
  At->second = std::max(At->second, Least);
  auto *I = dyn_cast<Instruction>(V);
  const auto Holds = [&](Value *Each) { return isAtLeast(Each, Least, Assumed); };
  const APInt *Plus;
  if (!I || Assumed.size() > Most)
    return false;
  if (isa<ZExtInst>(I))
    return Least <= 0;
  if (match(I, m_NSWAdd(m_Value(), m_APInt(Plus))) && Plus->isStrictlyPositive() && Plus->getActiveBits() < 31)
    return isAtLeast(I->getOperand(0), Least - Plus->getSExtValue(), Assumed);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return all_of(Phi->incoming_values(), Holds);
  if (isa<SelectInst>(I))
    return Holds(I->getOperand(1)) && Holds(I->getOperand(2));
  auto *Load = dyn_cast<LoadInst>(I);
  SmallVector<StoreInst *, 8> Stores;
  SmallVector<Constant *, 2> Filled;
  return Load && Least <= 0 && storedValues(*Load, Stores, Filled) && all_of(Filled, Holds) &&
         all_of(Stores, [&](StoreInst *Store) { return Holds(Store->getValueOperand()); });
}

bool ShapeRanges::neverSays(const Unmarked &What, Value *V) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return !ICmpInst::compare(C->getValue(), What.Than.getValue(), What.Is);
  const int64_t Than = What.Than.getSExtValue();
  std::map<Value *, int64_t> Assumed;
  return (What.Is == CmpInst::ICMP_EQ && Than < INT32_MAX && isAtLeast(V, Than + 1, Assumed)) ||
         (What.Is == CmpInst::ICMP_SLT && isAtLeast(V, Than, Assumed));
}

/// The places that Mark may find unmarked: as many as were written so. Nothing if that is not known.
std::optional<Interval> ShapeRanges::unmarkedPlaces(LoadInst &Mark, const Unmarked &Says) {
  const ArrayRef<ModRef> Reads = Accesses.of(&Mark);
  // Between the look of one thread and its mark another one may look.
  if (Reads.size() != 1 || mayBeLeftBehind(Reads.front()) || !Mark.getType()->isIntegerTy() ||
      any_of(Accesses.objectsOf(Reads.front()), [&](unsigned Id) { return Roles.isShared(Id); }))
    return std::nullopt;
  Type *T = Mark.getType();
  const int64_t Bytes = int64_t(DL.getTypeStoreSize(T).getFixedValue());
  Interval Places = A.constant(0, 0);
  bool Counted = true;
  const auto Add = [&](Value *With, Value *Size, const Instruction &By) {
    if (neverSays(Says, With))
      return;
    const Interval Each = {B.getInt64(0), at(Size, false, By).High};
    const Interval All = A.multiply(Each, {B.getInt64(0), executions(*By.getParent())});
    Places = A.add(Places, A.divide(All, A.constant(Bytes, Bytes)));
  };
  Accesses.forWritersOf(Reads.front(), [&](const ModRef &Write) {
    const auto *Call = dyn_cast<CallBase>(Write.By);
    const auto *Set = dyn_cast<MemSetInst>(Write.By);
    if (auto *Store = dyn_cast<StoreInst>(Write.By);
        Store && Store->getFunction() == &F && Store->getValueOperand()->getType() == T)
      Add(Store->getValueOperand(), ConstantInt::get(Type::getInt64Ty(F.getContext()), uint64_t(Bytes)), *Store);
    else if (Constant *With = Set && Set->getFunction() == &F ? filledWith(*Set, T) : nullptr)
      Add(With, Set->getLength(), *Set);
    else
      Counted &= Call && isHeapCall(runnerCall(*Call)); // fresh blocks are checked below
  });
  // calloc gives zeros; other blocks are undefined until they are written.
  for (unsigned Id : Accesses.objectsOf(Reads.front())) {
    const auto *Call = dyn_cast_or_null<CallBase>(Memory.object(Id).Origin);
    const auto *Flags = Call && runnerCall(*Call) == RunnerCall::Alloc
                            ? dyn_cast<ConstantInt>(Call->getArgOperand(AllocFlags))
                            : nullptr;
    if (Counted && Flags && Flags->getZExtValue() & MEMSHAPE_SK_ZEROED)
      Add(Constant::getNullValue(T), Call->getArgOperand(AllocBytes), *Call);
  }
  return Counted && Places.High ? std::optional(Places) : std::nullopt;
}

/// Executions of BB where those of Above, which dominates it, are Times.
Interval ShapeRanges::oftenBelow(Interval Times, const BasicBlock &Above, const BasicBlock &BB) {
  for (const Loop *L = LI.getLoopFor(&BB); L && !L->contains(&Above); L = L->getParentLoop()) {
    Value *Each = iterations(*L, BB);
    Times = Each ? A.multiply(Times, {B.getInt64(0), Each}) : Interval();
  }
  return Times;
}

/// If BB runs only where a mark is not set, and sets it, then it runs once for each place; if only where a number is
/// below a limit that is dealt out, once for each such number.
Interval ShapeRanges::visits(const BasicBlock &BB) {
  if (auto At = Visits.find(&BB); At != Visits.end())
    return At->second;
  if (!OpenVisits.insert(&BB).second) {
    ++OpenMet;
    return {};
  }
  const unsigned MetBefore = OpenMet;
  Interval Fewest;
  const unsigned MostAbove = 12;
  const BasicBlock *Below = &BB;
  for (unsigned Above = 0; Above != MostAbove; ++Above) {
    const DomTreeNode *Node = DT.getNode(Below);
    const BasicBlock *Guard = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
    if (!Guard)
      break;
    if (const auto Dealt = dealtTo(*Below)) {
      Fewest = A.meet(Fewest, {nullptr, oftenBelow(Dealt->second, *Below, BB).High});
      if (LI.getLoopFor(Below) == LI.getLoopFor(&BB))
        Takes.try_emplace(&BB, Supply{Dealt->first});
    }
    for (const Comparison &C : KnownComparisons::onWay(*Guard, *Below)) {
      auto *Mark = dyn_cast<LoadInst>(C.Left);
      const auto *Than = dyn_cast<ConstantInt>(C.Right);
      if (!Mark || !Than || Below->getSinglePredecessor() != Guard)
        continue;
      const Unmarked Says{C.Predicate, *Than};
      const bool IsMarked = any_of(Mark->getPointerOperand()->users(), [&](User *U) {
        auto *Store = dyn_cast<StoreInst>(U);
        return Store && Store->getPointerOperand() == Mark->getPointerOperand() &&
               Store->getValueOperand()->getType() == Mark->getType() && DT.dominates(Below, Store->getParent()) &&
               DT.dominates(Store->getParent(), &BB) && neverSays(Says, Store->getValueOperand());
      });
      if (!IsMarked)
        continue;
      const std::optional<Interval> Times = unmarkedPlaces(*Mark, Says);
      if (!Times)
        continue;
      Fewest = A.meet(Fewest, {nullptr, oftenBelow(*Times, *Below, BB).High});
      const ArrayRef<unsigned> Objects = Accesses.objectsOf(Accesses.of(Mark).front());
      if (LI.getLoopFor(Below) == LI.getLoopFor(&BB) && Objects.size() == 1)
        Takes.try_emplace(&BB, Supply{Place::anywhere(Objects.front()), C.Predicate, Than});
    }
    Below = Guard;
  }
  OpenVisits.erase(&BB);
  if (OpenMet == MetBefore || (OpenVisits.empty() && Open.empty() && OpenLoops.empty()))
    Visits[&BB] = Fewest;
  return Fewest;
}

/// A bound of L's trip count at exit From, if each iteration divides a number and continues only while that is large
/// enough, as for the digits of a number.
static std::optional<int64_t> tripCountOfDivisions(const Loop &L, const BasicBlock &From, const DataLayout &DL) {
  for (const BasicBlock *To : successors(&From)) {
    if (!L.contains(To))
      continue;
    for (const Comparison &C : KnownComparisons::onWay(From, *To)) {
      const auto *K = dyn_cast<ConstantInt>(C.Right);
      if (!K || K->getBitWidth() > 64)
        continue;
      APInt Least = K->getValue(); // the least number with which the loop continues
      if (C.Predicate == CmpInst::ICMP_UGT && !Least.isMaxValue())
        ++Least;
      else if (C.Predicate == CmpInst::ICMP_NE && Least.isZero())
        Least = 1;
      else if (C.Predicate != CmpInst::ICMP_UGE)
        continue;
      for (const PHINode &Phi : L.getHeader()->phis()) {
        Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
        const APInt *By;
        APInt Divisor(K->getBitWidth(), 0);
        if (match(Next, m_UDiv(m_Specific(&Phi), m_APInt(By))))
          Divisor = *By;
        else if (match(Next, m_LShr(m_Specific(&Phi), m_APInt(By))) && By->ult(K->getBitWidth() - 1))
          Divisor = APInt(K->getBitWidth(), 1).shl(*By);
        if (Divisor.ult(2) || Least.isZero() || (C.Left != &Phi && C.Left != Next))
          continue;
        APInt Most = computeKnownBits(Phi.getIncomingValueForBlock(L.getLoopPredecessor()), DL).getMaxValue();
        int64_t Iterations = 0;
        for (Most = C.Left == Next ? Most.udiv(Divisor) : Most; Most.uge(Least); Most = Most.udiv(Divisor))
          ++Iterations;
        return Iterations;
      }
    }
  }
  return std::nullopt;
}

/// How often L goes on at Exiting where a number that grows by one is compared with another there, and does not wrap
/// around.
Interval ShapeRanges::countedUp(const Loop &L, const BasicBlock &Exiting, const Instruction &Place) {
  const auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  for (const unsigned Number : {0u, 1u}) {
    const auto *Steps = Compare && Compare->getOperand(0)->getType()->isIntegerTy()
                            ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Compare->getOperand(Number)))
                            : nullptr;
    Value *End = Steps ? Compare->getOperand(1 - Number) : nullptr;
    if (!End || Steps->getLoop() != &L || !Steps->isAffine() || !Steps->getOperand(1)->isOne() ||
        !L.isLoopInvariant(End))
      continue;
    CmpInst::Predicate Stays =
        L.contains(Branch->getSuccessor(0)) ? Compare->getPredicate() : Compare->getInversePredicate();
    if (Number)
      Stays = CmpInst::getSwappedPredicate(Stays);
    const bool IsBelow = Stays == CmpInst::ICMP_ULT || Stays == CmpInst::ICMP_SLT;
    if (!IsBelow && (Stays != CmpInst::ICMP_NE || (!Steps->hasNoUnsignedWrap() && !Steps->hasNoSignedWrap())))
      continue;
    const bool Signed = IsBelow ? Stays == CmpInst::ICMP_SLT : !Steps->hasNoUnsignedWrap();
    const Interval Way = A.subtract(at(End, Signed, Place), ofScev(Steps->getStart(), Signed, Place, 0));
    return {nullptr, A.maximum(A.constant(0, 0), Way).High};
  }
  return {};
}

/// Count is how far it is from one number to another, which is no less wherever the loop is entered.
Interval ShapeRanges::upTo(const Loop &L, const SCEV *Count, const Instruction &Place) {
  const auto *Sum = dyn_cast<SCEVAddExpr>(Count);
  if (!Sum)
    return {};
  SmallVector<const SCEV *, 2> To, From;
  for (const SCEV *Each : Sum->operands())
    if (const auto *Product = dyn_cast<SCEVMulExpr>(Each);
        Product && Product->getNumOperands() == 2 && Product->getOperand(0)->isAllOnesValue())
      From.push_back(Product->getOperand(1));
    else
      To.push_back(Each);
  if (To.empty() || From.size() != 1 || Count->getType()->isPointerTy())
    return {};
  const SCEV *End = SE.getAddExpr(To);
  if (!SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_SGE, End, From[0]))
    return {};
  return {nullptr, A.subtract(ofScev(End, true, Place, 0), ofScev(From[0], true, Place, 0)).High};
}

/// Executions of BB per entry of L, by L's own iterations.
Value *ShapeRanges::iterations(const Loop &L, const BasicBlock &BB) {
  const std::pair Key{&L, &BB};
  if (auto At = Iterations.find(Key); At != Iterations.end())
    return At->second;
  const BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPredecessor();
  if (!Latch || !Before || !OpenLoops.insert(&L).second) {
    ++OpenMet;
    return nullptr;
  }
  const unsigned MetBefore = OpenMet;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  Interval Fewest;
  for (const BasicBlock *From : Exiting) {
    if (!DT.dominates(From, Latch))
      continue;
    const SCEV *Count = SE.getExitCount(&L, From, ScalarEvolution::SymbolicMaximum);
    Interval Turned;
    if (const std::optional<int64_t> Divided = tripCountOfDivisions(L, *From, DL)) {
      Turned = A.atMost(*Divided);
    } else if (!isa<SCEVCouldNotCompute>(Count)) {
      const Interval Plainly = {nullptr, ofScev(Count, false, *Before->getTerminator(), 0).High};
      Turned = {nullptr, ofScev(SE.applyLoopGuards(Count, &L), false, *Before->getTerminator(), 0).High};
      Turned = A.meet(A.meet(Turned, Plainly), upTo(L, Count, *Before->getTerminator()));
    }
    Turned = A.meet(Turned, countedUp(L, *From, *Before->getTerminator()));
    if (!Turned.High)
      continue;
    // Blocks behind the exit are not executed in the iteration that leaves.
    bool Behind = false;
    for (const BasicBlock *To : successors(From))
      Behind |= L.contains(To) && To->getSinglePredecessor() == From && DT.dominates(To, &BB);
    Fewest = A.meet(Fewest, Behind ? Turned : A.add(Turned, A.constant(1, 1)));
  }
  if (isVague(Fewest.High))
    Fewest = A.meet(Fewest, walked(L, BB));
  if (isVague(Fewest.High))
    Fewest = A.meet(Fewest, climbed(L));
  if (isVague(Fewest.High))
    Fewest = A.meet(Fewest, movedTogether(L));
  OpenLoops.erase(&L);
  if (Fewest.High)
    Fewest = A.meet(Fewest, Interval{nullptr, Fewest.High});
  if (OpenMet == MetBefore || OpenLoops.empty())
    Iterations[Key] = Fewest.High;
  return Fewest.High;
}

Interval ShapeRanges::stepsOf(const Loop &L, const Instruction &Place) {
  const BasicBlock *At = L.contains(&Place) ? Place.getParent() : L.getHeader();
  return A.maximum(A.constant(0, 0), A.add({nullptr, iterations(L, *At)}, A.constant(-1, -1)));
}

Interval ShapeRanges::bytesBetween(Value *Base, Value *Pointer, const Instruction &Place) {
  Base = Base->stripPointerCasts();
  const Interval Followed = of({Pointer->stripPointerCasts(), Base});
  Interval Stepped = A.constant(0, 0);
  return pointerIn(SE.getSCEV(Pointer), Place, Stepped, 0) == Base ? A.meet(Followed, Stepped) : Followed;
}

/// The pointer from which S is a number of bytes away.
Value *ShapeRanges::pointerIn(const SCEV *S, const Instruction &Place, Interval &Bytes, unsigned Depth) {
  if (!S->getType()->isPointerTy() || Depth > MostDepth)
    return nullptr;
  if (const auto *Unknown = dyn_cast<SCEVUnknown>(S))
    return Unknown->getValue()->stripPointerCasts();
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    Value *Pointer = nullptr;
    for (const SCEV *Each : Sum->operands())
      if (Each->getType()->isPointerTy())
        Pointer = pointerIn(Each, Place, Bytes, Depth + 1);
      else
        Bytes = A.add(Bytes, ofScev(Each, true, Place, Depth + 1));
    return Pointer;
  }
  if (const auto *Steps = dyn_cast<SCEVAddRecExpr>(S); Steps && Steps->isAffine()) {
    const Interval Times = stepsOf(*Steps->getLoop(), Place);
    if (!Times.High)
      return nullptr;
    Bytes = A.add(Bytes, A.multiply(ofScev(Steps->getOperand(1), true, Place, Depth + 1), Times));
    return pointerIn(Steps->getStart(), Place, Bytes, Depth + 1);
  }
  return nullptr;
}

/// A pointer converted to a number; null where S is something else.
static const SCEV *numberedPointer(const SCEV *S) {
  const auto *Cast = dyn_cast<SCEVCastExpr>(S);
  return Cast && Cast->getOperand()->getType()->isPointerTy() ? Cast->getOperand() : nullptr;
}

/// A sum, including the distances of pointers in it.
Interval ShapeRanges::ofSum(const SCEVAddExpr &S, const Instruction &Place, unsigned Depth) {
  Interval Sum = A.constant(0, 0);
  SmallVector<Value *, 2> Plus, Minus;
  for (const SCEV *Each : S.operands()) {
    const auto *Product = dyn_cast<SCEVMulExpr>(Each);
    const bool Negative = Product && Product->getNumOperands() == 2 && Product->getOperand(0)->isAllOnesValue();
    if (const SCEV *Pointer = numberedPointer(Negative ? Product->getOperand(1) : Each)) {
      Interval Bytes = A.constant(0, 0);
      Value *From = pointerIn(Pointer, Place, Bytes, Depth + 1);
      if (!From)
        return {};
      (Negative ? Minus : Plus).push_back(From);
      Sum = Negative ? A.subtract(Sum, Bytes) : A.add(Sum, Bytes);
      continue;
    }
    Sum = A.add(Sum, ofScev(Each, true, Place, Depth + 1));
  }
  if (Plus.size() != Minus.size())
    return {};
  for (auto [X, Y] : zip_equal(Plus, Minus))
    Sum = A.add(Sum, of({X, Y}));
  // A loop that walks from pointer to pointer does not pass the end of memory.
  return Plus.empty() ? Sum : A.maximum(Sum, A.constant(0, 0));
}

Interval ShapeRanges::ofScev(const SCEV *S, bool Signed, const Instruction &Place, unsigned Depth) {
  const unsigned Bits = SE.getTypeSizeInBits(S->getType());
  if (Depth > MostDepth || Bits > 64 || S->getType()->isPointerTy())
    return {};
  const auto Of = [&](const SCEV *Part, bool WithSign) { return ofScev(Part, WithSign, Place, Depth + 1); };
  const auto View = [&](Interval X, bool WithSign) { return WithSign == Signed ? X : A.viewed(X, Bits, Signed); };
  switch (S->getSCEVType()) {
  case scConstant: return of({cast<SCEVConstant>(S)->getValue(), nullptr, Signed});
  case scUnknown: return at(cast<SCEVUnknown>(S)->getValue(), Signed, Place);
  case scZeroExtend: return Of(cast<SCEVZeroExtendExpr>(S)->getOperand(), false);
  case scSignExtend: return View(Of(cast<SCEVSignExtendExpr>(S)->getOperand(), true), true);
  case scTruncate: return A.wrapped(Of(cast<SCEVTruncateExpr>(S)->getOperand(), Signed), Bits, Signed);
  case scAddExpr: return View(A.wrapped(ofSum(*cast<SCEVAddExpr>(S), Place, Depth), Bits, true), true);
  case scMulExpr: {
    Interval Product = A.constant(1, 1);
    for (const SCEV *Each : cast<SCEVMulExpr>(S)->operands())
      Product = A.multiply(Product, Of(Each, true));
    return View(A.wrapped(Product, Bits, true), true);
  }
  case scUDivExpr:
    return View(A.divide(Of(cast<SCEVUDivExpr>(S)->getLHS(), false), Of(cast<SCEVUDivExpr>(S)->getRHS(), false)),
                false);
  case scUMinExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scSMaxExpr:
  case scSequentialUMinExpr: {
    const bool WithSign = S->getSCEVType() == scSMinExpr || S->getSCEVType() == scSMaxExpr;
    const bool Least = S->getSCEVType() != scUMaxExpr && S->getSCEVType() != scSMaxExpr;
    const auto *Extreme = cast<SCEVNAryExpr>(S);
    Interval All = Of(Extreme->getOperand(0), WithSign);
    for (const SCEV *Each : drop_begin(Extreme->operands()))
      All = Least ? A.minimum(All, Of(Each, WithSign)) : A.maximum(All, Of(Each, WithSign));
    return View(All, WithSign);
  }
  case scAddRecExpr: {
    const auto *Steps = cast<SCEVAddRecExpr>(S);
    const Interval Times = Steps->isAffine() ? stepsOf(*Steps->getLoop(), Place) : Interval();
    if (!Times.High)
      return {};
    const Interval Moved = A.multiply(Of(Steps->getOperand(1), true), Times);
    return View(A.wrapped(A.add(Of(Steps->getStart(), true), Moved), Bits, true), true);
  }
  default: return {};
  }
}

} // namespace memshape
