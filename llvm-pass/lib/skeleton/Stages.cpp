// The stages of the slicer, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Stages.h"
#include "ceiling/Ceiling.h"
#include "data-flow/Determined.h"
#include "data-flow/WriteMarks.h"
#include "emit/DecisionStates.h"
#include "extract/Arguments.h"
#include "extract/Extract.h"
#include "extract/UndefinedNames.h"
#include "kept-state/RememberedShapes.h"
#include "libraries/LibraryBodies.h"
#include "loops/CountedLoops.h"
#include "loops/IdleLoops.h"
#include "lower/Formats.h"
#include "lower/Jumps.h"
#include "lower/Lower.h"
#include "lower/MachineQueries.h"
#include "lower/OutwardCalls.h"
#include "lower/WorkspaceQueries.h"
#include "runner-calls/RunnerCalls.h"
#include "skeleton/Replay.h"
#include "skeleton/UnprovenCalls.h"
#include "slice/Taint.h"
#include "threads/Threads.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include <iterator>

using namespace llvm;

namespace memshape {

using State = SkeletonState;

/// False, with a reason, for operators whose arguments no skeleton can be given.
static bool suits(State &S) {
  if (!S.Op.Fact.Unbuilt.empty())
    return S.fail(S.Op.Fact.Unbuilt);
  for (const ParameterFact &P : S.Op.Fact.Parameters)
    if (P.Role == ParameterRole::Object)
      return S.fail("parameter '" + P.Name +
                    "' is of class type: wrap the operator in a function that builds it from shape symbols");
  if (S.Op.Fact.HasThis)
    return S.fail("a member function: wrap it in a function that builds the object from shape symbols");
  if (S.Op.Function->getParent()->getNamedIFunc((S.Op.Function->getName() + ".ifunc").str()))
    return S.fail("it has bodies of its own for several processors, and which one runs is known there alone");
  if (S.Op.Function->isVarArg() || !S.Op.argumentsMatch())
    return S.fail("its parameters are passed in a form that is not supported yet");
  if (!S.Op.Fact.Built.empty() && leavesArguments(*S.Op.Function))
    return S.fail("it takes an argument for one of several objects that lie side by side, of which one is built: wrap "
                  "it in a function that builds them from shape symbols");
  return true;
}

static std::unique_ptr<Module> extractOperator(State &S) {
  if (!suits(S))
    return nullptr;
  if (S.Limits.Reached > S.Limits.Allowance / Effort::Least) {
    S.Facts.Flattened = S.Limits.Reached;
    S.fail(TooLarge);
    return nullptr;
  }
  return extract(*S.Op.Function, S.Root);
}

static std::unique_ptr<Module> extractWhole(State &S) {
  if (!suits(S))
    return nullptr;
  std::unique_ptr<Module> Whole = extract(*S.Op.Function, S.Root, /*Whole=*/true);
  S.Facts.Flattened = instructionCount(*Whole);
  return Whole;
}

static bool refuseComputedGotos(Module &M, State &S) {
  return !hasComputedGoto(M) || S.fail("it jumps to labels in a table (a computed goto), which is not followed");
}

static bool giveBodies(Module &M, State &S) {
  S.UndefinedAtFirst = undefinedNames(M);
  if (giveLibraryBodies(M, S.Facts.Notes))
    S.Facts.Machine.push_back("the buffers of files, taken to have 4096 bytes");
  separateFormats(M);
  return true;
}

static bool giveMoreBodies(Module &M, State &S) {
  giveLibraryBodies(M, S.Facts.Notes, /*Ceiling=*/true);
  separateFormats(M);
  return true;
}

static bool lowerHeapCalls(Module &M, State &) {
  lowerAllocations(M);
  return true;
}

static bool dropDataMarks(Module &M, State &) {
  if (Function *Mark = M.getFunction(DataMark))
    while (!Mark->use_empty())
      cast<CallBase>(Mark->user_back())->eraseFromParent();
  return true;
}

static bool lowerLongJumps(Module &M, State &S) {
  lowerJumps(M);
  S.UndefinedWhenLowered = undefinedNames(M);
  return true;
}

static bool lowerAllThreads(Module &M, State &) {
  lowerThreads(M);
  return true;
}

static bool lowerVariablesOfThreads(Module &M, State &) {
  lowerThreadLocals(M);
  return true;
}

static bool lowerThrows(Module &M, State &) {
  lowerExceptions(M);
  return true;
}

static bool isOptimised(const State &S) { return !S.Op.Function->hasOptNone(); }

static bool flattenOperator(Module &M, State &S) {
  S.Facts.Flattened = instructionCount(M);
  if (!S.affords(M, Effort::Copying))
    return false;
  flatten(M, *S.Root, S.Simplify, isOptimised(S));
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
  const bool Allowed = flatten(M, *S.Root, S.Simplify, isOptimised(S), /*KeepsThrows=*/true);
  S.Facts.Flattened = instructionCount(M);
  return Allowed || S.fail("it is too large");
}

static bool dropDeadEnds(Module &, State &S) {
  dropWaysWithoutReturn(*S.Root);
  return true;
}

static bool dropOutwardCalls(Module &M, State &) {
  removeOutwardCalls(M);
  return true;
}

static bool splitAndSimplifyQueries(Module &M, State &S) {
  if (splitQueries(M))
    for (Function &F : M)
      if (!F.isDeclaration())
        S.Simplify.quick(F);
  return true;
}

static bool splitAllQueries(Module &M, State &) {
  splitQueries(M);
  return true;
}

static bool markAllWrites(Module &M, State &S) {
  markWrites(M, S.Simplify.analyses());
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

static bool forgetAllClasses(Module &M, State &) {
  forgetClasses(M);
  return true;
}

static bool announceCalls(Module &M, State &S) {
  announceUnproven(M, S.Facts);
  return true;
}

static bool confineAllCalls(Module &M, State &S) {
  confineCalls(M, S.Facts);
  return true;
}

static bool lowerRepeatedCalls(Module &M, State &) {
  lowerRepeats(M);
  return true;
}

static bool lowerTeams(Module &M, State &) {
  finishTeams(M);
  return true;
}

static bool countIterations(Module &M, State &S) {
  countAlikeIterations(M, S.Simplify.analyses());
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

static bool nameAllQueries(Module &M, State &) {
  nameQueries(M);
  return true;
}

static bool askForProcessor(Module &M, State &) {
  askRunnerForProcessor(M);
  return true;
}

static bool findCircumstances(Module &M, State &S) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      S.Facts.Rounds |= mayRound(I);
      S.Facts.Compares |= comparesPlaces(I);
    }
  return true;
}

static bool exposeAllStates(Module &M, State &S) {
  exposeStates(*S.Root);
  S.Spent.spend(Effort::Emitting, instructionCount(M));
  return true;
}

static bool verifySkeleton(Module &M, State &S) {
  S.Facts.Kept = instructionCount(M);
  StripDebugInfo(M);
  std::string Problem;
  raw_string_ostream Text(Problem);
  return !verifyModule(M, &Text) ||
         S.fail("internal error: the skeleton is not valid: " + StringRef(Problem).split('\n').first);
}

static constexpr unsigned Taint = unsigned(SkeletonKind::Taint);
static constexpr unsigned Slice = unsigned(SkeletonKind::Slice) | Taint; ///< and one that asks for taint
static constexpr unsigned Replay = unsigned(SkeletonKind::Replay);
static constexpr unsigned Ceiling = unsigned(SkeletonKind::Ceiling);
static constexpr unsigned All = Slice | Replay | Ceiling;

// One stage in a line; test/lit/stages/NAME.ll shows what it does.
// clang-format off
static constexpr Stage List[] = {
  // A module of its own
  {"memshape-extract",           Slice | Ceiling, "clone the operator with everything it reaches", nullptr, extractOperator},
  {"memshape-extract-whole",     Replay,          "the same, with constructors that other code may undo", nullptr, extractWhole},
  {"memshape-computed-gotos",    Slice,           "refuse jumps to labels in a table", refuseComputedGotos},
  {"memshape-bodies",            Slice,           "give bodies to functions of the C library that allocate", giveBodies},
  {"memshape-more-bodies",       Ceiling,         "the same, and to members of strings", giveMoreBodies},
  // What it asks of others becomes calls of the runner
  {"memshape-allocations",       All,             "allocations and frees become calls of the runner", lowerHeapCalls},
  {"memshape-drop-data-marks",   Replay,          "what is declared as data is no matter of a replay", dropDataMarks},
  {"memshape-drop-results",      Taint | Replay | Ceiling, "what it returns, a slice alone can tell", dropResults},
  {"memshape-jumps",             Slice,           "setjmp returns once, longjmp ends the evaluation", lowerLongJumps},
  {"memshape-threads",           Slice,           "what another thread would run is called where it is handed over", lowerAllThreads},
  {"memshape-thread-locals",     Ceiling,         "variables of threads become plain ones", lowerVariablesOfThreads},
  {"memshape-exceptions",        Ceiling,         "throws become allocations of what they take", lowerThrows},
  // One function
  {"memshape-flatten",           Slice,           "drop exceptional paths, inline what can be inlined", flattenOperator},
  {"memshape-flatten-throwing",  Ceiling,         "inline what can be inlined; exceptions stay", flattenWithThrows},
  {"memshape-dead-ends",         Ceiling,         "drop ways from which the operator never returns", dropDeadEnds},
  {"memshape-outward-calls",     All,             "drop what only leaves the process, as writing to a standard stream", dropOutwardCalls},
  {"memshape-queries",           Slice,           "split what asks a library for the size of a workspace", splitAndSimplifyQueries},
  {"memshape-split-queries",     Replay,          "the same, and simplify nothing", splitAllQueries},
  {"memshape-write-marks",       Slice,           "in front of each write the range that all iterations cover", markAllWrites},
  {"memshape-drop-arithmetic",   Slice,           "a first slice, which follows data: tensor arithmetic goes", dropArithmetic},
  {"memshape-simplify",          Slice,           "scalars and memory, as a small -O2", simplifyAll},
  {"memshape-simplify-root",     Ceiling,         "the same for the operator alone", simplifyRoot},
  {"memshape-dead-ends",         Ceiling,         "drop ways from which the operator never returns", dropDeadEnds},
  {"memshape-canonical-loops",   Ceiling,         "bring loops to the form that scalar evolution knows best", bringLoopsInForm},
  // What its allocations depend on
  {"memshape-resolve",           Slice,           "follow pointers; indirect calls become direct; flatten again", resolveCalls},
  {"memshape-taint-writes",      Taint,           "in front of writes of data the bytes that they taint", taintAllWrites},
  {"memshape-cut-data",          Slice,           "keep what allocations depend on; data is cut: decisions", cutData},
  {"memshape-count-blocks",      Ceiling,         "greatest size of each call, times the blocks that live together", countBlocks},
  {"memshape-simplify",          Slice,           "scalars and memory, as a small -O2", simplifyAll},
  {"memshape-counting-loops",    Slice,           "compute what loops only count", dropCountingLoops},
  {"memshape-idle-loops",        Slice,           "loops that only ask become one question for each outcome", shortenIdleLoops},
  {"memshape-kept-state",        Slice,           "mark uses of what calls at other shapes have left", markKeptState},
  // What the runner is told and asked
  {"memshape-classes",           Slice | Replay,  "drop what told the classes of objects that libraries build", forgetAllClasses},
  {"memshape-unproven-calls",    Slice,           "count calls for real that may go another way", announceCalls},
  {"memshape-confine",           Replay,          "take out calls that no prediction may make", confineAllCalls},
  {"memshape-repeats",           Slice,           "library calls that execute a plan are made once and counted", lowerRepeatedCalls},
  {"memshape-teams",             Slice,           "teams of threads become calls of the runner", lowerTeams},
  {"memshape-sites",             All,             "give each place that allocates its number", numberSites},
  {"memshape-alike-iterations",  Slice,           "count loops whose iterations allocate alike once", countIterations},
  {"memshape-entry",             All,             "add the function that converts shape and settings", addEntry},
  {"memshape-catch",             Replay,          "an exception that leaves the operator leaves the evaluation", catchInEntry},
  {"memshape-sweep",             Slice | Ceiling, "drop functions and variables that nothing uses", sweepUnused},
  {"memshape-simplify-root",     Ceiling,         "scalars and memory of the operator alone", simplifyRoot},
  {"memshape-machine",           Slice | Replay,  "list what the answer depends on beside the shape", listMachineDependence},
  {"memshape-query-names",       Slice | Replay,  "calls that have a name of their own get the function's back", nameAllQueries},
  {"memshape-processor",         Slice,           "cpuid becomes a question to the runner", askForProcessor},
  {"memshape-circumstances",     Slice,           "find out whether rounding or the order of addresses matter", findCircumstances},
  {"memshape-states",            Slice,           "decisions hand over what is used behind them", exposeAllStates},
  {"memshape-verify",            All,             "strip locations and verify the skeleton", verifySkeleton},
};
// clang-format on

static_assert(std::size(List) == StageCount);

ArrayRef<Stage> stages() { return List; }

} // namespace memshape
