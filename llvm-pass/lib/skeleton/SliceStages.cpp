// The two slices of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/DataFlow.h"
#include "data-flow/WriteMarks.h"
#include "intervals/ValueRanges.h"
#include "loops/Loops.h"
#include "lower/Checks.h"
#include "memory/ModRefIndex.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "skeleton/UnprovenCalls.h"
#include "slice/Proposal.h"
#include "slice/Questions.h"
#include "slice/Slice.h"
#include "slice/Taint.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// A first slice that cuts nothing: most of an operator is arithmetic on tensors, and need not be simplified to be
/// deleted.
bool dropArithmetic(Module &M, SkeletonState &State) {
  straightenThrows(M);
  moveChecksOutOfLoops(M, State.Simplify.analyses());
  const uint64_t StepsEach = 100; // where pointers are tangled, simplification comes first
  const std::unique_ptr<PointsTo> Found = State.followPointers(M, StepsEach * instructionCount(M));
  if (!Found->isComplete() || State.Spent.isExhausted())
    return true;
  const PointsTo &Memory = *Found;
  ModRefIndex Accesses(M, *State.Root, Memory);
  State.Uses = findBlockUses(M, *State.Root, Memory, Accesses);
  DataFlow Nothing;
  Slice S(M, Memory, Accesses, Nothing, Slice::FollowData);
  rememberUnmarked(M, Memory, Accesses, S.lostMarks());
  deleteDead(M, S);
  return true;
}

/// A block that no live instruction touches needs no memory behind it.
static void markUntouched(Module &M, const PointsTo &Memory, const ModRefIndex &Accesses, const Slice &S) {
  DenseSet<const Value *> Touched;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I); S.isLive(&I) && (!S.isCutOff(&I) || (Call && S.executes(*Call))))
        for (const ModRef &Access : Accesses.of(&I)) {
          bool All = is_contained(Accesses.objectsOf(Access), 0u);
          for (unsigned Id : Accesses.objectsOf(Access))
            Touched.insert(Memory.object(Id).Origin);
          for (unsigned Id = 0; All && Id != Memory.objectCount(); ++Id)
            if (Memory.object(Id).Escapes)
              Touched.insert(Memory.object(Id).Origin);
        }
  forFlags(M, [&](Use &Flags) {
    if (Touched.contains(Flags.getUser()))
      return;
    IRBuilder<> B(cast<Instruction>(Flags.getUser()));
    Flags.set(B.CreateOr(B.CreateAnd(Flags, B.getInt32(MEMSHAPE_SK_ANNOUNCED)), B.getInt32(MEMSHAPE_SK_UNTOUCHED)));
  });
}

/// All that comes of V is which case of a switch is taken.
static bool choosesCase(const Value &V) {
  return !V.use_empty() &&
         all_of(V.users(), [](const User *U) { return isa<SwitchInst>(U) || (isa<CastInst>(U) && choosesCase(*U)); });
}

static void describeDecisions(const Slice &S, const DataFlow &Flow, SkeletonFacts &Facts) {
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
}

/// The number that the runner knows A by, where A is a tensor with a name, and that name.
static std::optional<std::pair<unsigned, StringRef>> namedTensor(const Argument &A, const SkeletonState &State) {
  unsigned Number = 0;
  for (const auto &[I, P] : enumerate(State.Op.Fact.Parameters)) {
    if (P.Role == ParameterRole::Shape || P.Role == ParameterRole::Setting)
      continue;
    if (State.Root->getArg(State.Op.argumentOf(unsigned(I))->getArgNo()) == &A)
      return P.Role == ParameterRole::Tensor && !P.Name.empty() ? std::optional(std::pair(Number, StringRef(P.Name)))
                                                                : std::nullopt;
    ++Number;
  }
  return std::nullopt;
}

/// Where the operator asks whether a tensor is there: of decisions which tensor, of all others which tensors.
static void describePresences(Module &M, const Slice &S, const PointsTo &Memory, SkeletonState &State) {
  SkeletonFacts &Facts = State.Facts;
  for (const PresenceTest &Test : presenceTests(M, S, Memory)) {
    if (Test.IsDecision) {
      const auto Named = Test.Tensors.size() == 1 ? namedTensor(*Test.Tensors.front(), State) : std::nullopt;
      if (!Named)
        continue;
      SkeletonDecision &D = Facts.Decisions[size_t(find(S.decisions(), Test.Compare) - S.decisions().begin())];
      D.Tensor = int(Named->first);
      D.OneIsNull = Test.OneIsNull;
      continue;
    }
    for (const Argument *A : Test.Tensors)
      if (const auto Named = namedTensor(*A, State);
          Named && none_of(Facts.Presences, [&](const SkeletonPresence &P) { return P.Tensor == Named->first; })) {
        const SourcePlace Place = innermostPlace(Test.Compare->getDebugLoc());
        Facts.Presences.push_back({Named->first, Named->second.str(), Place, conditionText(Place)});
      }
  }
}

static void describeOptional(const Slice &S, SkeletonState &State) {
  for (auto [I, P] : enumerate(State.Op.Fact.Parameters))
    if (isOptional(P, *State.Root->getArg(State.Op.argumentOf(I)->getArgNo()), S))
      State.Facts.OfArguments.push_back(P.Name);
}

static void describeUnknowns(const Slice &S, const PointsTo &Memory, SkeletonState &State) {
  for (const CallBase *Call : S.unknownCalls()) {
    State.Facts.Unknowns.push_back(unknownCall(*Call, Memory, State));
    State.Facts.Unknowns.back().MayFree = S.mayFree(*Call);
  }
}

bool cutData(Module &M, SkeletonState &State) {
  const PointsTo *Found = State.pointers(M);
  if (!Found)
    return false;
  const PointsTo &Memory = *Found;
  State.Spent.allowAll(); // most of it is done
  straightenThrows(M);
  auto [Accesses, Flow] = flowWithBounds(M, *State.Root, Memory);
  settleResults(M, Memory, *Accesses, *Flow, State);
  Slice S(M, Memory, *Accesses, *Flow, Slice::CutData);
  S.separateArguments(M);
  describeOptional(S, State);
  describeDecisions(S, *Flow, State.Facts);
  describePresences(M, S, Memory, State);
  describeUnknowns(S, Memory, State);
  State.Facts.Interferes = dependsOnThreads(M, S, Memory, *Accesses);
  State.Facts.BesideData =
      any_of(S.decisions(), [&](const Instruction *I) { return numberBesideData(Flow->path(I), Memory); });
  markUnknownExtents(M, Memory, *Accesses, *Flow);
  rememberUnmarked(M, Memory, *Accesses, S.lostMarks());
  markUntouched(M, Memory, *Accesses, S);
  deleteDead(M, S);
  askForTaint(M);
  for (unsigned Id : markBoundedValues(M))
    State.Facts.Decisions[Id].IsBounded = true;
  return true;
}

} // namespace memshape
