//===- Teams.h - Simulated threads ---------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a team run one after the other, from barrier to barrier, each on an account of its own. Scheduling is
// fixed: thread 0 comes first at a `single`, and shared work is dealt out round robin.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_TEAMS_H
#define MEMSHAPE_SKELETON_TEAMS_H

#include "runner/evaluation/Fiber.h"

#include <cstdint>
#include <memory>
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

class Teams {
public:
  using Body = void (*)(void *Arguments, std::uint32_t Thread);

  /// Default: threads of a region that names no number. Processors: of the machine.
  void configure(std::uint32_t Default, std::uint32_t Processors);
  /// Forgets the teams of an evaluation that was abandoned.
  void clear();

  std::uint32_t processors() {
    DefaultAsked = true;
    return Processors;
  }
  std::uint32_t standard() {
    DefaultAsked = true;
    return Default;
  }
  /// Bytes that run-time libraries request for a moment in each thread, if all threads did so at the same time; without
  /// those of one thread, which are counted anyway.
  std::int64_t unlikelyBytes() const { return Unlikely; }
  /// Whether an answer depended on the default or on the processors.
  bool asked() const { return DefaultAsked; }
  /// Threads of a region that asks for Wanted; 0 stands for the default.
  std::uint32_t sizeFor(std::uint32_t Wanted);

  void run(std::uint32_t Threads, Body Body, void *Arguments);
  void barrier();
  bool single();
  /// The current thread runs a region alone.
  void beginSerial();
  void endSerial();
  std::uint32_t thread() const { return Current ? Current->Running : 0; }
  std::uint32_t size() const { return Current ? Current->Size : 1; }
  /// Regions of more than one thread around the current place.
  std::uint32_t level() const { return Current ? Current->Level : 0; }
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

  Team *enter(std::uint32_t Threads);
  void leave();
  void runToBarriers(Team &T);

  std::uint32_t Default = 1, Processors = 1;
  Team *Current = nullptr;
  std::vector<std::unique_ptr<Team>> Alive;
  std::vector<std::int64_t> VectorBytes; ///< of spawned threads that are being executed
  std::vector<std::int64_t> RegionBytes; ///< held for regions that are being executed
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

#endif // MEMSHAPE_SKELETON_TEAMS_H
