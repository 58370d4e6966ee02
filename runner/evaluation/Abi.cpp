// The functions that skeletons call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines llvm-pass/include/memshape/SkeletonAbi.h over the evaluation.

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Interposer.h"
#include "runner/protocol/Ending.h"

#include <algorithm>
#include <cstring>
#include <memshape/SkeletonAbi.h>

using namespace memshape;

/// Blocks of the C library's heap were made before the skeleton ran, or by the C library itself.
static bool isOurs(const void *Block) { return evaluation().Memory.owns(Block); }

/// The simulated threads, on stacks of their own. An exploration does not follow them.
static Teams &threads() {
  evaluation().cannotExplore("threads are started");
  return evaluation().Threads;
}

/// Site numbers beyond the announced ones map to one unknown site; a skeleton must not use LibrarySite.
static std::int32_t siteOf(uint32_t Site) { return Site <= INT32_MAX ? std::int32_t(Site) : INT32_MIN; }

int64_t memshape_sk_work = INT64_MAX;

void memshape_sk_tired(void) { evaluation().reachWorkLimit(); }

/// Cost of accounting for an allocation or a free, in instructions.
static constexpr int64_t EventWork = 100;

void *memshape_sk_alloc(uint64_t Bytes, uint64_t Alignment, uint32_t Site, uint32_t Flags) {
  memshape_sk_work -= EventWork;
  return evaluation().allocate({Bytes, Alignment, siteOf(Site), (Flags & MEMSHAPE_SK_UNTOUCHED) != 0, /*Counted=*/true,
                                (Flags & MEMSHAPE_SK_ANNOUNCED) != 0});
}

void *memshape_sk_realloc(void *Block, uint64_t Bytes, uint32_t Site, uint32_t Flags) {
  memshape_sk_work -= EventWork;
  const Heap::Request Wanted = {Bytes,
                                0,
                                siteOf(Site),
                                (Flags & MEMSHAPE_SK_UNTOUCHED) != 0,
                                /*Counted=*/true,
                                (Flags & MEMSHAPE_SK_ANNOUNCED) != 0};
  if (Block && !isOurs(Block)) {
    if (const std::uint64_t Tensor = evaluation().tensorAt(Block)) {
      evaluation().resizeTensor(Tensor);
      return evaluation().reallocate(nullptr, Wanted);
    }
    return adoptForeignBlock(Block, Wanted);
  }
  return evaluation().reallocate(Block, Wanted);
}

void memshape_sk_free(void *Block) {
  if (!Block)
    return;
  memshape_sk_work -= EventWork;
  if (isOurs(Block))
    return evaluation().release(Block);
  if (const std::uint64_t Tensor = evaluation().tensorAt(Block))
    return evaluation().resizeTensor(Tensor);
  freeForeignBlock(Block);
}

void memshape_sk_touch(void *Block, uint64_t Bytes, uint64_t Stride, uint64_t Count) {
  evaluation().touch(Block, {Bytes, Stride, Count});
}

void memshape_sk_taint(void *Block, uint64_t Bytes, uint64_t Stride, uint64_t Count) {
  evaluation().taint(Block, {Bytes, Stride, Count});
}

void memshape_sk_untainted(const void *From, uint64_t Bytes) { evaluation().askForTaint(From, Bytes); }

uint32_t memshape_sk_decide(uint32_t Decision, uint32_t Proposed) { return evaluation().decide(Decision, Proposed); }

uint32_t memshape_sk_decide_at(uint32_t Decision, uint32_t Proposed, uint32_t Point, const uint64_t *Values,
                               uint32_t Count, const uint64_t *Live) {
  return evaluation().decide(Decision, Proposed, {Point, Count, Values, Live});
}

void memshape_sk_variable(void *Variable, uint64_t Bytes) { evaluation().addVariable(Variable, Bytes); }

uint64_t memshape_sk_value(uint32_t Decision, uint64_t Proposed) { return evaluation().value(Decision, Proposed); }

uint64_t memshape_sk_bounded_value(uint32_t Decision, uint64_t Proposed) {
  return evaluation().value(Decision, Proposed, /*Bounded=*/true);
}

uint64_t memshape_sk_argument_data(uint32_t Number, uint64_t Proposed) {
  return evaluation().dataOfArgument(Number, Proposed);
}

uint64_t memshape_sk_within(uint64_t Value, uint64_t Low, uint64_t High) {
  return evaluation().within(Value, Low, High);
}

int64_t memshape_sk_extreme(const void *Table, int64_t From, int64_t To, uint64_t Step, uint32_t Flags) {
  constexpr int64_t MostElements = 1 << 20;
  const bool Greatest = Flags & MEMSHAPE_SK_GREATEST;
  const std::size_t Bytes = Flags & MEMSHAPE_SK_BYTES;
  const int64_t None = Greatest ? INT64_MAX : INT64_MIN;
  if (Flags & MEMSHAPE_SK_BLOCK) {
    const std::optional<uint64_t> Extent = evaluation().extentOf(Table);
    if (!Extent || *Extent > uint64_t(INT64_MAX))
      return None;
    To = std::min(To, int64_t(*Extent) - int64_t(Bytes));
  }
  if (From < 0 && From != INT64_MIN && Step && Step < uint64_t(INT32_MAX))
    From = (From % int64_t(Step) + int64_t(Step)) % int64_t(Step); // the first index that does not lie in front of the
                                                                   // table
  if (!Step || Bytes == 0 || Bytes > sizeof(int64_t) || From < 0 || From > To ||
      (To - From) / int64_t(Step) >= MostElements)
    return None;
  int64_t Extreme = None;
  bool First = true;
  for (int64_t At = From; At <= To; At += int64_t(Step)) {
    uint64_t Bits = 0;
    std::memcpy(&Bits, static_cast<const char *>(Table) + At, Bytes);
    const unsigned Unused = 64 - 8 * unsigned(Bytes);
    int64_t Element = int64_t(Bits);
    if (Flags & MEMSHAPE_SK_SIGNED)
      Element = int64_t(Bits << Unused) >> Unused;
    else if (Element < 0)
      return Greatest ? None : 0; // an unsigned number beyond all sizes
    if (First || (Greatest ? Element > Extreme : Element < Extreme))
      Extreme = Element;
    First = false;
  }
  constexpr int64_t Beyond = int64_t(1) << 62;
  return Extreme <= -Beyond || Extreme >= Beyond ? None : Extreme;
}

void *memshape_sk_tensor(uint32_t Parameter) { return evaluation().tensor(Parameter); }

void memshape_sk_leave(uint32_t Reason) {
  if (Reason == MEMSHAPE_SK_IMPOSSIBLE)
    endWith("error",
            "it reached a place that no run with defined behaviour reaches, for example after the use of a null "
            "pointer; if the program runs correctly at this shape, please report the operator");
  if (Reason == MEMSHAPE_SK_CAUGHT)
    evaluation().leave("it throws an exception and catches it, which is not followed", Reason);
  if (Reason == MEMSHAPE_SK_WAITS)
    evaluation().leave("it waits for another thread, which is not followed", Reason);
  evaluation().leave("the operator refuses this shape", MEMSHAPE_SK_REFUSED);
}

void memshape_sk_check(uint32_t Bad) {
  if (Bad)
    evaluation().leave("", MEMSHAPE_SK_REFUSED);
}

void memshape_sk_may_end(void) { evaluation().mayEnd(); }

void memshape_sk_compare(const void *One, const void *Other, uint32_t Asked) {
  evaluation().compare(One, Other, Asked);
}

void memshape_sk_unknown(uint32_t Unknown) { evaluation().meetUnknown(Unknown); }

void memshape_sk_may_free() { evaluation().meetDecision(); }

void memshape_sk_recall(uint32_t Recalled, uint32_t How) { evaluation().recall(Recalled, How); }

void memshape_sk_wraps(uint32_t Wrap) {
  if (Wrap)
    evaluation().wrap(Wrap - 1);
}

uint32_t memshape_sk_attempt(uint32_t Unknown) { return evaluation().attempt(Unknown) ? 1 : 0; }

void memshape_sk_repeat(void (*Function)(void *), void *Object) { evaluation().repeat(Function, Object, nullptr); }

void memshape_sk_repeat_alike(void (*Function)(void *), void *Object, char *(*Describe)(void *)) {
  evaluation().repeat(Function, Object, Describe);
}

void memshape_sk_turns_begin(void) { evaluation().beginIterations(); }
uint32_t memshape_sk_turns(uint64_t Iterations) { return evaluation().countIterations(Iterations) ? 1 : 0; }
void memshape_sk_turns_end(void) { evaluation().endIterations(); }

uint32_t memshape_sk_cpuid(uint32_t Leaf, uint32_t Subleaf, uint32_t Answer) {
  return evaluation().Machine.cpuid(Leaf, Subleaf, Answer);
}

uint64_t memshape_sk_block_size(void *Block) {
  if (!Block)
    return 0;
  return isOurs(Block) ? evaluation().bytesOf(Block) : foreignBlockRoom(Block);
}

uint32_t memshape_sk_team_size(uint32_t Wanted) { return evaluation().Threads.sizeFor(Wanted); }

void memshape_sk_levels(uint32_t Most) { evaluation().Threads.allowLevels(Most); }

uint32_t memshape_sk_processors(void) { return evaluation().Threads.processors(); }

uint32_t memshape_sk_default_threads(void) { return evaluation().Threads.mostOfNext(); }

void memshape_sk_thread_local(void *Variable, uint64_t Bytes) { evaluation().Threads.own(Variable, Bytes); }

void memshape_sk_building(uint32_t Argument) { evaluation().build(Argument); }

void memshape_sk_result(uint32_t Result, int64_t Extent) { evaluation().tell(Result, Extent); }

void memshape_sk_region(uint32_t Threads, uint64_t Traces) { threads().beginRegion(Threads, Traces); }

void memshape_sk_region_end(void) { evaluation().Threads.endRegion(); }

void memshape_sk_team(uint32_t Threads, void (*Body)(void *, uint32_t), void *Arguments) {
  threads().run(Threads, Body, Arguments);
}

void memshape_sk_barrier(void) { evaluation().Threads.barrier(); }

uint32_t memshape_sk_thread(void) { return evaluation().Threads.askForThread(); }

uint32_t memshape_sk_threads(void) { return evaluation().Threads.askForSize(); }

uint32_t memshape_sk_level(void) { return evaluation().Threads.askForLevel(); }

uint32_t memshape_sk_single(void) { return evaluation().Threads.single(); }

void memshape_sk_serial(uint32_t Enters) {
  if (Enters)
    evaluation().Threads.beginSerial();
  else
    evaluation().Threads.endSerial();
}

void memshape_sk_loop(int64_t First, int64_t Step, uint64_t Trips, uint64_t Chunk) {
  threads().beginLoop(First, Step, Trips, Chunk);
}

uint32_t memshape_sk_loop_next(void) { return evaluation().Threads.nextOfLoop(); }

int64_t memshape_sk_loop_value(uint32_t Which) { return evaluation().Threads.loopValue(Which); }

void memshape_sk_spawn(uint32_t Task) { threads().spawn(Task == MEMSHAPE_SK_POOLED); }

uint64_t memshape_sk_spawned(uint32_t Task) { return evaluation().Threads.spawned(Task == MEMSHAPE_SK_POOLED); }

void memshape_sk_join(uint64_t Thread) { evaluation().Threads.join(Thread); }
