// Numbers that lie in memory beside data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which numbers are asked for is found in rounds: a decision of a slice that comes from such a number becomes a
// question, and the next slice shows what is behind it.

#include "slice/Taint.h"
#include "data-flow/DataFlow.h"
#include "data-flow/TaintMarks.h"
#include "data-flow/WriteMarks.h"
#include "extract/Constructors.h"
#include "runner-calls/RunnerCalls.h"
#include "slice/Slice.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

/// Slices that are made to find out what is asked for.
static constexpr unsigned MostRounds = 32;

/// V is data, or a truth value that comes from data.
static bool dependsOnData(const Value *V, const DataFlow &Flow) {
  const auto *I = dyn_cast<Instruction>(V);
  return Flow.isData(V) || (I && Flow.isVerdict(I));
}

/// Pointer leads to the operator's own blocks and variables alone.
static bool isOwn(const Value *Pointer, const PointsTo &Memory) {
  const PlaceSet &Targets = Memory.targets(Pointer);
  return !Targets.empty() && all_of(Targets, [&](Place T) {
    const PointsTo::Object &O = Memory.object(T.Object);
    return !O.IsData && (O.Kind == PointsTo::ObjectKind::Heap || O.Kind == PointsTo::ObjectKind::Stack);
  });
}

/// Where I writes, if it is a write that a range of bytes describes; null otherwise.
static const Value *writtenAt(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() ? Store->getPointerOperand() : nullptr;
  const auto *Mem = dyn_cast<MemIntrinsic>(&I);
  return Mem && !Mem->isVolatile() ? Mem->getRawDest() : nullptr;
}

/// What says how far behind a pointer V lies, and is data; null where nothing is. A pointer itself is what was stored
/// as one.
static const Value *placedBy(const Value *V, const DataFlow &Flow) {
  SmallVector<const Value *, 8> Work = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *At = Work.pop_back_val();
    if (!Seen.insert(At).second || !Flow.isData(At) || isa<LoadInst>(At))
      continue;
    if (const auto *Step = dyn_cast<GEPOperator>(At)) {
      for (const Use &Index : Step->indices())
        if (Flow.isData(Index.get()))
          return Index.get();
      Work.push_back(Step->getPointerOperand());
    } else if (const auto *Choice = dyn_cast<PHINode>(At)) {
      Work.append(Choice->op_begin(), Choice->op_end());
    } else {
      return At;
    }
  }
  return nullptr;
}

/// The same for the bytes that I writes.
static const Value *placedBy(const Instruction &I, const DataFlow &Flow) {
  const auto *Mem = dyn_cast<MemIntrinsic>(&I);
  return Mem && Flow.isData(Mem->getLength()) ? Mem->getLength() : placedBy(writtenAt(I), Flow);
}

LoadInst *numberBesideData(ArrayRef<const Value *> Path, const PointsTo &Memory) {
  for (const Value *Cause : Path)
    if (const auto *Load = dyn_cast<LoadInst>(Cause); Load && !asksForTaint(*Load) && !Load->getType()->isPointerTy()) {
      const bool Suits =
          Load->isSimple() && Load->getType()->isIntOrIntVectorTy() && isOwn(Load->getPointerOperand(), Memory);
      return Suits ? const_cast<LoadInst *>(Load) : nullptr;
    }
  return nullptr;
}

/// Threads run one after the other here: one could read before another has tainted.
static bool startsThreads(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      return Which == RunnerCall::Region || Which == RunnerCall::Spawn || Which == RunnerCall::Team;
    });
  });
}

namespace {

/// Finds what is asked for, and what taints.
class Tainter {
public:
  Tainter(Module &M, Function &Root, const PointsTo &Memory)
      : M(M), Root(Root), Memory(Memory), Accesses(M, Root, Memory) {}

  /// Null where nothing is asked for, or no end comes of it.
  std::unique_ptr<DataFlow> run();

private:
  bool ask(ArrayRef<const Value *> Path);
  bool place(const DataFlow &Flow);
  bool findControlled(const DataFlow &Flow);

  Module &M;
  Function &Root;
  const PointsTo &Memory;
  ModRefIndex Accesses;
  SmallVector<Instruction *, 32> Writers;
  SmallPtrSet<const Value *, 8> New; ///< questions that data flow does not know yet
};

} // namespace

/// The number that data came through becomes a question.
bool Tainter::ask(ArrayRef<const Value *> Path) {
  if (any_of(Path, [&](const Value *V) { return New.contains(V); }))
    return true;
  LoadInst *Number = numberBesideData(Path, Memory);
  if (!Number)
    return false;
  setMark(*Number, AsksMetadata);
  New.insert(Number);
  return true;
}

/// Where data says which bytes are written, nobody can taint them before; but that may come from a number, too.
bool Tainter::place(const DataFlow &Flow) {
  bool Changed = false;
  for (Instruction *I : Writers)
    if (const Value *By = Flow.tainting().contains(I) ? placedBy(*I, Flow) : nullptr) {
      if (!ask(Flow.path(By)))
        setMark(*I, TaintsMetadata, false);
      Changed = true;
    }
  return Changed;
}

/// What is written only where data says so is data.
bool Tainter::findControlled(const DataFlow &Flow) {
  bool Changed = false;
  DenseMap<Function *, std::unique_ptr<PostDominatorTree>> Trees;
  DenseMap<BasicBlock *, bool> Known;
  for (Instruction *I : Writers) {
    if (!taints(*I) || isControlledByData(*I) || Flow.tainting().contains(I))
      continue;
    auto [At, First] = Known.try_emplace(I->getParent(), false);
    if (First) {
      std::unique_ptr<PostDominatorTree> &Tree = Trees[I->getFunction()];
      if (!Tree)
        Tree = std::make_unique<PostDominatorTree>(*I->getFunction());
      ReverseIDFCalculator Calculator(*Tree);
      SmallPtrSet<BasicBlock *, 1> Here = {I->getParent()};
      Calculator.setDefiningBlocks(Here);
      SmallVector<BasicBlock *, 16> Controlling;
      Calculator.calculate(Controlling);
      At->second = any_of(Controlling, [&](const BasicBlock *BB) {
        return any_of(BB->getTerminator()->operands(), [&](const Use &U) { return dependsOnData(U.get(), Flow); });
      });
    }
    if (At->second) {
      setMark(*I, ControlledByDataMetadata);
      Changed = true;
    }
  }
  return Changed;
}

std::unique_ptr<DataFlow> Tainter::run() {
  // What runs before the operator is kept for what it leaves behind, and tells of nothing.
  const DenseSet<const Function *> Before = onlyBeforeOperator(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const Value *At = Before.contains(&F) ? nullptr : writtenAt(I); At && isOwn(At, Memory)) {
        setMark(I, TaintsMetadata);
        Writers.push_back(&I);
      }
  bool Asked = false;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    auto Flow = std::make_unique<DataFlow>(M, Root, Memory, Accesses);
    New.clear();
    if (place(*Flow))
      continue;
    bool Changed = false;
    {
      Slice S(M, Memory, Accesses, *Flow, Slice::CutData);
      S.separateArguments(M);
      for (const Instruction *Decision : S.decisions())
        Changed |= ask(Flow->path(Decision));
      Asked |= Changed;
    }
    if (Changed || (Asked && findControlled(*Flow)))
      continue;
    if (!Asked)
      break;
    // What no question meets needs no answer.
    for (Instruction *I : Writers)
      setMark(*I, TaintsMetadata, Flow->tainting().contains(I));
    return Flow;
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      for (StringRef Kind : {TaintsMetadata, AsksMetadata, ControlledByDataMetadata})
        setMark(I, Kind, false);
  return nullptr;
}

bool taintWrites(Module &M, Function &Root, const PointsTo &Memory, FunctionAnalysisManager &FAM) {
  if (startsThreads(M))
    return false;
  Tainter Tainting(M, Root, Memory);
  const std::unique_ptr<DataFlow> Flow = Tainting.run();
  if (Flow)
    taintRanges(M, FAM, [&](const Value *V) { return dependsOnData(V, *Flow); });
  return Flow != nullptr;
}

void askForTaint(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && asksForTaint(*Load)) {
        IRBuilder<> B(Load);
        const uint64_t Bytes = M.getDataLayout().getTypeStoreSize(Load->getType()).getFixedValue();
        B.CreateCall(runnerFunction(M, RunnerCall::Untainted), {Load->getPointerOperand(), B.getInt64(Bytes)});
      }
}

} // namespace memshape
