// The operator itself, made fit for the sandbox.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replay.h"
#include "libraries/Summaries.h"
#include "lower/OutwardCalls.h"
#include "memshape/DerivedClasses.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memshape {

/// True for what reaches beyond the process, or waits. The sandbox refuses most of it too; taken out here it is named.
static bool reachesOutside(const Function &F) {
  const Summary S = summaryOf(F);
  return S.How == Treatment::Forbidden || S.Outward || F.getName() == "syscall";
}

enum class Fate {
  Call,   ///< as it stands
  Omit,   ///< nothing comes of it but output or the contents of tensors
  Forbid, ///< as Omit, and the answer says so
  Refuse  ///< as it stands, for the state of an object needs it; the sandbox refuses what it asks of the system
};

/// True for what every process has, or what a summary names the library of.
static bool isAlwaysThere(const Function &F) {
  const Summary S = summaryOf(F);
  return S.How != Treatment::Unknown && S.How != Treatment::Skip;
}

static Fate fateOf(const Function &F) {
  if (reachesOutside(F)) // a stream that was not constructed would fault at its first use
    return F.getName().starts_with("_Z") ? Fate::Refuse : Fate::Forbid;
  const Summary S = summaryOf(F);
  return S.How == Treatment::Skip && F.getReturnType()->isVoidTy() ? Fate::Omit : Fate::Call;
}

/// Call is given what only a called function has made, of which no summary tells: a stream in memory. What it does to
/// that stays in the process, or the sandbox refuses it.
static bool isOnOwn(const CallBase &Call, const DenseMap<Function *, Fate> &Fates) {
  return any_of(Call.args(), [&](const Use &Given) {
    SmallVector<const Value *, 4> Objects;
    if (Given->getType()->isPointerTy())
      getUnderlyingObjects(Given, Objects);
    const auto IsMade = [&](const Value *V) {
      const auto *Maker = dyn_cast<CallBase>(V);
      Function *Callee = Maker ? Maker->getCalledFunction() : nullptr;
      return Callee && Fates.contains(Callee) && Fates.find(Callee)->second == Fate::Call &&
             summaryOf(*Callee).How == Treatment::Unknown;
    };
    return any_of(Objects, IsMade) &&
           all_of(Objects, [&](const Value *V) { return isa<ConstantPointerNull>(V) || IsMade(V); });
  });
}

static uint32_t note(SkeletonFacts &Facts, const Function &F, const DebugLoc &Where, CallReason Reason) {
  std::string Symbol = demangle(F.getName().str());
  for (auto [Id, Known] : enumerate(Facts.Unknowns))
    if (Known.Symbol == Symbol && Known.Reason == Reason)
      return Id;
  Facts.Unknowns.push_back({std::move(Symbol), displayPlace(Where), Reason});
  return Facts.Unknowns.size() - 1;
}

/// if (&f) r = f(...); else { unknown(id); r = 0; }   with f a weak reference
static void callWherePresent(CallBase &Call, uint32_t Id) {
  Module &M = *Call.getModule();
  Function *F = Call.getCalledFunction();
  BasicBlock *Here = Call.getParent();
  const bool Unwinds = isa<InvokeInst>(Call);
  // An invoke ends its block: the test comes in front, and the way past it goes on at the normal destination.
  BasicBlock *After = Unwinds ? cast<InvokeInst>(Call).getNormalDest() : nullptr;
  if (Unwinds && After->getSinglePredecessor() == Here)
    FoldSingleEntryPHINodes(After);
  else if (Unwinds)
    After = SplitEdge(Here, After);
  if (!Unwinds)
    After = SplitBlock(Here, std::next(Call.getIterator()));
  BasicBlock *Calling = SplitBlock(Here, Call.getIterator());
  auto *Missing = BasicBlock::Create(M.getContext(), "missing", Here->getParent(), After);
  Here->getTerminator()->eraseFromParent();
  IRBuilder<> B(Here);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  B.CreateCondBr(B.CreateIsNotNull(F), Calling, Missing);
  B.SetInsertPoint(Missing);
  B.CreateCall(runnerFunction(M, RunnerCall::Unknown), {B.getInt32(Id)});
  B.CreateBr(After);
  if (Call.getType()->isVoidTy() || Call.use_empty())
    return;
  auto *Result = PHINode::Create(Call.getType(), 2, "", After->begin());
  Call.replaceAllUsesWith(Result);
  Result->addIncoming(&Call, Calling);
  Result->addIncoming(Constant::getNullValue(Call.getType()), Missing);
}

void confineCalls(Module &M, SkeletonFacts &Facts) {
  SmallVector<CallBase *, 32> Outside;
  DenseMap<Function *, Fate> Fates;
  for (Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && !F.use_empty() && !F.getName().starts_with("memshape"))
      Fates[&F] = fateOf(F);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledFunction() && Fates.contains(Call->getCalledFunction()) && !isa<CallBrInst>(Call))
        Outside.push_back(Call);
  for (CallBase *Call : Outside) {
    Function *F = Call->getCalledFunction();
    switch (Fates[F] == Fate::Forbid && isOnOwn(*Call, Fates) ? Fate::Call : Fates[F]) {
    case Fate::Omit: takeOut(*Call); break;
    case Fate::Forbid: {
      const uint32_t Id = note(Facts, *F, Call->getDebugLoc(), CallReason::ReachesOut);
      if (SkeletonUnknown &U = Facts.Unknowns[Id]; StringRef(U.Symbol).starts_with(DerivedClasses))
        U.Reason = CallReason::Conditional, U.Text = MayBeDerived.str();
      IRBuilder<>(Call).CreateCall(runnerFunction(M, RunnerCall::Unknown),
                                   {ConstantInt::get(Type::getInt32Ty(M.getContext()), Id)});
      takeOut(*Call);
      break;
    }
    case Fate::Refuse: {
      const uint32_t Id = note(Facts, *F, Call->getDebugLoc(), CallReason::FindsNothing);
      IRBuilder<>(Call).CreateCall(runnerFunction(M, RunnerCall::Unknown),
                                   {ConstantInt::get(Type::getInt32Ty(M.getContext()), Id)});
      break;
    }
    case Fate::Call:
      if (!isAlwaysThere(*F) && !Call->doesNotReturn() && !Call->isMustTailCall())
        callWherePresent(*Call, note(Facts, *F, Call->getDebugLoc(), CallReason::NoLibrary));
      break;
    }
  }
  for (auto [F, Known] : Fates)
    if (Known == Fate::Call && !F->use_empty() && !isAlwaysThere(*F))
      F->setLinkage(GlobalValue::ExternalWeakLinkage);
}

void catchAll(Function &Entry, const Function &Root) {
  CallInst *OfOperator = nullptr;
  for (Instruction &I : instructions(Entry))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction() == &Root)
      OfOperator = Call;
  if (!OfOperator)
    return;
  LLVMContext &C = Entry.getContext();
  Module &M = *Entry.getParent();
  BasicBlock *Calling = OfOperator->getParent();
  BasicBlock *Returned = SplitBlock(Calling, std::next(OfOperator->getIterator()));
  auto *Caught = BasicBlock::Create(C, "caught", &Entry);
  Calling->getTerminator()->eraseFromParent();
  SmallVector<Value *, 8> Arguments(OfOperator->args());
  IRBuilder<> B(Calling);
  InvokeInst *Invoke =
      B.CreateInvoke(OfOperator->getFunctionType(), OfOperator->getCalledOperand(), Returned, Caught, Arguments);
  Invoke->setAttributes(OfOperator->getAttributes());
  OfOperator->eraseFromParent();
  B.SetInsertPoint(Caught);
  LandingPadInst *Pad = B.CreateLandingPad(StructType::get(PointerType::getUnqual(C), B.getInt32Ty()), 1);
  Pad->addClause(ConstantPointerNull::get(PointerType::getUnqual(C)));
  B.CreateCall(runnerFunction(M, RunnerCall::Leave), {B.getInt32(MEMSHAPE_SK_REFUSED)});
  B.CreateUnreachable();
  Entry.setPersonalityFn(cast<Constant>(
      M.getOrInsertFunction("__gxx_personality_v0", FunctionType::get(B.getInt32Ty(), true)).getCallee()));
}

} // namespace memshape
