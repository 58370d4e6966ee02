//===- Skeleton.cpp - The allocation skeleton of an operator --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"
#include "Replay.h"
#include "UnprovenCalls.h"
#include "ceiling/Ceiling.h"
#include "data-flow/DataFlow.h"
#include "data-flow/Determined.h"
#include "data-flow/WriteMarks.h"
#include "emit/DecisionStates.h"
#include "extract/Extract.h"
#include "extract/UndefinedNames.h"
#include "flatten/Flatten.h"
#include "intervals/ValueRanges.h"
#include "kept-state/RememberedShapes.h"
#include "libraries/LibraryBodies.h"
#include "libraries/Summaries.h"
#include "loops/CountedLoops.h"
#include "loops/IdleLoops.h"
#include "lower/Checks.h"
#include "lower/Jumps.h"
#include "lower/Lower.h"
#include "lower/MachineQueries.h"
#include "lower/OutwardCalls.h"
#include "lower/WorkspaceQueries.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "memshape/SkeletonAbi.h"
#include "operators/CallersFunction.h"
#include "runner-calls/RunnerCalls.h"
#include "slice/Proposal.h"
#include "slice/Slice.h"
#include "slice/Taint.h"
#include "threads/Threads.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace memshape {

namespace {

constexpr char TooLarge[] = "it is too large to be sliced within the time that a compilation has";

/// The making of one skeleton.
class SkeletonBuilder {
  const Operator &Op;
  SkeletonFacts &Facts;
  const SlicingLimits Limits;
  std::unique_ptr<Module> M;
  Function *Root = nullptr;
  Effort Spent;
  Simplifier Simplify{Spent};

public:
  SkeletonBuilder(const Operator &O, SkeletonFacts &F, SlicingLimits L = {})
      : Op(O), Facts(F), Limits(L), Spent(L.Allowance) {}
  std::unique_ptr<Module> run(DataBeside Numbers);
  std::unique_ptr<Module> replay();
  std::unique_ptr<Module> ceiling();
  uint64_t spent() const { return Spent.spent(); }

private:
  /// Of following pointers.
  uint64_t mostSteps() const { return Limits.PointerBudget * uint64_t(100'000'000); }
  bool suits();
  void simplify();
  bool affords(Effort::Cost Each);
  std::unique_ptr<PointsTo> pointers(uint64_t MaxSteps);
  void dropTensorArithmetic();
  std::unique_ptr<PointsTo> resolve();
  void slice(const PointsTo &Memory);
  void describe(const Slice &S, const DataFlow &Flow);
  void markUntouched(const PointsTo &Memory, const ModRefIndex &Accesses, const Slice &S);
  void numberSites();
  Function &addEntry();
  void listMachineDependence();
  std::unique_ptr<Module> verified();
};

} // namespace

bool SkeletonBuilder::suits() {
  for (const ParameterFact &P : Op.Fact.Parameters)
    if (P.Role == ParameterRole::Object) {
      Facts.Reason = "parameter '" + P.Name +
                     "' is of class type: wrap the operator in a function that builds it from shape symbols";
      return false;
    }
  if (Op.Fact.HasThis) {
    Facts.Reason = "a member function: wrap it in a function that builds the object from shape symbols";
    return false;
  }
  if (Op.Function->getParent()->getNamedIFunc((Op.Function->getName() + ".ifunc").str())) {
    Facts.Reason = "it has bodies of its own for several processors, and which one runs is known there alone";
    return false;
  }
  if (Op.Function->isVarArg() || !Op.argumentsMatch()) {
    Facts.Reason = "its parameters are passed in a form that is not supported yet";
    return false;
  }
  return true;
}

/// Replaces calls through pointers that can reach one function only.
static bool devirtualise(Module &M, const PointsTo &Memory) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->isIndirectCall())
        continue;
      bool Complete;
      SmallVector<Function *, 2> Callees = Memory.callees(*Call, Complete);
      if (!Complete || Callees.size() != 1 || Callees[0]->getFunctionType() != Call->getFunctionType())
        continue;
      Call->setCalledFunction(Callees[0]);
      Changed = true;
    }
  return Changed;
}

/// A place that uses a pointer which is never set can only be reached by mistake: what only null allows is gone with
/// it.
static bool dropImpossiblePaths(Module &M, const PointsTo &Memory) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        const Value *Pointer = getLoadStorePointerOperand(&I);
        auto *Call = dyn_cast<CallBase>(&I);
        bool Impossible = Pointer && Pointer->getType()->isPointerTy() && Memory.targets(Pointer).empty();
        if (!Impossible && !(Call && Memory.isDeadCall(*Call)))
          continue;
        leaveBefore(&I, MEMSHAPE_SK_IMPOSSIBLE);
        Changed = true;
        break;
      }
  return Changed;
}

/// Spends a stage's work on M. False, with a reason, where it must not be begun.
bool SkeletonBuilder::affords(Effort::Cost Each) {
  if (Spent.spend(Each, instructionCount(*M)))
    return true;
  Facts.Reason = TooLarge;
  return false;
}

std::unique_ptr<PointsTo> SkeletonBuilder::pointers(uint64_t MaxSteps) {
  const uint64_t Each = Effort::StepsOfPointers;
  auto Memory = std::make_unique<PointsTo>(*M, *Root, std::min(MaxSteps / Each, Spent.left()) * Each);
  Spent.spend(Effort::Copying, Memory->steps() / Each + 1);
  return Memory;
}

/// Points-to facts of the flattened module. What they reveal is used to flatten further, until nothing more comes of
/// it.
std::unique_ptr<PointsTo> SkeletonBuilder::resolve() {
  const unsigned MaxRounds = 6;
  for (unsigned Round = 1;; ++Round) {
    std::unique_ptr<PointsTo> Memory = pointers(mostSteps());
    if (Round == MaxRounds || !Memory->isComplete() || Spent.isExhausted())
      return Memory;
    bool Devirtualised = devirtualise(*M, *Memory);
    if (Devirtualised)
      lowerAllocations(*M); // free, called through a pointer until now
    if (!dropImpossiblePaths(*M, *Memory) && !Devirtualised)
      return Memory;
    flatten(*M, *Root, Simplify, /*Optimised=*/true);
    simplify();
  }
}

void SkeletonBuilder::markUntouched(const PointsTo &Memory, const ModRefIndex &Accesses, const Slice &S) {
  DenseSet<const Value *> Touched;
  for (Function &F : *M)
    for (Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I);
          S.isLive(&I) && (!is_contained(S.decisions(), &I) || (Call && S.executes(*Call))))
        for (const ModRef &Access : Accesses.of(&I)) {
          bool All = is_contained(Accesses.objectsOf(Access), 0u);
          for (unsigned Id : Accesses.objectsOf(Access))
            Touched.insert(Memory.object(Id).Origin);
          for (unsigned Id = 0; All && Id != Memory.objectCount(); ++Id)
            if (Memory.object(Id).Escapes)
              Touched.insert(Memory.object(Id).Origin);
        }
  for (Function &F : *M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc)
        continue;
      unsigned Operand = Which == RunnerCall::Alloc ? AllocFlags : ReallocFlags;
      Value *Flags = Call->getArgOperand(Operand);
      if (Touched.contains(&I))
        continue;
      IRBuilder<> B(Call);
      Flags = B.CreateOr(B.CreateAnd(Flags, B.getInt32(MEMSHAPE_SK_ANNOUNCED)), B.getInt32(MEMSHAPE_SK_UNTOUCHED));
      Call->setArgOperand(Operand, Flags);
    }
}

/// All that comes of V is which case of a switch is taken.
static bool choosesCase(const Value &V) {
  return !V.use_empty() &&
         all_of(V.users(), [](const User *U) { return isa<SwitchInst>(U) || (isa<CastInst>(U) && choosesCase(*U)); });
}

void SkeletonBuilder::describe(const Slice &S, const DataFlow &Flow) {
  Proposer Proposing(S);
  for (Instruction *I : S.decisions()) {
    SkeletonDecision D;
    D.IsBranch = I->getType()->isIntOrIntVectorTy(1);
    const SourcePlace Innermost = innermostPlace(I->getDebugLoc());
    D.Place = displayPlace(I->getDebugLoc());
    if (D.Place.File != Innermost.File || D.Place.Line != Innermost.Line)
      D.Inside = Innermost;
    // A condition is where it is written; a size is named where it is asked for.
    D.Condition = conditionText(D.IsBranch ? Innermost : D.Place);
    for (const Value *Cause : Flow.path(I))
      if (const auto *Read = dyn_cast<Instruction>(Cause); Read && Read->getDebugLoc())
        D.Source = innermostPlace(Read->getDebugLoc());
    if (D.IsBranch) {
      Proposal P = Proposing.propose(*I);
      D.Effect = P.Effect;
      D.InLoop = P.InLoop;
      D.Succeeds = P.Succeeds;
    } else {
      D.Effect = choosesCase(*I) ? DecisionEffect::Case : DecisionEffect::Size;
    }
    Facts.Decisions.push_back(std::move(D));
  }
  for (CallBase *Call : S.unknownCalls()) {
    SkeletonUnknown U;
    const Function *Callee = Call->getCalledFunction();
    U.Symbol = Callee ? demangle(Callee->getName().str()) : "a function pointer";
    U.Place = displayPlace(Call->getDebugLoc());
    for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I)
      if (Call->getCalledOperand() == Root->getArg(Op.argumentOf(I)->getArgNo()))
        U.Symbol = Op.Fact.Parameters[I].Name;
    bool IsForbidden = Callee && summaryOf(*Callee).How == Treatment::Forbidden;
    U.Reason = IsForbidden                                   ? CallReason::ReachesOut
               : Callee                                      ? CallReason::NoBody
               : isCallersFunction(Call->getCalledOperand()) ? CallReason::CallersFunction
                                                             : CallReason::NoTarget;
    Facts.Unknowns.push_back(std::move(U));
  }
}

void SkeletonBuilder::simplify() {
  for (Function &F : *M)
    if (!F.isDeclaration())
      Simplify.thorough(F);
}

/// A first slice that cuts nothing: most of an operator is arithmetic on tensors, and need not be simplified to be
/// deleted.
void SkeletonBuilder::dropTensorArithmetic() {
  straightenThrows(*M);
  const uint64_t StepsEach = 100; // where pointers are tangled, simplification comes first
  const std::unique_ptr<PointsTo> Found = pointers(StepsEach * instructionCount(*M));
  if (!Found->isComplete() || Spent.isExhausted())
    return;
  const PointsTo &Memory = *Found;
  ModRefIndex Accesses(*M, *Root, Memory);
  DataFlow Nothing;
  Slice S(*M, Memory, Accesses, Nothing, Slice::FollowData);
  rememberUnmarked(*M, Memory, Accesses, S.lostMarks());
  deleteDead(*M, S);
}

void SkeletonBuilder::slice(const PointsTo &Memory) {
  straightenThrows(*M);
  auto [Accesses, Flow] = flowWithBounds(*M, *Root, Memory);
  Slice S(*M, Memory, *Accesses, *Flow, Slice::CutData);
  describe(S, *Flow);
  Facts.BesideData =
      any_of(S.decisions(), [&](const Instruction *I) { return numberBesideData(Flow->path(I), Memory); });
  markUnknownExtents(*M, Memory, *Accesses, *Flow);
  rememberUnmarked(*M, Memory, *Accesses, S.lostMarks());
  markUntouched(Memory, *Accesses, S);
  deleteDead(*M, S);
  askForTaint(*M);
  for (unsigned Id : markBoundedValues(*M))
    Facts.Decisions[Id].IsBounded = true;
}

/// Gives each place that allocates its id. Copies of one call that inlining and unrolling made share their location.
void SkeletonBuilder::numberSites() {
  DenseMap<std::pair<const DILocation *, const MDNode *>, unsigned> Ids;
  for (Function &F : *M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc)
        continue;
      const MDNode *Allocator = Call->getMetadata(AllocatorMetadata);
      const DILocation *Location = Call->getDebugLoc().get();
      auto [At, New] = Ids.try_emplace({Location, Allocator}, Facts.Sites.size());
      if (New) {
        SkeletonSite Site;
        Site.Chain = inliningChain(Call->getDebugLoc());
        Site.Place = displayPlace(Call->getDebugLoc());
        Site.Allocator = Allocator ? cast<MDString>(Allocator->getOperand(0))->getString().str() : "";
        Site.Space = Allocator ? cast<MDString>(Allocator->getOperand(1))->getString().str() : "host";
        Facts.Sites.push_back(std::move(Site));
      }
      unsigned Operand = Which == RunnerCall::Alloc ? AllocSite : ReallocSite;
      Call->setArgOperand(Operand, ConstantInt::get(Call->getArgOperand(Operand)->getType(), At->second));
    }
}

/// void memshape_skeleton(const int64_t *shape, const double *settings)
Function &SkeletonBuilder::addEntry() {
  LLVMContext &C = M->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  auto *Entry = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false), GlobalValue::ExternalLinkage,
                                 SkeletonEntry, *M);
  IRBuilder<> B(BasicBlock::Create(C, "", Entry));
  SmallVector<Value *, 8> Arguments(Root->arg_size());
  for (Argument &A : Root->args())
    if (A.hasStructRetAttr()) {
      AllocaInst *Slot = B.CreateAlloca(A.getParamStructRetType());
      Slot->setAlignment(Align(64));
      B.CreateStore(Constant::getNullValue(A.getParamStructRetType()), Slot);
      Arguments[A.getArgNo()] = Slot;
    }
  unsigned Shape = 0, Setting = 0, Tensor = 0;
  SmallVector<unsigned, 8> Unused;
  for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I) {
    unsigned Number = Op.argumentOf(I)->getArgNo();
    Type *T = Root->getArg(Number)->getType();
    Value *&V = Arguments[Number];
    switch (Op.Fact.Parameters[I].Role) {
    case ParameterRole::Shape:
      V = B.CreateTrunc(B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), Entry->getArg(0), Shape++)),
                        T);
      break;
    case ParameterRole::Setting: {
      Value *D = B.CreateLoad(B.getDoubleTy(), B.CreateConstGEP1_64(B.getDoubleTy(), Entry->getArg(1), Setting++));
      V = T->isIntegerTy() ? B.CreateFPToUI(D, T) : B.CreateFPCast(D, T);
      break;
    }
    default:
      // A runner that hands out no tensor need not look for what was left in one.
      if (Root->getArg(Number)->use_empty()) {
        V = Constant::getNullValue(T);
        Unused.push_back(Number);
        ++Tensor;
      } else if (Tensor < MEMSHAPE_SK_NAMED_TENSORS && onlyMarked(*Root->getArg(Number))) {
        V = B.CreateIntToPtr(B.getInt64(MEMSHAPE_SK_TENSOR_NAMES + (uint64_t(Tensor++) << MEMSHAPE_SK_TENSOR_BITS)), T);
        Unused.push_back(Number);
      } else {
        V = B.CreateCall(runnerFunction(*M, RunnerCall::Tensor), {B.getInt32(Tensor++)});
      }
      break;
    }
  }
  for (unsigned Number : Unused)
    for (Attribute::AttrKind Promise :
         {Attribute::NonNull, Attribute::NoUndef, Attribute::Dereferenceable, Attribute::Alignment})
      Root->removeParamAttr(Number, Promise);
  announceThreadLocals(*M, B);
  if (areTensorsMarked(*M))
    B.CreateCall(runnerFunction(*M, RunnerCall::Touch),
                 {Constant::getNullValue(B.getPtrTy()), B.getInt64(0), B.getInt64(0), B.getInt64(0)});
  CallInst *Call = B.CreateCall(Root, Arguments);
  Call->setAttributes(Root->getAttributes());
  B.CreateRetVoid();
  Root->setLinkage(GlobalValue::InternalLinkage);
  return *Entry;
}

/// Functions whose answer is the machine's.
void SkeletonBuilder::listMachineDependence() {
  for (Function &F : *M) {
    if (!F.isDeclaration() || F.use_empty() || F.isIntrinsic())
      continue;
    Summary S = summaryOf(F);
    if (S.How == Treatment::Ask)
      Facts.Machine.push_back(demangle(F.getName().str()));
    for (const std::string &Name : S.Libraries)
      if (!is_contained(Facts.Libraries, Name))
        Facts.Libraries.push_back(Name);
    if (any_of(Facts.Unknowns,
               [&](const SkeletonUnknown &U) { return U.IsCalled && U.Symbol == demangle(F.getName().str()); }))
      continue; // listed where it stands
    if (S.How == Treatment::Perform || S.How == Treatment::Repeat || S.Query)
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && !(runnerCall(*Call) == RunnerCall::RepeatAlike && Call->getArgOperand(2) == &F)) {
          const bool OnlyAsks = S.Query && S.How != Treatment::Perform && S.How != Treatment::Repeat;
          Facts.Unknowns.push_back({demangle(F.getName().str()), displayPlace(Call->getDebugLoc()),
                                    OnlyAsks ? CallReason::AsksForSize : CallReason::Executed, true});
          break;
        }
  }
  for (Function &F : *M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm() && !is_contained(Facts.Machine, "cpuid"))
        if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
            Asm && StringRef(Asm->getAsmString()).contains("cpuid"))
          Facts.Machine.push_back("cpuid");
}

std::unique_ptr<Module> SkeletonBuilder::run(DataBeside Numbers) {
  if (!suits())
    return nullptr;
  if (Limits.Reached > Limits.Allowance / Effort::Least) {
    Facts.Flattened = Limits.Reached;
    Facts.Reason = TooLarge;
    return nullptr;
  }
  const bool Optimised = !Op.Function->hasOptNone();
  M = extract(*Op.Function, Root);
  if (hasComputedGoto(*M)) {
    Facts.Reason = "it jumps to labels in a table (a computed goto), which is not followed";
    return nullptr;
  }
  const std::vector<std::string> Before = undefinedNames(*M);
  if (giveLibraryBodies(*M))
    Facts.Machine.push_back("the buffers of files, taken to have 4096 bytes");
  lowerAllocations(*M);
  lowerJumps(*M);
  const std::vector<std::string> Lowered = undefinedNames(*M);
  lowerThreads(*M);
  Facts.Flattened = instructionCount(*M);
  if (!affords(Effort::Copying))
    return nullptr;
  flatten(*M, *Root, Simplify, Optimised);
  Facts.Flattened = instructionCount(*M);
  if (!affords(Effort::Marking))
    return nullptr;
  Facts.Undefined = undefinedNames(*M);
  // Another unit may bring its own operator new.
  std::set_difference(Before.begin(), Before.end(), Lowered.begin(), Lowered.end(),
                      std::back_inserter(Facts.Undefined));
  removeOutwardCalls(*M);
  if (splitQueries(*M))
    for (Function &F : *M)
      if (!F.isDeclaration())
        Simplify.quick(F);
  markWrites(*M, Simplify.analyses());
  dropTensorArithmetic();
  simplify();
  std::unique_ptr<PointsTo> Memory = resolve();
  if (!affords(Effort::Slicing))
    return nullptr;
  if (Memory->isComplete() && Numbers == DataBeside::IsAsked && taintWrites(*M, *Root, *Memory, Simplify.analyses()))
    Memory = pointers(mostSteps());
  if (!Memory->isComplete()) {
    Facts.Reason = "its pointers are too tangled to be followed within the time that a compilation has";
    return nullptr;
  }
  Spent.allowAll(); // most of it is done
  slice(*Memory);
  Memory.reset();
  simplify();
  for (Function &F : *M)
    if (!F.isDeclaration())
      Simplify.loops(F);
  if (askOnceForIdleLoops(*M, Simplify.analyses()))
    simplify();
  Facts.Recalled = markRememberedShapes(*M, *Root, Simplify);
  forgetClasses(*M);
  announceUnproven(*M, Facts);
  lowerRepeats(*M);
  finishTeams(*M);
  numberSites();
  countAlikeIterations(*M, Simplify.analyses());
  addEntry();
  for (Function &F : make_early_inc_range(*M))
    if (F.getName() == DataMark && F.use_empty())
      F.eraseFromParent();
  Simplify.sweep(*M);
  nameQueries(*M);
  listMachineDependence();
  askRunnerForProcessor(*M);
  for (const Function &F : *M)
    for (const Instruction &I : instructions(F)) {
      Facts.Rounds |= mayRound(I);
      Facts.Compares |= comparesPlaces(I);
    }
  exposeStates(*Root);
  Spent.spend(Effort::Emitting, instructionCount(*M));
  return verified();
}

std::unique_ptr<Module> SkeletonBuilder::verified() {
  Facts.Kept = instructionCount(*M);
  StripDebugInfo(*M);
  std::string Problem;
  raw_string_ostream Text(Problem);
  if (verifyModule(*M, &Text)) {
    Facts.Reason = "internal error: the skeleton is not valid: " + StringRef(Problem).split('\n').first.str();
    return nullptr;
  }
  return std::move(M);
}

std::unique_ptr<Module> SkeletonBuilder::replay() {
  Facts.Replayed = true;
  if (!suits())
    return nullptr;
  M = extract(*Op.Function, Root, /*Whole=*/true);
  Facts.Flattened = instructionCount(*M);
  lowerAllocations(*M);
  if (Function *Mark = M->getFunction(DataMark))
    while (!Mark->use_empty())
      cast<CallBase>(Mark->user_back())->eraseFromParent();
  forgetClasses(*M);
  removeOutwardCalls(*M);
  splitQueries(*M);
  confineCalls(*M, Facts);
  numberSites();
  catchAll(addEntry(), *Root);
  nameQueries(*M);
  listMachineDependence();
  return verified();
}

std::unique_ptr<Module> SkeletonBuilder::ceiling() {
  if (!suits())
    return nullptr;
  const bool Optimised = !Op.Function->hasOptNone();
  M = extract(*Op.Function, Root);
  giveLibraryBodies(*M, /*Ceiling=*/true);
  lowerAllocations(*M);
  lowerThreadLocals(*M);
  lowerExceptions(*M);
  const bool Allowed = flatten(*M, *Root, Simplify, Optimised, /*KeepsThrows=*/true);
  Facts.Flattened = instructionCount(*M);
  if (!Allowed) {
    Facts.Reason = "it is too large";
    return nullptr;
  }
  dropWaysWithoutReturn(*Root);
  removeOutwardCalls(*M);
  Simplify.thorough(*Root);
  dropWaysWithoutReturn(*Root);
  Simplify.loops(*Root);
  Simplify.canonical(*Root);
  PointsTo Memory(*M, *Root, mostSteps());
  if (!Memory.isComplete()) {
    Facts.Reason = "its pointers are too tangled to be followed";
    return nullptr;
  }
  Function *Made;
  {
    ModRefIndex Accesses(*M, *Root, Memory);
    Made = memshape::buildCeiling(*Root, Memory, Accesses, Simplify.analyses(), Facts.Reason);
  }
  if (!Made)
    return nullptr;
  Root = Made;
  for (Function &F : *M)
    if (&F != Made && !F.isDeclaration())
      F.deleteBody();
  if (GlobalVariable *Constructors = M->getNamedGlobal("llvm.global_ctors"))
    Constructors->eraseFromParent();
  numberSites();
  addEntry();
  Simplify.sweep(*M);
  Simplify.thorough(*Root);
  return verified();
}

std::unique_ptr<Module> buildReplay(const Operator &Op, SkeletonFacts &Facts) {
  return SkeletonBuilder(Op, Facts).replay();
}

std::unique_ptr<Module> buildCeiling(const Operator &Op, SkeletonFacts &Facts, SlicingLimits Limits) {
  return SkeletonBuilder(Op, Facts, Limits).ceiling();
}

std::unique_ptr<Module> buildSkeleton(const Operator &Op, SkeletonFacts &Facts, SlicingLimits Limits,
                                      DataBeside Numbers) {
  SkeletonBuilder Builder(Op, Facts, Limits);
  std::unique_ptr<Module> Skeleton = Builder.run(Numbers);
  Facts.Spent = Builder.spent();
  return Skeleton;
}

} // namespace memshape
