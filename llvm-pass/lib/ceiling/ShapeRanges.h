// Ranges of values in any call at a shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of a function's values that hold for all data, as arithmetic on the function's integer arguments alone. A
// Bounder's bounds hold for the run that is made; these hold for all runs:
//
//     a value that goes round a loop     its start, plus what each addition in the loop adds, times the iterations in
//                                        which that addition is executed: amortised, whichever iterations data picks
//     a number in memory                 any of those that are stored where it may be read
//     a number that is dealt out         what its limit leaves, and one more for each taker (ShapeThreads.cpp)
//     visits                             at most the number of places that can be marked as visited
//     a distance of two pointers         followed through pairs of values that both have at the same time

#pragma once

#include "ceiling/ThreadRoles.h"
#include "intervals/Intervals.h"
#include "intervals/KnownComparisons.h"
#include "libraries/Summaries.h"
#include "memory/ModRefIndex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <set>

namespace llvm {
class SCEVAddExpr;
}

namespace memshape {

class ShapeRanges {
public:
  /// Computes bounds for F. Emits arithmetic to Into; Arguments stand for those of F (null: unknown).
  ShapeRanges(llvm::Function &F, const PointsTo &Memory, ModRefIndex &Accesses, const ThreadRoles &Roles,
              llvm::FunctionAnalysisManager &FAM, llvm::IRBuilder<> &Into, llvm::ArrayRef<llvm::Value *> Arguments);

  /// What V, an integer of up to 64 bits, can be where control is at Place.
  Interval at(llvm::Value *V, bool Signed, const llvm::Instruction &Place);

  /// How many bytes lie between pointer Base and Pointer, of the loops around Place.
  Interval bytesBetween(llvm::Value *Base, llvm::Value *Pointer, const llvm::Instruction &Place);

  /// How often BB is executed in a call, or per entry of Outermost; null if unknown.
  llvm::Value *executions(const llvm::BasicBlock &BB, const llvm::Loop *Outermost = nullptr);

  /// Whether Count, of executions, is none, or only what the type of a counter says.
  static bool isVague(const llvm::Value *Count) {
    const auto *C = llvm::dyn_cast_or_null<llvm::ConstantInt>(Count);
    return !Count || (C && C->getValue().ugt(INT32_MAX / 2));
  }

  /// An i1: whether control can reach BB, as far as the compared bounds on all paths to it tell.
  llvm::Value *canComeTo(const llvm::BasicBlock &BB);

  /// Basic blocks that add something, and how much each time.
  using Additions = llvm::MapVector<const llvm::BasicBlock *, Interval>;
  /// What all of them add in a call, or per entry of Outermost. An iteration that executes one of several alternative
  /// blocks executes no other one; none does with the number, or the place, that another one has taken.
  Interval addedBy(const Additions &All, const llvm::Loop *Outermost = nullptr);

  /// Whether Read may read what an earlier call, or other code, has left.
  bool mayBeLeftBehind(const ModRef &Read) {
    return llvm::any_of(Accesses.objectsOf(Read), [&](unsigned Id) { return outlivesCalls(Id); });
  }

  IntervalArithmetic &arithmetic() { return A; }
  llvm::IRBuilder<> &builder() { return B; }
  const KnownComparisons &facts() const { return Known; }
  const llvm::DominatorTree &dominators() const { return DT; }
  llvm::LoopInfo &loops() { return LI; }

private:
  /// An integer, or the bytes from pointer Base to pointer V.
  struct Node {
    llvm::Value *V;
    llvm::Value *Base = nullptr;
    bool Signed = true;
    auto operator<=>(const Node &) const = default;
  };
  /// A node is at most what To is, plus Plus.
  struct Edge {
    Node To;
    Interval Plus;                            ///< none: nothing
    const llvm::Instruction *Where = nullptr; ///< the instruction that adds, or where To comes from
    const llvm::BasicBlock *Behind = nullptr; ///< the block that the edge from Where's block leads to
    llvm::Value *Assumed = nullptr;           ///< a condition that is known to be Truth
    bool Truth = false;
    unsigned WrapBits = 0; ///< not 0: computed in so many bits, which may wrap around
    bool Shrinks = false;  ///< anything from 0 to To
  };
  using Edges = llvm::SmallVector<Edge, 4>;

  Interval of(const Node &N);
  Interval computed(const Node &N);
  Interval byInduction(const Node &N, Interval X);
  Interval around(const Node &N, const std::set<Node> &Cycle);
  Interval limited(const Node &N, const std::set<Node> &Cycle);
  std::set<Node> cycleOf(const Node &N);
  const Edges &edges(const Node &N);
  void integerEdges(const Node &N, Edges &Out);
  void distanceEdges(const Node &N, Edges &Out);
  void sumEdges(llvm::BinaryOperator &I, bool Signed, Edges &Out);
  Interval onWay(const Edge &Way);
  Interval withFacts(llvm::Value *V, bool Signed, llvm::ArrayRef<Comparison> Facts);
  Interval refined(Interval X, llvm::Value *V, bool Signed, Interval Told, llvm::ArrayRef<Comparison> Facts);
  Interval limitInFront(const Edge &Way);
  Interval multipliedBelow(llvm::PHINode &Number, bool Signed);
  Interval indexIn(const llvm::Value &Block, llvm::GEPOperator &Element);
  Interval boundsFromFacts(llvm::Value *V, bool Signed, llvm::ArrayRef<Comparison> Facts);
  Comparisons factsOn(const Edge &Way);
  Node distance(llvm::Value *X, llvm::Value *Y, const llvm::Instruction &Place);
  Node distanceOf(llvm::Instruction &I);
  std::optional<Node> copiedFrom(llvm::Value *X, llvm::Value *Y);
  llvm::Value *canHold(const Comparison &C, const llvm::Instruction &Place);
  llvm::Value *cannotWrap(llvm::Instruction &I);
  bool moves(llvm::GEPOperator &Gep, Interval &Bytes);
  Interval ofReal(llvm::Value *V, const llvm::Instruction &Place, unsigned Depth);
  Interval ofRealChoice(llvm::SelectInst &Choice, const llvm::Instruction &Place, unsigned Depth);
  Interval ofRealCall(llvm::CallBase &Call, unsigned Depth);
  Interval remainderBy(Interval X);
  Interval ofConversion(llvm::Instruction &I);
  Interval rounded(Interval X, const llvm::Type &Of);
  const llvm::Loop *commonLoop(const std::set<Node> &Cycle);

  /// The values that Load may read: what is stored, and what memory is filled with; false if something else may be
  /// there.
  bool storedValues(llvm::LoadInst &Load, llvm::SmallVectorImpl<llvm::StoreInst *> &Stores,
                    llvm::SmallVectorImpl<llvm::Constant *> &Filled);
  /// The number of type Of that Set leaves; null if it is unknown.
  llvm::Constant *filledWith(const llvm::MemSetInst &Set, llvm::Type *Of) const;
  Interval ofConstants(llvm::LoadInst &Load, bool Signed);
  Interval ofCall(llvm::CallBase &Call);
  bool returnsNoMore(llvm::CallBase &Call, const MostReturned &Most);
  bool outlivesCalls(unsigned Object);

  /// What a comparison with a constant says of a mark: the place was not visited.
  struct Unmarked {
    llvm::CmpInst::Predicate Is;
    const llvm::ConstantInt &Than;
  };
  /// V never says so.
  bool neverSays(const Unmarked &What, llvm::Value *V);
  /// V is at least Least, if those in Assumed are at least what is said there: as each of them is made of others, none
  /// is the first that is less.
  bool isAtLeast(llvm::Value *V, int64_t Least, std::map<llvm::Value *, int64_t> &Assumed);
  /// Executions of BB if a mark is set on all paths to it or behind it and never cleared: each place is marked once.
  Interval visits(const llvm::BasicBlock &BB);
  Interval oftenBelow(Interval Times, const llvm::BasicBlock &Above, const llvm::BasicBlock &BB);
  std::optional<Interval> unmarkedPlaces(llvm::LoadInst &Mark, const Unmarked &Says);
  /// What is known of a number from which threads take their next piece of work.
  struct Deal {
    Interval Range;    ///< of all numbers that are taken
    Interval Least;    ///< of those that it starts from
    Interval Starts;   ///< how often it starts anew
    uint64_t Step = 0; ///< the least one
  };
  /// How many threads a team has, or which of them asks; nothing of other calls.
  Interval ofTeam(llvm::CallBase &Call);
  Interval membersOf(llvm::CallBase &TeamSize);
  Interval membersOfAny();
  Interval defaultMembers();
  std::optional<Deal> dealOf(llvm::AtomicRMWInst &Taken);
  std::optional<Deal> findDeal(llvm::AtomicRMWInst &Taken);
  /// If BB is entered only with a number that was just taken and is below a limit: from where, and how often.
  std::optional<std::pair<Place, Interval>> dealtTo(const llvm::BasicBlock &BB);
  llvm::Value *iterations(const llvm::Loop &L, const llvm::BasicBlock &BB);
  Interval countedUp(const llvm::Loop &L, const llvm::BasicBlock &Exiting, const llvm::Instruction &Place);
  Interval upTo(const llvm::Loop &L, const llvm::SCEV *Count, const llvm::Instruction &Place);
  /// The same where loops in L advance an iterator of L's.
  Interval walked(const llvm::Loop &L, const llvm::BasicBlock &BB);
  /// The same where each iteration makes a number of L's greater that stays within bounds.
  Interval climbed(const llvm::Loop &L);
  /// The same where each iteration moves one of two numbers of L's, and none moves back.
  Interval movedTogether(const llvm::Loop &L);
  Interval ofScev(const llvm::SCEV *S, bool Signed, const llvm::Instruction &Place, unsigned Depth);
  /// How often a sum in L's iterations was stepped, where control is at Place.
  Interval stepsOf(const llvm::Loop &L, const llvm::Instruction &Place);
  Interval ofSum(const llvm::SCEVAddExpr &S, const llvm::Instruction &Place, unsigned Depth);
  /// The pointer that S starts from, and its distance; null if there is none.
  llvm::Value *pointerIn(const llvm::SCEV *S, const llvm::Instruction &Place, Interval &Bytes, unsigned Depth);

  llvm::Function &F;
  const PointsTo &Memory;
  ModRefIndex &Accesses;
  const ThreadRoles &Roles;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::TargetLibraryInfo &Library;
  const llvm::DataLayout &DL;
  KnownComparisons Known;
  llvm::IRBuilder<> &B;
  IntervalArithmetic A;
  llvm::SmallVector<llvm::Value *, 8> Arguments;

  std::map<Node, Interval> Ranges;
  std::map<Node, Edges> Ways;
  std::set<Node> Open; ///< nodes that are being analysed
  unsigned OpenMet = 0;
  std::map<Node, Interval> Induced;
  std::optional<std::pair<Node, Interval>> Hypothesis; ///< what a node was before
  std::map<std::pair<const llvm::Loop *, const llvm::BasicBlock *>, llvm::Value *> Iterations;
  llvm::DenseMap<const llvm::BasicBlock *, Interval> Visits;
  /// What blocks use up each time: a number of those that are dealt out at a place, or a place of those in an object of
  /// which a mark says so much.
  struct Supply {
    Place Where;
    llvm::CmpInst::Predicate Is = llvm::CmpInst::BAD_ICMP_PREDICATE;
    const llvm::ConstantInt *Than = nullptr;
    bool operator==(const Supply &) const = default;
  };
  llvm::DenseMap<const llvm::BasicBlock *, Supply> Takes;
  std::set<const llvm::Loop *> OpenLoops;
  std::set<const llvm::BasicBlock *> OpenVisits;
  std::map<const llvm::AtomicRMWInst *, std::optional<Deal>> Deals;
  std::set<const llvm::AtomicRMWInst *> OpenDeals;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> Reachable;
  std::optional<llvm::DenseSet<unsigned>> Outliving;
  std::optional<Interval> Members; ///< of any team
  unsigned Room = 20'000;          ///< values that may still be visited
};

} // namespace memshape
