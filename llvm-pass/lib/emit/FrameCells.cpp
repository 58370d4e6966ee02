// Which variables are live at a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emit/FrameCells.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

/// The runner's functions read blocks at most, and keep no address of a variable.
static bool isRunners(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && Callee->getName().starts_with("memshape_sk_") &&
         runnerCall(Call) != RunnerCall::Repeat && runnerCall(Call) != RunnerCall::RepeatAlike &&
         runnerCall(Call) != RunnerCall::Team;
}

/// Whether Variable's address leaves what getUnderlyingObjects follows, so that accesses through other pointers may
/// reach it.
static bool escapes(const AllocaInst &Variable) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {&Variable};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I) || isa<PHINode>(I) || isa<SelectInst>(I))
        Work.push_back(I);
      else if (const auto *Store = dyn_cast<StoreInst>(I)) {
        if (Store->getValueOperand() == V)
          return true;
      } else if (const auto *Call = dyn_cast<CallBase>(I)) {
        if (!isRunners(*Call) && !isa<MemIntrinsic>(Call) &&
            !(Call->isArgOperand(&U) && Call->doesNotCapture(Call->getArgOperandNo(&U))))
          return true;
      } else if (!isa<LoadInst>(I) && !isa<ICmpInst>(I))
        return true;
    }
  }
  return false;
}

bool FrameCells::exactPart(Value *Pointer, uint64_t Bytes, Part &P) const {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  auto *Variable =
      dyn_cast<AllocaInst>(Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Variable || !Bytes || Offset.isNegative())
    return false;
  const uint64_t Size = Variable->getAllocationSize(Layout)->getFixedValue();
  if (Offset.getZExtValue() > Size || Bytes > Size - Offset.getZExtValue())
    return false;
  P = {Variable, Offset.getZExtValue(), Bytes};
  return true;
}

void FrameCells::readThrough(Value *Pointer, uint64_t Bytes, Access &A) const {
  if (Part P; exactPart(Pointer, Bytes, P)) {
    A.Reads.push_back(P);
    return;
  }
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    if (const auto *Variable = dyn_cast<AllocaInst>(Object))
      A.Reads.push_back({const_cast<AllocaInst *>(Variable), 0, 0});
    else if (const auto *Call = dyn_cast<CallBase>(Object); !isa<Argument>(Object) && !isa<GlobalValue>(Object) &&
                                                            !isa<ConstantPointerNull>(Object) &&
                                                            !(Call && isRunners(*Call)))
      A.ReadsUnknown = true;
  }
}

FrameCells::Access FrameCells::accessOf(Instruction &I) const {
  Access A;
  Part P;
  const auto Bytes = [&](Type *T) -> uint64_t {
    const TypeSize Size = Layout.getTypeStoreSize(T);
    return Size.isScalable() ? 0 : Size.getFixedValue();
  };
  const auto Length = [](const MemIntrinsic &Of) -> uint64_t {
    const auto *Constant = dyn_cast<ConstantInt>(Of.getLength());
    return Constant ? Constant->getZExtValue() : 0;
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    readThrough(Load->getPointerOperand(), Bytes(Load->getType()), A);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (exactPart(Store->getPointerOperand(), Bytes(Store->getValueOperand()->getType()), P))
      A.Overwrites.push_back(P);
  } else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    if (auto *Transfer = dyn_cast<MemTransferInst>(Memory))
      readThrough(Transfer->getRawSource(), Length(*Memory), A);
    if (exactPart(Memory->getRawDest(), Length(*Memory), P))
      A.Overwrites.push_back(P);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (runnerCall(*Call) == RunnerCall::Extreme)
      readThrough(Call->getArgOperand(0), 0, A);
    if (isRunners(*Call) || (isa<IntrinsicInst>(Call) && !Call->mayReadFromMemory()))
      return A;
    A.ReadsUnknown = Call->mayReadFromMemory();
    for (Value *Argument : Call->args())
      if (A.ReadsUnknown && Argument->getType()->isPointerTy())
        readThrough(Argument, 0, A);
  } else if (I.mayReadFromMemory()) {
    A.ReadsUnknown = true;
    for (Value *Operand : I.operands())
      if (Operand->getType()->isPointerTy())
        readThrough(Operand, 0, A);
  }
  return A;
}

/// Cuts variables into cells along what is read; overlapping reads share a cell.
void FrameCells::cut() {
  DenseMap<const AllocaInst *, SmallVector<std::pair<uint64_t, uint64_t>, 8>> Ranges; // from, to
  for (AllocaInst *Variable : Variables)
    Ranges[Variable];
  for (const auto &[I, A] : Accesses)
    for (const Part &P : A.Reads)
      Ranges[P.Variable].push_back(
          {P.Offset, P.Bytes ? P.Offset + P.Bytes : P.Variable->getAllocationSize(Layout)->getFixedValue()});
  for (AllocaInst *Variable : Variables) {
    auto &Of = Ranges[Variable];
    if (escapes(*Variable)) // may be read through any pointer
      Of.push_back({0, Variable->getAllocationSize(Layout)->getFixedValue()});
    sort(Of);
    for (std::size_t I = 0; I < Of.size();) {
      auto [From, To] = Of[I++];
      for (; I < Of.size() && Of[I].first < To; ++I)
        To = std::max(To, Of[I].second);
      CellsOf[Variable].push_back(Cells.size());
      Cells.push_back({Variable, From, To - From});
    }
  }
  Escaped.resize(Cells.size());
  for (AllocaInst *Variable : Variables)
    if (escapes(*Variable))
      for (unsigned Number : CellsOf[Variable])
        Escaped.set(Number);
}

void FrameCells::stepBack(const Instruction &I, BitVector &Live) const {
  const auto At = Accesses.find(&I);
  if (At == Accesses.end())
    return;
  for (const Part &P : At->second.Overwrites)
    if (auto Of = CellsOf.find(P.Variable); Of != CellsOf.end())
      for (unsigned Number : Of->second)
        if (const Cell &C = Cells[Number]; P.Offset <= C.Offset && C.Offset + C.Bytes <= P.Offset + P.Bytes)
          Live.reset(Number);
  for (const Part &P : At->second.Reads)
    if (auto Of = CellsOf.find(P.Variable); Of != CellsOf.end())
      for (unsigned Number : Of->second)
        if (const Cell &C = Cells[Number]; !P.Bytes || (P.Offset < C.Offset + C.Bytes && C.Offset < P.Offset + P.Bytes))
          Live.set(Number);
  if (At->second.ReadsUnknown)
    Live |= Escaped;
}

BitVector FrameCells::through(const BasicBlock &BB, const Instruction *DownTo) const {
  BitVector Live(Cells.size());
  for (const BasicBlock *Next : successors(&BB))
    if (auto At = LiveIn.find(Next); At != LiveIn.end())
      Live |= At->second;
  for (const Instruction &I : reverse(BB)) {
    stepBack(I, Live);
    if (&I == DownTo)
      break;
  }
  return Live;
}

FrameCells::FrameCells(Function &Of, const SmallPtrSetImpl<const Instruction *> &Ignored)
    : F(Of), Layout(Of.getParent()->getDataLayout()) {
  for (Instruction &I : F.getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      Variables.push_back(Variable);
  for (Instruction &I : instructions(F)) {
    if (Ignored.contains(&I))
      continue;
    Access A = accessOf(I);
    if (!A.Reads.empty() || !A.Overwrites.empty() || A.ReadsUnknown)
      Accesses[&I] = std::move(A);
  }
  cut();
  for (BasicBlock &BB : F)
    LiveIn[&BB].resize(Cells.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &BB : reverse(F)) {
      BitVector Live = through(BB, nullptr);
      if (Live != LiveIn[&BB]) {
        LiveIn[&BB] = std::move(Live);
        Changed = true;
      }
    }
  }
}

BitVector FrameCells::liveBefore(const Instruction &Place) const { return through(*Place.getParent(), &Place); }

} // namespace memshape
