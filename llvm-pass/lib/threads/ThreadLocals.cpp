// Thread-local variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local variables become plain ones, so that points-to and slicing see ordinary memory. The runner saves the
// contents of each thread and restores them when the thread continues. Destructors that a thread has registered run at
// its end.

#include "runner-calls/RunnerCalls.h"
#include "threads/Threads.h"

using namespace llvm;

namespace memshape {

/// Destructors registered so far, over all threads: function, object, and the C library's record of it; and their
/// number.
static constexpr char ExitList[] = "memshape.thread_exits", ExitCount[] = "memshape.thread_exit_count";
static constexpr unsigned MaxExits = 4096;
/// sizeof(struct dtor_func) of glibc's stdlib/cxa_thread_atexit_impl.c
static constexpr unsigned RegistrationBytes = 32;

static bool startsThreads(const Module &M) {
  for (StringRef Name : {"memshape_sk_team", "memshape_sk_spawn"})
    if (const Function *F = M.getFunction(Name); F && !F->use_empty())
      return true;
  return false;
}

bool makeThreadLocalsPlain(Module &M) {
  bool Any = false;
  for (GlobalVariable &G : M.globals())
    if (G.isThreadLocal() && !G.isDeclaration()) {
      G.setThreadLocal(false);
      if (!G.isConstant())
        G.setMetadata(ThreadMetadata, MDNode::get(M.getContext(), {}));
      Any |= !G.isConstant();
    }
  for (Function &F : make_early_inc_range(M)) {
    if (F.getIntrinsicID() != Intrinsic::threadlocal_address)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U))
        if (auto *G = dyn_cast<GlobalVariable>(Call->getArgOperand(0)->stripPointerCasts()); G && !G->isThreadLocal()) {
          Call->replaceAllUsesWith(G);
          Call->eraseFromParent();
        }
    if (F.use_empty())
      F.eraseFromParent();
  }
  return Any;
}

void announceThreadLocals(Module &M, IRBuilder<> &B) {
  // What the operator's threads register is kept in one list for all of them.
  const bool HasOneThread = !startsThreads(M);
  const auto IsOfThread = [&](const GlobalVariable &G) {
    return G.hasMetadata(ThreadMetadata) || (HasOneThread && (G.getName() == ExitList || G.getName() == ExitCount));
  };
  for (GlobalVariable &G : M.globals())
    if (IsOfThread(G) && !G.use_empty())
      B.CreateCall(runnerFunction(M, RunnerCall::ThreadLocal),
                   {&G, B.getInt64(M.getDataLayout().getTypeAllocSize(G.getValueType()))});
}

static GlobalVariable *exitCount(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(ExitCount))
    return G;
  Type *I32 = Type::getInt32Ty(M.getContext());
  return new GlobalVariable(M, I32, false, GlobalValue::InternalLinkage, ConstantInt::get(I32, 0), ExitCount);
}

static GlobalVariable *exitList(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(ExitList))
    return G;
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Type *List = ArrayType::get(ArrayType::get(Ptr, 3), MaxExits);
  return new GlobalVariable(M, List, false, GlobalValue::InternalLinkage, Constant::getNullValue(List), ExitList);
}

static Value *exitField(IRBuilder<> &B, Value *Index, unsigned Field) {
  GlobalVariable *List = exitList(*B.GetInsertBlock()->getModule());
  return B.CreateInBoundsGEP(List->getValueType(), List,
                             {B.getInt64(0), B.CreateZExt(Index, B.getInt64Ty()), B.getInt64(Field)});
}

/// int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *)
void registerThreadExit(Function &F, IRBuilder<> &B) {
  Module &M = *F.getParent();
  auto *Room = BasicBlock::Create(F.getContext(), "", &F), *Done = BasicBlock::Create(F.getContext(), "", &F);
  Value *Count = B.CreateLoad(B.getInt32Ty(), exitCount(M));
  B.CreateCondBr(B.CreateICmpULT(Count, B.getInt32(MaxExits)), Room, Done);
  B.SetInsertPoint(Room);
  B.CreateStore(F.getArg(0), exitField(B, Count, 0));
  B.CreateStore(F.getArg(1), exitField(B, Count, 1));
  CallInst *Kept = B.CreateCall(runnerFunction(M, RunnerCall::Alloc),
                                {B.getInt64(RegistrationBytes), B.getInt64(0), B.getInt32(0), B.getInt32(0)});
  LLVMContext &C = M.getContext();
  Kept->setMetadata(AllocatorMetadata,
                    MDNode::get(C, {MDString::get(C, "__cxa_thread_atexit"), MDString::get(C, "host")}));
  B.CreateStore(Kept, exitField(B, Count, 2));
  B.CreateStore(B.CreateAdd(Count, B.getInt32(1)), exitCount(M));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRet(Constant::getNullValue(F.getReturnType()));
}

Value *threadExitsSoFar(IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (!M.getFunction("__cxa_thread_atexit"))
    return nullptr;
  return B.CreateLoad(B.getInt32Ty(), exitCount(M));
}

void runThreadExits(Function &F, IRBuilder<> &B, Value *SoFar) {
  if (!SoFar)
    return;
  Module &M = *F.getParent();
  LLVMContext &C = F.getContext();
  auto *Test = BasicBlock::Create(C, "", &F), *Run = BasicBlock::Create(C, "", &F),
       *Done = BasicBlock::Create(C, "", &F);
  B.CreateBr(Test);
  B.SetInsertPoint(Test);
  Value *Count = B.CreateLoad(B.getInt32Ty(), exitCount(M));
  B.CreateCondBr(B.CreateICmpUGT(Count, SoFar), Run, Done);
  B.SetInsertPoint(Run);
  Value *Last = B.CreateSub(Count, B.getInt32(1));
  B.CreateStore(Last, exitCount(M));
  Type *Ptr = B.getPtrTy();
  Value *Destructor = B.CreateLoad(Ptr, exitField(B, Last, 0)), *Object = B.CreateLoad(Ptr, exitField(B, Last, 1));
  B.CreateCall(FunctionType::get(B.getVoidTy(), {Ptr}, false), Destructor, {Object});
  B.CreateCall(runnerFunction(M, RunnerCall::Free), {B.CreateLoad(Ptr, exitField(B, Last, 2))});
  B.CreateBr(Test);
  B.SetInsertPoint(Done);
}

} // namespace memshape
