//===- Threads.cpp - Calls of threading libraries become plain code -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// std::thread, std::async and pthreads. A thread is executed where it is started, and counted as running beside what
// follows until it is joined. A thread that waits for something that its starter does later ends the evaluation.
//
//===----------------------------------------------------------------------===//

#include "threads/Threads.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace memshape {

static CallInst *call(IRBuilder<> &B, RunnerCall Which, ArrayRef<Value *> Arguments = {}) {
  return B.CreateCall(runnerFunction(*B.GetInsertBlock()->getModule(), Which), Arguments);
}

static void finish(Function &F, IRBuilder<> &B) {
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(F.getReturnType()));
}

static void nothing(Function &F, IRBuilder<> &B) { finish(F, B); }

static void waits(Function &F, IRBuilder<> &B) {
  call(B, RunnerCall::Leave, {B.getInt32(MEMSHAPE_SK_WAITS)});
  B.CreateUnreachable();
}

static void processors(Function &F, IRBuilder<> &B) {
  B.CreateRet(B.CreateZExtOrTrunc(call(B, RunnerCall::Processors), F.getReturnType()));
}

/// std::thread::_M_start_thread(std::thread *this, std::unique_ptr<_State> *state, void (*)()): the state's virtual
/// functions are, in libstdc++, its destructor, its deleting destructor, and _M_run.
static void startThread(Function &F, IRBuilder<> &B) {
  Type *Ptr = B.getPtrTy();
  Value *State = B.CreateLoad(Ptr, F.getArg(1));
  B.CreateStore(Constant::getNullValue(Ptr), F.getArg(1));
  auto *Method = FunctionType::get(B.getVoidTy(), {Ptr}, false);
  auto CallMethod = [&](unsigned Slot) {
    Value *Table = B.CreateLoad(Ptr, State);
    B.CreateCall(Method, B.CreateLoad(Ptr, B.CreateConstGEP1_64(Ptr, Table, Slot)), {State});
  };
  call(B, RunnerCall::Spawn, {B.getInt32(MEMSHAPE_SK_THREAD)});
  Value *Exits = threadExitsSoFar(B);
  CallMethod(2);
  CallMethod(1);
  runThreadExits(F, B, Exits);
  B.CreateStore(call(B, RunnerCall::Spawned, {B.getInt32(MEMSHAPE_SK_THREAD)}), F.getArg(0));
  finish(F, B);
}

/// std::__future_base::_Result_base::_Result_base(): derived classes set its virtual table; it holds a null exception
/// pointer.
static void makeResult(Function &F, IRBuilder<> &B) {
  B.CreateStore(Constant::getNullValue(B.getPtrTy()), B.CreateConstGEP1_64(B.getInt8Ty(), F.getArg(0), 8));
  finish(F, B);
}

static void joinThread(Function &F, IRBuilder<> &B) {
  Value *Id = B.CreateLoad(B.getInt64Ty(), F.getArg(0));
  B.CreateStore(B.getInt64(0), F.getArg(0));
  call(B, RunnerCall::Join, {Id});
  finish(F, B);
}

static void detachThread(Function &F, IRBuilder<> &B) {
  B.CreateStore(B.getInt64(0), F.getArg(0));
  finish(F, B);
}

/// int pthread_create(pthread_t *thread, const pthread_attr_t *, void *(*function)(void *), void *argument)
static void createThread(Function &F, IRBuilder<> &B) {
  Type *Ptr = B.getPtrTy();
  call(B, RunnerCall::Spawn, {B.getInt32(MEMSHAPE_SK_THREAD)});
  Value *Exits = threadExitsSoFar(B);
  B.CreateCall(FunctionType::get(Ptr, {Ptr}, false), F.getArg(2), {F.getArg(3)});
  runThreadExits(F, B, Exits);
  B.CreateStore(call(B, RunnerCall::Spawned, {B.getInt32(MEMSHAPE_SK_THREAD)}), F.getArg(0));
  finish(F, B);
}

/// int pthread_once(pthread_once_t *once, void (*function)())
static void once(Function &F, IRBuilder<> &B) {
  LLVMContext &C = F.getContext();
  auto *Run = BasicBlock::Create(C, "", &F), *Done = BasicBlock::Create(C, "", &F);
  Value *State = B.CreateLoad(B.getInt32Ty(), F.getArg(0));
  B.CreateCondBr(B.CreateICmpEQ(State, B.getInt32(0)), Run, Done);
  B.SetInsertPoint(Run);
  // Marked as done afterwards, so that no write lies between the call and the function's arguments.
  B.CreateCall(FunctionType::get(B.getVoidTy(), false), F.getArg(1));
  B.CreateStore(B.getInt32(2), F.getArg(0));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  finish(F, B);
}

/// void __once_proxy(): calls the function that std::call_once has stored for it.
static void onceProxy(Function &F, IRBuilder<> &B) {
  if (GlobalVariable *Call = F.getParent()->getNamedGlobal("_ZSt11__once_call")) {
    B.CreateCall(FunctionType::get(B.getVoidTy(), false), B.CreateLoad(B.getPtrTy(), Call));
  }
  finish(F, B);
}

BodyWriter bodyOfThreads(StringRef Name) {
  static const StringMap<BodyWriter> Bodies = {
      {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", startThread},
      {"_ZNSt6thread4joinEv", joinThread},
      {"_ZNSt6thread6detachEv", detachThread},
      {"_ZNSt6thread20hardware_concurrencyEv", processors},
      {"get_nprocs", processors},
      {"get_nprocs_conf", processors},
      {"_ZNSt6thread6_StateD2Ev", nothing},
      {"_ZNSt6thread6_StateD1Ev", nothing},
      {"_ZNSt13__future_base12_Result_baseC2Ev", makeResult},
      {"_ZNSt13__future_base12_Result_baseD2Ev", nothing},
      {"pthread_create", createThread},
      {"pthread_once", once},
      {"__once_proxy", onceProxy},
      {"__cxa_thread_atexit", registerThreadExit},
      {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj", nothing},
      {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
       "IlS3_ILl1ELl1000000000EEEE",
       waits},
      {"_ZNSt18condition_variable10notify_allEv", nothing},
      {"_ZNSt18condition_variable10notify_oneEv", nothing},
      {"_ZNSt18condition_variableC1Ev", nothing},
      {"_ZNSt18condition_variableD1Ev", nothing},
      {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", waits},
      {"pthread_cond_init", nothing},
      {"pthread_cond_destroy", nothing},
      {"pthread_cond_signal", nothing},
      {"pthread_cond_broadcast", nothing},
      {"pthread_cond_wait", waits},
      {"sched_yield", nothing},
      {"pthread_yield", nothing},
  };
  return Bodies.lookup(Name);
}

/// pthread_join(thread, result): a thread's result is not followed, so only calls that ignore it are lowered.
static void lowerJoins(Module &M) {
  Function *Join = M.getFunction("pthread_join");
  if (!Join || !Join->isDeclaration())
    return;
  for (User *U : make_early_inc_range(Join->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != Join || !isa<ConstantPointerNull>(Call->getArgOperand(1)))
      continue;
    IRBuilder<> B(Call);
    call(B, RunnerCall::Join, {Call->getArgOperand(0)});
    Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
}

/// std::call_once passes its function in variables of the C++ library; these become the skeleton's own.
static void ownOnceVariables(Module &M) {
  for (StringRef Name : {"_ZSt15__once_callable", "_ZSt11__once_call"})
    if (GlobalVariable *G = M.getNamedGlobal(Name); G && G->isDeclaration()) {
      G->setInitializer(Constant::getNullValue(G->getValueType()));
      G->setLinkage(GlobalValue::InternalLinkage);
    }
}

static void giveBody(Function &F, BodyWriter Write) {
  // Attributes of the library's function may be wrong for this body.
  F.setAttributes(AttributeList());
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
      Call->setAttributes(AttributeList());
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::MustProgress);
  F.setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
  Write(F, B);
}

void lowerThreadLocals(Module &M) {
  makeThreadLocalsPlain(M);
  for (Function &F : M)
    if (F.isDeclaration() && bodyOfThreads(F.getName()) == registerThreadExit)
      giveBody(F, registerThreadExit);
}

void lowerThreads(Module &M) {
  lowerRegions(M);
  lowerJoins(M);
  const bool HasOwnVariables = makeThreadLocalsPlain(M);
  ownOnceVariables(M);
  makeThreadLocalsPlain(M);
  SmallVector<std::pair<Function *, BodyWriter>, 16> Bodies;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.use_empty() || F.isIntrinsic())
      continue;
    BodyWriter Write = bodyOfOpenMP(F.getName());
    if (!Write)
      Write = bodyOfWorkSharing(F.getName());
    if (!Write)
      Write = bodyOfThreads(F.getName());
    if (Write)
      Bodies.push_back({&F, Write});
  }
  for (auto [F, Write] : Bodies)
    giveBody(*F, Write);
  // A thread begins and ends with other contents of its thread-local variables. Those of std::call_once are exempt:
  // each reader has set them before.
  if (HasOwnVariables)
    for (StringRef Name : {"memshape_sk_spawn", "memshape_sk_spawned"})
      if (Function *F = M.getFunction(Name))
        F->setMemoryEffects(MemoryEffects::unknown());
}

} // namespace memshape
