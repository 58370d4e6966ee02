// Which values are live at a decision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness of values, as for register allocation, but computed before code generation: afterwards stack slots hold dead
// values, and no two iterations of a loop would be in the same state.

#include "emit/DecisionStates.h"
#include "emit/FrameCells.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

namespace {

class Exposer {
public:
  explicit Exposer(Function &F) : F(F), M(*F.getParent()), Layout(M.getDataLayout()) {}
  void run();

private:
  using Values = SmallSetVector<Value *, 16>;

  bool isFixed(const Value *V, unsigned Depth = 0);
  void use(Value *V, Values &Live);
  void stepBack(Instruction &I, Values &Live);
  void findMarks();
  void findLive();
  bool fits(Type *T) const;
  void store(IRBuilder<> &B, Value *V, Value *Buffer, unsigned &Count);
  bool fixVariables();

  Function &F;
  Module &M;
  const DataLayout &Layout;
  DenseMap<const BasicBlock *, Values> LiveIn;
  DenseMap<const Value *, bool> Fixed;
  SmallPtrSet<const Instruction *, 16> ForMarks; ///< instructions that only marks of writes use
  SmallVector<std::pair<CallInst *, SmallVector<Value *, 8>>, 16> Points;
};

} // namespace

/// Whether V is computed from the call's arguments alone, and so is the same in all runs at a shape.
bool Exposer::isFixed(const Value *V, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  if (isa<AllocaInst>(I))
    return true; // its address; the contents are checked elsewhere
  const unsigned MaxDepth = 64;
  if (Depth > MaxDepth || isa<PHINode>(I) || I->mayReadOrWriteMemory() || isa<CallBase>(I))
    return false;
  if (auto At = Fixed.find(V); At != Fixed.end())
    return At->second;
  bool All = true;
  for (const Use &U : I->operands())
    All = All && isFixed(U.get(), Depth + 1);
  return Fixed[V] = All;
}

void Exposer::use(Value *V, Values &Live) {
  if (isa<Instruction>(V) && !isFixed(V))
    Live.insert(V);
}

/// Collects what only marks of writes use: these change no figure that is explored.
void Exposer::findMarks() {
  SmallVector<const Instruction *, 16> Work;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && runnerCall(*Call) == RunnerCall::Touch)
      Work.push_back(Call);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!ForMarks.insert(I).second)
      continue;
    for (const Value *Operand : I->operands())
      if (const auto *From = dyn_cast<Instruction>(Operand);
          From && !From->mayHaveSideEffects() &&
          all_of(From->users(), [&](const User *U) { return ForMarks.contains(cast<Instruction>(U)); }))
        Work.push_back(From);
  }
}

void Exposer::stepBack(Instruction &I, Values &Live) {
  Live.remove(&I);
  if (!isa<PHINode>(I) && !ForMarks.contains(&I))
    for (Use &U : I.operands())
      use(U.get(), Live);
}

/// Backwards data flow to a fixed point. Collects the points where decisions are asked.
void Exposer::findLive() {
  const auto Through = [&](BasicBlock &BB, bool Collect) {
    Values Live;
    for (BasicBlock *Next : successors(&BB)) {
      for (Value *V : LiveIn[Next])
        Live.insert(V);
      for (PHINode &Phi : Next->phis())
        use(Phi.getIncomingValueForBlock(&BB), Live);
    }
    for (Instruction &I : reverse(BB)) {
      if (auto *Call = dyn_cast<CallInst>(&I); Collect && Call && runnerCall(*Call) == RunnerCall::Decide) {
        Live.remove(Call);
        Points.push_back({Call, SmallVector<Value *, 8>(Live.begin(), Live.end())});
      }
      stepBack(I, Live);
    }
    return Live;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &BB : reverse(F)) {
      Values Live = Through(BB, /*Collect=*/false);
      Values &Old = LiveIn[&BB];
      // Sets only grow, so a change of size is a change.
      if (Live.size() != Old.size()) {
        Old = std::move(Live);
        Changed = true;
      }
    }
  }
  for (BasicBlock &BB : F)
    Through(BB, /*Collect=*/true);
}

bool Exposer::fits(Type *T) const {
  const unsigned MostElements = 16;
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return Vector->getNumElements() <= MostElements && !isa<FixedVectorType>(Vector->getElementType()) &&
           fits(Vector->getElementType());
  return (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) || T->isPointerTy() || T->isFloatTy() || T->isDoubleTy();
}

void Exposer::store(IRBuilder<> &B, Value *V, Value *Buffer, unsigned &Count) {
  Type *T = V->getType();
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    for (unsigned I = 0; I != Vector->getNumElements(); ++I)
      store(B, B.CreateExtractElement(V, I), Buffer, Count);
    return;
  }
  if (T->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  else if (T->isFloatTy())
    V = B.CreateBitCast(V, B.getInt32Ty());
  else if (T->isDoubleTy())
    V = B.CreateBitCast(V, B.getInt64Ty());
  B.CreateStore(B.CreateZExt(B.CreateFreeze(V), B.getInt64Ty()), B.CreateConstGEP1_64(B.getInt64Ty(), Buffer, Count++));
}

/// Declares bytes that belong to the state.
static void announce(IRBuilder<> &B, AllocaInst &Variable, uint64_t Offset, uint64_t Bytes) {
  FunctionCallee Announce = B.GetInsertBlock()->getModule()->getOrInsertFunction("memshape_sk_variable", B.getVoidTy(),
                                                                                 B.getPtrTy(), B.getInt64Ty());
  B.CreateCall(Announce, {B.CreateConstGEP1_64(B.getInt8Ty(), &Variable, Offset), B.getInt64(Bytes)});
}

/// Declares the cells of F in their order, after the variables of its caller into which a result is written. Returns
/// the number of the latter.
static unsigned announceAll(Function &F, const FrameCells &Frame, Instruction &Begin) {
  auto &Call = *cast<CallInst>(F.user_back());
  const DataLayout &Layout = F.getParent()->getDataLayout();
  unsigned Callers = 0;
  IRBuilder<> Outside(&Call), Inside(&Begin);
  for (Instruction &I : Call.getFunction()->getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
      announce(Outside, *Variable, 0, Variable->getAllocationSize(Layout)->getFixedValue());
      ++Callers;
    }
  for (const FrameCells::Cell &C : Frame.cells())
    announce(Inside, *C.Variable, C.Offset, C.Bytes);
  return Callers;
}

/// A constant with a bit for each variable that is live.
static Constant *maskOf(Module &M, const BitVector &Live, unsigned Callers) {
  SmallVector<uint64_t, 8> Words((Callers + Live.size()) / 64 + 1);
  const auto Set = [&](unsigned Bit) { Words[Bit / 64] |= uint64_t(1) << Bit % 64; };
  for (unsigned Bit = 0; Bit != Callers; ++Bit)
    Set(Bit);
  for (unsigned Number : Live.set_bits())
    Set(Callers + Number);
  Constant *Bits = ConstantDataArray::get(M.getContext(), Words);
  return new GlobalVariable(M, Bits->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, Bits);
}

/// Whether only the address of Variable is used, never its contents.
static bool isOnlyAddressed(const AllocaInst &Variable) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {&Variable};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      const RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (isa<GetElementPtrInst>(U) || isa<PHINode>(U) || isa<SelectInst>(U) || isa<FreezeInst>(U))
        Work.push_back(U);
      else if (!isa<ICmpInst>(U) && Which != RunnerCall::Free && Which != RunnerCall::Touch)
        return false;
    }
  }
  return true;
}

/// Gives dynamic allocas a fixed size. False if one of them has contents.
bool Exposer::fixVariables() {
  SmallVector<AllocaInst *, 4> Dynamic;
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Bytes = Variable->getAllocationSize(Layout);
          !Variable->isStaticAlloca() || !Bytes || Bytes->isScalable())
        Dynamic.push_back(Variable);
  if (!all_of(Dynamic, [](const AllocaInst *Variable) { return isOnlyAddressed(*Variable); }))
    return false;
  for (AllocaInst *Variable : Dynamic) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.begin());
    AllocaInst *Address = B.CreateAlloca(B.getInt8Ty());
    Address->setAlignment(Variable->getAlign());
    Variable->replaceAllUsesWith(Address);
    Variable->eraseFromParent();
  }
  return true;
}

void Exposer::run() {
  if (!fixVariables())
    return;
  findMarks();
  findLive();
  erase_if(Points, [&](const auto &Point) {
    return !all_of(Point.second, [&](const Value *V) { return fits(V->getType()); });
  });
  if (Points.empty())
    return;
  for (Instruction &I : make_early_inc_range(F.getEntryBlock()))
    if (isa<AllocaInst>(I))
      I.moveBefore(F.getEntryBlock(), F.getEntryBlock().begin());
  const FrameCells Frame(F, ForMarks);
  Instruction *Begin = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  const unsigned Callers = announceAll(F, Frame, *Begin);
  IRBuilder<> AtStart(Begin);
  auto *Buffer = AtStart.CreateAlloca(AtStart.getInt64Ty(), AtStart.getInt32(0));
  FunctionCallee Ask =
      M.getOrInsertFunction("memshape_sk_decide_at", AtStart.getInt32Ty(), AtStart.getInt32Ty(), AtStart.getInt32Ty(),
                            AtStart.getInt32Ty(), AtStart.getPtrTy(), AtStart.getInt32Ty(), AtStart.getPtrTy());
  unsigned Most = 1, Number = 0;
  // An answer may itself be live at other points, so replaced calls are erased last.
  DenseMap<Value *, Value *> Replaced;
  for (auto &[Call, Live] : Points) {
    IRBuilder<> B(Call);
    unsigned Count = 0;
    for (Value *V : Live) {
      Value *Now = Replaced.lookup(V);
      store(B, Now ? Now : V, Buffer, Count);
    }
    Most = std::max(Most, Count);
    CallInst *Asked = B.CreateCall(Ask, {Call->getArgOperand(0), Call->getArgOperand(1), B.getInt32(++Number), Buffer,
                                         B.getInt32(Count), maskOf(M, Frame.liveBefore(*Call), Callers)});
    Call->replaceAllUsesWith(Asked);
    Replaced[Call] = Asked;
  }
  for (auto &[Call, Live] : Points)
    Call->eraseFromParent();
  Buffer->setOperand(0, AtStart.getInt32(Most));
  Buffer->moveBefore(F.getEntryBlock(), F.getEntryBlock().begin());
}

void exposeStates(Function &Root) {
  if (Root.hasOneUse() && isa<CallInst>(Root.user_back()))
    Exposer(Root).run();
}

} // namespace memshape
