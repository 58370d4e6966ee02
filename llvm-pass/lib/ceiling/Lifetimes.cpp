// How long does a block live at most?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Lifetimes.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Most different states that are kept for one basic block.
static constexpr size_t MostStates = 8;

Lifetimes::Lifetimes(Function &Fn, const LoopInfo &Loops, ModRefIndex &Accesses) : F(Fn), LI(Loops) {
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const std::optional<Cell> At =
        Load && Load->getType()->isPointerTy() ? cellAt(Load->getPointerOperand()) : std::nullopt;
    const ArrayRef<ModRef> Reads = Accesses.of(&I);
    if (!At || Reads.size() != 1 || Writers.contains(*At))
      continue;
    SmallPtrSet<const Instruction *, 8> Known;
    bool AllHere = true; // whether all writers are in this function
    Accesses.forWritersOf(
        Reads.front(), [](const Instruction *) { return false; },
        [&](const ModRef &Write) {
          Known.insert(Write.By);
          AllHere &= Write.By->getFunction() == &F;
        });
    if (AllHere)
      Writers.try_emplace(*At, Known);
  }
}

/// A memory cell that exists once at a time: a variable of the operator, or a field of a block that is allocated
/// outside loops.
std::optional<Lifetimes::Cell> Lifetimes::cellAt(const Value *Pointer) const {
  APInt Offset(F.getDataLayout().getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(F.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  const auto *Block = dyn_cast<CallBase>(Base);
  const bool Single =
      isa<AllocaInst>(Base) || (Block && isHeapCall(runnerCall(*Block)) && !LI.getLoopFor(Block->getParent()));
  return Single ? std::optional(Cell{Base, Offset.getSExtValue()}) : std::nullopt;
}

bool Lifetimes::State::knowsNoMore(const State &Than) const {
  return all_of(Same, [&](const Value *V) { return Than.Same.contains(V); }) &&
         all_of(Cells, [&](const Cell &C) { return Than.Cells.contains(C); }) &&
         (Catches == -1 || Catches == Than.Catches);
}

/// Intersects this with Other. True if Other knows less.
bool Lifetimes::State::meet(const State &Other) {
  bool Changed = false;
  for (const Value *V : SmallVector<const Value *, 8>(Same.begin(), Same.end()))
    if (!Other.Same.contains(V))
      Changed |= Same.erase(V);
  for (auto At = Cells.begin(); At != Cells.end();)
    if (Other.Cells.contains(*At)) {
      ++At;
    } else {
      At = Cells.erase(At);
      Changed = true;
    }
  if (Catches != -1 && Catches != Other.Catches) {
    Catches = -1;
    Changed = true;
  }
  return Changed;
}

static bool calls(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == Name;
}

/// Applies I to S; false if I frees the block.
bool Lifetimes::pass(const Instruction &I, State &S, bool IsException) const {
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const RunnerCall Which = runnerCall(*Call);
    if ((Which == RunnerCall::Free || Which == RunnerCall::Realloc) &&
        S.Same.contains(Call->getArgOperand(0)->stripPointerCasts()))
      return false;
    if (IsException && calls(I, "__cxa_rethrow"))
      S.Catches = -1;
    if (IsException && S.Catches >= 0 && calls(I, "__cxa_begin_catch"))
      ++S.Catches;
    if (IsException && S.Catches > 0 && calls(I, "__cxa_end_catch") && --S.Catches == 0)
      return false;
  }
  if (I.mayWriteToMemory() && !S.Cells.empty()) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    const bool Keeps = Store && S.Same.contains(Store->getValueOperand());
    for (auto At = S.Cells.begin(); At != S.Cells.end();) {
      const auto Known = Writers.find(*At);
      At = !Keeps && (Known == Writers.end() || Known->second.contains(&I)) ? S.Cells.erase(At) : std::next(At);
    }
  }
  if (const auto *Store = dyn_cast<StoreInst>(&I); Store && S.Same.contains(Store->getValueOperand()))
    if (const auto At = cellAt(Store->getPointerOperand()); At && Writers.contains(*At))
      S.Cells.insert(*At);
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const auto At = Load->getType()->isPointerTy() ? cellAt(Load->getPointerOperand()) : std::nullopt;
    if (At && S.Cells.contains(*At))
      S.Same.insert(Load);
    else
      S.Same.erase(Load);
  } else if (const auto *Select = dyn_cast<SelectInst>(&I)) {
    if (S.Same.contains(Select->getTrueValue()) && S.Same.contains(Select->getFalseValue()))
      S.Same.insert(Select);
    else
      S.Same.erase(Select);
  }
  return true;
}

/// Applies the phis of To on the edge from From.
void Lifetimes::enter(const BasicBlock &To, const BasicBlock &From, State &S) const {
  SmallVector<const PHINode *, 8> Are, AreNot;
  for (const PHINode &Phi : To.phis())
    (S.Same.contains(Phi.getIncomingValueForBlock(&From)) ? Are : AreNot).push_back(&Phi);
  for (const PHINode *Phi : AreNot)
    S.Same.erase(Phi);
  for (const PHINode *Phi : Are)
    S.Same.insert(Phi);
}

/// False for an edge that is taken only where the block is null or another object.
bool Lifetimes::mayTake(const BasicBlock &From, unsigned Successor, const State &S) const {
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  const auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !Compare->isEquality() || !Compare->getOperand(0)->getType()->isPointerTy())
    return true;
  const Value *X = Compare->getOperand(0), *Y = Compare->getOperand(1);
  if (!S.Same.contains(X))
    std::swap(X, Y);
  if (!S.Same.contains(X))
    return true;
  const Value *Other = getUnderlyingObject(Y);
  bool Equal;
  if (S.Same.contains(Y))
    Equal = true;
  else if (isa<ConstantPointerNull>(Y) || isa<AllocaInst>(Other) || isa<GlobalValue>(Other))
    Equal = false;
  else
    return true;
  const bool Taken = Equal == (Compare->getPredicate() == CmpInst::ICMP_EQ);
  return (Successor == 0) == Taken || Branch->getSuccessor(0) == Branch->getSuccessor(1);
}

/// Follows all paths from From on while the block lives. Visit sees each instruction, and ends a path by its result.
/// Way sees each edge.
void Lifetimes::follow(const Instruction &From, const State &Start, bool IsException, Ends Visit,
                       function_ref<void(const BasicBlock &, const BasicBlock &)> Way) const {
  DenseMap<const BasicBlock *, SmallVector<State, 2>> Known;
  SmallVector<std::pair<const BasicBlock *, State>, 16> Work;
  const auto Follow = [&](const BasicBlock &BB, BasicBlock::const_iterator First, State S) {
    for (const Instruction &I : make_range(First, BB.end()))
      if (!isa<PHINode>(I) && (!pass(I, S, IsException) || Visit(I, S)))
        return;
    for (unsigned Number = 0; Number != BB.getTerminator()->getNumSuccessors(); ++Number) {
      if (!mayTake(BB, Number, S))
        continue;
      const BasicBlock *To = BB.getTerminator()->getSuccessor(Number);
      State There = S;
      enter(*To, BB, There);
      Way(BB, *To);
      // States that differ are kept apart as long as there are few.
      SmallVectorImpl<State> &Before = Known[To];
      if (any_of(Before, [&](const State &Each) { return Each.knowsNoMore(There); }))
        continue;
      if (Before.size() < MostStates) {
        Before.push_back(There);
      } else {
        for (const State &Each : Before)
          There.meet(Each);
        Before.assign({There});
      }
      Work.push_back({To, There});
    }
  };
  Follow(*From.getParent(), std::next(From.getIterator()), Start);
  while (!Work.empty()) {
    auto [BB, There] = Work.pop_back_val();
    Follow(*BB, BB->begin(), There);
  }
}

Lifetime Lifetimes::of(const CallBase &Allocation) {
  Lifetime Life;
  const bool IsException = Allocation.hasMetadata(ExceptionMetadata);
  State Start;
  Start.Same.insert(&Allocation);
  SmallPtrSet<const Loop *, 4> Around; ///< loops in whose later iterations the block still lives
  for (unsigned Time = 1; Time <= 2; ++Time) {
    std::optional<State> Again; // the state in which the call is executed again
    follow(
        Allocation, Start, IsException,
        [&](const Instruction &I, const State &S) {
          if (&I == &Allocation) {
            if (Again)
              Again->meet(S);
            else
              Again = S;
            return true;
          }
          if (const auto *Call = dyn_cast<CallBase>(&I); Call && isHeapCall(runnerCall(*Call)))
            Life.LiveAt.insert(Call);
          return false;
        },
        [&](const BasicBlock &From, const BasicBlock &To) {
          if (const Loop *L = LI.getLoopFor(&To);
              L && L->getHeader() == &To && L->contains(&From) && L->contains(&Allocation))
            Around.insert(L);
        });
    if (!Again)
      return Life;
    Life.Most = Time == 1 ? 2 : 0;
    Start = *Again;
    Start.Same.erase(&Allocation); // from here on that value is another block
  }
  for (const Loop *L = LI.getLoopFor(Allocation.getParent()); L; L = L->getParentLoop())
    if (Around.contains(L))
      Life.Within = L;
  // Executions in a cycle that is no natural loop cannot be counted.
  return Life;
}

bool Lifetimes::goesBehind(const Value &Pointer, const CallBase &From) {
  State Start;
  Start.Same.insert(&Pointer);
  bool Goes = true;
  follow(
      From, Start, /*IsException=*/false,
      [&](const Instruction &I, const State &S) {
        Goes &= !isa<ReturnInst>(I) && &I != &From && S.Same.contains(&Pointer);
        return !Goes;
      },
      [](const BasicBlock &, const BasicBlock &) {});
  return Goes;
}

} // namespace memshape
