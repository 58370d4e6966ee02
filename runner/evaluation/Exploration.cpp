// All ways in which data can answer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States are followed first in, first out: runs that join do so soon, and few states wait at a time.

#include "runner/evaluation/Exploration.h"

#include <algorithm>
#include <cstdlib>
#include <memshape/SkeletonAbi.h>
#include <utility>

using namespace memshape;

/// Cost of a state in instructions, beside those of the skeleton, and bytes of a state per further instruction.
static constexpr std::int64_t StateWork = 4000, BytesPerInstruction = 2;

/// Number of live blocks above which each event takes too long.
static constexpr std::size_t MaxBlocks = 1 << 14;

Exploration::Exploration(Evaluation &E, LoadedSkeleton &S, const std::vector<std::uint8_t> &Spaces, unsigned Meant)
    : Owner(E), Skeleton(S), SiteSpaces(Spaces), Space(Meant),
      Remembers(
          std::any_of(S.Writable.begin(), S.Writable.end(), [](const auto &Part) { return !Part.Contents.empty(); })) {}

/// Remains of earlier calls on the stack have no meaning. Zeros there make equal states look equal.
[[gnu::noinline]] static void wipeStack() {
  constexpr std::size_t Bytes = 512 << 10; // of the 8 MiB of a fiber; frames are smaller
  volatile char Below[Bytes];
  std::memset(const_cast<char *>(Below), 0, Bytes);
  asm volatile("" : : "r"(&Below) : "memory");
}

void Exploration::body(void *Self) {
  auto &E = *static_cast<Exploration *>(Self);
  E.Owner.enter(Mode::Preparing);
  for (void (*Constructor)() : E.Skeleton.Constructors)
    Constructor();
  E.Owner.enter(Mode::Inside);
  // A second call finds what the first one left. Where a call can leave nothing, both do the same.
  for (int Calls = E.Remembers ? 2 : 1; Calls; --Calls) {
    E.Warm = Calls == 1;
    E.beginCall();
    wipeStack();
    E.Owner.callSkeleton(E.Skeleton);
  }
  E.Ended = Ending::Returned;
}

void Exploration::beginCall() {
  Live = 0;
  Now = StateArrow();
  Variables.clear();
}

void Exploration::stop(Ending How) {
  Ended = How;
  Owner.enter(Mode::Outside);
  Runs->wait();
  std::abort(); // nothing continues from here
}

void Exploration::giveUp(const char *Reason) {
  Why = Reason;
  stop(Ending::GaveUp);
}

void Exploration::resume() {
  Ended = Ending::Asked;
  Owner.enter(Mode::Inside);
  Runs->resume();
  Owner.enter(Mode::Outside);
}

void Exploration::grow(std::int32_t Site, std::uint64_t Bytes) {
  if (!counts(Site))
    return;
  if (Bytes > std::uint64_t(INT64_MAX) || __builtin_add_overflow(Live, std::int64_t(Bytes), &Live) ||
      __builtin_add_overflow(Now.Total, std::int64_t(Bytes), &Now.Total))
    giveUp("a sum of allocations leaves 63 bits");
  Now.Peak = std::max(Now.Peak, Live);
}

void *Exploration::allocate(const Heap::Request &Wanted) {
  if (Wanted.Site < LibrarySite || (Wanted.Site >= 0 && std::size_t(Wanted.Site) >= SiteSpaces.size()))
    giveUp("an allocation at a site that was not announced");
  if (Owner.mode() == Mode::Inside) {
    grow(Wanted.Site, Owner.counted(Wanted.Site, Wanted.Bytes));
    Now.Allocations += counts(Wanted.Site);
  }
  const OwnWork Here;
  void *Block = Blocks.count() < MaxBlocks
                    ? Blocks.allocate(Wanted.Bytes, Wanted.Alignment, Wanted.Site, Wanted.Untouched)
                    : nullptr;
  if (!Block)
    giveUp("too many blocks, or too large ones, live at a time");
  return Block;
}

void Exploration::release(void *Block) {
  const ExploredBlocks::Block *Found = Blocks.find(Block);
  if (!Found)
    giveUp("a block is freed that is not allocated");
  if (Owner.mode() == Mode::Inside && counts(Found->Site))
    Live -= std::int64_t(Owner.counted(Found->Site, Found->Bytes));
  const OwnWork Here;
  Blocks.release(*Found);
}

void *Exploration::reallocate(void *Block, const Heap::Request &Wanted) {
  if (!Block)
    return allocate(Wanted);
  if (!Wanted.Bytes) {
    release(Block);
    return nullptr;
  }
  const ExploredBlocks::Block *Found = Blocks.find(Block);
  if (!Found)
    giveUp("a block is reallocated that is not allocated");
  const ExploredBlocks::Block Old = *Found;
  // The old block is freed before the new one counts, so that a realloc never holds both.
  if (Owner.mode() == Mode::Inside) {
    if (counts(Old.Site))
      Live -= std::int64_t(Owner.counted(Old.Site, Old.Bytes));
    grow(Wanted.Site, Owner.counted(Wanted.Site, Wanted.Bytes));
    Now.Reallocations += counts(Wanted.Site);
  }
  const OwnWork Here;
  void *Moved = Blocks.allocate(Wanted.Bytes, Wanted.Alignment, Wanted.Site, Wanted.Untouched);
  if (!Moved)
    giveUp("too many blocks, or too large ones, live at a time");
  if (!Old.Untouched && !Wanted.Untouched)
    std::memcpy(Moved, Block, std::min(Old.Bytes, Wanted.Bytes));
  Blocks.release(*Blocks.find(Block));
  return Moved;
}

std::uint64_t Exploration::bytesOf(void *Block) {
  const ExploredBlocks::Block *Found = Blocks.find(Block);
  if (!Found)
    giveUp("the size of a block is asked that is not allocated");
  return Found->Bytes;
}

std::optional<std::uint64_t> Exploration::extentOf(void *Block) const {
  const ExploredBlocks::Block *Found = Blocks.find(Block);
  return Found && !Found->Untouched ? std::optional(Found->Bytes) : std::nullopt;
}

std::uint32_t Exploration::decide(std::uint32_t Decision, const DecisionPoint &From) {
  if (!Loops.empty())
    giveUp("a decision is asked in a loop whose iterations are alike");
  Point = From;
  AskedDecision = Decision;
  if (StatesOf[Decision] == NotAsked)
    StatesOf[Decision] = 0;
  Ended = Ending::Asked;
  Runs->wait();
  return Answer;
}

void Exploration::beginIterations() {
  const OwnWork Here;
  Loops.push_back({Now, Live, Blocks.key(), true});
}

void Exploration::addVariable(void *Address, std::uint64_t Bytes) {
  const OwnWork Here;
  Variables.push_back({Address, Bytes});
}

bool Exploration::countIterations(std::uint64_t Iterations) {
  if (Loops.empty() || !std::exchange(Loops.back().First, false))
    return false;
  const Loop &L = Loops.back();
  // As Evaluation::countIterations. Such loops ask no decisions, so they begin and end between two states.
  if (!Iterations || L.Live != Live || L.Key != Blocks.key())
    return false;
  const auto CountAgain = [&](auto &Sum, auto AtStart) {
    auto More = Sum;
    return !__builtin_mul_overflow(Sum - AtStart, Iterations - 1, &More) && !__builtin_add_overflow(Sum, More, &Sum);
  };
  if (!CountAgain(Now.Total, L.AtStart.Total) || !CountAgain(Now.Allocations, L.AtStart.Allocations) ||
      !CountAgain(Now.Reallocations, L.AtStart.Reallocations))
    giveUp("a sum of allocations leaves 63 bits");
  return true;
}

void Exploration::endIterations() {
  if (!Loops.empty())
    Loops.pop_back();
}

StateHash::Value Exploration::fingerprint() const {
  StateHash Hash;
  Hash.add(Point.Number);
  Hash.add(Warm);
  Hash.add(std::uint64_t(Live));
  Hash.add(Point.Values, Point.Count * sizeof(std::uint64_t));
  for (std::size_t I = 0; I < Variables.size(); ++I)
    if (!Point.Live || Point.Live[I / 64] >> I % 64 & 1)
      Hash.add(Variables[I].Address, Variables[I].Bytes);
  Blocks.addTo(Hash);
  for (const LoadedSkeleton::Data &Part : Skeleton.Writable)
    Hash.add(Part.Address, Part.Contents.size());
  return Hash.value();
}

void Exploration::keep(State &To) const {
  Runs->keep(To.Native);
  Blocks.keep(To.Blocks);
  To.Data.clear();
  for (const LoadedSkeleton::Data &Part : Skeleton.Writable)
    To.Data.insert(To.Data.end(), Part.Address, Part.Address + Part.Contents.size());
  To.Variables = Variables;
  To.Live = Live;
  To.Warm = Warm;
}

void Exploration::goBack(const State &To) {
  Runs->goBack(To.Native);
  Blocks.goBack(To.Blocks);
  const char *At = To.Data.data();
  for (LoadedSkeleton::Data &Part : Skeleton.Writable) {
    std::memcpy(Part.Address, At, Part.Contents.size());
    At += Part.Contents.size();
  }
  Variables = To.Variables;
  Live = To.Live;
  Warm = To.Warm;
  Now = StateArrow();
  Now.Peak = Warm ? std::max<std::int64_t>(0, Live) : 0;
  Loops.clear();
}

/// The node that the run has come to.
std::uint32_t Exploration::arrive() {
  if (Ended == Ending::Returned)
    return StateGraph::End;
  // Without a number for the place, what is still used there is unknown: the state counts as new.
  std::uint32_t *Id = nullptr;
  if (Point.Number) {
    const auto [Number, New] = Known.find(fingerprint());
    if (!New)
      return *Number;
    Id = Number;
  }
  State Here;
  if (!Spare.empty()) {
    Here = std::move(Spare.back());
    Spare.pop_back();
  }
  Here.Id = Graph.addNode();
  if (Id)
    *Id = Here.Id;
  ++StatesOf[AskedDecision];
  keep(Here);
  WaitingBytes += Here.bytes();
  Waiting.push_back(std::move(Here));
  return Waiting.back().Id;
}

void Exploration::compare(const void *One, const void *Other, std::uint32_t Asked) {
  const bool Apart = Asked == MEMSHAPE_SK_OVERLAP && blockAround(One) && blockAround(Other);
  AsksDistances |= Asked == MEMSHAPE_SK_DISTANCE;
  AsksOrders |= Asked != MEMSHAPE_SK_DISTANCE && !Apart;
}

void Exploration::run(const ExplorationLimits &Limits, bool Elsewhere, ExplorationFigures &Figures) {
  // Work is counted, not timed, so that a busy machine follows as many runs as an idle one.
  std::int64_t Work = 0;
  std::uint64_t ArenaBytes = 0;
  char *Arena = Owner.Memory.freeHalf(ArenaBytes);
  StatesOf.assign(Owner.decisionCount(), NotAsked);
  Runs = Fiber::create(body, this);
  std::int64_t Highest = 0;
  // One step: the run continues to its next decision or to its end.
  const auto Step = [&](std::uint32_t From) {
    resume();
    if (Ended == Ending::GaveUp)
      return false;
    Highest = std::max(Highest, Warm ? Now.Peak : 0);
    if (Ended == Ending::Left)
      return true;
    StateArrow Way = Warm ? Now : StateArrow();
    Way.Output = Live;
    Way.To = arrive();
    Graph.addArrow(From, Way);
    return true;
  };
  if (!Arena || !Runs || !Skeleton.Explorable) {
    Figures.Why = Skeleton.Explorable ? "no address space is left" : "its variables are too many";
    return;
  }
  Blocks.open(Arena, ArenaBytes, SiteSpaces.size(), Elsewhere);
  bool Followed = Step(StateGraph::Start);
  while (Followed && !Waiting.empty()) {
    if (Graph.size() > Limits.States || WaitingBytes > Limits.Bytes || Work + Owner.workDone() > Limits.Work) {
      Why = "there are too many states";
      Figures.TooMany = true;
      Followed = false;
      break;
    }
    State From = std::move(Waiting.front());
    Waiting.pop_front();
    WaitingBytes -= From.bytes();
    Work += StateWork + std::int64_t(From.bytes()) / BytesPerInstruction;
    for (Answer = 0; Answer < 2 && Followed; ++Answer) {
      goBack(From);
      Followed = Step(From.Id);
    }
    Spare.push_back(std::move(From));
  }
  Blocks.clear();
  Figures.States = std::uint32_t(Graph.size());
  Figures.HighestSeen = Highest;
  Figures.AsksOrders = AsksOrders;
  Figures.AsksDistances = AsksDistances;
  Figures.WorkMicroseconds = (Work + Owner.workDone()) / WorkPerMicrosecond;
  Figures.Why = Followed ? "" : Why;
  for (std::uint32_t Id = 0; Id < StatesOf.size(); ++Id)
    if (StatesOf[Id] != NotAsked)
      Figures.Decisions.push_back({Id, StatesOf[Id]});
  if (const std::optional<StateGraph::Figures> Found = Followed ? Graph.figures() : std::nullopt) {
    Figures.Complete = true;
    Figures.Runs = *Found;
  } else if (Followed)
    Figures.Why = "no run returns";
}
