// What allocations depend on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice/Slice.h"
#include "data-flow/TaintMarks.h"
#include "extract/Constructors.h"
#include "memory/InlineAssembly.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

bool isUnknownCall(const CallBase &Call, const PointsTo &Memory) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || runnerCall(Call) != RunnerCall::None)
    return false;
  bool Complete;
  Memory.callees(Call, Complete);
  if (Complete)
    return false;
  Summary S = Memory.summaryFor(Call);
  bool Confined = S.How == Treatment::Skip || S.How == Treatment::Compute || S.Holder || S.LinkBytes;
  return S.How == Treatment::Unknown || S.How == Treatment::Forbidden || (!Confined && Memory.mayCallBack(Call, S));
}

bool isExecuted(const CallBase &Call, const PointsTo &Memory) {
  if (const RunnerCall Which = runnerCall(Call); Which != RunnerCall::None)
    return is_contained({RunnerCall::Alloc, RunnerCall::Realloc, RunnerCall::Free, RunnerCall::Leave,
                         RunnerCall::Region, RunnerCall::RegionEnd, RunnerCall::Serial, RunnerCall::Building,
                         RunnerCall::Result, RunnerCall::Taint},
                        Which);
  if (tellsAddress(Call))
    return true; // else later stages would know what is equal to it
  Treatment How = isa<IntrinsicInst>(Call) || Call.isInlineAsm() ? Treatment::Unknown : Memory.summaryFor(Call).How;
  return How == Treatment::Perform || How == Treatment::Repeat;
}

/// Whoever asks what threads tell each other has to find it.
static bool takesLock(const CallBase &Call, const PointsTo &Memory) {
  return runnerCall(Call) == RunnerCall::None && !isa<IntrinsicInst>(Call) && !Call.isInlineAsm() &&
         Memory.summaryFor(Call).Locks;
}

Slice::Slice(Module &M, const PointsTo &P, ModRefIndex &T, const DataFlow &D, Mode Wanted, ArrayRef<CallBase *> Only,
             const BuildsArguments *Built)
    : Memory(P), Accesses(T), Flow(D), How(Wanted), Built(Built) {
  const DenseSet<const Function *> Before = onlyBeforeOperator(M);
  SmallVector<CallBase *, 8> Locks;
  bool StartsThreads = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        for (Function *Callee : Memory.callees(*Call, Complete))
          Callers[Callee].push_back(Call);
        if (runnerCall(*Call) == RunnerCall::Touch) {
          Marks.push_back(Call);
          continue;
        }
        if (runnerCall(*Call) == RunnerCall::MayEnd) {
          Ends.push_back(Call);
          continue;
        }
        if (Before.contains(&F))
          continue; // not the operator's: kept for what it leaves behind
        if (isUnknownCall(*Call, Memory)) {
          if (How == CutData)
            Unknowns.push_back(Call);
          Roots.push_back(Call);
        } else if (ordersThreads(runnerCall(*Call))) {
          ThreadOrder[&F].push_back(Call);
          // For which the C library requests a vector, or that of OpenMP a pool of tasks.
          if (runnerCall(*Call) == RunnerCall::Spawn)
            Roots.push_back(Call);
          StartsThreads |= marksThread(*Call, RunnerCall::Spawn);
        } else if (runnerCall(*Call) == RunnerCall::Check) {
          Checks.push_back(Call);
        } else if (isExecuted(*Call, Memory) || (How == FollowData && runnerCall(*Call) == RunnerCall::Data)) {
          Roots.push_back(Call);
        } else if (How == FollowData && takesLock(*Call, Memory)) {
          Locks.push_back(Call);
        }
      }
  if (StartsThreads)
    Roots.append(Locks);
  for (CallBase *Call : Only.empty() ? ArrayRef(Roots) : Only)
    markExecuted(Call);
  if (!Only.empty()) {
    followAll();
    return;
  }
  do
    followAll();
  while (keepChecks());
  keepEnds(M);
  if (How == FollowData)
    followMarks();
  else
    keepMarks();
}

bool Slice::mayFree(const CallBase &Call) const {
  return any_of(seq(Memory.objectCount()), [&](unsigned Id) {
    const PointsTo::Object &O = Memory.object(Id);
    const auto *Origin = dyn_cast_or_null<CallBase>(O.Origin);
    return O.Kind == PointsTo::ObjectKind::Heap && O.Escapes && Origin && !(Arguments && Arguments->contains(*Origin));
  });
}

void Slice::separateArguments(Module &M) {
  const auto *Mark = find_if(Roots, [](const CallBase *Call) { return runnerCall(*Call) == RunnerCall::Building; });
  if (Mark == Roots.end())
    return;
  Arguments = std::make_unique<BuildsArguments>(*(*Mark)->getFunction());
  SmallVector<CallBase *, 32> OfOperator;
  copy_if(Roots, std::back_inserter(OfOperator), [&](const CallBase *Call) { return !Arguments->contains(*Call); });
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Check = dyn_cast<CallBase>(&I);
          Check && runnerCall(*Check) == RunnerCall::Check && isLive(Check) && !Arguments->contains(*Check))
        OfOperator.push_back(Check);
  Own = std::make_unique<Slice>(M, Memory, Accesses, Flow, How, OfOperator, Arguments.get());
  Decisions.remove_if([&](Instruction *I) {
    const auto *Call = dyn_cast<CallBase>(I);
    if (!Arguments->contains(*I) || Own->Decisions.contains(I) || (Call && executes(*Call)))
      return false;
    OfArguments.push_back(I);
    return true;
  });
}

void Slice::followAll() {
  while (!Work.empty()) {
    while (!Work.empty()) {
      Instruction *I = Work.pop_back_val();
      visit(*I);
    }
    followControl();
  }
}

void Slice::markExecuted(CallBase *Call) {
  if (Live.insert(Call).second)
    Work.push_back(Call);
}

void Slice::markLive(const Value *V) {
  if (const auto *I = dyn_cast<Instruction>(V)) {
    bool New = Live.insert(I).second;
    if (const auto *Call = dyn_cast<CallBase>(I))
      New |= NeededResults.insert(Call).second;
    if (New)
      Work.push_back(const_cast<Instruction *>(I));
    return;
  }
  const auto *A = dyn_cast<Argument>(V);
  if (!A || !LiveArguments.insert(A).second)
    return;
  for (CallBase *Caller : Callers[A->getParent()])
    if (A->getArgNo() < Caller->arg_size())
      markLive(Caller->getArgOperand(A->getArgNo()));
}

void Slice::markFunction(Function &F) {
  if (!LiveFunctions.insert(&F).second)
    return;
  Controls[&F] = std::make_unique<Control>(F);
  for (CallBase *Caller : Callers[&F])
    markExecuted(Caller);
  for (CallBase *Call : ThreadOrder.lookup(&F))
    markExecuted(Call);
}

void Slice::markBlock(const BasicBlock *BB) {
  auto *Block = const_cast<BasicBlock *>(BB);
  Control &C = *Controls[Block->getParent()];
  if (C.Running.insert(Block).second)
    C.New.insert(Block);
}

bool Slice::cut(Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I); Call && isExecuted(*Call, Memory)) {
    // It runs for real; what it says about data is decided none the less.
    bool IsAsked = Flow.isVerdict(&I) || (Flow.isData(&I) && Memory.summaryFor(*Call).ResultIsData);
    if (IsAsked && NeededResults.contains(Call))
      Decisions.insert(&I);
    return false;
  }
  if (Flow.isVerdict(&I)) {
    Decisions.insert(&I);
    return true;
  }
  if (!Flow.isData(&I) || I.getType()->isPtrOrPtrVectorTy())
    return false;
  // Integer arithmetic is followed down to where data enters it, so that 4*k has the symbol k.
  if (I.getType()->isIntOrIntVectorTy() && !Flow.isSource(&I) &&
      (isa<BinaryOperator>(I) || isa<TruncInst>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I) || isa<FreezeInst>(I) ||
       isa<ExtractElementInst>(I) || isa<InsertElementInst>(I) || isa<ShuffleVectorInst>(I)))
    return false;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    bool Complete;
    Memory.callees(*Call, Complete);
    if (Complete && !isa<IntrinsicInst>(Call))
      return false; // its return value is followed inside
  }
  Decisions.insert(&I);
  return true;
}

void Slice::visit(Instruction &I) {
  markFunction(*I.getFunction());
  markBlock(I.getParent());
  if (const auto *Call = dyn_cast<CallBase>(&I);
      Call && How == CutData && !NeededResults.contains(Call) && isUnknownCall(*Call, Memory))
    return; // a mark, and nobody asks what it says
  if (cut(I))
    return;
  if (isa<VAStartInst>(I) && LiveLists.insert(I.getFunction()).second)
    for (CallBase *Caller : Callers[I.getFunction()])
      if (Live.contains(Caller))
        Work.push_back(Caller);
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (How == CutData && isUnknownCall(*Call, Memory))
      return; // becomes a mark; where its result matters it is data, and cut
    if (!Call->getCalledFunction())
      markLive(Call->getCalledOperand());
    bool Complete;
    SmallVector<Function *, 2> Callees = Memory.callees(*Call, Complete);
    for (Function *Callee : Callees)
      if (NeededResults.contains(Call) && LiveReturns.insert(Callee).second)
        for (BasicBlock &BB : *Callee)
          if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue()) {
            markFunction(*Callee);
            markLive(Return->getReturnValue());
            markBlock(&BB);
          }
    if (Complete && !Callees.empty() && !isa<IntrinsicInst>(Call)) {
      // Arguments are live where a callee's parameter is; parameters that became live earlier had no caller to tell.
      for (Function *Callee : Callees) {
        for (Argument &A : Callee->args())
          if (LiveArguments.contains(&A))
            markLive(Call->getArgOperand(A.getArgNo()));
        if (LiveLists.contains(Callee))
          for (const Use &U : drop_begin(Call->args(), Callee->arg_size()))
            markLive(U.get());
      }
      return;
    }
    for (const Use &U : Call->args())
      markLive(U.get());
  } else if (!isa<ReturnInst>(I)) {
    for (const Use &U : I.operands())
      markLive(U.get());
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    Control &C = *Controls[I.getFunction()];
    if (C.LivePhis.insert(Phi->getParent()).second)
      for (BasicBlock *Pred : predecessors(Phi->getParent()))
        markBlock(Pred);
  }
  followMemory(I);
}

/// What writes the memory that I reads is live.
void Slice::followMemory(Instruction &I) {
  AccessTypes Wanted;
  if (isa<MemTransferInst>(I))
    Wanted = WantedCopies[&I];
  else
    Wanted.add(isa<LoadInst>(I) ? accessType(I) : nullptr);
  auto Known = [&](const Instruction *Writer) {
    if (!isa<MemTransferInst>(Writer))
      return Live.contains(Writer);
    const auto At = WantedCopies.find(Writer);
    return At != WantedCopies.end() && At->second.areAny();
  };
  for (const ModRef &Access : Accesses.of(&I)) {
    if (!Access.Reads)
      continue;
    auto Follow = [&](const ModRef &Write) {
      if (asksForTaint(I) && Flow.tainting().contains(Write.By))
        return; // not there where the run goes on
      if (const auto *Copy = dyn_cast<MemTransferInst>(Write.By)) {
        if (Access.isOfAnyCharacters() && Flow.writesData(Copy))
          return;
        bool New = Live.insert(Write.By).second;
        for (AccessType T : Wanted.list())
          New |= WantedCopies[Write.By].add(Memory.typeAfter(T, *Copy));
        if (New)
          Work.push_back(Write.By);
        return;
      }
      const auto *Store = dyn_cast<StoreInst>(Write.By);
      if (Store && !Wanted.mayBe(Write.Type))
        return;
      // A call for real does not need the data behind its pointers: by its summary, or because its result is data.
      // A write of unknown data is not executed at all; a pointer read there keeps what it had before.
      bool StoresData = Store && Flow.isData(Store->getValueOperand());
      bool AllOfIt = Access.Reaches && (Access.Part == ModRef::All || Access.Part == ModRef::Variables);
      bool NotNeeded = StoresData && (AllOfIt || Access.Part == ModRef::Buffer ||
                                      (Access.isOfAnyCharacters() && !mayBeCapacity(*Store)));
      if (NotNeeded || (How == CutData && Write.WritesData))
        return;
      if (auto *Call = dyn_cast<CallBase>(Write.By))
        markExecuted(Call); // its result is another matter
      else
        markLive(Write.By);
    };
    Accesses.forWritersOf(Access, Known, Follow, &Writers);
  }
}

void Slice::followControl() {
  const auto Builds = [&](const BasicBlock &BB) { return Built && Built->contains(*BB.getTerminator()); };
  for (auto &[F, C] : Controls)
    for (const bool Building : {false, true}) {
      SmallPtrSet<BasicBlock *, 32> Blocks;
      for (BasicBlock *BB : C->New)
        if (Builds(*BB) == Building)
          Blocks.insert(BB);
      if (Blocks.empty())
        continue;
      SmallVector<BasicBlock *, 32> Frontier;
      ReverseIDFCalculator Calculator(C->PDT);
      Calculator.setDefiningBlocks(Blocks);
      Calculator.calculate(Frontier);
      for (BasicBlock *BB : Blocks)
        C->New.erase(BB);
      // Where building arguments fails there is no call. A test of the operator's may have become one of what is built.
      const auto MayBeOfOperator = [&](const BasicBlock &BB) {
        const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
        return Branch && Branch->isConditional() && !Flow.isData(Branch->getCondition()) &&
               all_of(successors(&BB), [&](const BasicBlock *To) { return C->Returning.contains(To); });
      };
      for (BasicBlock *BB : Frontier)
        if (Building || !Builds(*BB) || MayBeOfOperator(*BB))
          markLive(BB->getTerminator());
    }
}

} // namespace memshape
