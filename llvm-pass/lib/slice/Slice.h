// What allocations depend on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward slice in the manner of aggressive dead code elimination: the calls that allocate and free are live; so are
// the operands of what is live, the stores it can read, and the branches that decide whether it runs. Everything else
// is dead. Data is not followed: a live truth value that comes from data becomes a branch decision, any other live data
// a value decision.

#pragma once

#include "data-flow/DataFlow.h"
#include "lower/LeadingTo.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "runner-calls/BuildsArguments.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace memshape {

/// Call is executed whatever becomes of its result: it allocates, frees, or is made for real.
bool isExecuted(const llvm::CallBase &Call, const PointsTo &Memory);

class Slice {
public:
  enum Mode {
    FollowData, ///< keeps what is computed from data and calls of unknown functions; Flow is empty
    CutData     ///< data becomes decisions, unknown calls become marks
  };
  /// With Only, what these calls depend on; with Built besides, once what it contains has ended.
  Slice(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow, Mode How,
        llvm::ArrayRef<llvm::CallBase *> Only = {}, const BuildsArguments *Built = nullptr);
  ~Slice();

  bool isLive(const llvm::Instruction *I) const { return Live.contains(I); }
  bool isLive(const llvm::Argument *A) const { return LiveArguments.contains(A); }
  /// What is live of the operator's own depends on A.
  bool isOwn(const llvm::Argument *A) const { return Own ? Own->isLive(A) : isLive(A); }
  /// It is kept for marks of writes alone: no allocation depends on it.
  bool isForMarks(const llvm::Instruction *I) const { return ForMarks.contains(I); }
  /// Call is executed whatever becomes of its result.
  bool executes(const llvm::CallBase &Call) const { return isExecuted(Call, Memory); }
  /// Someone needs the value that F returns.
  bool isReturnLive(const llvm::Function *F) const { return LiveReturns.contains(F); }
  /// Live instructions whose operands are cut off, in the order they were met.
  llvm::ArrayRef<llvm::Instruction *> decisions() const { return Decisions.getArrayRef(); }
  /// Finds what only the arguments depend on that are built for the operator.
  void separateArguments(llvm::Module &M);
  /// Decisions of which that is true, once it was looked for.
  llvm::ArrayRef<llvm::Instruction *> ofArguments() const { return OfArguments; }
  /// I is one of both.
  bool isCutOff(const llvm::Instruction *I) const {
    return Decisions.contains(const_cast<llvm::Instruction *>(I)) || llvm::is_contained(OfArguments, I);
  }
  /// Calls of functions without body or summary; none when data is followed.
  llvm::ArrayRef<llvm::CallBase *> unknownCalls() const { return Unknowns; }
  /// A block that the operator has requested is within reach of Call, one of these.
  bool mayFree(const llvm::CallBase &Call) const;
  /// Marks of writes that are not kept: what they say is not known outside what is deleted.
  llvm::ArrayRef<llvm::CallBase *> lostMarks() const { return LostMarks; }

private:
  /// Control dependence inside one function: blocks that must run, and those whose controlling branches are still to be
  /// found.
  struct Control {
    llvm::PostDominatorTree PDT;
    llvm::SmallPtrSet<llvm::BasicBlock *, 32> Running, New;
    llvm::SmallPtrSet<llvm::BasicBlock *, 16> LivePhis;
    const Blocks Returning;
    explicit Control(llvm::Function &F) : PDT(F), Returning(leadingToReturn(F)) {}
  };
  struct LoopsOf {
    llvm::DominatorTree DT;
    llvm::LoopInfo LI;
    /// Of loops around marks: blocks that allocate or free, and whether data is asked for.
    llvm::DenseMap<const llvm::Loop *, std::pair<llvm::SmallSetVector<const llvm::BasicBlock *, 4>, bool>> Contents;
    explicit LoopsOf(llvm::Function &F) : DT(F), LI(DT) {}
  };
  void markLive(const llvm::Value *V); ///< its value is needed
  void markExecuted(llvm::CallBase *Call);
  void markBlock(const llvm::BasicBlock *BB);
  void markFunction(llvm::Function &F);
  void visit(llvm::Instruction &I);
  void followMemory(llvm::Instruction &I);
  bool cut(llvm::Instruction &I);
  void followControl();
  bool keepChecks();
  void followAll();
  void followMarks();
  void keepMarks();
  void keepEnds(llvm::Module &M);
  bool changesLasting(const llvm::Instruction &I, const llvm::DenseSet<unsigned> &Lasting);
  bool keepMark(llvm::CallBase &Mark);
  bool standsAmongHeapCalls(const llvm::CallBase &Mark);
  bool canHave(const llvm::Value *V, llvm::SmallPtrSetImpl<const llvm::Instruction *> &New, bool FixedOnly);
  /// What a check that costs next to nothing may add to the slice.
  struct Spared {
    unsigned Instructions = 48;
    llvm::SmallPtrSet<const llvm::Instruction *, 8> Loads;
    bool take() { return Instructions && Instructions--; }
  };
  bool isKnownAnyway(const llvm::Value *V, Spared &Rest);
  bool areOperandsKnownAnyway(const llvm::Instruction &I, Spared &Rest);
  bool isStoredAnyway(llvm::Instruction &Writer, Spared &Rest);
  bool isReachedAnyway(llvm::BasicBlock &BB, Spared &Rest);
  LoopsOf &loopsOf(llvm::Function &F);

  const PointsTo &Memory;
  ModRefIndex &Accesses;
  ModRefIndex::Rest Writers; ///< that are not live so far
  const DataFlow &Flow;
  const Mode How;
  llvm::DenseSet<const llvm::Instruction *> Live, ForMarks;
  llvm::DenseMap<const llvm::Instruction *, AccessTypes> WantedCopies; ///< as what the copied bytes are read later
  llvm::DenseSet<const llvm::CallBase *> NeededResults;
  llvm::DenseSet<const llvm::Value *> LiveArguments;
  llvm::DenseSet<const llvm::Function *> LiveFunctions, LiveReturns, LiveLists; ///< lists of variable arguments
  llvm::SmallSetVector<llvm::Instruction *, 16> Decisions;
  llvm::SmallVector<llvm::CallBase *, 32> Roots;
  std::unique_ptr<const BuildsArguments> Arguments;
  std::unique_ptr<const Slice> Own; ///< of those roots that are the operator's
  const BuildsArguments *Built;
  llvm::SmallVector<llvm::Instruction *, 4> OfArguments;
  llvm::SmallVector<llvm::CallBase *, 8> Unknowns;
  llvm::SmallVector<llvm::CallBase *, 16> Checks; ///< those that are not kept so far
  llvm::SmallVector<llvm::CallBase *, 16> Marks, LostMarks;
  llvm::SmallVector<llvm::CallBase *, 4> Ends; ///< where some call may end
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<LoopsOf>> Loops;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<llvm::PostDominatorTree>> Unreached;
  llvm::SmallVector<llvm::Instruction *, 64> Work;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::CallBase *, 4>> Callers;
  /// In the order in which functions were reached: decisions are numbered as their branches are found.
  llvm::MapVector<const llvm::Function *, std::unique_ptr<Control>> Controls;
  /// Calls that keep the order of threads, by function.
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::CallBase *, 4>> ThreadOrder;
};

/// A function without a body and with no summary, called by Call.
bool isUnknownCall(const llvm::CallBase &Call, const PointsTo &Memory);

/// Deletes from M what Slice leaves dead: instructions, and branches, which then take the shortest way out. Decisions
/// become calls of the runner with the ids 0, 1, ... in the order of Slice::decisions(); unknown calls become marks
/// likewise.
void deleteDead(llvm::Module &M, const Slice &S);

} // namespace memshape
