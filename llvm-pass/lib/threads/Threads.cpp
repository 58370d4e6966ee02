// Calls of threading libraries become plain code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::thread, std::async and pthreads. A thread is executed where it is started, and counted as running beside what
// follows until it is joined. A thread that waits for something that its starter does later ends the evaluation.

#include "threads/Threads.h"
#include "libraries/reader/Known.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"

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

/// start(thread *this, state **, ...): the state's virtual functions are its destructor, its deleting destructor, and
/// what the thread runs.
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

/// The constructor of a result's base: its virtual table is set by who derives from it, and then it holds an exception,
/// or none.
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

/// int create(thread *, const attributes *, void *(*function)(void *), void *argument)
static void createThread(Function &F, IRBuilder<> &B) {
  Type *Ptr = B.getPtrTy();
  call(B, RunnerCall::Spawn, {B.getInt32(MEMSHAPE_SK_THREAD)});
  Value *Exits = threadExitsSoFar(B);
  B.CreateCall(FunctionType::get(Ptr, {Ptr}, false), F.getArg(2), {F.getArg(3)});
  runThreadExits(F, B, Exits);
  B.CreateStore(call(B, RunnerCall::Spawned, {B.getInt32(MEMSHAPE_SK_THREAD)}), F.getArg(0));
  finish(F, B);
}

/// int once(int *state, void (*function)())
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

/// void proxy(): calls what another function has left for it in a variable.
static void onceProxy(Function &F, IRBuilder<> &B) {
  for (GlobalVariable &G : F.getParent()->globals())
    if (knownRole(G.getName()) == Role::OnceCall)
      B.CreateCall(FunctionType::get(B.getVoidTy(), false), B.CreateLoad(B.getPtrTy(), &G));
  finish(F, B);
}

BodyWriter bodyOfThreads(Role Which) {
  switch (Which) {
  case Role::Nothing:
    return nothing;
  case Role::Waits:
    return waits;
  case Role::StartThread:
    return startThread;
  case Role::JoinThread:
    return joinThread;
  case Role::DetachThread:
    return detachThread;
  case Role::MakeResult:
    return makeResult;
  case Role::CreateThread:
    return createThread;
  case Role::Once:
    return once;
  case Role::OnceProxy:
    return onceProxy;
  case Role::ThreadExit:
    return registerThreadExit;
  default:
    return nullptr;
  }
}

/// join(thread, result); what a thread returns is not followed, so only where nobody asks for it.
static void lowerJoins(Function &Join) {
  for (User *U : make_early_inc_range(Join.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &Join || !isa<ConstantPointerNull>(Call->getArgOperand(1)))
      continue;
    IRBuilder<> B(Call);
    call(B, RunnerCall::Join, {Call->getArgOperand(0)});
    Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
}

/// What is to be called once is handed over in variables of a library; here they are the skeleton's own.
static void ownOnceVariables(Module &M) {
  for (GlobalVariable &G : M.globals())
    if (std::optional<Role> Which = knownRole(G.getName());
        G.isDeclaration() && (Which == Role::OnceVariable || Which == Role::OnceCall)) {
      G.setInitializer(Constant::getNullValue(G.getValueType()));
      G.setLinkage(GlobalValue::InternalLinkage);
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
    if (F.isDeclaration() && knownRole(F.getName()) == Role::ThreadExit)
      giveBody(F, registerThreadExit);
}

void lowerThreads(Module &M) {
  lowerRegions(M);
  for (Function &F : M)
    if (F.isDeclaration() && knownRole(F.getName()) == Role::AwaitThread)
      lowerJoins(F);
  const bool HasOwnVariables = makeThreadLocalsPlain(M);
  ownOnceVariables(M);
  makeThreadLocalsPlain(M);
  SmallVector<std::pair<Function *, BodyWriter>, 16> Bodies;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.use_empty() || F.isIntrinsic())
      continue;
    const std::optional<Role> Which = knownRole(F.getName());
    BodyWriter Write = Which ? bodyOfTeams(*Which) : nullptr;
    if (Which && !Write)
      Write = bodyOfWorkSharing(*Which);
    if (Which && !Write)
      Write = bodyOfThreads(*Which);
    if (Write)
      Bodies.push_back({&F, Write});
  }
  for (auto [F, Write] : Bodies)
    giveBody(*F, Write);
  // A thread begins and ends with other contents of its own variables. Not so those of what is called once: who reads
  // them has set them before.
  if (HasOwnVariables)
    for (StringRef Name : {"memshape_sk_spawn", "memshape_sk_spawned"})
      if (Function *F = M.getFunction(Name))
        F->setMemoryEffects(MemoryEffects::unknown());
}

} // namespace memshape
