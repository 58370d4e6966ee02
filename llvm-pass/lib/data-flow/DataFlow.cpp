// Which values are undetermined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/DataFlow.h"
#include "data-flow/Determined.h"
#include "data-flow/TaintMarks.h"
#include "libraries/Summaries.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// It is asked for what is no fact of the machine.
static bool asksOfProcess(const CallBase &Call, const Summary &S) {
  if (S.Facts.empty() || Call.arg_empty())
    return false;
  const auto *Asked = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return !Asked || !is_contained(S.Facts, Asked->getSExtValue());
}

/// What a call of a function without a body gives: data, unless it is executed for real.
static bool resultIsData(const CallBase &Call, const PointsTo &Memory) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || runnerCall(Call) != RunnerCall::None)
    return false;
  Summary S = Memory.summaryFor(Call);
  return S.How == Treatment::Unknown || S.How == Treatment::Forbidden || S.How == Treatment::Skip ||
         asksOfProcess(Call, S) || (S.ResultIsData && !Call.getType()->isPointerTy());
}

/// Executed with whatever it is given, and its allocations do not follow from data.
static bool onlyHeadersMatter(const CallBase &Call, const PointsTo &Memory) {
  return runnerCall(Call) == RunnerCall::None && Memory.summaryFor(Call).OnlyHeadersMatter;
}

/// I leaves an address in memory.
static bool leavesAddress(const Instruction &I, const PointsTo &Memory) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return carriesPointers(Store->getValueOperand()->getType()) && !Memory.targets(Store->getValueOperand()).empty();
  const auto *Copy = dyn_cast<MemTransferInst>(&I);
  return Copy && Memory.holdAddress(Copy->getRawSource(), 0, nullptr);
}

/// I reads a number from memory where an address may lie, under a type that it may be read as: a part of it, which tells
/// where memory lies. Numbers that are as long are followed: see Determined.
static bool mayReadPartOfAddress(const Instruction &I, const PointsTo &Memory) {
  const Type *T = I.getType();
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && T->isSingleValueType() && !T->isPtrOrPtrVectorTy() && !carriesPointers(T) &&
         Memory.holdAddress(Load->getPointerOperand(),
                            I.getDataLayout().getTypeStoreSize(I.getType()).getKnownMinValue(), accessType(I));
}

/// Call looks at the bytes that it is given, as memcmp does, and gives a number: where they are those of an address, one
/// that tells where memory lies. Where the length is not known, an address stands at the beginning, if anywhere: a text
/// may lie in front of one.
static bool looksAtAddress(const CallBase &Call, const ModRef &Read, const PointsTo &Memory) {
  if (isa<IntrinsicInst>(Call) || runnerCall(Call) != RunnerCall::None || Read.Reaches)
    return false;
  const bool OnlyLooks = Call.onlyReadsMemory() && (Call.onlyAccessesArgMemory() || Call.getType()->isIntegerTy());
  const Summary S = Memory.summaryFor(Call);
  const bool Searches = S.How == Treatment::Inspect && (S.PlaceBehind >= 0 || Call.getType()->isIntegerTy());
  if (!OnlyLooks && !Searches)
    return false;
  const int64_t Whole = Call.getDataLayout().getPointerSize(); // in smaller steps it may come to any byte
  return all_of(Memory.targets(Read.Pointer), [&](Place T) { return T.isFixed() || T.Stride >= Whole; }) &&
         Memory.holdAddress(Read.Pointer, std::max<uint64_t>(Read.Bytes, 1), nullptr);
}

/// A function of strings to which characters are all alike.
static bool takesAnyCharacters(const CallBase &Call, const PointsTo &Memory) {
  const std::optional<BufferHolder> Holder = Memory.summaryFor(Call).Holder;
  return Holder && !Holder->ContentsDecide;
}

/// Something is written as part of another object that what the caller has lent may lie in. A variable's own name leads
/// to no other one.
static bool mayBeWrittenAsAnother(const ModRef &Read, unsigned Lent, ModRefIndex &Accesses) {
  bool Found = false;
  Accesses.forWritersOf(Read, [&](const ModRef &Write) {
    Found |= !isa<AllocaInst>(getUnderlyingObject(Write.Pointer)) && !is_contained(Accesses.objectsOf(Write), Lent);
  });
  return Found;
}

DataFlow::DataFlow(Module &M, const Function &Root, const PointsTo &P, ModRefIndex &T) : Memory(&P), Accesses(&T) {
  const Determined Known(M, Root, P);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        for (Function *Callee : Memory->callees(*Call, Complete))
          Callers[Callee].push_back(Call);
      }
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (!Known.follows(I)) {
        mark(&I, nullptr);
        if (isa<StoreInst>(I))
          markWrites(I, accessType(I), nullptr);
      }
      if (isa<VAStartInst>(I) && &F == &Root) // whoever calls the operator hands over what he likes
        markWrites(I, nullptr, nullptr);
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        Memory->callees(*Call, Complete);
        if (!Complete && resultIsData(*Call, *Memory))
          mark(Call, nullptr);
        if (Call->hasFnAttr(DataTold)) {
          mark(Call, nullptr);
          markWrites(I, nullptr, nullptr);
        }
      }
      const bool IsOfProgram = Known.isInProgramsFile(I); // a library knows what its containers hold
      if (IsOfProgram && mayReadPartOfAddress(I, *Memory))
        readsAddress(I);
      for (const ModRef &Access : Accesses->of(&I)) {
        if (Access.WritesData || (Access.Writes && isControlledByData(I)))
          markWrites(I, nullptr, nullptr);
        if (Access.Reads)
          for (unsigned Id : Accesses->objectsOf(Access)) {
            const PointsTo::Object &O = Memory->object(Id);
            const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
            bool OutOfNowhere = !Access.Reaches && Memory->targets(Access.Pointer).empty();
            if ((O.IsData && !saysClass(O, Access.Type)) || (G && !G->hasInitializer() && !isProcessVariable(*G)) ||
                OutOfNowhere || (O.IsLent && mayBeWrittenAsAnother(Access, Id, *Accesses)))
              readsData(Access, nullptr, nullptr);
          }
        if (const auto *Call = dyn_cast<CallBase>(&I);
            Call && Access.Reads && IsOfProgram && looksAtAddress(*Call, Access, *Memory))
          mark(Call, nullptr);
      }
    }
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users())
      if (const auto *I = dyn_cast<Instruction>(U))
        visitUser(V, *I);
  }
}

/// Who reads a number that lies beside addresses may ask whether it is one.
void DataFlow::readsAddress(const Instruction &Load) {
  const auto Asked = [&](const ModRef &Write) {
    if (!leavesAddress(*Write.By, *Memory))
      return;
    if (taints(*Write.By) && asksForTaint(Load))
      Tainting.insert(Write.By);
    else
      mark(&Load, nullptr);
  };
  for (const ModRef &Access : Accesses->of(&Load)) {
    Accesses->forWritersOf(Access, Asked);
    for (const unsigned Id : Accesses->objectsOf(Access)) // from the beginning
      if (Memory->object(Id).Kind == PointsTo::ObjectKind::Global)
        mark(&Load, nullptr);
  }
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
    if (isa<LoadInst>(Reader))
      return Data.contains(Reader);
    auto At = DataWriters.find(Reader);
    return At != DataWriters.end() && At->second.areAny();
  };
  const auto Reads = [&](const ModRef &Read) {
    if (!taints(I) || !asksForTaint(*Read.By))
      readsData(Read, As, &I);
    else if (mayBeOne(Read.Type, As))
      Tainting.insert(&I);
  };
  for (const ModRef &Access : Accesses->of(&I))
    if (Access.Writes &&
        (Access.WritesData || Access.Part == ModRef::All || Access.isOfBuffers() || Access.isOfAnyCharacters()))
      Accesses->forReadersOf(Access, Known, Reads, &Readers);
}

/// Among the characters that I, of a function to which they are all alike, writes is data: not in what it writes beside.
void DataFlow::markCharacters(const Instruction &I, const Value *Cause) {
  if (!CharacterWriters.insert(&I).second || DataWriters.contains(&I))
    return;
  Causes.try_emplace(&I, Cause);
  for (const ModRef &Access : Accesses->of(&I))
    if (Access.Writes && Access.Part == ModRef::AnyBuffer)
      Accesses->forReadersOf(
          Access, [](const Instruction *) { return false; }, [&](const ModRef &Read) { readsData(Read, nullptr, &I); });
}

bool mayBeCapacity(const Instruction &Writer) {
  const auto *Store = dyn_cast<StoreInst>(&Writer);
  return Store && !Store->getValueOperand()->getType()->getScalarType()->isIntegerTy(8);
}

void DataFlow::readsData(const ModRef &Read, AccessType As, const Instruction *Writer) {
  if (Read.isOfAnyCharacters() && !(Writer && mayBeCapacity(*Writer)))
    markCharacters(*Read.By, Writer);
  else
    readsData(*Read.By, As, Writer);
}

/// Reader sees data in memory that was written under type As.
void DataFlow::readsData(const Instruction &Reader, AccessType As, const Value *Cause) {
  if (isa<LoadInst>(Reader)) {
    if (mayBeOne(accessType(Reader), As))
      mark(&Reader, Cause);
  } else if (const auto *Copy = dyn_cast<MemTransferInst>(&Reader)) {
    markWrites(Reader, Memory->typeAfter(As, *Copy), Cause);
  } else if (const auto *Call = dyn_cast<CallBase>(&Reader); !Call || !onlyHeadersMatter(*Call, *Memory)) {
    mark(&Reader, Cause);
    markWrites(Reader, nullptr, Cause);
  }
}

SmallVector<const Value *, 8> DataFlow::path(const Value *V) const {
  SmallVector<const Value *, 8> Path;
  const unsigned LongPath = 256;
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
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(User))
    markWrites(User, nullptr, V);
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
    if (!Complete && V->getType()->isIntegerTy(8) && takesAnyCharacters(*Call, *Memory)) {
      markCharacters(*Call, V);
    } else if (!Complete && !onlyHeadersMatter(*Call, *Memory)) {
      mark(Call, V);
      markWrites(*Call, nullptr, V);
    }
    return;
  }
  if (!User.isTerminator())
    mark(&User, V);
}

} // namespace memshape
