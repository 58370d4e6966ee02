// Simulated threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called by a skeleton that is inside the operator. Data of this file lies on the runner's own heap.

#include "runner/evaluation/Teams.h"

#include "runner/evaluation/Evaluation.h"
#include "runner/protocol/Ending.h"
#include "runner/protocol/Request.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <strings.h>

using namespace memshape;

using request::MaxThreads;
static_assert(MaxThreads == 16384, "the message of sizeFor() says so, and nothing may be allocated to make it");
/// Dealt work comes in no more pieces than this for each thread: where a piece ends cannot be told from its inside.
constexpr std::uint64_t MaxPieces = 1024;
constexpr std::int64_t SerialBytes = MEMSHAPE_SK_SERIAL_BYTES, NestedSerialBytes = MEMSHAPE_SK_NESTED_SERIAL_BYTES,
                       TraceBytes = MEMSHAPE_SK_TRACE_BYTES, RootBytes = MEMSHAPE_SK_ROOT_BYTES,
                       MemberBytes = MEMSHAPE_SK_MEMBER_BYTES;
/// What the run-time library may request when a team has another size than the one before.
constexpr std::int64_t ResizeBytes = 240;
/// The pool from which a thread takes memory for its tasks; requested with its first task.
constexpr std::int64_t TaskPoolBytes = 1050720;

static Accounting &figures() { return evaluation().Memory.Figures; }

static void check(bool Fits) {
  if (!Fits)
    endWith("error", "the sum of all allocations exceeds 2^63 - 1; choose a smaller shape");
}

/// The first number of Text, which must be above 0; and what follows the comma behind it, if there is one.
static std::optional<std::uint32_t> numberOf(const char *&Text) {
  char *End = nullptr;
  const long Number = std::strtol(Text, &End, 10);
  Text = *End == ',' ? End + 1 : nullptr;
  return Number > 0 ? std::optional(std::uint32_t(std::min<long>(Number, INT32_MAX))) : std::nullopt;
}

static bool isYes(const char *Text) {
  return !strcasecmp(Text, "true") || !strcasecmp(Text, "yes") || !strcasecmp(Text, "on") || !std::strcmp(Text, "1");
}

/// What LLVM's run-time library makes of it: more than one number of threads, or of bindings, allows regions in
/// regions, unless something else is said of these.
TeamSettings TeamSettings::ofEnvironment(std::uint32_t Processors) {
  TeamSettings Read;
  Read.Defaults.clear();
  const auto Variable = [&](const char *Name) {
    const char *Text = std::getenv(Name);
    if (Text)
      Read.Variables.emplace_back(Name, Text);
    return Text;
  };
  Variable("OMP_DYNAMIC");
  for (const char *Text = Variable("OMP_NUM_THREADS"); Text;)
    if (const std::optional<std::uint32_t> Number = numberOf(Text))
      Read.Defaults.push_back(std::min(*Number, request::MaxThreads));
  bool Lists = Read.Defaults.size() > 1;
  if (Read.Defaults.empty())
    Read.Defaults.push_back(Processors);
  if (const char *Text = Variable("OMP_THREAD_LIMIT"))
    Read.Limit = numberOf(Text).value_or(UINT32_MAX);
  if (const char *Text = Variable("OMP_PROC_BIND"))
    Lists |= std::strchr(Text, ',') != nullptr;
  if (const char *Text = Variable("OMP_NESTED"))
    Read.Levels = isYes(Text) ? UINT32_MAX : 1;
  else if (Lists)
    Read.Levels = UINT32_MAX;
  if (const char *Text = Variable("OMP_MAX_ACTIVE_LEVELS"); Text && *Text >= '0' && *Text <= '9')
    Read.Levels = std::uint32_t(std::strtoul(Text, nullptr, 10));
  return Read;
}

void Teams::configure(const TeamSettings &Here, std::uint32_t Count, const TeamWishes &Asked) {
  Settings = Here;
  Wishes = Asked;
  Processors = std::clamp<std::uint32_t>(Wishes.Threads ? Wishes.Threads : Count, 1, MaxThreads);
  if (Wishes.Threads)
    Settings.Defaults = {Processors};
  Levels = Wishes.Nested ? UINT32_MAX : Settings.Levels;
}

void Teams::clear() {
  Current = nullptr;
  Alive.clear();
  Loops.clear();
  Executing = 0;
  MostOpen = 0;
  RegionBytes.clear();
  DefaultAsked = MetNested = AskedCaller = false;
  Regions = Widest = RegionsBefore = WidestBefore = Largest = 0;
  UsedVariables.clear();
  Unlikely = AloneBytes = 0;
  LastSize = 0;
  RegionsInThreads = 0;
  OwnVariables.clear();
  OfWorkers.clear();
  OfSpawners.clear();
}

/// The answer depends on Variable, where the environment has it.
void Teams::use(std::string_view Variable) {
  OwnWork Own;
  for (const auto &Each : Settings.Variables)
    if (Each.first == Variable && std::find(UsedVariables.begin(), UsedVariables.end(), Each) == UsedVariables.end())
      UsedVariables.push_back(Each);
}

std::uint32_t Teams::standard() {
  DefaultAsked = true;
  if (!Wishes.Threads)
    use("OMP_NUM_THREADS");
  return Settings.Defaults[std::min<std::size_t>(level(), Settings.Defaults.size() - 1)];
}

std::uint32_t Teams::sizeFor(std::uint32_t Wanted) {
  if (Wanted > MaxThreads)
    endWith("limit", "a parallel region asks for more than 16384 threads");
  // How many threads a region has that names no number, the user may have said.
  const bool Certain = !Wanted && Wishes.Threads && !level();
  std::uint32_t Most = Wanted ? Wanted : standard();
  if (Certain || Most <= 1)
    return Most;
  use("OMP_DYNAMIC");
  use("OMP_THREAD_LIMIT");
  if (level()) {
    MetNested = true;
    for (const char *Variable : {"OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED", "OMP_PROC_BIND", "OMP_NUM_THREADS"})
      use(Variable);
    return level() < Levels ? std::min(Most, Settings.Limit) : 1;
  }
  if (!Regions++)
    evaluation().meetFirstTeam();
  Most = std::min(Most, Levels ? Settings.Limit : 1);
  Widest = std::max(Widest, Most);
  if (Wishes.Sizes.empty())
    return Most;
  return std::min(Most, Wishes.Sizes[std::min<std::size_t>(Regions, Wishes.Sizes.size()) - 1]);
}

void Teams::allowLevels(std::uint32_t Most) {
  if (!Wishes.Nested)
    Levels = Most;
}

Teams::Team *Teams::enter(std::uint32_t Threads) {
  Team *T = Alive.emplace_back(std::make_unique<Team>()).get();
  T->Outer = Current;
  T->Size = Threads;
  T->Level = level() + (Threads > 1);
  T->SinglesMet.assign(Threads, 0);
  return Current = T;
}

void Teams::leave() {
  if (!Current)
    endWith("error", "the skeleton leaves a parallel region that it is not in");
  Current = Current->Outer;
  Alive.pop_back();
}

void Teams::run(std::uint32_t Threads, Body Run, void *Arguments) {
  Team *T;
  if (Threads <= 1) {
    {
      OwnWork Own;
      T = enter(1);
      T->Serial = true;
    }
    Run(Arguments, 0);
    OwnWork Own;
    figures().joinPool();
    leave();
    return;
  }
  {
    OwnWork Own;
    T = enter(Threads);
    T->Run = Run;
    T->Arguments = Arguments;
    T->Fibers.resize(Threads);
    Largest = std::max(Largest, Threads);
    figures().beginGroup(Accounting::AllAtOnce);
    evaluation().Memory.Touched.giveUp();
  }
  runToBarriers(*T);
  OwnWork Own;
  leave();
  check(figures().endGroup());
}

void Teams::runToBarriers(Team &T) {
  std::uint32_t Left = T.Size;
  for (bool First = true; Left; First = false) {
    std::uint32_t Ended = 0;
    for (std::uint32_t Turn = 0; Turn < T.Size; ++Turn) {
      T.Running = Wishes.threadAt(Turn, T.Size);
      Fiber *Thread;
      {
        OwnWork Own;
        if (First) {
          T.Fibers[T.Running] = Fiber::create(
              [](void *Of) {
                auto *Member = static_cast<Team *>(Of);
                Member->Run(Member->Arguments, Member->Running);
              },
              &T);
          if (!T.Fibers[T.Running])
            endWith("limit", "no address space is left for the stack of a thread");
        }
        Thread = T.Fibers[T.Running].get();
        if (Thread)
          figures().goOn(Turn);
        while (OfWorkers.size() < T.Running)
          OfWorkers.push_back(initialContents());
      }
      if (!Thread)
        continue;
      // Thread 0 is the one that entered the region.
      if (T.Running)
        exchange(OfWorkers[T.Running - 1]);
      const bool Waits = Thread->resume();
      if (T.Running)
        exchange(OfWorkers[T.Running - 1]);
      OwnWork Own;
      if (Waits) {
        figures().barrier();
        figures().rest();
      } else {
        figures().endTask();
        T.Fibers[T.Running].reset();
        ++Ended;
      }
    }
    if (Ended && Ended != Left)
      endWith("error", "the threads of a team pass different numbers of barriers");
    Left -= Ended;
    OwnWork Own;
    figures().endRound();
  }
}

void Teams::barrier() {
  if (!Current)
    return;
  if (Current->Serial) {
    OwnWork Own;
    figures().joinPool();
    return;
  }
  Current->Fibers[Current->Running]->wait();
}

bool Teams::single() {
  AskedCaller |= !Current;
  if (!Current || Current->Serial)
    return true;
  std::uint64_t &Met = Current->SinglesMet[Current->Running];
  if (++Met <= Current->SinglesDone)
    return false;
  Current->SinglesDone = Met;
  return true;
}

void Teams::beginSerial() {
  OwnWork Own;
  enter(1)->Serial = true;
}

void Teams::endSerial() {
  OwnWork Own;
  figures().joinPool();
  leave();
}

void Teams::beginRegion(std::uint32_t Threads, std::uint64_t Traces) {
  OwnWork Own;
  const bool NoRegion = !Threads;
  Threads = std::max<std::uint32_t>(1, Threads);
  const std::int64_t Alone =
      NoRegion || Threads > 1 ? 0 : SerialBytes + (Current && Current->Serial ? NestedSerialBytes : 0);
  // The caller may be in such a region itself.
  const std::int64_t AloneAtMost = Alone ? SerialBytes + NestedSerialBytes : 0;
  // Inside a region, the region's own mark has already counted the traces of all work in it.
  const std::int64_t Held = Traces && !(NoRegion && Current) ? TraceBytes : 0;
  AloneBytes += AloneAtMost;
  RegionBytes.push_back({Held, AloneAtMost});
  // The caller's own regions may have had other sizes, unless it is said how many threads they have; and it may be a
  // thread of the program that calls the run-time library for the first time.
  if (Threads > 1 && (Regions || (LastSize && Threads != LastSize))) {
    figures().mayVary();
    Unlikely = std::max(Unlikely, Regions ? RootBytes + MemberBytes * std::int64_t(Threads) : ResizeBytes);
  }
  if (Threads > 1)
    LastSize = Threads;
  if (Threads > 1 && level()) {
    figures().mayVary();
    Unlikely = std::max(Unlikely, RootBytes + MemberBytes * std::int64_t(Threads + 1) * size());
  }
  if (!OfSpawners.empty()) {
    // A thread that the program itself made is new to the run-time library, which gives it a team.
    figures().mayVary();
    Unlikely = std::max(Unlikely, (RootBytes + MemberBytes * std::int64_t(Threads)) * std::int64_t(++RegionsInThreads));
  }
  if (!Held && !Alone)
    return;
  // That all threads hold it at the same moment is possible but unlikely.
  Unlikely = std::max(Unlikely, (AloneBytes + Held) * std::int64_t(Threads) * size() - Held);
  figures().mayVary();
  check(figures().mayHold(Held));
  check(figures().mayRequest(TraceBytes, Held ? Traces * Threads : 0));
  if (Alone)
    check(figures().mayRequest(std::uint64_t(Alone), 1));
}

void Teams::endRegion() {
  OwnWork Own;
  if (RegionBytes.empty())
    endWith("error", "the skeleton leaves a parallel region that it is not in");
  check(figures().mayHold(-RegionBytes.back().Held));
  AloneBytes -= RegionBytes.back().Alone;
  RegionBytes.pop_back();
}

void Teams::beginLoop(std::int64_t First, std::int64_t Step, std::uint64_t Trips, std::uint64_t Chunk) {
  OwnWork Own;
  AskedCaller |= !Current;
  DealtLoop Loop;
  Loop.First = First;
  Loop.Step = Step;
  Loop.Trips = Trips;
  const std::uint64_t Chunks =
      Trips / std::max<std::uint64_t>(1, Chunk) + (Trips % std::max<std::uint64_t>(1, Chunk) != 0);
  Loop.Takers = std::uint32_t(std::min<std::uint64_t>(size(), std::max<std::uint64_t>(1, Chunks)));
  Loop.Piece = std::max<std::uint64_t>(1, Trips / (MaxPieces * size()));
  Loop.Next = thread() * Loop.Piece;
  Loops.push_back(Loop);
  figures().beginShare();
}

bool Teams::nextOfLoop() {
  if (Loops.empty())
    endWith("error", "the skeleton asks for iterations outside a loop");
  DealtLoop &Loop = Loops.back();
  if (Loop.Next >= Loop.Trips) {
    OwnWork Own;
    check(figures().endShare(Loop.Takers));
    Loops.pop_back();
    return false;
  }
  Loop.Begin = Loop.Next;
  Loop.End = std::min(Loop.Trips, Loop.Begin + Loop.Piece);
  Loop.Next += Loop.Piece * size();
  return true;
}

std::int64_t Teams::loopValue(std::uint32_t Which) const {
  if (Loops.empty())
    return 0;
  const DealtLoop &Loop = Loops.back();
  const auto At = [&](std::uint64_t Trip) {
    return std::int64_t(std::uint64_t(Loop.First) + Trip * std::uint64_t(Loop.Step));
  };
  switch (Which) {
  case 0: return At(Loop.Begin);
  case 1: return At(Loop.End - 1);
  case 2: return Loop.Step;
  default: return Loop.End == Loop.Trips;
  }
}

void Teams::own(void *Variable, std::uint64_t Bytes) {
  OwnWork Own;
  char *Address = static_cast<char *>(Variable);
  for (const OwnVariable &Known : OwnVariables)
    if (Known.Address == Address)
      return;
  OwnVariables.push_back({Address, std::vector<char>(Address, Address + Bytes)});
}

Teams::Contents Teams::initialContents() const {
  Contents Fresh;
  for (const OwnVariable &Variable : OwnVariables)
    Fresh.push_back(Variable.Initial);
  return Fresh;
}

std::int64_t Teams::unlikelyBytes() const {
  return Unlikely + MEMSHAPE_SK_THREAD_VECTOR_BYTES * std::int64_t(MostOpen);
}

void Teams::startAnew() {
  OwnWork Own;
  for (const OwnVariable &Variable : OwnVariables)
    std::copy(Variable.Initial.begin(), Variable.Initial.end(), Variable.Address);
}

void Teams::exchange(Contents &With) {
  for (std::size_t I = 0; I < With.size(); ++I)
    std::swap_ranges(With[I].begin(), With[I].end(), OwnVariables[I].Address);
}

void Teams::spawn(bool Pooled) {
  evaluation().Memory.Touched.giveUp();
  OwnWork Own;
  if (Pooled) {
    AskedCaller |= !Current; // whose threads may run it when the operator has returned
    // A thread's first tasks may belong to any call.
    figures().mayVary();
    Unlikely = std::max(Unlikely, TaskPoolBytes * std::int64_t(size()));
    figures().beginPooled(size());
  } else {
    if (!evaluation().building()) { // what building arguments requests is the caller's
      figures().mayVary();
      MostOpen = std::max<std::size_t>(MostOpen, figures().open() + 1);
    }
    figures().beginGroup(Accounting::AllAtOnce);
  }
  figures().beginTask();
  if (!Pooled) {
    OfSpawners.push_back(initialContents());
    exchange(OfSpawners.back());
  }
  ++Executing;
}

std::uint64_t Teams::spawned(bool Pooled) {
  OwnWork Own;
  if (!Executing)
    endWith("error", "the skeleton ends a task that it has not begun");
  --Executing;
  if (!Pooled) {
    exchange(OfSpawners.back());
    OfSpawners.pop_back();
  }
  figures().endTask();
  std::uint64_t Id = 0;
  if (Pooled)
    check(figures().endPooled());
  else
    check(figures().endGroupOpen(Id));
  return Id;
}

void Teams::join(std::uint64_t Thread) {
  OwnWork Own;
  if (Thread)
    figures().join(Thread);
  else
    figures().joinPool();
}
