// Parallel regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers what clang emits for OpenMP. A function without a body here (cancellation, copyprivate, locks, loops of tasks)
// stays an unknown call, which the answer names.

#include "libraries/reader/Known.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "threads/Threads.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// Attributes of functions: a team, and the function that its threads run.
static constexpr char TeamMark[] = "memshape-team", MemberMark[] = "memshape-team-member";

/// Threads that a clause asks for in the next region, and that the program asks for in all following ones; 0 for none.
static constexpr char ClauseThreads[] = "memshape.clause_threads", ProgramThreads[] = "memshape.program_threads";

/// Variable through which one thread passes its variables to others.
static constexpr char CopySource[] = "memshape.copy_source";

bool isExecutedByTeams(const Function &F) { return F.hasFnAttribute(MemberMark); }

static GlobalVariable *variable(Module &M, StringRef Name) {
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  Type *T = Type::getInt32Ty(M.getContext());
  return new GlobalVariable(M, T, false, GlobalValue::InternalLinkage, ConstantInt::get(T, 0), Name);
}

/// M calls a function of Wanted.
static bool calls(const Module &M, Role Wanted) {
  return any_of(M, [&](const Function &F) { return !F.use_empty() && knownRole(F.getName()) == Wanted; });
}

/// How many threads the program asks for in all regions, at B; 0 where it asks for none.
static Value *askedByProgram(Module &M, IRBuilder<> &B) {
  return calls(M, Role::SetThreads) ? B.CreateLoad(B.getInt32Ty(), variable(M, ProgramThreads))
                                    : static_cast<Value *>(B.getInt32(0));
}

static CallInst *call(IRBuilder<> &B, RunnerCall Which, ArrayRef<Value *> Arguments = {}) {
  return B.CreateCall(runnerFunction(*B.GetInsertBlock()->getModule(), Which), Arguments);
}

/// Ends F's body with a return of V, which is an integer, or of nothing.
static void finish(Function &F, IRBuilder<> &B, Value *V = nullptr) {
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(V ? B.CreateZExtOrTrunc(V, F.getReturnType()) : Constant::getNullValue(F.getReturnType()));
}

static void one(Function &F, IRBuilder<> &B) { finish(F, B, B.getInt32(1)); }

template <bool Beside> static void meetTeam(IRBuilder<> &B) {
  if (Beside)
    meetOthers(B, "", B.getVoidTy());
  else
    call(B, RunnerCall::Barrier);
}

template <bool Beside> static void barrier(Function &F, IRBuilder<> &B) {
  meetTeam<Beside>(B);
  finish(F, B);
}

template <RunnerCall Which> static void ask(Function &F, IRBuilder<> &B) { finish(F, B, call(B, Which)); }

static void isFirst(Function &F, IRBuilder<> &B) {
  Value *Wanted = B.getInt32(0);
  if (F.arg_size() > 2)
    Wanted = F.getArg(2); // masked filter(n)
  finish(F, B, B.CreateICmpEQ(call(B, RunnerCall::Thread), Wanted));
}

static void pushThreads(Function &F, IRBuilder<> &B) {
  B.CreateStore(F.getArg(2), variable(*F.getParent(), ClauseThreads));
  finish(F, B);
}

static void setThreads(Function &F, IRBuilder<> &B) {
  B.CreateStore(F.getArg(0), variable(*F.getParent(), ProgramThreads));
  finish(F, B);
}

static void setLevels(Function &F, IRBuilder<> &B) {
  // A negative number changes nothing.
  auto *Set = BasicBlock::Create(F.getContext(), "", &F), *Done = BasicBlock::Create(F.getContext(), "", &F);
  B.CreateCondBr(B.CreateICmpSGE(F.getArg(0), B.getInt32(0)), Set, Done);
  B.SetInsertPoint(Set);
  call(B, RunnerCall::Levels, {F.getArg(0)});
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  finish(F, B);
}

static void setNested(Function &F, IRBuilder<> &B) {
  Value *Any = B.CreateICmpNE(F.getArg(0), B.getInt32(0));
  call(B, RunnerCall::Levels, {B.CreateSelect(Any, B.getInt32(INT32_MAX), B.getInt32(1))});
  finish(F, B);
}

/// The first of Given that is above 0.
static Value *positiveOr(IRBuilder<> &B, Value *Given, Value *Otherwise) {
  return B.CreateSelect(B.CreateICmpSGT(Given, B.getInt32(0)), Given, Otherwise);
}

static void maxThreads(Function &F, IRBuilder<> &B) {
  auto *Ask = BasicBlock::Create(F.getContext(), "", &F), *Done = BasicBlock::Create(F.getContext(), "", &F);
  Value *OfProgram = askedByProgram(*F.getParent(), B);
  BasicBlock *Entry = B.GetInsertBlock();
  B.CreateCondBr(B.CreateICmpSGT(OfProgram, B.getInt32(0)), Done, Ask);
  B.SetInsertPoint(Ask);
  Value *Default = call(B, RunnerCall::DefaultThreads);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Most = B.CreatePHI(B.getInt32Ty(), 2);
  Most->addIncoming(OfProgram, Entry);
  Most->addIncoming(Default, Ask);
  finish(F, B, Most);
}

static void inParallel(Function &F, IRBuilder<> &B) {
  finish(F, B, B.CreateICmpSGT(call(B, RunnerCall::Level), B.getInt32(0)));
}

static void leaveSerial(Function &F, IRBuilder<> &B) {
  call(B, RunnerCall::Serial, {B.getInt32(0)});
  call(B, RunnerCall::RegionEnd);
  finish(F, B);
}

static void waitForTasks(Function &F, IRBuilder<> &B) {
  call(B, RunnerCall::Join, {B.getInt64(0)});
  finish(F, B);
}

/// A task runs where it is created. Its memory is struct kmp_task_t { void *shareds; int32_t (*routine)(int32_t,
/// kmp_task_t *); int32_t part; int32_t (*destructors)(int32_t, kmp_task_t *); ... }. The four bytes after `part` are
/// padding; they are used to store whether there is something to destroy.
static constexpr unsigned TaskRoutine = 8, TaskDestroys = 20, TaskDestructors = 24;

static void runTask(Function &F, IRBuilder<> &B) {
  Value *Task = F.getArg(2);
  auto *Type = FunctionType::get(B.getInt32Ty(), {B.getInt32Ty(), B.getPtrTy()}, false);
  auto Field = [&](unsigned Offset) { return B.CreateConstGEP1_64(B.getInt8Ty(), Task, Offset); };
  auto Run = [&](unsigned Offset) {
    B.CreateCall(Type, B.CreateLoad(B.getPtrTy(), Field(Offset)), {B.getInt32(0), Task});
  };
  auto *Destroy = BasicBlock::Create(F.getContext(), "", &F), *Done = BasicBlock::Create(F.getContext(), "", &F);
  call(B, RunnerCall::Spawn, {B.getInt32(MEMSHAPE_SK_POOLED)});
  Run(TaskRoutine);
  B.CreateCondBr(B.CreateICmpNE(B.CreateLoad(B.getInt32Ty(), Field(TaskDestroys)), B.getInt32(0)), Destroy, Done);
  B.SetInsertPoint(Destroy);
  Run(TaskDestructors);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  call(B, RunnerCall::Spawned, {B.getInt32(MEMSHAPE_SK_POOLED)});
  finish(F, B);
}

/// copyprivate(location, thread, bytes, own, copy, did): the thread that ran the `single` hands its variables to all.
template <bool Beside> static void copyPrivate(Function &F, IRBuilder<> &B) {
  Module &M = *F.getParent();
  Type *Ptr = B.getPtrTy();
  GlobalVariable *Shared = M.getNamedGlobal(CopySource);
  if (!Shared)
    Shared = new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage, Constant::getNullValue(Ptr), CopySource);
  auto *Give = BasicBlock::Create(F.getContext(), "", &F), *Meet = BasicBlock::Create(F.getContext(), "", &F),
       *Take = BasicBlock::Create(F.getContext(), "", &F), *Done = BasicBlock::Create(F.getContext(), "", &F);
  Value *Did = B.CreateICmpNE(F.getArg(5), Constant::getNullValue(F.getArg(5)->getType()));
  B.CreateCondBr(Did, Give, Meet);
  B.SetInsertPoint(Give);
  B.CreateStore(F.getArg(3), Shared);
  B.CreateBr(Meet);
  B.SetInsertPoint(Meet);
  meetTeam<Beside>(B);
  B.CreateCondBr(Did, Done, Take);
  B.SetInsertPoint(Take);
  B.CreateCall(FunctionType::get(B.getVoidTy(), {Ptr, Ptr}, false), F.getArg(4),
               {F.getArg(3), B.CreateLoad(Ptr, Shared)});
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  meetTeam<Beside>(B);
  finish(F, B);
}

template <bool Beside> BodyWriter bodyOfTeams(Role Which) {
  static constexpr std::pair<Role, BodyWriter> Bodies[] = {
      {Role::Barrier, barrier<Beside>},
      {Role::One, one},
      {Role::IsFirst, isFirst},
      {Role::Single, ask<RunnerCall::Single>},
      {Role::PushThreads, pushThreads},
      {Role::LeaveSerial, leaveSerial},
      {Role::AwaitTasks, waitForTasks},
      {Role::RunTask, runTask},
      {Role::CopyPrivate, copyPrivate<Beside>},
      {Role::SetThreads, setThreads},
      {Role::SetLevels, setLevels},
      {Role::SetNested, setNested},
      {Role::MostThreads, maxThreads},
      {Role::Processors, ask<RunnerCall::Processors>},
      {Role::Thread, ask<RunnerCall::Thread>},
      {Role::Threads, ask<RunnerCall::Threads>},
      {Role::Level, ask<RunnerCall::Level>},
      {Role::InParallel, inParallel},
  };
  return bodyIn(Bodies, Which);
}

template BodyWriter bodyOfTeams<false>(Role Which);
template BodyWriter bodyOfTeams<true>(Role Which);

/// How often Call gives its thread work, in traces of the run-time library: two for a static schedule, which computes a
/// part; for dynamic ones the first and the last request.
static uint64_t tracesOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return 0;
  const uint64_t StaticTraces = 2, DealtTraces = 10;
  const std::optional<Role> Which = knownRole(Callee->getName());
  return Which == Role::StaticLoop ? StaticTraces : Which == Role::DealtLoop ? DealtTraces : 0;
}

/// The same for the threads of a region, summed over the calls reachable from Member.
static uint64_t tracesBelow(Function &Member) {
  uint64_t Traces = 0;
  SmallSetVector<Function *, 16> Reached;
  Reached.insert(&Member);
  for (unsigned I = 0; I != Reached.size(); ++I)
    for (Instruction &Inst : instructions(*Reached[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = Call->getCalledFunction()) {
          Traces += tracesOf(*Call);
          if (!Callee->isDeclaration())
            Reached.insert(Callee);
        }
  return Traces;
}

/// void team(i32 threads, arguments...): calls Member(&thread, &thread, arguments...) for each thread.
template <bool Beside> static Function *makeTeam(Function &Member, ArrayRef<Value *> Arguments) {
  Module &M = *Member.getParent();
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Types = {Type::getInt32Ty(C)};
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  auto *Team = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false), GlobalValue::InternalLinkage,
                                "memshape.team", M);
  Team->addFnAttr(TeamMark);
  Member.addFnAttr(MemberMark);
  if (!Beside)
    for (Function *F : {Team, &Member})
      F->addFnAttr(Attribute::NoInline);
  auto *Entry = BasicBlock::Create(C, "", Team), *Test = BasicBlock::Create(C, "", Team),
       *Run = BasicBlock::Create(C, "", Team), *Done = BasicBlock::Create(C, "", Team);
  IRBuilder<> B(Entry);
  AllocaInst *Number = B.CreateAlloca(B.getInt32Ty());
  B.CreateBr(Test);
  B.SetInsertPoint(Test);
  PHINode *Thread = B.CreatePHI(B.getInt32Ty(), 2);
  B.CreateCondBr(B.CreateICmpULT(Thread, Team->getArg(0)), Run, Done);
  B.SetInsertPoint(Run);
  B.CreateStore(Thread, Number);
  SmallVector<Value *, 8> Passed = {Number, Number};
  for (Argument &A : drop_begin(Team->args()))
    Passed.push_back(&A);
  if (Beside) {
    SmallVector<Value *, 8> Shared;
    std::string Constraints;
    for (Argument &A : drop_begin(Team->args()))
      if (A.getType()->isPointerTy())
        Shared.push_back(&A), Constraints += "r,";
    meetOthers(B, Constraints, B.getVoidTy(), Shared);
    call(B, RunnerCall::Spawn, {B.getInt32(TeamMember)});
  }
  B.CreateCall(&Member, Passed);
  if (Beside) {
    call(B, RunnerCall::Spawned, {B.getInt32(TeamMember)});
    meetOthers(B, "", B.getVoidTy());
  }
  Thread->addIncoming(B.getInt32(0), Entry);
  Thread->addIncoming(B.CreateAdd(Thread, B.getInt32(1)), Run);
  B.CreateBr(Test);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return Team;
}

/// How many threads the region that begins at Fork asks for; 0 where neither its clause nor the program says it. Its
/// clause stands right in front of it.
static Value *threadsAskedFor(CallBase &Fork, IRBuilder<> &B) {
  Module &M = *Fork.getModule();
  Value *OfClause = nullptr;
  for (Instruction *Before = Fork.getPrevNode(); Before && !OfClause; Before = Before->getPrevNode()) {
    auto *Call = dyn_cast<CallBase>(Before);
    if (!Call || !Call->getCalledFunction())
      continue;
    const std::optional<Role> Which = knownRole(Call->getCalledFunction()->getName());
    if (Which == Role::PushThreads)
      OfClause = Call->getArgOperand(2);
    else if (Which || runnerCall(*Call) == RunnerCall::RegionEnd) // another region may have begun
      break;
  }
  if (OfClause || !calls(M, Role::PushThreads))
    OfClause = OfClause ? OfClause : B.getInt32(0);
  else
    OfClause = B.CreateLoad(B.getInt32Ty(), variable(M, ClauseThreads));
  B.CreateStore(B.getInt32(0), variable(M, ClauseThreads));
  return positiveOr(B, OfClause, positiveOr(B, askedByProgram(M, B), B.getInt32(0)));
}

/// __kmpc_fork_call(loc, count, outlined, arguments...); with a condition, __kmpc_fork_call_if(loc, 1, outlined,
/// condition, arguments).
template <bool Beside> static void lowerRegion(CallBase &Fork, bool Conditional) {
  auto *Member = dyn_cast<Function>(Fork.getArgOperand(2)->stripPointerCasts());
  const unsigned First = Conditional ? 4 : 3;
  SmallVector<Value *, 8> Arguments(drop_begin(Fork.args(), First));
  if (!Member || Member->isDeclaration() || Member->arg_size() != Arguments.size() + 2)
    return;
  for (auto [At, A] : enumerate(Arguments))
    if (A->getType() != Member->getArg(At + 2)->getType())
      return;
  // Other threads run the same function at the same time, so its arguments may be shared.
  for (Argument &A : Member->args())
    A.removeAttr(Attribute::NoAlias);
  IRBuilder<> B(&Fork);
  Value *Wanted = threadsAskedFor(Fork, B);
  if (Conditional)
    Wanted = B.CreateSelect(B.CreateICmpNE(Fork.getArgOperand(3), B.getInt32(0)), Wanted, B.getInt32(1));
  Value *Threads = call(B, RunnerCall::TeamSize, {Wanted});
  call(B, RunnerCall::Region, {Threads, B.getInt64(tracesBelow(*Member))});
  Function *Team = makeTeam<Beside>(*Member, Arguments);
  Arguments.insert(Arguments.begin(), Threads);
  B.CreateCall(Team, Arguments);
  call(B, RunnerCall::RegionEnd);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Fork)) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    B.CreateBr(Invoke->getNormalDest());
  }
  Fork.eraseFromParent();
}

/// __kmpc_serialized_parallel(loc, gtid): the program itself calls the region's function next.
static void lowerSerialRegion(CallBase &Enter, SmallVectorImpl<Function *> &Members) {
  uint64_t Traces = 0;
  for (Instruction *I = Enter.getNextNode(); I; I = I->getNextNode())
    if (auto *Next = dyn_cast<CallBase>(I);
        Next && Next->getCalledFunction() && !Next->getCalledFunction()->isDeclaration()) {
      Members.push_back(Next->getCalledFunction());
      Traces = tracesBelow(*Members.back());
      break;
    }
  IRBuilder<> B(&Enter);
  B.CreateStore(B.getInt32(0), variable(*Enter.getModule(), ClauseThreads));
  call(B, RunnerCall::Region, {B.getInt32(1), B.getInt64(Traces)});
  call(B, RunnerCall::Serial, {B.getInt32(1)});
  Enter.eraseFromParent();
}

/// Work-sharing constructs outside a region: the run-time library makes its traces there, too. Members are the
/// functions of regions, which count their own.
static void markSharingOutside(Module &M, ArrayRef<Function *> Members) {
  SmallVector<Function *, 16> Outside;
  SmallPtrSet<Function *, 16> Seen(Members.begin(), Members.end());
  for (Function &F : M)
    if (F.hasExternalLinkage() && !F.isDeclaration() && Seen.insert(&F).second)
      Outside.push_back(&F);
  SmallVector<CallBase *, 8> Sharing;
  for (unsigned I = 0; I != Outside.size(); ++I)
    for (Instruction &Inst : instructions(*Outside[I])) {
      if (auto *Call = dyn_cast<CallBase>(&Inst); Call && tracesOf(*Call) && !isa<InvokeInst>(Call))
        Sharing.push_back(Call);
      // Any function that is called or has its address taken may run here.
      for (const Use &U : Inst.operands())
        if (auto *F = dyn_cast<Function>(U.get());
            F && !F->isDeclaration() && !isExecutedByTeams(*F) && Seen.insert(F).second)
          Outside.push_back(F);
    }
  for (CallBase *Call : Sharing) {
    IRBuilder<> B(Call);
    call(B, RunnerCall::Region, {B.getInt32(0), B.getInt64(tracesOf(*Call))});
    B.SetInsertPoint(Call->getNextNode());
    call(B, RunnerCall::RegionEnd);
  }
}

/// kmp_task_t *__kmpc_omp_task_alloc(loc, gtid, flags, bytes, shared bytes, routine): a task ends before this call
/// makes another one, so one variable suffices. The run-time library takes it from blocks that it keeps.
static void lowerTaskMemory(CallBase &Call) {
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(3)), *Shared = dyn_cast<ConstantInt>(Call.getArgOperand(4));
  if (!Bytes || !Shared || isa<InvokeInst>(Call))
    return;
  IRBuilder<> B(&*Call.getFunction()->getEntryBlock().getFirstInsertionPt());
  const uint64_t Own = alignTo(Bytes->getZExtValue(), 16);
  AllocaInst *Task = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Own + Shared->getZExtValue()));
  Task->setAlignment(Align(16));
  B.SetInsertPoint(&Call);
  B.CreateStore(B.CreateConstGEP1_64(B.getInt8Ty(), Task, Own), Task);
  B.CreateStore(Call.getArgOperand(5), B.CreateConstGEP1_64(B.getInt8Ty(), Task, TaskRoutine));
  const unsigned HasDestructors = 8; // of kmp_tasking_flags_t
  B.CreateStore(B.CreateAnd(Call.getArgOperand(2), HasDestructors),
                B.CreateConstGEP1_64(B.getInt8Ty(), Task, TaskDestroys));
  Call.replaceAllUsesWith(Task);
  Call.eraseFromParent();
}

template <bool Beside> void lowerRegions(Module &M) {
  SmallVector<Function *, 8> Members;
  for (Role Wanted : {Role::SerialRegion, Role::Region, Role::RegionIf, Role::TaskMemory})
    for (Function &F : make_early_inc_range(M)) {
      if (!F.isDeclaration() || knownRole(F.getName()) != Wanted)
        continue;
      for (User *U : make_early_inc_range(F.users()))
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F) {
          if (Wanted == Role::TaskMemory)
            lowerTaskMemory(*Call);
          else if (Wanted == Role::SerialRegion)
            lowerSerialRegion(*Call, Members);
          else
            lowerRegion<Beside>(*Call, Wanted == Role::RegionIf);
        }
    }
  markSharingOutside(M, Members);
}

template void lowerRegions<false>(Module &M);
template void lowerRegions<true>(Module &M);

/// The call of a member in Team; null where none is left.
static CallInst *memberCall(Function &Team) {
  for (Instruction &I : instructions(Team))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction(); Callee && isExecutedByTeams(*Callee))
        return Call;
  return nullptr;
}

/// void body(arguments, i32 thread): as Call, for one thread.
static Function *makeBody(CallInst &Call, StructType *Fields) {
  LLVMContext &C = Call.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I32 = Type::getInt32Ty(C);
  auto *Body = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, I32}, false), GlobalValue::InternalLinkage,
                                "memshape.team_body", *Call.getModule());
  IRBuilder<> B(BasicBlock::Create(C, "", Body));
  AllocaInst *Number = B.CreateAlloca(I32);
  B.CreateStore(Body->getArg(1), Number);
  SmallVector<Value *, 8> Passed;
  for (const Use &U : Call.args()) {
    Value *V = U.get();
    if (auto *A = dyn_cast<Argument>(V))
      V = B.CreateLoad(A->getType(), B.CreateStructGEP(Fields, Body->getArg(0), A->getArgNo()));
    else if (!isa<Constant>(V))
      V = V->getType()->isPointerTy() ? static_cast<Value *>(Number) : Body->getArg(1);
    Passed.push_back(V);
  }
  B.CreateCall(Call.getCalledFunction(), Passed)->setDebugLoc(Call.getDebugLoc());
  B.CreateRetVoid();
  return Body;
}

void finishTeams(Module &M) {
  for (User *Each : make_early_inc_range(runnerFunction(M, RunnerCall::Lock).getCallee()->users()))
    cast<CallInst>(Each)->eraseFromParent();
  SmallVector<Function *, 8> Teams;
  for (Function &F : M)
    if (F.hasFnAttribute(TeamMark) && !F.isDeclaration())
      Teams.push_back(&F);
  for (Function *Team : Teams) {
    CallInst *Call = memberCall(*Team);
    if (!Call)
      continue;
    SmallVector<Type *, 8> Types;
    for (Argument &A : Team->args())
      Types.push_back(A.getType());
    StructType *Fields = StructType::get(M.getContext(), Types);
    Function *Body = makeBody(*Call, Fields);
    Team->deleteBody();
    Team->setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Team));
    AllocaInst *Arguments = B.CreateAlloca(Fields);
    for (Argument &A : Team->args())
      B.CreateStore(&A, B.CreateStructGEP(Fields, Arguments, A.getArgNo()));
    call(B, RunnerCall::Team, {Team->getArg(0), Body, Arguments});
    B.CreateRetVoid();
  }
}

} // namespace memshape
