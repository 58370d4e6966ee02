//===- DataFlow.cpp - Which values come from the contents of tensors ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataFlow.h"
#include "RunnerCalls.h"
#include "Summaries.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// What a call of a function without a body gives: data, unless it is executed for real.
static bool resultIsData(const CallBase &Call, const PointsTo &Memory) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || runnerCall(Call) != RunnerCall::None)
    return false;
  Summary S = Memory.summaryFor(Call);
  return S.How == Treatment::Unknown || S.How == Treatment::Forbidden || S.How == Treatment::Skip ||
         (S.ResultIsData && !Call.getType()->isPointerTy());
}

/// Executed with whatever it is given, and its allocations do not follow from data.
static bool onlyHeadersMatter(const CallBase &Call, const PointsTo &Memory) {
  return runnerCall(Call) == RunnerCall::None && Memory.summaryFor(Call).OnlyHeadersMatter;
}

DataFlow::DataFlow(Module &M, const Function &Root, const PointsTo &P, Touches &T) : Memory(&P), Accesses(&T) {
  if (const DISubprogram *SP = Root.getSubprogram())
    OperatorFile = SP->getFilename();
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        for (Function *Callee : Memory->callees(*Call, Complete))
          Callers[Callee].push_back(Call);
      }
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (const auto *Compare = dyn_cast<CmpInst>(&I); Compare && comparesTensors(*Compare))
        mark(Compare, nullptr);
      if (looksAtAddress(I))
        mark(&I, nullptr);
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        Memory->callees(*Call, Complete);
        if (!Complete && resultIsData(*Call, *Memory))
          mark(Call, nullptr);
      }
      for (const Touch &Access : Accesses->of(&I)) {
        if (Access.WritesData)
          markWrites(I, nullptr, nullptr);
        if (Access.Reads)
          for (unsigned Id : Accesses->objectsOf(Access)) {
            const PointsTo::Object &O = Memory->object(Id);
            const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
            bool OutOfNowhere = !Access.Reaches && Memory->targets(Access.Pointer).empty();
            if (O.IsData || (G && !G->hasInitializer() && !isProcessVariable(*G)) || OutOfNowhere)
              readsData(I, nullptr, nullptr);
          }
      }
    }
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users())
      if (const auto *I = dyn_cast<Instruction>(U))
        visitUser(V, *I);
  }
}

/// The tensor arguments that V may point to.
static SmallVector<unsigned, 2> tensorsIn(const Value *V, const PointsTo &Memory) {
  SmallVector<unsigned, 2> Tensors;
  for (Place T : Memory.targets(V))
    if (Memory.object(T.Object).Kind == PointsTo::ObjectKind::Tensor && !is_contained(Tensors, T.Object))
      Tensors.push_back(T.Object);
  return Tensors;
}

/// Whether the caller passes null, or one block for two tensors, is the caller's secret. Only where the operator's own
/// source asks: there it has an optional tensor, or works in place. A library asks the like of every pointer that it is
/// given; for it, tensors are there and apart.
bool DataFlow::comparesTensors(const CmpInst &Compare) const {
  const DILocation *Where = Compare.getDebugLoc().get();
  if (!Where || Where->getFilename() != OperatorFile)
    return false;
  SmallVector<unsigned, 2> Left = tensorsIn(Compare.getOperand(0), *Memory);
  SmallVector<unsigned, 2> Right = tensorsIn(Compare.getOperand(1), *Memory);
  if (!Left.empty() && !Right.empty())
    return Left.size() > 1 || Left != Right;
  const auto *Other = dyn_cast<Constant>(Compare.getOperand(Left.empty() ? 0 : 1));
  return Left.empty() != Right.empty() && Other && Other->isNullValue();
}

/// The pointer whose address V is computed from by steps that keep its low bits in sight; null if there is none.
static const Value *addressIn(const Value *V) {
  const unsigned Far = 6;
  for (unsigned Step = 0; Step != Far; ++Step) {
    if (const auto *Address = dyn_cast<PtrToIntInst>(V))
      return Address->getPointerOperand();
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !(isa<TruncInst>(I) || isa<ZExtInst>(I) || I->getOpcode() == Instruction::Add ||
                I->getOpcode() == Instruction::Sub || I->getOpcode() == Instruction::Xor))
      return nullptr;
    V = isa<Constant>(I->getOperand(0)) ? I->getOperand(1) : I->getOperand(0);
    if (I->getNumOperands() == 2 && !isa<Constant>(I->getOperand(0)) && !isa<Constant>(I->getOperand(1)))
      return nullptr;
  }
  return nullptr;
}

/// What every address of the object is a multiple of.
static uint64_t alignmentOf(const PointsTo::Object &O) {
  const uint64_t OfMalloc = 16;
  if (O.Kind == PointsTo::ObjectKind::Heap)
    return OfMalloc;
  if (const auto *Variable = dyn_cast_or_null<AllocaInst>(O.Origin))
    return Variable->getAlign().value();
  return 1;
}

/// The low bits of an address are chance, but for those that alignment gives; so is whether a realloc moves its block.
bool DataFlow::looksAtAddress(const Instruction &I) const {
  unsigned Op = I.getOpcode();
  if (Op == Instruction::ICmp) {
    auto Moved = [&](unsigned New, unsigned Old) {
      const auto *Call = dyn_cast<CallBase>(I.getOperand(New));
      return Call && runnerCall(*Call) == RunnerCall::Realloc && Call->getArgOperand(0) == I.getOperand(Old);
    };
    return Moved(0, 1) || Moved(1, 0);
  }
  if (Op != Instruction::And && Op != Instruction::URem && Op != Instruction::SRem)
    return false;
  const Value *Pointer = addressIn(I.getOperand(0));
  if (!Pointer)
    return false;
  const auto *Mask = dyn_cast<ConstantInt>(I.getOperand(1));
  if (Mask && Op == Instruction::And && Mask->isNegative())
    return false; // rounds the address down
  uint64_t Modulus = !Mask ? UINT64_MAX : Mask->getZExtValue() + (Op == Instruction::And);
  return any_of(Memory->targets(Pointer), [&](Place T) { return alignmentOf(Memory->object(T.Object)) < Modulus; });
}

void DataFlow::mark(const Value *V, const Value *Cause) {
  if (V->getType()->isVoidTy())
    return;
  if (V->getType()->isIntOrIntVectorTy(1)) {
    if (const auto *I = dyn_cast<Instruction>(V)) {
      if (Verdicts.insert(I).second)
        Causes[V] = Cause;
      return;
    }
  }
  if (Data.insert(V).second) {
    Causes[V] = Cause;
    Work.push_back(V);
  }
}

/// What I writes is data from now on, written under type As: every read that can see it is too.
void DataFlow::markWrites(const Instruction &I, AccessType As, const Value *Cause) {
  if (!DataWriters[&I].add(As))
    return;
  Causes.try_emplace(&I, Cause);
  auto Known = [&](const Instruction *Reader) {
    auto At = DataWriters.find(Reader);
    return isa<LoadInst>(Reader) ? Data.contains(Reader) : At != DataWriters.end() && At->second.areAny();
  };
  for (const Touch &Access : Accesses->of(&I))
    if (Access.Writes && (Access.WritesData || Access.Part == Touch::All || Access.Part == Touch::Buffer))
      Accesses->forReadersOf(Access, Known, [&](const Touch &Read) { readsData(*Read.By, As, &I); });
}

/// Reader sees data in memory that was written under type As.
void DataFlow::readsData(const Instruction &Reader, AccessType As, const Value *Cause) {
  if (isa<LoadInst>(Reader)) {
    if (mayBeOne(accessType(Reader), As))
      mark(&Reader, Cause);
  } else if (const auto *Copy = dyn_cast<MemTransferInst>(&Reader)) {
    markWrites(Reader, afterCopy(As, *Copy), Cause);
  } else if (const auto *Call = dyn_cast<CallBase>(&Reader); !Call || !onlyHeadersMatter(*Call, *Memory)) {
    mark(&Reader, Cause);
    markWrites(Reader, nullptr, Cause);
  }
}

SmallVector<const Value *, 8> DataFlow::path(const Value *V) const {
  SmallVector<const Value *, 8> Path;
  const unsigned LongPath = 32;
  while (V && Path.size() != LongPath) {
    Path.push_back(V);
    V = Causes.lookup(V);
  }
  return Path;
}

void DataFlow::visitUser(const Value *V, const Instruction &User) {
  if (isa<CmpInst>(User)) {
    if (Verdicts.insert(&User).second)
      Causes[&User] = V;
    return;
  }
  if (const auto *Store = dyn_cast<StoreInst>(&User)) {
    markWrites(*Store, accessType(*Store), V);
    return;
  }
  if (const auto *Return = dyn_cast<ReturnInst>(&User)) {
    for (const CallBase *Caller : Callers[Return->getFunction()])
      mark(Caller, V);
    return;
  }
  if (const auto *Call = dyn_cast<CallBase>(&User)) {
    if (runnerCall(*Call) != RunnerCall::None)
      return; // sizes and blocks: the slice looks at them
    if (isa<MemIntrinsic>(Call)) {
      markWrites(*Call, nullptr, V);
      return;
    }
    bool Complete;
    for (Function *Callee : Memory->callees(*Call, Complete)) {
      for (Argument &A : Callee->args())
        if (Call->getArgOperand(A.getArgNo()) == V)
          mark(&A, V);
      if (is_contained(drop_begin(Call->args(), Callee->arg_size()), V))
        for (const Instruction &I : instructions(*Callee))
          if (const auto *Start = dyn_cast<VAStartInst>(&I))
            markWrites(*Start, nullptr, V);
    }
    if (!Complete && !onlyHeadersMatter(*Call, *Memory)) {
      mark(Call, V);
      markWrites(*Call, nullptr, V);
    }
    return;
  }
  if (!User.isTerminator())
    mark(&User, V);
}

} // namespace memshape
