// Variables that only grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/GrowingVariables.h"
#include "extract/Constructors.h"
#include "flatten/Flatten.h"
#include "kept-state/Inequalities.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>
#include <set>

using namespace llvm;

namespace memshape {

namespace {

/// A number or a pointer in a variable.
struct Cell {
  GlobalVariable *Variable;
  int64_t Offset;
  Type *Kind;
  SmallVector<Instruction *, 8> Accesses; ///< in the operator
  AllocaInst *Register = nullptr;         ///< in the copy
  LoadInst *Found = nullptr;              ///< what the copy reads at its start
};

/// A number in a variable, or the distance of two pointers.
struct Quantity {
  unsigned Of;
  std::optional<unsigned> Behind;
  friend bool operator<(const Quantity &A, const Quantity &B) {
    return std::pair(A.Of, A.Behind) < std::pair(B.Of, B.Behind);
  }
};

/// A place where a call may end, with the contents of variables there.
struct Ending {
  SmallVector<StoreInst *, 8> Left; ///< by cell
  bool Returns;
};

/// A branch that asks whether Factor * What - Needed is negative.
struct Candidate {
  BranchInst *Branch, *Copied;
  unsigned TooSmall;
  Quantity What;
  LinearForm Enough; ///< not negative if the capacity suffices; in terms of the values at the start of the call
};

/// A copy of the operator in which variables are values: they are read at its start and stored at its ends.
class Copy {
public:
  Copy(Function &Root, Simplifier &Simplify)
      : Root(Root), Simplify(Simplify), Layout(Root.getParent()->getDataLayout()) {}
  GrowingVariables run();

private:
  void findCells();
  bool addCells(GlobalVariable &G);
  void promote();
  void mergeEqualPointers();
  void addEnding(Instruction &At, bool Returns);
  std::optional<Quantity> quantityIn(const LinearForm &Sum, int64_t &Factor) const;
  LinearForm found(const Quantity &What) const;
  LinearForm left(const Quantity &What, const Ending &At) const;
  bool startsAtZero(const Quantity &What) const;
  void findQuantities();
  void findNeverNegative();
  std::optional<Candidate> candidate(BranchInst &Branch);
  bool onlyGrows(const Quantity &What);
  bool isEnoughBehind(const Candidate &Test);
  bool isRead(const Cell &Which) const;
  void settle(ArrayRef<Candidate> Tests, GrowingVariables &Into);

  Function &Root;
  Simplifier &Simplify;
  const DataLayout &Layout;
  DenseSet<const Function *> Before;
  std::vector<Cell> Cells;
  ValueToValueMapTy Copies;
  Function *Copied = nullptr;
  std::optional<DominatorTree> Tree;
  std::optional<LoopInfo> Loops;
  std::optional<Inequalities> Prover;
  DenseMap<const Value *, unsigned> CellOf; ///< of the values that are read at its start
  std::vector<Ending> Endings;
  std::set<Quantity> Quantities;
  std::map<Quantity, bool> Grows;
};

} // namespace

/// With more cells the proof is not tried.
static constexpr size_t MostCells = 64;

/// Whether a constructor leaves the bytes of G unchanged: it reads them, or writes zeros over zeros.
static bool keepsContents(const Instruction &I, const GlobalVariable &G) {
  if (isa<LoadInst>(I))
    return true;
  const Value *Written = nullptr;
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    Written = Store->getValueOperand();
  else if (const auto *Set = dyn_cast<MemSetInst>(&I))
    Written = Set->getValue();
  const auto *Zero = dyn_cast_or_null<Constant>(Written);
  return Zero && Zero->isNullValue() && G.getInitializer()->isNullValue();
}

/// False if G may change without Root.
bool Copy::addCells(GlobalVariable &G) {
  std::map<int64_t, Cell> Found;
  SmallVector<std::pair<Value *, int64_t>, 8> Work = {{&G, 0}};
  while (!Work.empty()) {
    const auto [Address, Offset] = Work.pop_back_val();
    for (User *U : Address->users()) {
      if (auto *Inner = dyn_cast<GEPOperator>(U)) {
        APInt More(Layout.getIndexTypeSizeInBits(Inner->getType()), 0);
        if (!Inner->accumulateConstantOffset(Layout, More))
          return false;
        Work.push_back({Inner, Offset + More.getSExtValue()});
        continue;
      }
      auto *Access = dyn_cast<Instruction>(U);
      if (Access && Before.contains(Access->getFunction()) && keepsContents(*Access, G))
        continue;
      const auto *Store = dyn_cast_or_null<StoreInst>(Access);
      const auto *Load = dyn_cast_or_null<LoadInst>(Access);
      if ((!Load && !Store) || Access->getFunction() != &Root || (Store && Store->getValueOperand() == Address) ||
          (Load ? !Load->isSimple() : !Store->isSimple()))
        return false;
      Type *Kind = getLoadStoreType(Access);
      if (!Kind->isPointerTy() && !Kind->isIntegerTy())
        return false;
      Cell &At = Found.try_emplace(Offset, Cell{&G, Offset, Kind, {}}).first->second;
      if (At.Kind != Kind)
        return false;
      At.Accesses.push_back(Access);
    }
  }
  int64_t End = 0;
  for (const auto &[Offset, Each] : Found) {
    if (Offset < End)
      return false;
    End = Offset + int64_t(Layout.getTypeStoreSize(Each.Kind));
  }
  if (Cells.size() + Found.size() <= MostCells)
    for (auto &[Offset, Each] : Found)
      Cells.push_back(std::move(Each));
  return true;
}

void Copy::findCells() {
  Before = onlyBeforeOperator(*Root.getParent());
  for (GlobalVariable &G : Root.getParent()->globals())
    if (!G.isConstant() && G.hasInitializer() && G.hasLocalLinkage() && !G.isExternallyInitialized())
      addCells(G);
}

void Copy::addEnding(Instruction &At, bool Returns) {
  Ending &End = Endings.emplace_back();
  End.Returns = Returns;
  IRBuilder<> B(&At);
  for (const Cell &Each : Cells)
    End.Left.push_back(
        B.CreateStore(B.CreateLoad(Each.Kind, Each.Register),
                      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Each.Variable, uint64_t(Each.Offset))));
}

/// Whether a call returns in any case, and does nothing but manage blocks and answer questions.
static bool alwaysReturns(const CallBase &Call) {
  return isa<IntrinsicInst>(Call) ||
         is_contained({RunnerCall::Alloc, RunnerCall::Realloc, RunnerCall::Free, RunnerCall::BlockSize,
                       RunnerCall::Decide, RunnerCall::Value, RunnerCall::BoundedValue, RunnerCall::Within,
                       RunnerCall::Extreme, RunnerCall::Tensor, RunnerCall::Touch},
                      runnerCall(Call));
}

void Copy::promote() {
  Copied = CloneFunction(&Root, Copies);
  IRBuilder<> B(&*Copied->getEntryBlock().getFirstInsertionPt());
  SmallVector<AllocaInst *, 8> Registers;
  for (Cell &Each : Cells) {
    Each.Register = B.CreateAlloca(Each.Kind);
    Registers.push_back(Each.Register);
  }
  for (unsigned Id = 0; Id != Cells.size(); ++Id) {
    Cell &Each = Cells[Id];
    LoadInst *Load =
        B.CreateLoad(Each.Kind, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Each.Variable, uint64_t(Each.Offset)));
    B.CreateStore(Load, Each.Register);
    Each.Found = Load;
    CellOf[Load] = Id;
    for (Instruction *Access : Each.Accesses) {
      auto *There = cast<Instruction>(Copies[Access]);
      There->setOperand(isa<LoadInst>(There) ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex(),
                        Each.Register);
    }
  }
  SmallVector<Instruction *, 16> Ends;
  for (Instruction &I : instructions(*Copied))
    if (const auto *Call = dyn_cast<CallBase>(&I); isa<ReturnInst>(I) || (Call && !alwaysReturns(*Call)))
      Ends.push_back(&I);
  for (Instruction *End : Ends)
    addEnding(*End, isa<ReturnInst>(End));
  Tree.emplace(*Copied);
  PromoteMemToReg(Registers, *Tree);
  Loops.emplace(*Tree);
  Prover.emplace(*Copied, *Tree, *Loops);
}

/// Replaces a phi whose incoming pointers are equal, such as the end of a vector that is cleared if it is not empty.
void Copy::mergeEqualPointers() {
  const auto IsAlways = [&](const PHINode &Phi, const Value *V) {
    for (const int64_t Sign : {1, -1}) {
      LinearForm Distance;
      Distance.add(Prover->formOf(&Phi), Sign);
      Distance.add(Prover->formOf(V), -Sign);
      if (!Prover->neverNegative(Distance, *Phi.getParent()))
        return false;
    }
    return true;
  };
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(Copied))
    for (PHINode &Phi : make_early_inc_range(BB->phis()))
      if (Phi.getType()->isPointerTy())
        for (Value *V : Phi.incoming_values())
          if (CellOf.contains(V) && IsAlways(Phi, V)) {
            Phi.replaceAllUsesWith(V);
            Phi.eraseFromParent();
            break;
          }
}

/// The quantity of variables in Sum, and its factor.
std::optional<Quantity> Copy::quantityIn(const LinearForm &Sum, int64_t &Factor) const {
  SmallVector<std::pair<unsigned, int64_t>, 2> In;
  for (const auto &[Term, Times] : Sum.Terms)
    if (const auto At = CellOf.find(Term); At != CellOf.end())
      In.push_back({At->second, Times});
  const auto IsPointer = [&](unsigned Id) { return Cells[Id].Kind->isPointerTy(); };
  if (In.size() == 1 && !IsPointer(In[0].first)) {
    Factor = In[0].second;
    return Quantity{In[0].first, std::nullopt};
  }
  if (In.size() != 2 || !IsPointer(In[0].first) || !IsPointer(In[1].first) || In[0].second != -In[1].second ||
      Cells[In[0].first].Variable != Cells[In[1].first].Variable)
    return std::nullopt;
  // Fields of a vector: the end of a block comes after its begin.
  if (Cells[In[0].first].Offset < Cells[In[1].first].Offset)
    std::swap(In[0], In[1]);
  Factor = In[0].second;
  return Quantity{In[0].first, In[1].first};
}

LinearForm Copy::found(const Quantity &What) const {
  LinearForm Sum = Prover->formOf(Cells[What.Of].Found);
  if (What.Behind)
    Sum.add(Prover->formOf(Cells[*What.Behind].Found), -1);
  return Sum;
}

LinearForm Copy::left(const Quantity &What, const Ending &At) const {
  LinearForm Sum = Prover->formOf(At.Left[What.Of]->getValueOperand());
  if (What.Behind)
    Sum.add(Prover->formOf(At.Left[*What.Behind]->getValueOperand()), -1);
  return Sum;
}

/// The contents of a variable before the first call.
static Constant *atStart(const Cell &Of, const DataLayout &Layout) {
  APInt Offset(64, uint64_t(Of.Offset));
  return ConstantFoldLoadFromConst(Of.Variable->getInitializer(), Of.Kind, Offset, Layout);
}

bool Copy::startsAtZero(const Quantity &What) const {
  const Constant *Of = atStart(Cells[What.Of], Layout);
  if (!What.Behind) {
    const auto *Number = dyn_cast_or_null<ConstantInt>(Of);
    return Number && !Number->isNegative();
  }
  const Constant *Behind = atStart(Cells[*What.Behind], Layout);
  return isa_and_nonnull<ConstantPointerNull>(Of) && isa_and_nonnull<ConstantPointerNull>(Behind);
}

/// Collects the quantities that branches compare.
void Copy::findQuantities() {
  int64_t Factor;
  for (const Instruction &I : instructions(*Copied))
    if (const auto *Compare = dyn_cast<ICmpInst>(&I)) {
      const LinearForm Left = Prover->formOf(Compare->getOperand(0)), Right = Prover->formOf(Compare->getOperand(1));
      LinearForm Distance = Left;
      Distance.add(Right, -1);
      for (const LinearForm &Sum : {Left, Right, Distance})
        if (const auto What = quantityIn(Sum, Factor); What && startsAtZero(*What))
          Quantities.insert(*What);
    }
}

/// Keeps the quantities that are never negative between calls: if all are assumed not to be before a call, the same
/// follows after it.
void Copy::findNeverNegative() {
  for (bool Changed = true; Changed;) {
    SmallVector<LinearForm, 8> All;
    for (const Quantity &Each : Quantities)
      All.push_back(found(Each));
    Prover->assume(std::move(All));
    Changed = std::erase_if(Quantities, [&](const Quantity &Each) {
                return any_of(Endings, [&](const Ending &End) {
                  return !Prover->neverNegative(left(Each, End), *End.Left.front()->getParent());
                });
              }) != 0;
  }
}

bool Copy::onlyGrows(const Quantity &What) {
  const auto [At, New] = Grows.try_emplace(What, false);
  if (!New || !Quantities.contains(What))
    return At->second;
  return At->second = all_of(Endings, [&](const Ending &End) {
           LinearForm More = left(What, End);
           More.add(found(What), -1);
           return Prover->neverNegative(More, *End.Left.front()->getParent());
         });
}

bool Copy::isEnoughBehind(const Candidate &Test) {
  return all_of(Endings, [&](const Ending &End) {
    if (!End.Returns)
      return true;
    LinearForm Behind = Test.Enough;
    const unsigned Ids[] = {Test.What.Of, Test.What.Behind.value_or(Test.What.Of)};
    // Stored values may consist of values that were read.
    for (const unsigned Id : Ids)
      Behind.replace(Cells[Id].Found, Prover->formOf(End.Left[Id]));
    for (const unsigned Id : Ids)
      Behind.replace(End.Left[Id], Prover->formOf(End.Left[Id]->getValueOperand()));
    return Prover->neverNegative(Behind, *End.Left.front()->getParent());
  });
}

/// Whether V depends on the operator's arguments alone, and so is the same in each call at a shape.
static bool followsFromArguments(const Value *V, unsigned Depth = 0) {
  const unsigned MostDepth = 16;
  if (isa<ConstantInt>(V) || isa<ConstantFP>(V) || isa<Argument>(V))
    return !V->getType()->isPointerTy();
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MostDepth || I->mayReadOrWriteMemory() || isa<PHINode>(I) || isa<AllocaInst>(I) ||
      (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
    return false;
  const auto *Call = dyn_cast<CallBase>(I);
  return all_of(Call ? Call->args() : I->operands(),
                [&](const Use &U) { return followsFromArguments(U.get(), Depth + 1); });
}

std::optional<Candidate> Copy::candidate(BranchInst &Branch) {
  auto *There = dyn_cast_or_null<BranchInst>(static_cast<Value *>(Copies.lookup(&Branch)));
  const auto *Compare = There && There->isConditional() ? dyn_cast<ICmpInst>(There->getCondition()) : nullptr;
  if (!Compare || Compare->isEquality() || There->getSuccessor(0) == There->getSuccessor(1) ||
      !Tree->isReachableFromEntry(There->getParent()))
    return std::nullopt;
  const LinearForm Left = Prover->formOf(Compare->getOperand(0)), Right = Prover->formOf(Compare->getOperand(1));
  LinearForm Distance = Left;
  Distance.add(Right, -1);
  int64_t Factor;
  const std::optional<Quantity> What = quantityIn(Distance, Factor);
  if (!What || any_of(Distance.Terms, [&](const auto &Each) {
        return !CellOf.contains(Each.first) && !followsFromArguments(Each.first);
      }))
    return std::nullopt;
  // With the capacity on the left.
  CmpInst::Predicate How = Compare->getPredicate();
  LinearForm Enough;
  Enough.add(Distance, Factor > 0 ? 1 : -1);
  if (Factor < 0)
    How = CmpInst::getSwappedPredicate(How);
  const bool SmallWhenTrue = ICmpInst::isLT(How) || ICmpInst::isLE(How);
  if (ICmpInst::isLE(How) || ICmpInst::isGT(How))
    Enough.add(LinearForm(-1));
  // As an unsigned number, a negative need would be large.
  if (Compare->isUnsigned() && !Prover->neverNegative(Factor > 0 ? Right : Left, *There->getParent()))
    return std::nullopt;
  return Candidate{&Branch, There, SmallWhenTrue ? 0u : 1u, *What, std::move(Enough)};
}

/// Whether the copy reads any bytes of Which.
bool Copy::isRead(const Cell &Which) const {
  SmallVector<std::pair<const Value *, int64_t>, 8> Work = {{Which.Variable, 0}};
  while (!Work.empty()) {
    const auto [Address, Offset] = Work.pop_back_val();
    for (const User *U : Address->users()) {
      APInt More(64, 0);
      if (const auto *Inner = dyn_cast<GEPOperator>(U)) {
        if (const auto *I = dyn_cast<Instruction>(Inner); I && I->getFunction() != Copied)
          continue;
        if (!Inner->accumulateConstantOffset(Layout, More))
          return true;
        Work.push_back({Inner, Offset + More.getSExtValue()});
        continue;
      }
      const auto *I = dyn_cast<Instruction>(U);
      if (!I || I->getFunction() != Copied)
        continue;
      const auto *Load = dyn_cast<LoadInst>(I);
      if (!Load || (Offset < Which.Offset + int64_t(Layout.getTypeStoreSize(Which.Kind)) &&
                    Which.Offset < Offset + int64_t(Layout.getTypeStoreSize(Load->getType()))))
        return true;
    }
  }
  return false;
}

/// Follows the paths on which every test finds its capacity large enough, and finds the variables that are read there.
void Copy::settle(ArrayRef<Candidate> Tests, GrowingVariables &Into) {
  for (const Candidate &Test : Tests)
    Test.Copied->setCondition(ConstantInt::getBool(Copied->getContext(), Test.TooSmall == 1));
  for (const Ending &End : Endings)
    for (StoreInst *Store : End.Left)
      Store->eraseFromParent();
  for (Instruction &I : make_early_inc_range(instructions(*Copied)))
    if (const auto *Call = dyn_cast<CallBase>(&I);
        Call && (runnerCall(*Call) == RunnerCall::Touch || runnerCall(*Call) == RunnerCall::MayEnd))
      I.eraseFromParent();
  removeUnreachableBlocks(*Copied);
  const unsigned Rounds = 2;
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    Simplify.thorough(*Copied);
    Simplify.analyses().invalidate(*Copied, ADCEPass().run(*Copied, Simplify.analyses()));
  }
  for (const Cell &Each : Cells)
    if (!isRead(Each))
      Into.Settled.insert(Each.Accesses.begin(), Each.Accesses.end());
}

GrowingVariables Copy::run() {
  GrowingVariables Out;
  findCells();
  if (Cells.empty() || !Root.use_empty())
    return Out;
  promote();
  mergeEqualPointers();
  findQuantities();
  findNeverNegative();
  SmallVector<Candidate, 4> Tests;
  for (BasicBlock &BB : Root)
    if (auto *Branch = dyn_cast<BranchInst>(BB.getTerminator()))
      if (std::optional<Candidate> Test = candidate(*Branch); Test && onlyGrows(Test->What) && isEnoughBehind(*Test)) {
        Out.Tests.push_back({Branch, Test->TooSmall, Cells[Test->What.Of].Variable});
        Tests.push_back(std::move(*Test));
      }
  if (!Tests.empty())
    settle(Tests, Out);
  Prover.reset();
  Loops.reset();
  Tree.reset();
  Simplify.analyses().clear(*Copied, Copied->getName());
  Copied->eraseFromParent();
  return Out;
}

GrowingVariables findGrowingVariables(Function &Root, Simplifier &Simplify) { return Copy(Root, Simplify).run(); }

} // namespace memshape
