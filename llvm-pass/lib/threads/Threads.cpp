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

static void lock(Function &F, IRBuilder<> &B) {
  call(B, RunnerCall::Lock);
  finish(F, B);
}

CallInst *meetOthers(IRBuilder<> &B, StringRef Constraints, Type *Result, ArrayRef<Value *> Shared) {
  SmallVector<Type *, 1> Types;
  for (Value *Each : Shared)
    Types.push_back(Each->getType());
  auto *Empty = InlineAsm::get(FunctionType::get(Result, Types, false), "", (Constraints + "~{memory}").str(),
                               /*hasSideEffects=*/true);
  return B.CreateCall(Empty, Shared);
}

static void lockBeside(Function &F, IRBuilder<> &B) {
  meetOthers(B, "", B.getVoidTy());
  finish(F, B);
}

static void waits(Function &F, IRBuilder<> &B) {
  call(B, RunnerCall::Leave, {B.getInt32(MEMSHAPE_SK_WAITS)});
  B.CreateUnreachable();
}

/// What it returns is not known.
static void waitsBeside(Function &F, IRBuilder<> &B) {
  CallInst *Answer = meetOthers(B, "=r,", B.getInt32Ty());
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(B.CreateZExtOrTrunc(Answer, F.getReturnType()));
}

/// Begins a thread that gets Shared.
template <bool Beside> static void begin(IRBuilder<> &B, Value *Shared) {
  if (Beside)
    meetOthers(B, "r,", B.getVoidTy(), Shared);
  call(B, RunnerCall::Spawn, {B.getInt32(MEMSHAPE_SK_THREAD)});
}

template <bool Beside> static Value *end(IRBuilder<> &B) {
  Value *Id = call(B, RunnerCall::Spawned, {B.getInt32(MEMSHAPE_SK_THREAD)});
  if (Beside)
    meetOthers(B, "", B.getVoidTy());
  return Id;
}

/// start(thread *this, state **, ...): the state's virtual functions are its destructor, its deleting destructor, and
/// what the thread runs.
template <bool Beside> static void startThread(Function &F, IRBuilder<> &B) {
  Type *Ptr = B.getPtrTy();
  Value *State = B.CreateLoad(Ptr, F.getArg(1));
  B.CreateStore(Constant::getNullValue(Ptr), F.getArg(1));
  auto *Method = FunctionType::get(B.getVoidTy(), {Ptr}, false);
  Value *Table = B.CreateLoad(Ptr, State);
  Value *Run = B.CreateLoad(Ptr, B.CreateConstGEP1_64(Ptr, Table, 2));
  Value *Destroy = B.CreateLoad(Ptr, B.CreateConstGEP1_64(Ptr, Table, 1));
  begin<Beside>(B, State);
  Value *Exits = threadExitsSoFar(B);
  B.CreateCall(Method, Run, {State});
  B.CreateCall(Method, Destroy, {State});
  runThreadExits(F, B, Exits);
  B.CreateStore(end<Beside>(B), F.getArg(0));
  finish(F, B);
}

/// The constructor of a result's base: its virtual table is set by who derives from it, and then it holds an exception,
/// or none.
static void makeResult(Function &F, IRBuilder<> &B) {
  B.CreateStore(Constant::getNullValue(B.getPtrTy()), B.CreateConstGEP1_64(B.getInt8Ty(), F.getArg(0), 8));
  finish(F, B);
}

template <bool Beside> static void joinThread(Function &F, IRBuilder<> &B) {
  Value *Id = B.CreateLoad(B.getInt64Ty(), F.getArg(0));
  B.CreateStore(B.getInt64(0), F.getArg(0));
  call(B, RunnerCall::Join, {Id});
  if (Beside)
    meetOthers(B, "", B.getVoidTy());
  finish(F, B);
}

static void detachThread(Function &F, IRBuilder<> &B) {
  B.CreateStore(B.getInt64(0), F.getArg(0));
  finish(F, B);
}

/// int create(thread *, const attributes *, void *(*function)(void *), void *argument)
template <bool Beside> static void createThread(Function &F, IRBuilder<> &B) {
  Type *Ptr = B.getPtrTy();
  begin<Beside>(B, F.getArg(3));
  Value *Exits = threadExitsSoFar(B);
  B.CreateCall(FunctionType::get(Ptr, {Ptr}, false), F.getArg(2), {F.getArg(3)});
  runThreadExits(F, B, Exits);
  B.CreateStore(end<Beside>(B), F.getArg(0));
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

template <bool Beside> static BodyWriter bodyOfThreads(Role Which) {
  static constexpr std::pair<Role, BodyWriter> Bodies[] = {
      {Role::Nothing, nothing},
      {Role::Lock, Beside ? lockBeside : lock},
      {Role::Waits, Beside ? waitsBeside : waits},
      {Role::StartThread, startThread<Beside>},
      {Role::JoinThread, joinThread<Beside>},
      {Role::DetachThread, Beside ? nullptr : detachThread}, // what such a thread does may have no end
      {Role::MakeResult, makeResult},
      {Role::CreateThread, createThread<Beside>},
      {Role::Once, once},
      {Role::OnceProxy, onceProxy},
      {Role::ThreadExit, registerThreadExit},
  };
  return bodyIn(Bodies, Which);
}

/// join(thread, result); what a thread returns is not followed, so only where nobody asks for it.
template <bool Beside> static void lowerJoins(Function &Join) {
  for (User *U : make_early_inc_range(Join.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &Join || !isa<ConstantPointerNull>(Call->getArgOperand(1)))
      continue;
    IRBuilder<> B(Call);
    call(B, RunnerCall::Join, {Call->getArgOperand(0)});
    if (Beside)
      meetOthers(B, "", B.getVoidTy());
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

template <bool Beside> void lowerThreads(Module &M) {
  lowerRegions<Beside>(M);
  if (Beside)
    dealOutBeside(M);
  for (Function &F : M)
    if (F.isDeclaration() && knownRole(F.getName()) == Role::AwaitThread)
      lowerJoins<Beside>(F);
  const bool HasOwnVariables = makeThreadLocalsPlain(M);
  ownOnceVariables(M);
  makeThreadLocalsPlain(M);
  SmallVector<std::pair<Function *, BodyWriter>, 16> Bodies;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.use_empty() || F.isIntrinsic())
      continue;
    const std::optional<Role> Which = knownRole(F.getName());
    BodyWriter Write = Which ? bodyOfTeams<Beside>(*Which) : nullptr;
    if (Which && !Write)
      Write = bodyOfWorkSharing<Beside>(*Which);
    if (Which && !Write)
      Write = bodyOfThreads<Beside>(*Which);
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

template void lowerThreads<false>(Module &M);
template void lowerThreads<true>(Module &M);

} // namespace memshape
