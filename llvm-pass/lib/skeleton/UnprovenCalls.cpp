// Calls of which not all is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnprovenCalls.h"
#include "extract/Extract.h"
#include "libraries/Summaries.h"
#include "memshape/DerivedClasses.h"
#include "operators/SourcePlace.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memshape {

/// An attribute, since what merges equal calls compares these.
static constexpr char ExtentsAreData[] = "memshape-extents-are-data";

/// What stands in memory that Read sees was put there by something else than stores of single values. Those are
/// followed: the slice asks for a value where one is data.
static bool mayBeFilled(const ModRef &Read, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow) {
  for (unsigned Id : Accesses.objectsOf(Read)) {
    const PointsTo::Object &O = Memory.object(Id);
    const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
    if (O.IsData || O.Kind == PointsTo::ObjectKind::Unknown || O.Kind == PointsTo::ObjectKind::Library ||
        (G && !G->hasInitializer()))
      return true;
  }
  bool Filled = false;
  Accesses.forWritersOf(
      Read, [](const Instruction *Writer) { return isa<StoreInst>(Writer); },
      [&](const ModRef &Write) { Filled |= Write.WritesData || Flow.writesData(Write.By); });
  return Filled;
}

/// Call may allocate, and data says which object it is for: from which of several resources it takes memory.
static bool isToldWhere(const CallBase &Call, const DataFlow &Flow) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && summaryOf(*Callee).How == Treatment::Perform &&
         any_of(Call.args(), [&](const Use &Each) { return Each->getType()->isPointerTy() && Flow.isData(Each); });
}

void markUnknownExtents(Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (isToldWhere(*Call, Flow) || any_of(Accesses.of(Call), [&](const ModRef &Access) {
              return Access.Part == ModRef::Extents && mayBeFilled(Access, Memory, Accesses, Flow);
            }))
          Call->addFnAttr(Attribute::get(M.getContext(), ExtentsAreData));
}

namespace {

struct UnprovenCall {
  CallBase *Call;
  std::optional<CallReason> Why; ///< nothing where it is proven
  StringRef Text;                ///< of its summary
  const PlannerFlags *Flags;     ///< only where the argument has none of these; null: always
};

} // namespace

static UnprovenCall judge(CallBase &Call, const Summary &S) {
  if (S.Unproven)
    return {&Call, CallReason::OnZeros, "", nullptr};
  if (Call.hasFnAttr(ExtentsAreData))
    return {&Call, CallReason::ExtentsAreData, "", nullptr};
  if (!S.Determined || S.Determined->Argument >= Call.arg_size())
    return {&Call, std::nullopt, "", nullptr};
  const Value *Given = Call.getArgOperand(S.Determined->Argument);
  const auto *Known = dyn_cast<ConstantInt>(Given);
  if (!Given->getType()->isIntegerTy() || (Known && Known->getZExtValue() & S.Determined->Bits))
    return {&Call, std::nullopt, "", nullptr};
  return {&Call, CallReason::Conditional, S.Determined->Otherwise, Known ? nullptr : &*S.Determined};
}

/// What the runner says in front of Call: whether to make it. It is asked only where the call is unproven.
static Value *askRunner(CallBase &Call, const PlannerFlags *Flags, unsigned Id) {
  Module &M = *Call.getModule();
  Instruction *At = &Call;
  BasicBlock *Before = Call.getParent();
  if (Flags) {
    IRBuilder<> B(&Call);
    Value *Given = Call.getArgOperand(Flags->Argument);
    Value *None = B.CreateIsNull(B.CreateAnd(Given, ConstantInt::get(Given->getType(), Flags->Bits)));
    At = SplitBlockAndInsertIfThen(None, Call.getIterator(), false);
  }
  IRBuilder<> B(At);
  Value *Answer = B.CreateIsNotNull(B.CreateCall(runnerFunction(M, RunnerCall::Attempt), {B.getInt32(Id)}));
  if (!Flags)
    return Answer;
  PHINode *Wanted = PHINode::Create(Answer->getType(), 2, "", Call.getParent()->begin());
  Wanted->addIncoming(Answer, At->getParent());
  Wanted->addIncoming(B.getTrue(), Before);
  return Wanted;
}

/// Call is made where Wanted is true; elsewhere its result is zero.
static void makeWhere(Value *Wanted, CallInst &Call) {
  BasicBlock *Refused = Call.getParent();
  Instruction *End = SplitBlockAndInsertIfThen(Wanted, Call.getIterator(), false);
  if (!Call.getType()->isVoidTy() && !Call.use_empty()) {
    PHINode *Result = PHINode::Create(Call.getType(), 2, "", Call.getParent()->begin());
    Call.replaceAllUsesWith(Result);
    Result->addIncoming(&Call, End->getParent());
    Result->addIncoming(Constant::getNullValue(Call.getType()), Refused);
  }
  Call.moveBefore(*End->getParent(), End->getIterator());
}

void announceUnproven(Module &M, SkeletonFacts &Facts) {
  std::vector<std::pair<CallBase *, Summary>> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->getCalledFunction() && Call->getCalledFunction()->isDeclaration() && !isa<IntrinsicInst>(Call))
        if (const Summary S = summaryOf(*Call->getCalledFunction()); judge(*Call, S).Why)
          Calls.emplace_back(Call, S);
  for (auto &[Call, S] : Calls) {
    const UnprovenCall Found = judge(*Call, S);
    Value *Wanted = askRunner(*Call, Found.Flags, Facts.Unknowns.size());
    if (auto *Plain = dyn_cast<CallInst>(Call))
      makeWhere(Wanted, *Plain);
    Facts.Unknowns.push_back({demangle(nameOf(*Call->getCalledFunction()).str()), displayPlace(Call->getDebugLoc()),
                              *Found.Why, true, Found.Text.str()});
  }
}

SkeletonUnknown unknownCall(const CallBase &Call, const PointsTo &Memory, const SkeletonState &State) {
  const auto &Parameters = State.Op.Fact.Parameters;
  SkeletonUnknown U;
  U.RequestsNothing = Memory.requestsNothing(Call);
  const Function *Callee = Call.getCalledFunction();
  U.Place = displayPlace(Call.getDebugLoc());
  U.Symbol = Callee ? demangle(nameOf(*Callee).str()) : "a function pointer";
  if (U.RequestsNothing && U.Place.Line)
    U.Symbol = ("the function called at " + sys::path::filename(U.Place.File) + ":" + Twine(U.Place.Line)).str();
  const Argument *Passed = Memory.callersFunction(Call);
  for (unsigned I = 0; I != Parameters.size(); ++I)
    if (Passed && Passed == State.Root->getArg(State.Op.argumentOf(I)->getArgNo()))
      U.Symbol = Parameters[I].Name;
  if (const GlobalVariable *Listener = listenerOf(Call))
    U.Symbol = demangle(Listener->getName().str());
  bool IsForbidden = Callee && summaryOf(*Callee).How == Treatment::Forbidden;
  U.Reason = IsForbidden                                              ? CallReason::ReachesOut
             : Callee && Callee->hasFnAttribute(ReplaceableAttribute) ? CallReason::Replaceable
             : Callee && Callee->getName() == CaughtMark              ? CallReason::Caught
             : Callee                                                 ? CallReason::NoBody
             : Passed                                                 ? CallReason::CallersFunction
             : U.RequestsNothing                                      ? CallReason::AnybodysFunction
                                                                      : CallReason::NoTarget;
  if (StringRef(U.Symbol).starts_with(DerivedClasses))
    U.Reason = CallReason::Conditional, U.Text = MayBeDerived.str();
  return U;
}

void listSilentCalls(const Module &M, const PointsTo &Memory, SkeletonState &State) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Memory.requestsNothing(*Call))
        State.Facts.Unknowns.push_back(unknownCall(*Call, Memory, State));
}

} // namespace memshape
