// The stages of the slicer, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Stages.h"
#include "ceiling/Ceiling.h"
#include "ceiling/Reach.h"
#include "data-flow/ComparedPlaces.h"
#include "data-flow/Rounding.h"
#include "data-flow/WriteMarks.h"
#include "emit/DecisionStates.h"
#include "extract/Arguments.h"
#include "extract/Extract.h"
#include "extract/MadeObjects.h"
#include "extract/MergedCopies.h"
#include "extract/UndefinedNames.h"
#include "flatten/Flatten.h"
#include "fortran/DataTypes.h"
#include "kept-state/RememberedShapes.h"
#include "kept-state/UnfinishedCalls.h"
#include "libraries/LibraryBodies.h"
#include "loops/Loops.h"
#include "lower/Formats.h"
#include "lower/Jumps.h"
#include "lower/Lower.h"
#include "lower/MachineQueries.h"
#include "lower/OutwardCalls.h"
#include "lower/WorkspaceQueries.h"
#include "memory/MergedVariables.h"
#include "operators/Narrowings.h"
#include "runner-calls/RunnerCalls.h"
#include "skeleton/Replay.h"
#include "skeleton/UnprovenCalls.h"
#include "slice/Taint.h"
#include "threads/Threads.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include <iterator>

using namespace llvm;

namespace memshape {

using State = SkeletonState;

/// A stage that always succeeds, of a function of the module, of its operator, or of the module and facts or analyses.
template <auto Change> static bool always(Module &M, State &S) {
  using Function = decltype(Change);
  if constexpr (std::is_invocable_v<Function, Module &>)
    Change(M);
  else if constexpr (std::is_invocable_v<Function, llvm::Function &>)
    Change(*S.Root);
  else if constexpr (std::is_invocable_v<Function, Module &, SkeletonFacts &>)
    Change(M, S.Facts);
  else
    Change(M, S.Simplify.analyses());
  return true;
}

/// False, with a reason, for operators whose arguments no skeleton can be given.
static bool suits(State &S) {
  if (!S.Op.Fact.Unbuilt.empty())
    return S.fail(S.Op.Fact.Unbuilt);
  for (const ParameterFact &P : S.Op.Fact.Parameters)
    if (P.Role == ParameterRole::Object && !P.Bits)
      return S.fail("parameter '" + P.Name +
                    "' is of class type: wrap the operator in a function that builds it from shape symbols");
  if (S.Op.Fact.HasThis)
    return S.fail("a member function: wrap it in a function that builds the object from shape symbols");
  if (S.Op.Function->getParent()->getNamedIFunc((S.Op.Function->getName() + ".ifunc").str()))
    return S.fail("it has bodies of its own for several processors, and which one runs is known there alone");
  if (!S.Op.argumentsMatch())
    return S.fail("its parameters are passed in a form that is not supported yet");
  if (!S.Op.Fact.Built.empty() && leavesArguments(*S.Op.Function))
    return S.fail("it takes an argument for one of several objects that lie side by side, of which one is built: wrap "
                  "it in a function that builds them from shape symbols");
  return true;
}

/// Whole: with constructors that other code may undo, whatever that costs.
template <bool Whole> static bool extractOperator(Module &, State &S) {
  if (!suits(S))
    return false;
  if (!Whole && S.Limits.Reached > S.Limits.Allowance / Effort::Least) {
    S.Facts.Flattened = S.Limits.Reached;
    return S.fail(TooLarge);
  }
  S.Made = extract(*S.Op.Function, S.Root, Whole);
  dropTypesOfMerged(*S.Made);
  joinDataTypes(*S.Made);
  splitMergedCopies(*S.Made);
  if (Whole)
    S.Facts.Flattened = instructionCount(*S.Made);
  return true;
}

static bool refuseComputedGotos(Module &M, State &S) {
  return !hasComputedGoto(M) || S.fail("it jumps to labels in a table (a computed goto), which is not followed");
}

/// Strings: to their members, too.
template <bool Strings> static bool giveBodies(Module &M, State &S) {
  if (!Strings)
    S.UndefinedAtFirst = undefinedNames(M);
  if (giveLibraryBodies(M, S.Facts.Notes, /*Ceiling=*/Strings) && !Strings)
    S.Facts.Machine.push_back("the buffers of files, taken to have 4096 bytes");
  separateFormats(M);
  return true;
}

static bool dropDataMarks(Module &M, State &) {
  if (Function *Mark = M.getFunction(DataMark))
    while (!Mark->use_empty())
      cast<CallBase>(Mark->user_back())->eraseFromParent();
  answerLeftMarks(M);
  return true;
}

static bool lowerLongJumps(Module &M, State &S) {
  lowerJumps(M);
  S.UndefinedWhenLowered = undefinedNames(M);
  return true;
}

static bool isOptimised(const State &S) { return !S.Op.Function->hasOptNone(); }

static bool callInitialFunctions(Module &M, State &S) {
  takeInitialFunctions(M, S.Facts);
  return true;
}

/// What flattening has shown of allocators that a program may replace. False if that leads beyond the limit of work.
static bool flattenInitialFunctions(Module &M, State &S, bool KeepsThrows) {
  if (!takeInitialFunctions(M, S.Facts))
    return true;
  for (std::string &Name : undefinedNames(M))
    S.UndefinedAtFirst.push_back(std::move(Name));
  lowerAllocations(M);
  return flatten(M, *S.Root, S.Simplify, isOptimised(S), KeepsThrows);
}

/// What constructors of other units give all objects is known where they are part of the operator.
static void askConstructors(Module &M, State &S) {
  if (!hasLeftMarks(M))
    return;
  S.Simplify.thorough(*S.Root);
  answerLeftMarks(M, &S.Facts.Defaults);
  S.Simplify.thorough(*S.Root);
}

static bool flattenOperator(Module &M, State &S) {
  hideSameObjects(*S.Root);
  S.Facts.Flattened = instructionCount(M);
  if (!S.affords(M, Effort::Copying))
    return false;
  flatten(M, *S.Root, S.Simplify, isOptimised(S));
  askConstructors(M, S);
  flattenInitialFunctions(M, S, /*KeepsThrows=*/false);
  S.Facts.Flattened = instructionCount(M);
  if (!S.affords(M, Effort::Marking))
    return false;
  S.Facts.Undefined = undefinedNames(M);
  // Another unit may bring its own operator new.
  std::set_difference(S.UndefinedAtFirst.begin(), S.UndefinedAtFirst.end(), S.UndefinedWhenLowered.begin(),
                      S.UndefinedWhenLowered.end(), std::back_inserter(S.Facts.Undefined));
  return true;
}

static bool flattenWithThrows(Module &M, State &S) {
  hideSameObjects(*S.Root);
  bool Allowed = flatten(M, *S.Root, S.Simplify, isOptimised(S), /*KeepsThrows=*/true) &&
                 flattenInitialFunctions(M, S, /*KeepsThrows=*/true);
  if (Allowed)
    askConstructors(M, S);
  // By then it has shown what threads execute, and which function a pointer beside it leads to.
  if (Allowed && any_of(instructions(*S.Root), [](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        return Call && Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration();
      }))
    Allowed = flatten(M, *S.Root, S.Simplify, isOptimised(S), /*KeepsThrows=*/true);
  S.Facts.Flattened = instructionCount(M);
  return Allowed || S.fail("it is too large");
}

static bool unfold(Module &M, State &S) {
  unfoldBodies(*S.Root, S.Simplify);
  if (S.Simplify.unrollShort(*S.Root))
    S.Simplify.thorough(*S.Root);
  S.Simplify.sweep(M);
  return true;
}

static bool splitAndSimplifyQueries(Module &M, State &S) {
  if (splitQueries(M))
    for (Function &F : M)
      if (!F.isDeclaration())
        S.Simplify.quick(F);
  return true;
}

static bool simplifyAll(Module &M, State &S) {
  S.simplify(M);
  return true;
}

static bool simplifyRoot(Module &, State &S) {
  S.Simplify.thorough(*S.Root);
  return true;
}

static bool bringLoopsInForm(Module &, State &S) {
  S.Simplify.loops(*S.Root);
  S.Simplify.canonical(*S.Root);
  return true;
}

static bool taintAllWrites(Module &M, State &S) {
  const PointsTo *Memory = S.pointers(M);
  if (!Memory)
    return false;
  if (taintWrites(M, *S.Root, *Memory, S.Simplify.analyses()))
    S.keepPointers(S.followPointers(M, S.mostSteps()));
  return S.pointers(M);
}

static bool dropCountingLoops(Module &M, State &S) {
  for (Function &F : M)
    if (!F.isDeclaration())
      S.Simplify.loops(F);
  return true;
}

static bool shortenIdleLoops(Module &M, State &S) {
  if (askOnceForIdleLoops(M, S.Simplify.analyses()))
    S.simplify(M);
  return true;
}

static bool markKeptState(Module &M, State &S) {
  S.Facts.Changing = changingVariables(M);
  S.Facts.Recalled = markRememberedShapes(M, *S.Root, S.Simplify);
  return true;
}

static bool catchInEntry(Module &M, State &S) {
  if (Function *Entry = M.getFunction(SkeletonEntry))
    catchAll(*Entry, *S.Root);
  return true;
}

static bool sweepUnused(Module &M, State &S) {
  if (Function *Mark = M.getFunction(DataMark); Mark && Mark->use_empty())
    Mark->eraseFromParent();
  S.Simplify.sweep(M);
  return true;
}

static bool findCircumstances(Module &M, State &S) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      S.Facts.Rounds |= mayRound(I);
  S.Facts.MakesNumbers = markComparedPlaces(M);
  return true;
}

static bool exposeAllStates(Module &M, State &S) {
  exposeStates(*S.Root);
  S.Spent.spend(Effort::Emitting, instructionCount(M));
  return true;
}

static bool verifySkeleton(Module &M, State &S) {
  S.Facts.Kept = instructionCount(M);
  if (const Function *Reach = M.getFunction(ReachName)) // which is no part of the operator, nor is its call
    S.Facts.Kept -= Reach->getInstructionCount() + 1;
  forgetNarrowings(M); // which would keep parts of it
  StripDebugInfo(M);
  std::string Problem;
  raw_string_ostream Text(Problem);
  return !verifyModule(M, &Text) ||
         S.fail("internal error: the skeleton is not valid: " + StringRef(Problem).split('\n').first);
}

// What each does is the first line of its test in test/lit/stages.
static constexpr Stage Registry[] = {
    // A module of its own
    {"memshape-extract", extractOperator<false>},
    {"memshape-extract<whole>", extractOperator<true>},
    {"memshape-computed-gotos", refuseComputedGotos},
    {"memshape-bodies", giveBodies<false>},
    {"memshape-bodies<strings>", giveBodies<true>},
    {"memshape-rounding", always<keepRounding>},
    // What it asks of others becomes calls of the runner
    {"memshape-initial-functions", callInitialFunctions},
    {"memshape-allocations", always<lowerAllocations>},
    {"memshape-drop-data-marks", dropDataMarks},
    {"memshape-drop-results", dropResults},
    {"memshape-jumps", lowerLongJumps},
    {"memshape-threads", always<lowerThreads<false>>},
    {"memshape-threads<beside>", always<lowerThreads<true>>},
    {"memshape-exceptions", always<lowerExceptions>},
    // One function
    {"memshape-flatten", flattenOperator},
    {"memshape-flatten<throwing>", flattenWithThrows},
    {"memshape-unfold", unfold},
    {"memshape-dead-ends", always<dropWaysWithoutReturn>},
    {"memshape-outward-calls", always<removeOutwardCalls>},
    {"memshape-queries", splitAndSimplifyQueries},
    {"memshape-queries<unsimplified>", always<splitQueries>},
    {"memshape-measure-reach", measureReach},
    {"memshape-headroom", always<excludeGrowthWithRoom>},
    {"memshape-write-marks", always<markWrites>},
    {"memshape-ends", always<markEnds>},
    {"memshape-drop-arithmetic", dropArithmetic},
    {"memshape-simplify", simplifyAll},
    {"memshape-simplify<root>", simplifyRoot},
    {"memshape-canonical-loops", bringLoopsInForm},
    // What its allocations depend on
    {"memshape-resolve", resolveCalls, Stage::KeepsPointers},
    {"memshape-resolve<throwing>", resolveVirtualCalls},
    {"memshape-taint-writes", taintAllWrites, Stage::KeepsPointers},
    {"memshape-cut-data", cutData},
    {"memshape-count-blocks", countBlocks},
    {"memshape-counting-loops", dropCountingLoops},
    {"memshape-idle-loops", shortenIdleLoops},
    {"memshape-kept-state", markKeptState},
    // What the runner is told and asked
    {"memshape-classes", always<forgetClasses>},
    {"memshape-unproven-calls", always<announceUnproven>},
    {"memshape-confine", always<confineCalls>},
    {"memshape-repeats", always<lowerRepeats>},
    {"memshape-teams", always<finishTeams>},
    {"memshape-sites", numberSites},
    {"memshape-alike-iterations", always<countAlikeIterations>},
    {"memshape-wraps", announceSizeWraps},
    {"memshape-entry", addEntry},
    {"memshape-catch", catchInEntry},
    {"memshape-sweep", sweepUnused},
    {"memshape-machine", listMachineDependence},
    {"memshape-query-names", always<nameQueries>},
    {"memshape-processor", always<askRunnerForProcessor>},
    {"memshape-circumstances", findCircumstances},
    {"memshape-states", exposeAllStates},
    {"memshape-verify", verifySkeleton},
};

/// Stages in their order, in the words of opt's -passes, without "memshape-".
static StringRef pipeline(SkeletonKind Kind) {
  switch (Kind) {
  case SkeletonKind::Slice:
    return "extract,computed-gotos,bodies,rounding,initial-functions,allocations,jumps,threads,flatten,unfold,outward-"
           "calls,"
           "queries,measure-"
           "reach,"
           "write-marks,ends,drop-arithmetic,simplify,headroom,resolve,cut-data,simplify,counting-loops,idle-loops,"
           "kept-state,"
           "classes,unproven-calls,repeats,teams,sites,alike-iterations,wraps,entry,sweep,machine,query-names,"
           "processor,circumstances,states,verify";
  case SkeletonKind::Taint:
    return "extract,computed-gotos,bodies,rounding,initial-functions,allocations,drop-results,jumps,threads,flatten,"
           "unfold,"
           "outward-calls,"
           "queries,"
           "measure-reach,write-marks,ends,drop-arithmetic,simplify,headroom,resolve,taint-writes,cut-data,simplify,"
           "counting-"
           "loops,"
           "idle-loops,kept-state,classes,unproven-calls,repeats,teams,sites,alike-iterations,wraps,entry,sweep,"
           "machine,query-names,"
           "processor,circumstances,states,verify";
  case SkeletonKind::Replay:
    return "extract<whole>,initial-functions,allocations,drop-results,outward-calls,drop-data-marks,queries<"
           "unsimplified>,classes,"
           "confine,sites,entry,catch,machine,query-names,verify";
  case SkeletonKind::Ceiling:
    return "extract,bodies<strings>,initial-functions,allocations,drop-results,threads<beside>,exceptions,"
           "flatten<throwing>,resolve<throwing>,unfold,dead-ends,outward-calls,simplify<root>,dead-ends,canonical-"
           "loops,count-blocks,sites,entry,sweep,simplify<root>,"
           "verify";
  }
  llvm_unreachable("no kind of skeleton");
}

ArrayRef<Stage> stages() { return Registry; }

SmallVector<const Stage *, 40> stagesOf(SkeletonKind Kind) {
  SmallVector<const Stage *, 40> Found;
  for (StringRef Name : split(pipeline(Kind), ','))
    Found.push_back(find_if(Registry, [&](const Stage &Each) { return Each.Name.drop_front(9) == Name; }));
  return Found;
}

} // namespace memshape
