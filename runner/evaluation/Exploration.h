//===- Exploration.h - All ways in which data can answer -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A skeleton with decisions has as many runs as there are ways to answer, and in a loop each iteration doubles them.
// But what follows a decision depends only on where the skeleton stands and on what it still remembers: the values that
// it will use, its variables, the blocks that live and what was written into them. Two runs that agree in all that at a
// decision are one run from there on. So the exploration stops at each decision, takes the fingerprint of the state,
// goes on with both answers if the state is new, and is finished when no state is left: the graph of states then holds
// every run, and the greatest and the smallest peak are found on it.
//
//   (start) --> state --yes--> state ...        an arrow: the highest live bytes on the way, and what was requested
//                 \---no----> (end)
//
// The skeleton runs on a stack of its own, which is kept with each state that waits for its other answer.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_EXPLORATION_H
#define MEMSHAPE_SKELETON_EXPLORATION_H

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Fiber.h"
#include "runner/states/ExploredBlocks.h"
#include "runner/states/StateGraph.h"
#include "runner/states/StateTable.h"

#include <deque>

namespace memshape {

class Exploration {
public:
  Exploration(Evaluation &Owner, LoadedSkeleton &Skeleton, const std::vector<std::uint8_t> &SiteSpaces);

  /// All runs with what Owner was given. Nothing of Owner's figures changes.
  void run(const ExplorationLimits &Limits, ExplorationFigures &Figures);

  /// What the skeleton does; the calls of Evaluation lead here.
  void *allocate(const Heap::Request &Wanted);
  void *reallocate(void *Block, const Heap::Request &Wanted);
  void release(void *Block);
  std::uint64_t bytesOf(void *Block);
  std::optional<std::uint64_t> extentOf(void *Block) const;
  std::uint32_t decide(std::uint32_t Decision, const DecisionPoint &From);
  /// So many bytes are a variable of the operator's, until the call ends.
  void addVariable(void *Address, std::uint64_t Bytes);
  void beginIterations();
  bool countIterations(std::uint64_t Iterations);
  void endIterations();
  /// This run ends without returning.
  [[noreturn]] void leave() { stop(Ending::Left); }
  /// Not all runs can be followed; Why: a sentence to display.
  [[noreturn]] void giveUp(const char *Why);

private:
  enum class Ending { Asked, Returned, Left, GaveUp };
  struct Variable {
    void *Address;
    std::uint64_t Bytes;
  };
  struct State {
    Fiber::Moment Native;
    ExploredBlocks::Moment Blocks;
    std::vector<char> Data; ///< the skeleton's writable variables
    std::vector<Variable> Variables;
    std::int64_t Live = 0;
    bool Warm = false;
    std::uint32_t Id = 0;
    std::size_t bytes() const { return Native.Stack.size() + Blocks.Contents.size() + Data.size() + 256; }
  };

  static void body(void *Self);
  void beginCall();
  void resume();
  StateHash::Value fingerprint() const;
  void keep(State &To) const;
  void goBack(const State &To);
  std::uint32_t arrive();
  bool isHost(std::int32_t Site) const { return Site < 0 || SiteSpaces[std::size_t(Site)] == 0; }
  void grow(std::int32_t Site, std::uint64_t Bytes);
  [[noreturn]] void stop(Ending How);

  Evaluation &Owner;
  LoadedSkeleton &Skeleton;
  const std::vector<std::uint8_t> &SiteSpaces;
  const bool Remembers;

  // Of the run that is being executed.
  ExploredBlocks Blocks;
  std::vector<Variable> Variables;
  StateArrow Now; ///< since the last decision
  std::int64_t Live = 0;
  bool Warm = false;   ///< in the call whose figures count
  DecisionPoint Point; ///< that asked last
  std::uint32_t Answer = 0;
  Ending Ended = Ending::Returned;
  const char *Why = "";

  struct Loop {
    StateArrow AtStart;
    std::int64_t Live;
    std::uint64_t Key;
    bool First;
  };
  std::vector<Loop> Loops;

  Fiber::Pointer Runs;
  std::deque<State> Waiting;
  std::size_t WaitingBytes = 0;
  std::vector<State> Spare; ///< done with; their room is used again
  StateTable Known;
  StateGraph Graph;
  static constexpr std::uint32_t NotAsked = UINT32_MAX;
  std::vector<std::uint32_t> StatesOf; ///< by decision: states where it was asked, or NotAsked
  std::uint32_t AskedDecision = 0;     ///< last
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_EXPLORATION_H
