// All ways in which data can answer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton with decisions has as many runs as there are ways to answer them, and in a loop each iteration doubles
// that number. But what follows a decision depends only on the place in the skeleton and on its state: the values that
// it will still use, its variables, its live blocks and their contents. Two runs in the same state at a decision go on
// alike. So the exploration stops at each decision and takes a fingerprint of the state. If the state is new, it goes
// on with both answers. It ends when no state is left. The graph of states then holds every run, and the greatest and
// smallest peak are computed on it.
//
//     (start) --> state --yes--> state ...      each arrow: its highest live bytes and the bytes requested
//                   \---no----> (end)
//
// The skeleton runs on its own stack, which is kept with each state whose other answer is still to be followed.

#pragma once

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Fiber.h"
#include "runner/states/ExploredBlocks.h"
#include "runner/states/StateGraph.h"
#include "runner/states/StateTable.h"

#include <deque>

namespace memshape {

class Exploration {
public:
  /// Counts what is allocated in Space, an index of SpaceNames.
  Exploration(Evaluation &Owner, LoadedSkeleton &Skeleton, const std::vector<std::uint8_t> &SiteSpaces, unsigned Space);

  /// Follows all runs of the request that Owner holds, with blocks at other places if Elsewhere. Does not change
  /// Owner's figures.
  void run(const ExplorationLimits &Limits, bool Elsewhere, ExplorationFigures &Figures);

  /// Operations of the skeleton; Evaluation forwards to these.
  void *allocate(const Heap::Request &Wanted);
  void *reallocate(void *Block, const Heap::Request &Wanted);
  void release(void *Block);
  std::uint64_t bytesOf(void *Block);
  std::optional<std::uint64_t> extentOf(void *Block) const;
  std::uint32_t decide(std::uint32_t Decision, const DecisionPoint &From);
  /// The live block that an address lies in or behind the end of, or null.
  const ExploredBlocks::Block *blockAround(const void *Address) const { return Blocks.around(Address); }
  /// Something is asked of places in two objects: see memshape_sk_compare.
  void compare(const void *One, const void *Other, std::uint32_t Asked);
  /// Declares a variable of the operator that lives until the call ends.
  void addVariable(void *Address, std::uint64_t Bytes);
  void beginIterations();
  bool countIterations(std::uint64_t Iterations);
  void endIterations();
  /// This run ends without returning.
  [[noreturn]] void leave() { stop(Ending::Left); }
  /// Gives up following all runs. Why: a sentence to display.
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
  /// Blocks of other spaces belong to a state, and are not counted.
  bool counts(std::int32_t Site) const { return (Site < 0 ? 0 : SiteSpaces[std::size_t(Site)]) == Space; }
  void grow(std::int32_t Site, std::uint64_t Bytes);
  [[noreturn]] void stop(Ending How);

  Evaluation &Owner;
  LoadedSkeleton &Skeleton;
  const std::vector<std::uint8_t> &SiteSpaces;
  const unsigned Space;
  const bool Remembers;

  // Of the run that is being executed.
  ExploredBlocks Blocks;
  std::vector<Variable> Variables;
  StateArrow Now; ///< since the last decision
  std::int64_t Live = 0;
  bool Warm = false;   ///< in the call that is measured
  DecisionPoint Point; ///< the decision that asked last
  std::uint32_t Answer = 0;
  Ending Ended = Ending::Returned;
  const char *Why = "";
  bool AsksOrders = false, AsksDistances = false; ///< of places in different objects, in some run

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
  std::vector<State> Spare; ///< states that are finished; their memory is reused
  StateTable Known;
  StateGraph Graph;
  static constexpr std::uint32_t NotAsked = UINT32_MAX;
  std::vector<std::uint32_t> StatesOf; ///< by decision: states where it was asked, or NotAsked
  std::uint32_t AskedDecision = 0;     ///< last
};

} // namespace memshape
