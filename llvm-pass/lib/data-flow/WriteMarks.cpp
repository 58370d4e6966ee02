// What part of a block is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the inside out, a range becomes that of all iterations of one loop more, for as long as scalar evolution can say
// what the loop does to it; where it cannot, the range is the whole block.

#include "data-flow/WriteMarks.h"
#include "Compat.h"
#include "data-flow/TaintMarks.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memshape {

namespace {

/// More ranges than this of one base at one place become the whole block.
constexpr unsigned MostRanges = 6;
/// Metadata kind of a write that has a mark.
constexpr char MarkedMetadata[] = "memshape.marked";
/// Named metadata that is there where a tensor may be written without a mark.
constexpr char UnmarkedTensors[] = "memshape.unmarked.tensors";
/// Nothing is marked in a function with more writes: it is generated code, or a table.
constexpr unsigned MostWrites = 20'000;

/// Bytes [Low, High) from Base on; where Stride is set, rows of Row bytes in them, Stride apart, Count in all.
struct Range {
  const SCEV *Low = nullptr, *High = nullptr; ///< null: the whole block
  const SCEV *Row = nullptr, *Stride = nullptr, *Count = nullptr;
};

class Marker {
public:
  /// IsData: for a marker that taints; null for one that tells of what is touched.
  Marker(Function &F, FunctionAnalysisManager &FAM, function_ref<bool(const Value *)> IsData = nullptr)
      : F(F), M(*F.getParent()), DT(FAM.getResult<DominatorTreeAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), AC(FAM.getResult<AssumptionAnalysis>(F)),
        Expander(SE, M.getDataLayout()), I64(Type::getInt64Ty(M.getContext())), IsData(IsData) {}
  void run();

private:
  struct Extremes {
    const SCEV *Least = nullptr, *Most = nullptr;
  };
  void collect(Instruction &I);
  void add(Instruction &At, Value *Pointer, const SCEV *Bytes);
  std::optional<Extremes> over(const Loop &L, const SCEV *E, const SCEV *Iterations);
  bool widen(const Loop &L, Range &R);
  const SCEV *turnsOf(const Loop &L);
  const SCEV *wide(const SCEV *E) { return SE.getTruncateOrSignExtend(E, I64); }
  bool isFixed(const SCEV *E, const Loop &L) { return !E || SE.isLoopInvariant(E, &L); }
  PHINode *startOf(Value *V, const Loop &L) const;
  bool endsByData(const Loop &L) const;
  Instruction *beforeData(Instruction &Where, const Value *Base) const;
  bool sink(Loop &L, const SCEV *Base);
  bool advances(const Value *Next, const PHINode &End, const Loop &L, ArrayRef<BasicBlock *> HeapBlocks) const;
  void markBelow(Instruction &Where, Value *End);
  void place(Instruction &Where, const SCEV *Base, const Range &R);
  void emit(Instruction &Where, const SCEV *Base, const Range &R);

  Function &F;
  Module &M;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  compat::Expander Expander;
  Type *I64;
  const function_ref<bool(const Value *)> IsData;
  SmallSet<std::pair<const Loop *, const PHINode *>, 4> Sunk;
  /// Ranges by place and base, in the order in which they were found.
  MapVector<std::pair<Instruction *, const SCEV *>, SmallVector<Range, 2>> Found;
};

} // namespace

/// Iterations of L less one, at most; null where that is not known.
const SCEV *Marker::turnsOf(const Loop &L) {
  const SCEV *Iterations = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Iterations))
    Iterations = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Iterations) || !Iterations->getType()->isIntegerTy())
    return nullptr;
  return SE.getTruncateOrZeroExtend(Iterations, I64);
}

/// The least and the greatest value of E while L makes Iterations iterations.
std::optional<Marker::Extremes> Marker::over(const Loop &L, const SCEV *E, const SCEV *Iterations) {
  if (SE.isLoopInvariant(E, &L))
    return Extremes{E, E};
  const auto All = [&](ArrayRef<const SCEV *> Operands, SmallVectorImpl<const SCEV *> &Least,
                       SmallVectorImpl<const SCEV *> &Most) {
    for (const SCEV *Operand : Operands) {
      std::optional<Extremes> Each = over(L, Operand, Iterations);
      if (!Each)
        return false;
      Least.push_back(Each->Least), Most.push_back(Each->Most);
    }
    return true;
  };
  SmallVector<const SCEV *, 4> Least, Most;
  switch (E->getSCEVType()) {
  case scAddRecExpr: {
    const auto *Counter = cast<SCEVAddRecExpr>(E);
    const SCEV *Step = Counter->getStepRecurrence(SE);
    if (Counter->getLoop() != &L || !Counter->isAffine() || !SE.isLoopInvariant(Step, &L))
      return std::nullopt;
    const SCEV *Way = SE.getMulExpr(Step, SE.getTruncateOrZeroExtend(Iterations, E->getType()));
    const SCEV *Zero = SE.getZero(E->getType()), *Start = Counter->getStart();
    if (SE.isKnownNonNegative(Step))
      return Extremes{Start, SE.getAddExpr(Start, Way)};
    if (SE.isKnownNonPositive(Step))
      return Extremes{SE.getAddExpr(Start, Way), Start};
    return Extremes{SE.getAddExpr(Start, SE.getSMinExpr(Zero, Way)), SE.getAddExpr(Start, SE.getSMaxExpr(Zero, Way))};
  }
  case scAddExpr:
    if (!All(cast<SCEVAddExpr>(E)->operands(), Least, Most))
      return std::nullopt;
    return Extremes{SE.getAddExpr(Least), SE.getAddExpr(Most)};
  case scMulExpr: {
    const SCEV *Factor = nullptr, *Varying = nullptr;
    for (const SCEV *Operand : cast<SCEVMulExpr>(E)->operands()) {
      const bool Fixed = SE.isLoopInvariant(Operand, &L);
      if (!Fixed && Varying)
        return std::nullopt;
      if (Fixed)
        Factor = Factor ? SE.getMulExpr(Factor, Operand) : Operand;
      else
        Varying = Operand;
    }
    std::optional<Extremes> Of = over(L, Varying, Iterations);
    if (!Of || !Factor)
      return std::nullopt;
    const SCEV *One = SE.getMulExpr(Factor, Of->Least), *Other = SE.getMulExpr(Factor, Of->Most);
    if (SE.isKnownNonNegative(Factor))
      return Extremes{One, Other};
    if (SE.isKnownNonPositive(Factor))
      return Extremes{Other, One};
    return Extremes{SE.getSMinExpr(One, Other), SE.getSMaxExpr(One, Other)};
  }
  case scSignExtend:
  case scZeroExtend: {
    // Only of what does not wrap does order survive.
    const bool Signed = E->getSCEVType() == scSignExtend;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(cast<SCEVCastExpr>(E)->getOperand());
    if (!Counter || !(Signed ? Counter->hasNoSignedWrap() : Counter->hasNoUnsignedWrap()))
      return std::nullopt;
    std::optional<Extremes> Of = over(L, Counter, Iterations);
    if (!Of)
      return std::nullopt;
    return Signed
               ? Extremes{SE.getSignExtendExpr(Of->Least, E->getType()), SE.getSignExtendExpr(Of->Most, E->getType())}
               : Extremes{SE.getZeroExtendExpr(Of->Least, E->getType()), SE.getZeroExtendExpr(Of->Most, E->getType())};
  }
  case scSMaxExpr:
    if (!All(cast<SCEVSMaxExpr>(E)->operands(), Least, Most))
      return std::nullopt;
    return Extremes{SE.getSMaxExpr(Least), SE.getSMaxExpr(Most)};
  case scSMinExpr:
    if (!All(cast<SCEVSMinExpr>(E)->operands(), Least, Most))
      return std::nullopt;
    return Extremes{SE.getSMinExpr(Least), SE.getSMinExpr(Most)};
  default: return std::nullopt;
  }
}

/// R for all iterations of L. False where that cannot be said.
bool Marker::widen(const Loop &L, Range &R) {
  if (!R.Low)
    return true;
  if (!isFixed(R.Row, L) || !isFixed(R.Stride, L) || !isFixed(R.Count, L))
    R.Row = R.Stride = R.Count = nullptr;
  if (isFixed(R.Low, L) && isFixed(R.High, L))
    return true;
  const SCEV *Iterations = turnsOf(L);
  if (!Iterations)
    return false;
  std::optional<Extremes> Low = over(L, R.Low, Iterations), High = over(L, R.High, Iterations);
  if (!Low || !High)
    return false;
  const SCEV *Length = SE.getMinusSCEV(R.High, R.Low);
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(R.Low);
  R.Row = R.Stride = R.Count = nullptr;
  if (Counter && Counter->getLoop() == &L && Counter->isAffine() && SE.isLoopInvariant(Length, &L)) {
    const SCEV *Step = Counter->getStepRecurrence(SE);
    R.Row = Length;
    R.Stride = SE.isKnownNonNegative(Step) ? Step : SE.getSMaxExpr(Step, SE.getNegativeSCEV(Step));
    R.Count = SE.getAddExpr(Iterations, SE.getOne(I64));
  }
  R.Low = Low->Least, R.High = High->Most;
  return true;
}

void Marker::add(Instruction &At, Value *Pointer, const SCEV *Bytes) {
  if (!Pointer->getType()->isPointerTy() || Pointer->getType()->getPointerAddressSpace())
    return;
  if (!IsData) {
    At.setMetadata(MarkedMetadata, MDNode::get(M.getContext(), {}));
    const Value *Object = getUnderlyingObject(Pointer, 0);
    if (isa<AllocaInst>(Object) || isa<GlobalVariable>(Object))
      return; // no block
  }
  const SCEV *Address = SE.getSCEV(Pointer), *Base = SE.getPointerBase(Address);
  Instruction *Where = &At;
  Range R;
  if (isa<SCEVCouldNotCompute>(Address) || !isa<SCEVUnknown>(Base)) {
    Base = SE.getUnknown(Pointer);
  } else if (Bytes) {
    R.Low = SE.removePointerBase(Address);
    R.High = SE.getAddExpr(R.Low, Bytes);
  }
  for (Loop *L = LI.getLoopFor(At.getParent()); L; L = L->getParentLoop()) {
    BasicBlock *Before = L->getLoopPreheader();
    if (!Before || !isFixed(Base, *L))
      break;
    if (!widen(*L, R)) {
      if (IsData && !endsByData(*L))
        break; // each iteration taints what it writes
      R = Range();
    }
    Where = Before->getTerminator();
  }
  if (IsData)
    Where = beforeData(*Where, cast<SCEVUnknown>(Base)->getValue());
  else if (Loop *L = LI.getLoopFor(At.getParent());
           L && Where == &At && R.Low && isa<SCEVConstant>(R.Low) && isa<SCEVConstant>(R.High) && sink(*L, Base))
    return;
  place(*Where, Base, R);
}

bool Marker::endsByData(const Loop &L) const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *BB) {
    return any_of(BB->getTerminator()->operands(), [&](const Use &U) { return IsData(U.get()); });
  });
}

/// The last place in front of Where, and of branches on data that it depends on, that has Base.
Instruction *Marker::beforeData(Instruction &Where, const Value *Base) const {
  const PostDominatorTree PDT(F);
  const auto *Made = dyn_cast<Instruction>(Base);
  Instruction *At = &Where;
  for (const DomTreeNode *N = DT.getNode(Where.getParent())->getIDom(); N; N = N->getIDom()) {
    Instruction *End = N->getBlock()->getTerminator();
    if (Made && !DT.dominates(Made, End))
      break;
    if (any_of(End->operands(), [&](const Use &U) { return IsData(U.get()); }) &&
        !PDT.dominates(At->getParent(), N->getBlock()))
      At = End;
  }
  return At;
}

/// Next, what End is in the next iteration of L, is End or lies behind it in the same block; or it is something else,
/// and a block has come or gone before.
bool Marker::advances(const Value *Next, const PHINode &End, const Loop &L, ArrayRef<BasicBlock *> HeapBlocks) const {
  SmallVector<std::pair<const Value *, const BasicBlock *>, 8> Work = {{Next, L.getLoopLatch()}};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    auto [V, From] = Work.pop_back_val();
    if (V == &End || !Seen.insert(V).second)
      continue;
    if (const auto *Choice = dyn_cast<PHINode>(V);
        Choice && L.contains(Choice) && LI.getLoopFor(Choice->getParent()) == &L) {
      for (unsigned I = 0; I != Choice->getNumIncomingValues(); ++I)
        Work.push_back({Choice->getIncomingValue(I), Choice->getIncomingBlock(I)});
      continue;
    }
    APInt Offset(64, 0);
    const Value *Of = V->stripAndAccumulateConstantOffsets(M.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    if (Of != V && !Offset.isNegative() && isa<PHINode>(Of)) {
      Work.push_back({Of, From});
      continue;
    }
    if (getUnderlyingObject(V, 0) == &End ||
        none_of(HeapBlocks, [&](const BasicBlock *BB) { return DT.dominates(BB, From); }))
      return false;
  }
  return true;
}

/// What V, an address inside L, is at the start of an iteration, if it only moves on from there or into a new block.
PHINode *Marker::startOf(Value *V, const Loop &L) const {
  PHINode *Start = nullptr;
  SmallVector<Value *, 8> Work = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    APInt Offset(64, 0);
    Value *Of = Work.pop_back_val();
    Of = Of->stripAndAccumulateConstantOffsets(M.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    auto *Choice = dyn_cast<PHINode>(Of);
    if (!Seen.insert(Of).second || !Choice || LI.getLoopFor(Choice->getParent()) != &L)
      continue;
    if (Choice->getParent() != L.getHeader())
      Work.append(Choice->op_begin(), Choice->op_end());
    else if (Start && Start != Choice)
      return nullptr;
    else
      Start = Choice;
  }
  return Start;
}

/// What a vector does that grows: L writes at an end that moves on until a new block is needed. Instead of each write,
/// what lies below the end is marked before blocks come and go, and behind the loop; but for what is written within one
/// iteration, less than a page.
bool Marker::sink(Loop &L, const SCEV *Base) {
  PHINode *End = startOf(cast<SCEVUnknown>(Base)->getValue(), L);
  BasicBlock *Latch = L.getLoopLatch();
  if (!End || !Latch || !L.hasDedicatedExits())
    return false;
  if (!Sunk.insert({&L, End}).second)
    return true;
  SmallVector<BasicBlock *, 4> HeapBlocks, Exits;
  SmallVector<Instruction *, 4> Before;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && isHeapCall(runnerCall(*Call))) {
        HeapBlocks.push_back(BB);
        Before.push_back(&I);
        break;
      }
  Value *Next = End->getIncomingValueForBlock(Latch);
  if (HeapBlocks.empty() || !advances(Next, *End, L, HeapBlocks)) {
    Sunk.erase({&L, End});
    return false;
  }
  for (Instruction *I : Before)
    markBelow(*I, End);
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits) {
    PHINode *Last = PHINode::Create(End->getType(), 2, "", Exit->begin());
    for (BasicBlock *From : predecessors(Exit)) {
      const auto *Made = dyn_cast<Instruction>(Next);
      Last->addIncoming(!Made || DT.dominates(Made->getParent(), From) ? Next : End, From);
    }
    markBelow(*Exit->getFirstInsertionPt(), Last);
  }
  return true;
}

void Marker::markBelow(Instruction &Where, Value *End) {
  IRBuilder<> B(&Where);
  B.SetCurrentDebugLocation(DebugLoc());
  B.CreateCall(runnerFunction(M, RunnerCall::Touch),
               {End, B.getInt64(MEMSHAPE_SK_BELOW), B.getInt64(0), B.getInt64(1)});
}

void Marker::place(Instruction &Where, const SCEV *Base, const Range &R) {
  SmallVector<Range, 2> &Here = Found[{&Where, Base}];
  if (!Here.empty() && !Here[0].Low)
    return; // the whole block already
  if (!R.Low || Here.size() == MostRanges) {
    Here.assign(1, Range());
    return;
  }
  for (Range &Other : Here) {
    if (Other.Stride != R.Stride || Other.Count != R.Count)
      continue;
    const auto *Lower = dyn_cast<SCEVConstant>(SE.getMinusSCEV(R.Low, Other.Low));
    const auto *Higher = dyn_cast<SCEVConstant>(SE.getMinusSCEV(R.High, Other.High));
    if (!Lower || !Higher)
      continue;
    // One range around both; of rows that lie side by side, one row around both.
    if (Other.Row && Other.Row == R.Row)
      Other.Row = SE.getAddExpr(R.Row, SE.getConstant(Lower->getAPInt().abs()));
    else
      Other.Row = Other.Stride = Other.Count = nullptr;
    if (Lower->getAPInt().isNegative())
      Other.Low = R.Low;
    if (Higher->getAPInt().isStrictlyPositive())
      Other.High = R.High;
    return;
  }
  Here.push_back(R);
}

void Marker::collect(Instruction &I) {
  const DataLayout &DL = M.getDataLayout();
  const auto SizeOf = [&](Type *T) -> const SCEV * {
    const TypeSize Size = DL.getTypeStoreSize(T);
    return Size.isScalable() ? nullptr : SE.getConstant(I64, Size.getFixedValue());
  };
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return add(I, Store->getPointerOperand(), SizeOf(Store->getValueOperand()->getType()));
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return add(I, I.getOperand(0), SizeOf(I.getOperand(1)->getType()));
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
    const SCEV *Length = SE.getSCEV(Mem->getLength());
    return add(I, Mem->getRawDest(), SE.getTruncateOrZeroExtend(Length, I64));
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && Call->getIntrinsicID() == Intrinsic::masked_store)
    return add(I, Call->getArgOperand(1), SizeOf(Call->getArgOperand(0)->getType()));
  // A scatter goes through many pointers, of which a mark could name one: it has none.
}

void Marker::emit(Instruction &Where, const SCEV *Base, const Range &R) {
  IRBuilder<> B(&Where);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Pointer = cast<SCEVUnknown>(Base)->getValue();
  Value *Bytes = B.getInt64(MEMSHAPE_SK_WHOLE), *Stride = B.getInt64(0), *Count = B.getInt64(1);
  if (R.Low) {
    const auto CanHave = [&](const SCEV *E) {
      return !E || (Expander.isSafeToExpand(E) && SE.dominates(E, Where.getParent()) &&
                    !SCEVExprContains(E, [&](const SCEV *Part) {
                      const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
                      const auto *Made = Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
                      return (Made && !DT.dominates(Made, &Where)) || (Leaf && IsData && IsData(Leaf->getValue()));
                    }));
    };
    const SCEV *Length = R.Row ? R.Row : SE.getMinusSCEV(R.High, R.Low);
    if (CanHave(R.Low) && CanHave(Length)) {
      const auto Value = [&](const SCEV *E) { return Expander.expandCodeFor(E, I64, Where.getIterator()); };
      llvm::Value *Offset = Value(R.Low);
      Bytes = Value(Length);
      if (R.Row && CanHave(R.Stride) && CanHave(R.Count)) {
        Stride = Value(R.Stride), Count = Value(R.Count);
      } else if (R.Row) {
        const SCEV *Whole = SE.getMinusSCEV(R.High, R.Low);
        Bytes = CanHave(Whole) ? Value(Whole) : B.getInt64(MEMSHAPE_SK_WHOLE);
      }
      B.SetInsertPoint(&Where);
      Pointer = B.CreatePtrAdd(Pointer, Offset);
    }
  }
  B.SetInsertPoint(&Where);
  B.CreateCall(runnerFunction(M, IsData ? RunnerCall::Taint : RunnerCall::Touch), {Pointer, Bytes, Stride, Count});
}

void Marker::run() {
  // SE knows nothing so far; to forget it loop by loop takes the square of their number.
  for (Loop *L : LI.getLoopsInPreorder())
    simplifyLoop(L, &DT, &LI, /*SE=*/nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
  SmallVector<Instruction *, 64> Writes;
  for (Instruction &I : instructions(F))
    if (I.mayWriteToMemory() && (!IsData || taints(I)))
      Writes.push_back(&I);
  if (Writes.size() > MostWrites && !IsData)
    Writes.clear();
  for (Instruction *I : Writes)
    collect(*I);
  for (const auto &[At, Ranges] : Found)
    for (const Range &R : Ranges)
      emit(*At.first, At.second, R);
}

void forFlags(Module &M, function_ref<void(Use &Flags)> Do) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        const RunnerCall Which = runnerCall(*Call);
        if (Which == RunnerCall::Alloc || Which == RunnerCall::Realloc)
          Do(Call->getArgOperandUse(Which == RunnerCall::Alloc ? AllocFlags : ReallocFlags));
      }
}

void markWrites(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    FAM.invalidate(F, PreservedAnalyses::none());
    Marker(F, FAM).run();
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  // Each is, until a writer without a mark is found.
  forFlags(M, [](Use &Flags) {
    IRBuilder<> B(cast<Instruction>(Flags.getUser()));
    Flags.set(B.CreateOr(Flags.get(), B.getInt32(MEMSHAPE_SK_ANNOUNCED)));
  });
}

void taintRanges(Module &M, FunctionAnalysisManager &FAM, function_ref<bool(const Value *)> IsData) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    FAM.invalidate(F, PreservedAnalyses::none());
    Marker(F, FAM, IsData).run();
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

void rememberUnmarked(Module &M, const PointsTo &Memory, const ModRefIndex &Accesses, ArrayRef<CallBase *> Lost) {
  BitVector Unmarked(Memory.objectCount());
  for (const CallBase *Mark : Lost)
    for (Place Target : Memory.targets(Mark->getArgOperand(0)))
      Unmarked.set(Target.Object);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.mayWriteToMemory() && !I.getMetadata(MarkedMetadata))
        for (const ModRef &Access : Accesses.of(&I))
          if (Access.Writes)
            for (unsigned Id : Accesses.objectsOf(Access))
              Unmarked.set(Id);
  DenseSet<const Value *> Blocks;
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id) {
    const PointsTo::Object &Object = Memory.object(Id);
    // Memory that nobody shows may be any that unknown code knows.
    if (!Unmarked.test(Id) && !(Object.Escapes && Unmarked.test(0)))
      continue;
    if (Object.Kind == PointsTo::ObjectKind::Heap)
      Blocks.insert(Object.Origin);
    else if (Object.Kind == PointsTo::ObjectKind::Tensor || Object.Kind == PointsTo::ObjectKind::Unknown)
      M.getOrInsertNamedMetadata(UnmarkedTensors);
  }
  forFlags(M, [&](Use &Flags) {
    IRBuilder<> B(cast<Instruction>(Flags.getUser()));
    if (Blocks.contains(Flags.getUser()))
      Flags.set(B.CreateAnd(Flags.get(), B.getInt32(~uint32_t(MEMSHAPE_SK_ANNOUNCED))));
  });
}

bool onlyMarked(const Value &Tensor) {
  constexpr unsigned Most = 200;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {&Tensor};
  while (!Work.empty() && Seen.size() < Most) {
    const Value *V = Work.pop_back_val();
    if (Seen.insert(V).second)
      for (const User *U : V->users()) {
        const auto *I = cast<Instruction>(U);
        const auto *Call = dyn_cast<CallBase>(I);
        if (Call && runnerCall(*Call) == RunnerCall::Touch)
          continue;
        if (I->isTerminator() || I->mayReadOrWriteMemory() || (Call && !isa<IntrinsicInst>(Call)))
          return false;
        Work.push_back(I);
      }
  }
  return Work.empty();
}

bool areTensorsMarked(Module &M) {
  NamedMDNode *Unmarked = M.getNamedMetadata(UnmarkedTensors);
  if (Unmarked)
    Unmarked->eraseFromParent();
  return !Unmarked;
}

} // namespace memshape
