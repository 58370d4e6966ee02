// How long does a block live at most?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Lifetimes.h"
#include "intervals/KnownComparisons.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Most different states that are kept for one basic block.
static constexpr size_t MostStates = 32;

/// Phis that F compares with 0, and those that lead to them.
static DenseSet<const Value *> testedPhis(const Function &F) {
  DenseSet<const Value *> Tested;
  SmallVector<const Value *, 16> Work;
  for (const Instruction &I : instructions(F))
    if (const auto *Compare = dyn_cast<ICmpInst>(&I);
        Compare && Compare->isEquality() && match(Compare->getOperand(1), m_ZeroInt()))
      Work.push_back(Compare->getOperand(0));
  while (!Work.empty())
    if (const auto *Phi = dyn_cast<PHINode>(Work.pop_back_val()); Phi && Tested.insert(Phi).second)
      Work.append(Phi->value_op_begin(), Phi->value_op_end());
  return Tested;
}

Lifetimes::Lifetimes(Function &Fn, const LoopInfo &Loops, ModRefIndex &Accesses, const ThreadRoles &Threads)
    : F(Fn), LI(Loops), Roles(Threads), Tested(testedPhis(Fn)) {
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const std::optional<Cell> At =
        Load && Load->getType()->isPointerTy() ? cellAt(Load->getPointerOperand()) : std::nullopt;
    const ArrayRef<ModRef> Reads = Accesses.of(&I);
    if (!At || Reads.size() != 1 || Writers.contains(*At) ||
        any_of(Accesses.objectsOf(Reads.front()), [&](unsigned Id) { return Roles.isShared(Id); }))
      continue;
    SmallPtrSet<const Instruction *, 8> Known;
    bool AllHere = true; // whether all writers are in this function
    Accesses.forWritersOf(Reads.front(), [&](const ModRef &Write) {
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
  return all_of(
             Same,
             [&](const Value *V) { return Than.Same.contains(V) && (Moved.contains(V) || !Than.Moved.contains(V)); }) &&
         all_of(Cells,
                [&](const auto &C) {
                  const auto At = Than.Cells.find(C.first);
                  return At != Than.Cells.end() && (C.second || !At->second);
                }) &&
         all_of(NotZero, [&](const Value *V) { return Than.NotZero.contains(V); }) &&
         (Catches == -1 || Catches == Than.Catches);
}

/// Intersects this with Other. True if Other knows less.
bool Lifetimes::State::meet(const State &Other) {
  bool Changed = false;
  for (const Value *V : SmallVector<const Value *, 8>(Same.begin(), Same.end())) {
    if (!Other.Same.contains(V)) {
      set(*V, false, false);
      Changed = true;
    } else if (Other.Moved.contains(V)) {
      Changed |= Moved.insert(V).second;
    }
  }
  for (const Value *V : SmallVector<const Value *, 8>(NotZero.begin(), NotZero.end()))
    if (!Other.NotZero.contains(V))
      Changed |= NotZero.erase(V);
  for (auto At = Cells.begin(); At != Cells.end();) {
    const auto There = Other.Cells.find(At->first);
    if (There == Other.Cells.end()) {
      At = Cells.erase(At);
      Changed = true;
      continue;
    }
    Changed |= There->second && !At->second;
    At->second |= There->second;
    ++At;
  }
  if (Catches != -1 && Catches != Other.Catches) {
    Catches = -1;
    Changed = true;
  }
  return Changed;
}

/// V holds an address of the block from here on, or does not.
void Lifetimes::State::set(const Value &V, bool Holds, bool HasMoved) {
  if (Holds)
    Same.insert(&V);
  else
    Same.erase(&V);
  if (Holds && HasMoved)
    Moved.insert(&V);
  else
    Moved.erase(&V);
}

static bool calls(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == Name;
}

/// Choice takes null only where the block, a realloc's, has no bytes. Then it does not matter how long it lives.
static bool isNullIfEmpty(const SelectInst &Choice, const CallBase &Block) {
  if (!isa<ConstantPointerNull>(Choice.getTrueValue()) || runnerCall(Block) != RunnerCall::Realloc)
    return false;
  Comparisons Facts;
  addComparisons(const_cast<Value *>(Choice.getCondition()), true, Facts);
  for (const Value *Bytes = Block.getArgOperand(ReallocBytes);;) {
    for (const Comparison &C : Facts)
      if (C.Predicate == CmpInst::ICMP_EQ && C.Left == Bytes && match(C.Right, m_ZeroInt()))
        return true;
    const auto *I = dyn_cast<Instruction>(Bytes);
    if (!I || !(isa<CastInst>(I) || I->getOpcode() == Instruction::Mul || I->getOpcode() == Instruction::Shl))
      return false;
    Bytes = I->getOperand(0);
  }
}

/// Applies I to S; false if I frees the block.
bool Lifetimes::pass(const Instruction &I, State &S, bool IsException) const {
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const RunnerCall Which = runnerCall(*Call);
    if ((Which == RunnerCall::Free || Which == RunnerCall::Realloc) &&
        S.Same.contains(Call->getArgOperand(0)->stripPointerCasts()) && Roles.of(I) == S.Role)
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
      const auto Known = Writers.find(At->first);
      const bool IsWritten = Known == Writers.end() || Known->second.contains(&I);
      At->second |= IsWritten && Keeps && S.Moved.contains(Store->getValueOperand());
      At = IsWritten && !Keeps ? S.Cells.erase(At) : std::next(At);
    }
  }
  if (const auto *Store = dyn_cast<StoreInst>(&I); Store && S.Same.contains(Store->getValueOperand()))
    if (const auto At = cellAt(Store->getPointerOperand()); At && Writers.contains(*At))
      S.Cells[*At] |= S.Moved.contains(Store->getValueOperand());
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const auto At = Load->getType()->isPointerTy() ? cellAt(Load->getPointerOperand()) : std::nullopt;
    const auto Held = At ? S.Cells.find(*At) : S.Cells.end();
    S.set(*Load, Held != S.Cells.end(), Held != S.Cells.end() && Held->second);
  } else if (const auto *Select = dyn_cast<SelectInst>(&I)) {
    const Value *X = Select->getTrueValue(), *Y = Select->getFalseValue();
    const auto *Block = dyn_cast<CallBase>(Y);
    S.set(*Select, S.Same.contains(Y) && (S.Same.contains(X) || (Block && isNullIfEmpty(*Select, *Block))),
          S.Moved.contains(X) || S.Moved.contains(Y));
  } else if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    // Wherever in the block it leads: what is freed by it is the block.
    const Value *From = Gep->getPointerOperand();
    S.set(*Gep, S.Same.contains(From), S.Moved.contains(From) || !Gep->hasAllZeroIndices());
  }
  return true;
}

bool Lifetimes::isNotZero(const Value &V, const State &S) const {
  return S.NotZero.contains(&V) || isKnownNonZero(&V, F.getDataLayout());
}

/// Applies the phis of To on the edge from From.
void Lifetimes::enter(const BasicBlock &To, const BasicBlock &From, State &S) const {
  SmallVector<std::pair<const PHINode *, bool>, 8> Are;
  SmallVector<const PHINode *, 8> NotZero;
  for (const PHINode &Phi : To.phis()) {
    const Value *Comes = Phi.getIncomingValueForBlock(&From);
    if (S.Same.contains(Comes))
      Are.push_back({&Phi, S.Moved.contains(Comes)});
    if (Tested.contains(&Phi) && isNotZero(*Comes, S))
      NotZero.push_back(&Phi);
  }
  for (const PHINode &Phi : To.phis()) {
    S.set(Phi, false, false);
    S.NotZero.erase(&Phi);
  }
  for (auto [Phi, HasMoved] : Are)
    S.set(*Phi, true, HasMoved);
  for (const PHINode *Phi : NotZero)
    S.NotZero.insert(Phi);
}

/// False for an edge that is taken only where the block is null or another object, or where a number beside it is 0.
bool Lifetimes::mayTake(const BasicBlock &From, unsigned Successor, const State &S) const {
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  const auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !Compare->isEquality())
    return true;
  if (match(Compare->getOperand(1), m_ZeroInt()) && isNotZero(*Compare->getOperand(0), S))
    return (Successor == 0) == (Compare->getPredicate() == CmpInst::ICMP_NE) ||
           Branch->getSuccessor(0) == Branch->getSuccessor(1);
  if (!Compare->getOperand(0)->getType()->isPointerTy())
    return true;
  const Value *X = Compare->getOperand(0), *Y = Compare->getOperand(1);
  if (!S.Same.contains(X))
    std::swap(X, Y);
  if (!S.Same.contains(X) || S.Moved.contains(X) || S.Moved.contains(Y))
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
  Start.Role = Roles.of(Allocation);
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
          if (const auto *Call = dyn_cast<CallBase>(&I);
              Call && (isHeapCall(runnerCall(*Call)) || runnerCall(*Call) == RunnerCall::Spawn))
            Life.LiveAt.insert(Call);
          Life.Outlives |= S.Role && ThreadRoles::endsThread(I) && Roles.of(I) == S.Role;
          return false;
        },
        [&](const BasicBlock &From, const BasicBlock &To) {
          Life.Ways.insert({&From, &To});
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

bool Lifetimes::goesBehind(const Value &Pointer, const CallBase &From, ArrayRef<const CallBase *> Others) {
  State Start;
  Start.Same.insert(&Pointer);
  Start.Role = Roles.of(From);
  bool Goes = true;
  follow(
      From, Start, /*IsException=*/false,
      [&](const Instruction &I, const State &S) {
        Goes &= !isa<ReturnInst>(I) && &I != &From && !is_contained(Others, &I) && S.Same.contains(&Pointer);
        return !Goes;
      },
      [](const BasicBlock &, const BasicBlock &) {});
  return Goes;
}

} // namespace memshape
