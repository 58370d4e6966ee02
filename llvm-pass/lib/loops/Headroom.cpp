// Ends that a loop does not reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A container grows where the place of its next element has come to its end. A loop that moves the place by at most one
// step an iteration does not come there, if it begins further away:
//
//                                      last = n - 1                          in front of the loop
//                                      if end - place > last
//     for i from 0 to n - 1              for i from 0 to n - 1
//       if data[i]                ->       if data[i]: place++               how often, nobody need ask
//         if place == end              else
//           end, place = ...             for i from 0 to n - 1               as before
//         place++
//
// By induction: as long as nothing has grown, the end is where it was, and the place at most as many steps further as
// iterations have begun. What is behind a growth does not count: it is excluded, and so are the others that this
// rests on. Where each iteration appends, and their number is known, there is nothing to ask.

#include "Compat.h"
#include "loops/Loops.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <list>

using namespace llvm;

namespace memshape {

namespace {

/// No step is longer, and no room counts for more; more iterations are taken for so many. A sum of steps, times the
/// trip counts of two loops, then fits in 128 bits.
constexpr uint64_t LongestStep = uint64_t(1) << 24, MostRoom = uint64_t(1) << 43, MostIterations = uint64_t(1) << 44;
constexpr unsigned Wide = 128, DeepestNest = 2, DeepestValue = 24, MostGrowths = 64, MostSteps = 1000;

/// Metadata kind of a branch that was excluded, or could not be; a copy has it too.
constexpr char Judged[] = "memshape.judged";

/// At most how far a number has moved.
struct Advance {
  const SCEV *By = nullptr; ///< null where that is not known
  unsigned Nest = 0;        ///< of as many loops the trip counts are multiplied in it
  bool IsExact = true;      ///< it has moved so far, whatever data says

  explicit operator bool() const { return By; }
};

/// A way that a branch takes where a place has come to an end, or is beyond it.
struct Growth {
  BranchInst *Branch;
  BasicBlockEdge Way;
  Value *Place, *End;
  bool Beyond, IsSigned;
  Value *First = nullptr, *Limit = nullptr;      ///< place and end in front of the loop
  Advance Moves = {};                            ///< how far the place can have come
  SmallSetVector<const Growth *, 4> Others = {}; ///< that must be excluded, too
};

/// One loop, and what grows in it.
class LoopWithGrowth {
public:
  LoopWithGrowth(Loop &L, ScalarEvolution &SE, LoopInfo &LI, DominatorTree &DT)
      : L(L), SE(SE), LI(LI), DT(DT), Number(IntegerType::get(SE.getContext(), Wide)) {}

  /// True if there are any, as far as can be seen at once.
  bool findGrowths() {
    SmallVector<const BasicBlock *, 8> Allocating;
    copy_if(L.blocks(), std::back_inserter(Allocating), [](const BasicBlock *Each) {
      return any_of(*Each, [](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        return Call && is_contained({RunnerCall::Alloc, RunnerCall::Realloc}, runnerCall(*Call));
      });
    });
    for (BasicBlock *Block : L.blocks()) {
      auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
      const auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
      if (!Compare || Compare->getOperand(0)->getType()->isVectorTy() || Branch->hasMetadata(Judged) ||
          Allocating.empty() || Growths.size() >= MostGrowths)
        continue;
      for (unsigned Side : {0, 1})
        for (bool Taken : {true, false})
          addGrowth(*Branch, *Compare, Side, Taken, Allocating);
    }
    return !Growths.empty();
  }

  /// Writes the loop twice, where something in it may have room. That is Judged then, and is never again.
  bool split() {
    for (auto Each = Growths.begin(); Each != Growths.end();) // what one rests on may turn out to be no growth
      Each = judge(*Each) ? std::next(Each) : (Growths.erase(Each), Growths.begin());
    if (Growths.empty())
      return false;
    SmallSetVector<const Growth *, 8> Excluded;
    Excluded.insert(&Growths.front());
    for (unsigned I = 0; I != Excluded.size(); ++I)
      Excluded.insert(Excluded[I]->Others.begin(), Excluded[I]->Others.end());
    for (const Growth *Each : Excluded)
      Each->Branch->setMetadata(Judged, MDNode::get(SE.getContext(), {}));
    Value *Room = roomFor(Excluded.getArrayRef());
    if (!Room)
      return false;
    ValueToValueMapTy Copies;
    copyLoop(*Room, Copies);
    for (const Growth *Each : Excluded) {
      const bool Taken = Each->Branch->getSuccessor(0) == Each->Way.getEnd();
      Each->Branch->setCondition(ConstantInt::getBool(SE.getContext(), !Taken));
      ConstantFoldTerminator(Each->Branch->getParent());
    }
    return true;
  }

private:
  void addGrowth(BranchInst &Branch, const ICmpInst &Compare, unsigned Side, bool Taken,
                 ArrayRef<const BasicBlock *> Allocating) {
    CmpInst::Predicate Is = Taken ? Compare.getPredicate() : Compare.getInversePredicate();
    if (Side)
      Is = CmpInst::getSwappedPredicate(Is);
    if (Is != CmpInst::ICMP_EQ && !ICmpInst::isGT(Is) && !ICmpInst::isGE(Is))
      return;
    BasicBlock *Block = Branch.getParent(), *Next = Branch.getSuccessor(Taken ? 0 : 1);
    const BasicBlockEdge Way(Block, Next);
    if (Branch.getSuccessor(0) == Branch.getSuccessor(1) || LI.getLoopFor(Block) != LI.getLoopFor(Next) ||
        !DT.dominates(Way, Next) ||
        none_of(Allocating, [&](const BasicBlock *Each) { return DT.dominates(Next, Each); }))
      return;
    Growths.push_back({&Branch, Way, Compare.getOperand(Side), Compare.getOperand(1 - Side), ICmpInst::isGT(Is),
                       CmpInst::isSigned(Is)});
  }

  /// Looks how far the place of Asked can come. False if that is not known, or without asking: it stays, or the shape alone
  /// says it.
  bool judge(Growth &Asked) {
    Now = &Asked;
    Steps = 0;
    Asked.Others.clear();
    Root = rootOf(Asked.Place, 0);
    Asked.Limit = Root ? lastingValue(Asked.End) : nullptr;
    Asked.First = Root ? Root->getIncomingValueForBlock(L.getLoopPreheader()) : nullptr;
    if (!Asked.Limit || SE.getSCEV(Asked.Limit) == SE.getSCEV(Asked.First))
      return false;
    const Advance Step = advance(Root->getIncomingValueForBlock(L.getLoopLatch()), L, 0);
    At = Asked.Branch->getParent();
    Asked.Moves = Step && !Step.By->isZero() ? plus(times(Step, L), advance(Asked.Place, L, 0)) : Advance();
    At = nullptr;
    return Asked.Moves && !Asked.Moves.IsExact;
  }

  /// The number that V counts on from: of the loop's own, where an iteration begins.
  PHINode *rootOf(Value *V, unsigned Depth) {
    if (Depth == DeepestValue || ++Steps > MostSteps)
      return nullptr;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      if (Phi->getParent() == L.getHeader())
        return Phi;
      if (!L.contains(Phi))
        return nullptr;
      for (Value *Each : Phi->incoming_values())
        if (PHINode *Found = rootOf(Each, Depth + 1))
          return Found;
      return nullptr;
    }
    const auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) && (isa<GetElementPtrInst>(I) || I->getOpcode() == Instruction::Add)
               ? rootOf(I->getOperand(0), Depth + 1)
               : nullptr;
  }

  /// Adds what V can be in the loop as long as nothing has grown. False if it may be something of the loop's own.
  bool addLasting(Value *V, SmallSetVector<Value *, 2> &Found, SmallPtrSet<const Value *, 16> &Seen) {
    if (L.isLoopInvariant(V))
      return Found.insert(V), true;
    const auto *Phi = dyn_cast<PHINode>(V);
    if (!Phi || !Seen.insert(Phi).second)
      return Phi;
    return all_of(seq(Phi->getNumIncomingValues()), [&](unsigned I) {
      return isBehindGrowth(*Phi->getIncomingBlock(I)) || addLasting(Phi->getIncomingValue(I), Found, Seen);
    });
  }

  /// What V is throughout the loop as long as nothing has grown; null if that is not one value from in front of it.
  Value *lastingValue(Value *V) {
    SmallSetVector<Value *, 2> Found;
    SmallPtrSet<const Value *, 16> Seen;
    return addLasting(V, Found, Seen) && Found.size() == 1 ? Found.front() : nullptr;
  }

  /// How far V can be from Root, which is of the iteration of Around that has begun.
  Advance advance(Value *V, const Loop &Around, unsigned Depth) {
    if (V == Root)
      return {SE.getZero(Number)};
    const auto *I = dyn_cast<Instruction>(V);
    if (Depth == DeepestValue || ++Steps > MostSteps || !I || !Around.contains(I))
      return {};
    if (auto *Phi = dyn_cast<PHINode>(V))
      return LI.isLoopHeader(Phi->getParent()) ? advanceOfLoop(*Phi, Around, Depth) : advanceOfPhi(*Phi, Around, Depth);
    if (auto *Select = dyn_cast<SelectInst>(V))
      return atMost(advance(Select->getTrueValue(), Around, Depth + 1),
                    advance(Select->getFalseValue(), Around, Depth + 1));
    Value *From = nullptr;
    const std::optional<uint64_t> Step = stepOf(V, From);
    return Step ? plus(advance(From, Around, Depth + 1), {SE.getConstant(Number, *Step)}) : Advance();
  }

  /// By how much V is more than From, another value.
  std::optional<uint64_t> stepOf(Value *V, Value *&From) const {
    APInt Step;
    if (auto *Gep = dyn_cast<GetElementPtrInst>(V); Gep && Gep->getType()->isPointerTy()) {
      From = Gep->getPointerOperand();
      Step = APInt(SE.getDataLayout().getIndexTypeSizeInBits(Gep->getType()), 0);
      if (!Gep->accumulateConstantOffset(SE.getDataLayout(), Step))
        return std::nullopt;
    } else if (auto *Sum = dyn_cast<BinaryOperator>(V); Sum && Sum->getOpcode() == Instruction::Add) {
      From = Sum->getOperand(0);
      const auto *By = dyn_cast<ConstantInt>(Sum->getOperand(1));
      if (!By)
        return std::nullopt;
      Step = By->getValue();
    } else {
      return std::nullopt;
    }
    return Step.isNegative() || Step.uge(LongestStep) ? std::nullopt : std::optional(Step.getZExtValue());
  }

  Advance advanceOfPhi(PHINode &Phi, const Loop &Around, unsigned Depth) {
    Advance Most;
    bool AreExact = true;
    for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
      if (isBehindGrowth(*Phi.getIncomingBlock(I)))
        continue;
      const Advance Each = advance(Phi.getIncomingValue(I), Around, Depth + 1);
      AreExact &= Each.IsExact;
      Most = Most ? atMost(Most, Each) : Each;
      if (!Most)
        return {};
    }
    const auto *Fork = dyn_cast<BranchInst>(DT.getNode(Phi.getParent())->getIDom()->getBlock()->getTerminator());
    if (Phi.getNumIncomingValues() == 2 && Fork && Fork->isConditional() && L.isLoopInvariant(Fork->getCondition()))
      Most.IsExact = AreExact; // the same way in all iterations
    return Most;
  }

  /// Of a number that an inner loop counts on from what it was in front of it.
  Advance advanceOfLoop(PHINode &Phi, const Loop &Around, unsigned Depth) {
    const Loop *Inner = LI.getLoopFor(Phi.getParent());
    if (Inner == &Around || !Inner->getLoopPreheader() || !Inner->getLoopLatch())
      return {};
    const Advance Before = advance(Phi.getIncomingValueForBlock(Inner->getLoopPreheader()), Around, Depth + 1);
    if (!Before)
      return {};
    PHINode *Outside = std::exchange(Root, &Phi);
    const BasicBlock *Asked = std::exchange(At, nullptr);
    const Advance Step = advance(Phi.getIncomingValueForBlock(Inner->getLoopLatch()), *Inner, Depth + 1);
    Root = Outside;
    At = Asked;
    return Step ? plus(Before, times(Step, *Inner)) : Advance();
  }

  Advance atMost(Advance One, Advance Other) {
    if (!One || !Other)
      return {};
    return {SE.getUMaxExpr(One.By, Other.By), std::max(One.Nest, Other.Nest),
            One.IsExact && Other.IsExact && One.By == Other.By};
  }
  Advance plus(Advance One, Advance Other) {
    if (!One || !Other)
      return {};
    return {SE.getAddExpr(One.By, Other.By), std::max(One.Nest, Other.Nest), One.IsExact && Other.IsExact};
  }

  /// Step, in each iteration of Of, if their number is known in front of the loop.
  Advance times(Advance Step, const Loop &Of) {
    const SCEV *Last = lastIteration(Of);
    if (Step.By->isZero())
      return Step;
    if (isa<SCEVCouldNotCompute>(Last) || !SE.isLoopInvariant(Last, &L) || Step.Nest == DeepestNest ||
        SE.getTypeSizeInBits(Last->getType()) > 64)
      return {};
    const SCEV *Counted = SE.getUMinExpr(SE.getNoopOrZeroExtend(Last, Number), SE.getConstant(Number, MostIterations));
    return {SE.getMulExpr(Step.By, Counted), Step.Nest + 1, Step.IsExact && Of.getExitingBlock()};
  }

  /// The number of the last iteration of Of, from 0: of the last one that comes to At, where At lies in it.
  const SCEV *lastIteration(const Loop &Of) {
    SmallVector<BasicBlock *, 4> Exiting;
    Of.getExitingBlocks(Exiting);
    const SCEV *Last = SE.getSymbolicMaxBackedgeTakenCount(&Of);
    for (const BasicBlock *Each : Exiting)
      if (const SCEV *Count = iterationsBefore(Of, *Each); !isa<SCEVCouldNotCompute>(Count)) {
        if (At && Of.contains(At) && Each != At && DT.dominates(Each, At))
          return SE.getMinusSCEV(Count, SE.getOne(Count->getType()));
        if (isa<SCEVCouldNotCompute>(Last) && DT.dominates(Each, Of.getLoopLatch()))
          Last = Count;
      }
    return Last;
  }

  /// The iterations of Of before it ends in Exit: as LLVM counts them, or by the length of a range that a pointer
  /// walks through.
  const SCEV *iterationsBefore(const Loop &Of, const BasicBlock &Exit) const {
    const SCEV *Count = SE.getExitCount(&Of, &Exit);
    const auto *Branch = dyn_cast<BranchInst>(Exit.getTerminator());
    auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!isa<SCEVCouldNotCompute>(Count) || !Compare || !Compare->isEquality() || !Of.getLoopPreheader() ||
        Of.contains(Branch->getSuccessor(0)) != (Compare->getPredicate() == CmpInst::ICMP_NE))
      return Count;
    for (Value *Place : Compare->operands()) {
      Value *From = Place, *End = Compare->getOperand(Place == Compare->getOperand(0) ? 1 : 0), *Again = nullptr;
      const std::optional<uint64_t> Ahead = stepOf(Place, From);
      const auto *Phi = dyn_cast<PHINode>(Ahead ? From : Place);
      if (!Phi || Phi->getParent() != Of.getHeader() || !Phi->getType()->isPointerTy() || !L.isLoopInvariant(End))
        continue;
      const std::optional<uint64_t> Step = stepOf(Phi->getIncomingValueForBlock(Of.getLoopLatch()), Again);
      Value *First = Phi->getIncomingValueForBlock(Of.getLoopPreheader());
      if (!Step || !*Step || Again != Phi || !L.isLoopInvariant(First))
        continue;
      Type *Address = SE.getDataLayout().getIntPtrType(Phi->getType());
      const SCEV *Way =
          SE.getMinusSCEV(SE.getPtrToIntExpr(SE.getSCEV(End), Address), SE.getPtrToIntExpr(SE.getSCEV(First), Address));
      return SE.getUDivExpr(SE.getMinusSCEV(Way, SE.getConstant(Address, Ahead.value_or(0))),
                            SE.getConstant(Address, *Step));
    }
    return Count;
  }

  /// Block is behind the growth that is asked about, or behind another one.
  bool isBehindGrowth(const BasicBlock &Block) {
    if (DT.dominates(Now->Way, &Block))
      return true;
    for (const Growth &Each : Growths)
      if (Each.Branch != Now->Branch && DT.dominates(Each.Way, &Block))
        return Now->Others.insert(&Each), true;
    return false;
  }

  /// Whether all Excluded have room; null where that cannot be told in front of the loop.
  Value *roomFor(ArrayRef<const Growth *> Excluded) {
    Instruction &Before = *L.getLoopPreheader()->getTerminator();
    compat::Expander Made(SE, Before.getDataLayout());
    if (!all_of(Excluded, [&](const Growth *Each) { return Made.isSafeToExpandAt(Each->Moves.By, &Before); }))
      return nullptr;
    Value *All = nullptr;
    for (const Growth *Each : Excluded) {
      Value *Moves = Made.expandCodeFor(Each->Moves.By, Number, &Before);
      IRBuilder<> B(&Before);
      Value *Room = B.CreateBinaryIntrinsic(Intrinsic::smax, roomOf(B, *Each), ConstantInt::get(Number, 0));
      Room = B.CreateBinaryIntrinsic(Intrinsic::umin, Room, ConstantInt::get(Number, MostRoom));
      Value *Enough = B.CreateICmp(Each->Beyond ? CmpInst::ICMP_ULE : CmpInst::ICMP_ULT, Moves, Room);
      All = All ? B.CreateAnd(All, Enough) : Enough;
    }
    return All;
  }

  /// Room leads to the loop, and its contrary to a copy of it.
  void copyLoop(Value &Room, ValueToValueMapTy &Copies) {
    formLCSSARecursively(L, DT, &LI, &SE);
    BasicBlock *Fork = L.getLoopPreheader();
    BasicBlock *Begin = SplitBlock(Fork, Fork->getTerminator(), &DT, &LI);
    SmallVector<BasicBlock *, 16> Blocks;
    Loop *Copy = cloneLoopWithPreheader(Begin, Fork, &L, Copies, ".full", &LI, &DT, Blocks);
    remapInstructionsInBlocks(Blocks, Copies);
    ReplaceInstWithInst(Fork->getTerminator(), BranchInst::Create(Begin, Copy->getLoopPreheader(), &Room));
    SmallVector<BasicBlock *, 4> Exits;
    L.getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits)
      for (PHINode &Phi : Exit->phis())
        for (unsigned I = 0, Count = Phi.getNumIncomingValues(); I != Count; ++I)
          if (BasicBlock *From = Phi.getIncomingBlock(I); L.contains(From)) {
            Value *V = Copies.lookup(Phi.getIncomingValue(I));
            Phi.addIncoming(V ? V : Phi.getIncomingValue(I), cast<BasicBlock>(Copies[From]));
          }
  }

  /// How far the end is from the place, in front of the loop.
  Value *roomOf(IRBuilder<> &B, const Growth &Of) const {
    Type *Of64 = B.getInt64Ty();
    if (Of.First->getType()->isPointerTy())
      return B.CreateSExt(B.CreateSub(B.CreatePtrToInt(Of.Limit, Of64), B.CreatePtrToInt(Of.First, Of64)), Number);
    const auto Widened = [&](Value *V) { return Of.IsSigned ? B.CreateSExt(V, Number) : B.CreateZExt(V, Number); };
    return B.CreateSub(Widened(Of.Limit), Widened(Of.First));
  }

  Loop &L;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  Type *Number;
  std::list<Growth> Growths;
  Growth *Now = nullptr;          ///< that is asked about
  unsigned Steps = 0;             ///< values that were looked at for it
  PHINode *Root = nullptr;        ///< of its place
  const BasicBlock *At = nullptr; ///< where that is; null at the end of an iteration
};

} // namespace

/// Splits one loop of F, the outermost that it can.
static bool splitLoop(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  const SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  const bool Split = any_of(Loops, [&](Loop *L) {
    if (!LoopWithGrowth(*L, SE, LI, DT).findGrowths())
      return false;
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    LoopWithGrowth InForm(*L, SE, LI, DT); // anew: ways that its branches take may lead to other blocks now
    return L->isLoopSimplifyForm() && InForm.findGrowths() && InForm.split();
  });
  if (Split)
    EliminateUnreachableBlocks(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  return Split;
}

void excludeGrowthWithRoom(Module &M, FunctionAnalysisManager &FAM) {
  constexpr unsigned MostSplits = 8; // after each, all loops are looked at again
  for (Function &F : M) {
    const unsigned Most = 4 * F.getInstructionCount(); // what has several growths is written as often
    for (unsigned I = 0; I != MostSplits && F.getInstructionCount() < Most && splitLoop(F, FAM);)
      ++I;
  }
}

} // namespace memshape
