// Simulated threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a team run one after the other, from barrier to barrier, each on an account of its own. Which of them
// comes first, also at a `single`, a request may say. Shared work is dealt out round robin.

#pragma once

#include "runner/evaluation/Fiber.h"
#include "runner/protocol/TeamWishes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memshape {

/// A loop whose iterations are dealt out, as one thread sees it.
struct DealtLoop {
  std::int64_t First = 0, Step = 1;
  std::uint64_t Trips = 0;
  std::uint64_t Piece = 1;          ///< iterations that are handed over at once
  std::uint64_t Next = 0;           ///< iteration that comes next for this thread
  std::uint64_t Begin = 0, End = 0; ///< iterations of the current piece
  std::uint32_t Takers = 1;         ///< threads that can get a part
};

/// How many threads OpenMP's run-time library gives a team, as the environment says it.
struct TeamSettings {
  std::vector<std::uint32_t> Defaults; ///< threads of a region that names no number, by level; the last holds on
  std::uint32_t Limit = UINT32_MAX;    ///< of a team
  std::uint32_t Levels = 1;            ///< of regions in regions that have several threads each
  std::vector<std::pair<std::string, std::string>> Variables; ///< that say so

  static TeamSettings ofEnvironment(std::uint32_t Processors);
};

class Teams {
public:
  using Body = void (*)(void *Arguments, std::uint32_t Thread);

  /// Processors: of the machine.
  void configure(const TeamSettings &Here, std::uint32_t Processors, const TeamWishes &Wishes);
  /// Forgets the teams of an evaluation that was abandoned.
  void clear();
  /// Counts the regions of the next call anew. What earlier ones met has built what it finds.
  void beginCall() {
    RegionsBefore = regions(), WidestBefore = widest();
    Regions = Widest = 0;
  }

  std::uint32_t processors() {
    DefaultAsked = true;
    return Processors;
  }
  std::uint32_t standard();
  /// Bytes that run-time libraries request for a moment in each thread, if all threads did so at the same time; without
  /// those of one thread, which are counted anyway.
  std::int64_t unlikelyBytes() const;
  /// Whether an answer depended on the default or on the processors.
  bool asked() const { return DefaultAsked; }
  /// Threads of a region that names no number.
  std::uint32_t given() const { return Settings.Defaults.front(); }
  /// Regions so far whose teams may have fewer threads than they ask for, and the most that one of them asked for: of
  /// the call that met most of them.
  std::uint32_t regions() const { return std::max(Regions, RegionsBefore); }
  std::uint32_t widest() const { return std::max(Widest, WidestBefore); }
  /// An earlier call met regions that this one does not meet.
  bool metMoreBefore() const { return Regions < RegionsBefore; }
  /// The most threads that were executed together.
  std::uint32_t largest() const { return Largest; }
  /// A region inside of another one asked for several threads.
  bool metNested() const { return MetNested; }
  /// Something outside of all regions depended on the team that the caller may be in.
  bool askedCaller() const { return AskedCaller; }
  /// Threads have variables of their own, which outlive a team.
  bool haveOwnVariables() const { return !OwnVariables.empty(); }
  /// They are as a thread finds them that has just started.
  void startAnew();
  /// Variables of the environment that teams depended on.
  const std::vector<std::pair<std::string, std::string>> &variables() const { return UsedVariables; }
  /// Threads of a region that asks for Wanted; 0 stands for the default.
  std::uint32_t sizeFor(std::uint32_t Wanted);
  /// As omp_get_max_threads: what limits teams, or sets other numbers for them, changes it as well.
  std::uint32_t mostOfNext() { return level() ? standard() : sizeFor(0); }
  /// As omp_set_max_active_levels.
  void allowLevels(std::uint32_t Levels);

  void run(std::uint32_t Threads, Body Body, void *Arguments);
  void barrier();
  bool single();
  /// The current thread runs a region alone.
  void beginSerial();
  void endSerial();
  /// What the operator asks: outside of its regions, of the team that its caller may be in.
  std::uint32_t askForThread() { return AskedCaller |= !Current, thread(); }
  std::uint32_t askForSize() { return AskedCaller |= !Current, size(); }
  std::uint32_t askForLevel() { return AskedCaller = true, level(); }
  bool inside() const { return Current; }

  void beginLoop(std::int64_t First, std::int64_t Step, std::uint64_t Trips, std::uint64_t Chunk);
  /// False when no iterations are left.
  bool nextOfLoop();
  std::int64_t loopValue(std::uint32_t Which) const;

  /// Each thread has its own copy of these bytes. A new thread starts with their contents at the first call.
  void own(void *Variable, std::uint64_t Bytes);

  /// What follows, up to spawned(), is a task that runs beside what comes after that.
  void spawn(bool Pooled);
  std::uint64_t spawned(bool Pooled);
  void join(std::uint64_t Thread);

  /// What the run-time library may request for itself while a region of Threads threads lasts. Each thread makes Traces
  /// traces of its shared work.
  void beginRegion(std::uint32_t Threads, std::uint64_t Traces);
  void endRegion();

private:
  struct Team {
    Team *Outer = nullptr;
    std::uint32_t Size = 1, Running = 0, Level = 0;
    Body Run = nullptr;
    void *Arguments = nullptr;
    std::vector<Fiber::Pointer> Fibers;
    std::vector<std::uint64_t> SinglesMet; ///< by thread
    std::uint64_t SinglesDone = 0;
    bool Serial = false;
  };
  struct OwnVariable {
    char *Address;
    std::vector<char> Initial;
  };
  using Contents = std::vector<std::vector<char>>; ///< of all own variables
  Contents initialContents() const;
  void exchange(Contents &With);

  std::uint32_t thread() const { return Current ? Current->Running : 0; }
  std::uint32_t size() const { return Current ? Current->Size : 1; }
  /// Regions of more than one thread around the current place.
  std::uint32_t level() const { return Current ? Current->Level : 0; }
  Team *enter(std::uint32_t Threads);
  void leave();
  void runToBarriers(Team &T);
  void use(std::string_view Variable);

  TeamSettings Settings;
  TeamWishes Wishes;
  std::uint32_t Processors = 1, Levels = 1;
  std::uint32_t Regions = 0, Widest = 0;             ///< of this call
  std::uint32_t RegionsBefore = 0, WidestBefore = 0; ///< the most of an earlier call
  std::uint32_t Largest = 0;                         ///< of all calls
  bool MetNested = false, AskedCaller = false;
  std::vector<std::pair<std::string, std::string>> UsedVariables;
  Team *Current = nullptr;
  std::vector<std::unique_ptr<Team>> Alive;
  std::uint32_t Executing = 0; ///< spawned threads that are being executed
  std::size_t MostOpen = 0;    ///< threads that were started and not yet joined, at most
  struct RegionNow {
    std::int64_t Held;  ///< counted
    std::int64_t Alone; ///< that may be held besides, because one thread runs the region
  };
  std::vector<RegionNow> RegionBytes; ///< regions that are being executed
  std::int64_t AloneBytes = 0;        ///< of all of them
  bool DefaultAsked = false;
  std::vector<OwnVariable> OwnVariables;
  std::vector<Contents> OfWorkers;  ///< threads 1, 2, ... of teams, while others run
  std::vector<Contents> OfSpawners; ///< threads that have spawned the one that runs
  std::int64_t Unlikely = 0;
  std::uint32_t RegionsInThreads = 0; ///< met in spawned threads
  std::uint32_t LastSize = 0;         ///< of the last team with more than one thread
  std::vector<DealtLoop> Loops;       ///< of all threads that are in one, innermost last
};

} // namespace memshape
