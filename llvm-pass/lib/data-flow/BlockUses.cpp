// What is done with blocks, and until when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/BlockUses.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Every pair of allocations is looked at, and may be told.
static constexpr size_t MostAllocations = 128;

AllocatingPlace allocatingPlace(const CallBase &Allocation) {
  return {Allocation.getDebugLoc().get(), Allocation.getMetadata(AllocatorMetadata)};
}

static const CallBase *asAllocation(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
  return Which == RunnerCall::Alloc || Which == RunnerCall::Realloc ? Call : nullptr;
}

/// Allocations from which control may come to one of Ends without passing Made; null: all of them.
static SmallPtrSet<const CallBase *, 8> allocationsBefore(ArrayRef<const Instruction *> Ends, const CallBase *Made) {
  SmallPtrSet<const CallBase *, 8> Found;
  SmallPtrSet<const Instruction *, 16> Known(Ends.begin(), Ends.end());
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work;
  const auto Walk = [&](const BasicBlock &BB, const Instruction *From) {
    for (const Instruction *I = From; I; I = I->getPrevNode()) {
      if (I == Made || (I != From && Known.contains(I)))
        return;
      if (const CallBase *Call = asAllocation(*I))
        Found.insert(Call);
    }
    Work.append(pred_begin(&BB), pred_end(&BB));
  };
  for (const Instruction *End : Ends)
    if (const Instruction *Before = End->getPrevNode())
      Walk(*End->getParent(), Before);
    else
      Work.append(pred_begin(End->getParent()), pred_end(End->getParent()));
  while (!Work.empty())
    if (const BasicBlock *BB = Work.pop_back_val(); Seen.insert(BB).second)
      Walk(*BB, &BB->back());
  return Found;
}

/// Allocations that control may come to from Made.
static SmallPtrSet<const CallBase *, 8> allocationsBehind(const CallBase &Made) {
  SmallPtrSet<const CallBase *, 8> Found;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work(succ_begin(Made.getParent()), succ_end(Made.getParent()));
  for (const Instruction *I = Made.getNextNode(); I; I = I->getNextNode())
    if (const CallBase *Call = asAllocation(*I))
      Found.insert(Call);
  while (!Work.empty())
    if (const BasicBlock *BB = Work.pop_back_val(); Seen.insert(BB).second) {
      for (const Instruction &I : *BB)
        if (const CallBase *Call = asAllocation(I))
          Found.insert(Call);
      Work.append(succ_begin(BB), succ_end(BB));
    }
  return Found;
}

static std::string nameOf(const Type &T) {
  const Type *Scalar = T.getScalarType();
  return Scalar->isDoubleTy()    ? "double"
         : Scalar->isFloatTy()   ? "float"
         : Scalar->isIntegerTy() ? "i" + std::to_string(Scalar->getIntegerBitWidth())
                                 : "other";
}

namespace {

struct Uses {
  SmallVector<const Instruction *, 8> All;
  MapVector<const CallBase *, SmallVector<const Instruction *, 2>> Copies; ///< by whose block they go to
  bool IsKnown = true;
};

} // namespace

/// What is in some blocks of From is written to some of To, as it is.
static void addCopies(const Instruction &From, const Instruction &To, const ModRefIndex &Accesses,
                      const DenseMap<unsigned, const CallBase *> &Blocks, BlockUses &Found) {
  const auto ForBlocks = [&](const Instruction &I, bool ModRef::*Kind, auto Do) {
    for (const ModRef &Access : Accesses.of(&I))
      for (unsigned Id : Accesses.objectsOf(Access))
        if (const auto At = Blocks.find(Id); Access.*Kind && At != Blocks.end())
          Do(allocatingPlace(*At->second));
  };
  ForBlocks(From, &ModRef::Reads, [&](AllocatingPlace Source) {
    ForBlocks(To, &ModRef::Writes, [&](AllocatingPlace Target) { Found[Source].CopiedTo.insert(Target); });
  });
}

/// The allocation whose block alone I writes as a copy.
static const CallBase *copiedTo(const Instruction &I, const PointsTo &Memory) {
  const auto *Copy = dyn_cast<MemTransferInst>(&I);
  const CallBase *To = nullptr;
  if (Copy)
    for (Place Target : Memory.targets(Copy->getRawDest())) {
      const auto &Object = Memory.object(Target.Object);
      const auto *Origin = dyn_cast_or_null<CallBase>(Object.Origin);
      if (Object.Kind != PointsTo::ObjectKind::Heap || !Origin || (To && To != Origin))
        return nullptr;
      To = Origin;
    }
  return To;
}

/// Which allocations find the block of Made in use.
static void tellWhen(const CallBase &Made, const Uses &Of, BlockUse &Out) {
  const auto Behind = allocationsBehind(Made);
  for (const CallBase *Call : Behind)
    Out.Behind.insert(allocatingPlace(*Call));
  // In a loop, a block that was made before the last one may still be in use.
  const CallBase *Since = Behind.contains(&Made) ? nullptr : &Made;
  for (const CallBase *Call : allocationsBefore(Of.All, Since))
    Out.Used.insert(allocatingPlace(*Call));
  for (const Instruction *I : Of.All)
    if (const CallBase *Call = asAllocation(*I))
      Out.Used.insert(allocatingPlace(*Call));
  for (const auto &[To, Copies] : Of.Copies)
    for (const CallBase *Call : allocationsBefore(Copies, Since))
      (Call == To ? Out.Copied : Out.Used).insert(allocatingPlace(*Call));
}

BlockUses findBlockUses(Module &M, Function &Root, const PointsTo &Memory, const ModRefIndex &Accesses) {
  BlockUses Found;
  DenseMap<unsigned, const CallBase *> Blocks;
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (const auto *Origin = dyn_cast_or_null<CallBase>(Memory.object(Id).Origin);
        Origin && Memory.object(Id).Kind == PointsTo::ObjectKind::Heap && asAllocation(*Origin))
      Blocks[Id] = Origin;
  if (Blocks.size() > MostAllocations)
    return Found;
  SmallVector<unsigned, 8> Escaping;
  for (const auto &[Id, Made] : Blocks)
    if (Memory.object(Id).Escapes)
      Escaping.push_back(Id);
  const bool CallsItself = any_of(Root.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    return Call && (Call->getFunction() == &Root || !Call->getFunction()->use_empty());
  });
  DenseMap<const CallBase *, Uses> ByBlock;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && runnerCall(*Call) != RunnerCall::None) {
        if (runnerCall(*Call) == RunnerCall::Realloc) // what is in the block goes on
          for (Place Target : Memory.targets(Call->getArgOperand(0)))
            for (const auto &[Id, Made] : Blocks)
              if (Target.Object == Id || (Target.Object == 0 && is_contained(Escaping, Id))) {
                ByBlock[Made].All.push_back(&I);
                ByBlock[Made].IsKnown &= &F == &Root;
              }
        continue;
      }
      if (isa<MemTransferInst>(I))
        addCopies(I, I, Accesses, Blocks, Found);
      else if (const auto *Store = dyn_cast<StoreInst>(&I))
        if (const auto *Load = dyn_cast<LoadInst>(Store->getValueOperand()))
          addCopies(*Load, *Store, Accesses, Blocks, Found);
      const auto Use = [&](const ModRef &Access, unsigned Id) {
        const auto At = Blocks.find(Id);
        if (At == Blocks.end())
          return;
        Uses &Of = ByBlock[At->second];
        Of.IsKnown &= &F == &Root;
        const CallBase *To = Access.Writes ? nullptr : copiedTo(I, Memory);
        if (To && To != At->second)
          Of.Copies[To].push_back(&I);
        else
          Of.All.push_back(&I);
        if (const auto *Store = dyn_cast<StoreInst>(&I)) {
          BlockUse &Written = Found[allocatingPlace(*At->second)];
          const std::string Name = nameOf(*Store->getValueOperand()->getType());
          Written.IsMixed |= !Written.Elements.empty() && Written.Elements != Name;
          Written.Elements = Name;
        }
      };
      for (const ModRef &Access : Accesses.of(&I))
        for (unsigned Id : Accesses.objectsOf(Access)) {
          Use(Access, Id);
          for (unsigned Other : Escaping)
            if (Id == 0)
              Use(Access, Other);
        }
    }
  for (const auto &[Id, Made] : Blocks) {
    BlockUse &Out = Found[allocatingPlace(*Made)];
    const Uses &Of = ByBlock[Made];
    Out.IsKnown &= Of.IsKnown && !CallsItself && Made->getFunction() == &Root && Made->getDebugLoc();
    if (!Out.IsKnown)
      continue;
    tellWhen(*Made, Of, Out);
  }
  return Found;
}

} // namespace memshape
