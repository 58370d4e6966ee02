// What calls at other shapes leave behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/RememberedShapes.h"
#include "extract/Constructors.h"
#include "kept-state/GrowingVariables.h"
#include "kept-state/InitialisedOnce.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "memshape/SkeletonAbi.h"
#include "operators/SourcePlace.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;

namespace memshape {

namespace {

/// How a value depends on the shapes of calls.
enum Dependence : unsigned {
  Number = 1,   ///< its value
  Identity = 2, ///< of a pointer: which object it refers to; the offset in that object is the same
  State = 4     ///< an earlier call has left it
};

class RememberedShapes {
public:
  RememberedShapes(Module &M, Function &Root, const PointsTo &Memory, const GrowingVariables &Growing)
      : M(M), Root(Root), Memory(Memory), Growing(Growing), Accesses(M, Root, Memory), Once(M, Memory, Accesses) {}

  void run();
  std::vector<std::string> mark();

private:
  void findLasting();
  void depend(const Value *V, unsigned How);
  void dependEffects(const Instruction &I);
  void dependBlock(const BasicBlock *BB);
  void dependFunction(const Function *F);
  void controlledBy(const Instruction &Branch, bool Chosen);
  void visitUser(const Value *V, unsigned How, const Instruction &User);
  void visitCall(const Value *V, unsigned How, const CallBase &Call);
  void writes(const Instruction &I, unsigned How);
  void reads(const ModRef &Read, const ModRef &Write, unsigned How);
  void findReleases();
  bool comesFromState(const Value *V) const;
  bool readsBlocksAlone(const Instruction &I) const;
  bool liesInBlocks(const Instruction &Use) const;
  std::string nameOf(const Instruction &I) const;

  Module &M;
  Function &Root;
  const PointsTo &Memory;
  const GrowingVariables &Growing;
  ModRefIndex Accesses;
  InitialisedOnce Once;
  DenseSet<unsigned> Lasting; ///< objects that outlive a call
  DenseMap<const Value *, unsigned> Known;
  DenseMap<const Instruction *, unsigned> Writers;
  DenseSet<const BasicBlock *> Blocks;
  DenseSet<const Function *> Functions, Before;
  DenseMap<const Function *, SmallVector<const CallBase *, 4>> Callers;
  std::map<const Function *, PostDominatorTree> Trees;
  SmallVector<std::pair<const Value *, unsigned>, 32> Work;
  SetVector<const Instruction *> Uses;     ///< uses, in any call, of what earlier calls have left
  SetVector<const Instruction *> Releases; ///< frees of blocks that earlier calls have left; only the measured call
                                           ///< matters
};

} // namespace

/// Finds variables that the skeleton changes, and blocks that can be reached through them.
void RememberedShapes::findLasting() {
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(Id).Origin); G && !G->isConstant())
      for (unsigned Reached : Memory.reachable(G))
        if (const PointsTo::ObjectKind Kind = Memory.object(Reached).Kind;
            Kind == PointsTo::ObjectKind::Heap || Kind == PointsTo::ObjectKind::Global)
          Lasting.insert(Reached);
}

void RememberedShapes::depend(const Value *V, unsigned How) {
  if (V->getType()->isVoidTy())
    return;
  unsigned &At = Known[V];
  if ((At | How) == At)
    return;
  At |= How;
  Work.push_back({V, At});
}

/// Whether I is executed depends on shapes, so its writes and calls do as well.
void RememberedShapes::dependEffects(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    writes(I, Store->getValueOperand()->getType()->isPointerTy() ? Identity : Number);
  else if (I.mayWriteToMemory())
    writes(I, Number);
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    bool Complete;
    for (const Function *Callee : Memory.callees(*Call, Complete))
      dependFunction(Callee);
  }
}

void RememberedShapes::dependBlock(const BasicBlock *BB) {
  if (!Blocks.insert(BB).second)
    return;
  for (const Instruction &I : *BB) {
    if (isa<PHINode>(I))
      depend(&I, Number);
    dependEffects(I);
  }
  if (isa<ReturnInst>(BB->getTerminator()))
    for (const CallBase *Caller : Callers[BB->getParent()])
      depend(Caller, Number);
  if (BB->getTerminator()->getNumSuccessors() > 1)
    controlledBy(*BB->getTerminator(), /*Chosen=*/false);
}

/// Whether F is called depends on shapes.
void RememberedShapes::dependFunction(const Function *F) {
  if (!Functions.insert(F).second)
    return;
  for (const Instruction &I : instructions(*F))
    if (!Once.settles(*I.getParent(), nullptr))
      dependEffects(I);
}

/// Finds the blocks whose execution depends on Branch, and values that are chosen where its paths join. Chosen: which way
/// Branch goes depends on shapes, not only whether it is reached.
void RememberedShapes::controlledBy(const Instruction &Branch, bool Chosen) {
  const BasicBlock *BB = Branch.getParent();
  auto &F = const_cast<Function &>(*BB->getParent());
  PostDominatorTree &Tree = Trees.try_emplace(&F, F).first->second;
  const auto *Own = Tree.getNode(BB);
  const auto *Meeting = Own ? Own->getIDom() : nullptr;
  for (const BasicBlock *Next : successors(BB)) {
    const auto *At = Tree.getNode(Next);
    for (; At && At != Meeting && At->getBlock(); At = At->getIDom())
      if (!Once.settles(*At->getBlock(), BB))
        dependBlock(At->getBlock());
  }
  if (Chosen && Meeting && Meeting->getBlock())
    for (const PHINode &Phi : Meeting->getBlock()->phis())
      depend(&Phi, Number);
}

void RememberedShapes::writes(const Instruction &I, unsigned How) {
  unsigned &At = Writers[&I];
  if ((At | How) == At)
    return;
  At |= How;
  const unsigned Left = At;
  for (const ModRef &Write : Accesses.of(&I))
    if (Write.Writes)
      Accesses.forReadersOf(
          Write, [](const Instruction *) { return false; }, [&](const ModRef &Read) { reads(Read, Write, Left); });
}

void RememberedShapes::reads(const ModRef &Read, const ModRef &Write, unsigned How) {
  const Instruction &I = *Read.By;
  if (Before.contains(I.getFunction()))
    return;
  const bool Lasts = any_of(Accesses.objectsOf(Read), [&](unsigned Id) {
    return Lasting.contains(Id) && is_contained(Accesses.objectsOf(Write), Id);
  });
  if (isa<LoadInst>(I)) {
    // It only matters where a capacity is too small, and such a test has its own mark.
    if (Lasts && Growing.Settled.contains(&I))
      return depend(&I, Number);
    if (!I.getType()->isPointerTy())
      How |= Number;
    if (Lasts && (How & Number))
      Uses.insert(&I);
    depend(&I, How | (Lasts ? unsigned(State) : 0u));
    return;
  }
  if (Lasts)
    Uses.insert(&I);
  depend(&I, Number);
  writes(I, Number);
}

void RememberedShapes::visitCall(const Value *V, unsigned How, const CallBase &Call) {
  const RunnerCall Which = runnerCall(Call);
  if (Which == RunnerCall::Alloc || Which == RunnerCall::Realloc || Which == RunnerCall::Free ||
      Which == RunnerCall::Touch || Which == RunnerCall::Taint || Which == RunnerCall::Untainted ||
      Which == RunnerCall::Check)
    return; // blocks that are left: see findReleases
  bool Complete;
  const bool Chosen = Call.getCalledOperand() == V; // which function is called depends on shapes
  for (const Function *Callee : Memory.callees(Call, Complete)) {
    if (Chosen)
      dependFunction(Callee);
    for (const Argument &A : Callee->args())
      if (Call.getArgOperand(A.getArgNo()) == V)
        depend(&A, How);
    if (is_contained(drop_begin(Call.args(), Callee->arg_size()), V))
      for (const Instruction &I : instructions(*Callee))
        if (isa<VAStartInst>(I))
          writes(I, Number);
  }
  if (Chosen)
    depend(&Call, Number);
  if (Complete)
    return;
  if (How & State)
    Uses.insert(&Call);
  depend(&Call, Number);
  writes(Call, Number);
}

void RememberedShapes::visitUser(const Value *V, unsigned How, const Instruction &User) {
  if (User.isTerminator()) {
    if (isa<ReturnInst>(User)) {
      for (const CallBase *Caller : Callers[User.getFunction()])
        depend(Caller, How);
    } else {
      controlledBy(User, /*Chosen=*/true);
    }
    return;
  }
  if (const auto *Store = dyn_cast<StoreInst>(&User)) {
    if (Store->getValueOperand() == V)
      writes(User, Store->getValueOperand()->getType()->isPointerTy() ? How & (Number | Identity) : unsigned(Number));
    else if (How & Number)
      writes(User, Number);
    return;
  }
  if (const auto *Call = dyn_cast<CallBase>(&User); Call && !isa<IntrinsicInst>(Call))
    return visitCall(V, How, *Call);
  if (User.mayWriteToMemory() && How & Number)
    writes(User, Number);
  if (isa<MemIntrinsic>(User))
    return;
  if (isa<LoadInst>(User)) {
    if (How & Number)
      depend(&User, Number);
    return;
  }
  const bool KeepsPlace = isa<GetElementPtrInst>(User) || isa<PHINode>(User) || isa<SelectInst>(User) ||
                          isa<FreezeInst>(User) || isa<InsertValueInst>(User) || isa<ExtractValueInst>(User);
  if (KeepsPlace)
    return depend(&User, How);
  // It is compared or computed with: what an earlier call has left decides something.
  if (How & State && !(How & Number))
    Uses.insert(&User);
  depend(&User, Number);
}

/// Whether V, a pointer, was read from memory that outlives calls.
bool RememberedShapes::comesFromState(const Value *V) const {
  SmallVector<const Value *, 8> Next = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Next.empty()) {
    const Value *At = Next.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    if (isa<GetElementPtrInst>(At) || isa<FreezeInst>(At)) {
      Next.push_back(cast<Instruction>(At)->getOperand(0));
    } else if (isa<PHINode>(At) || isa<SelectInst>(At)) {
      for (const Use &U : cast<Instruction>(At)->operands())
        Next.push_back(U.get());
    } else if (const auto *Load = dyn_cast<LoadInst>(At)) {
      for (const ModRef &Read : Accesses.of(Load))
        if (any_of(Accesses.objectsOf(Read), [&](unsigned Id) { return Lasting.contains(Id); }))
          return true;
    }
  }
  return false;
}

/// Whether I reads only blocks, no variables, of what outlives calls.
bool RememberedShapes::readsBlocksAlone(const Instruction &I) const {
  return all_of(Accesses.of(&I), [&](const ModRef &Read) {
    return !Read.Reads || all_of(Accesses.objectsOf(Read), [&](unsigned Id) {
      return !Lasting.contains(Id) || Memory.object(Id).Kind == PointsTo::ObjectKind::Heap;
    });
  });
}

/// Whether Use only uses blocks that earlier calls have left: if there are none, what it uses is this call's own.
bool RememberedShapes::liesInBlocks(const Instruction &Use) const {
  if (!Accesses.of(&Use).empty() && !isa<CallBase>(Use))
    return readsBlocksAlone(Use);
  SmallVector<const Value *, 8> Next;
  if (const auto *Call = dyn_cast<CallBase>(&Use); Call && isHeapCall(runnerCall(*Call)))
    Next.push_back(Call->getArgOperand(0));
  else if (Call)
    return false;
  else
    for (const Value *Operand : Use.operands())
      if (Known.lookup(Operand) & State)
        Next.push_back(Operand);
  SmallPtrSet<const Value *, 8> Seen;
  while (!Next.empty()) {
    const Value *At = Next.pop_back_val();
    if (!Seen.insert(At).second || isa<Constant>(At))
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(At)) {
      if (!readsBlocksAlone(*Load))
        return false;
    } else if (isa<GetElementPtrInst>(At) || isa<FreezeInst>(At)) {
      Next.push_back(cast<Instruction>(At)->getOperand(0));
    } else if (isa<PHINode>(At) || isa<SelectInst>(At)) {
      for (const Value *Operand : cast<Instruction>(At)->operands())
        if (Operand->getType()->isPointerTy())
          Next.push_back(Operand);
    } else if (const auto *Call = dyn_cast<CallBase>(At); !Call || !isHeapCall(runnerCall(*Call))) {
      return false;
    }
  }
  return true;
}

/// Finds frees of blocks that earlier calls have left, whose sizes or existence depend on their shapes, or on others
/// who may put blocks of their own in the place.
void RememberedShapes::findReleases() {
  const auto DependsOnShape = [&](unsigned Id) {
    const PointsTo::Object &O = Memory.object(Id);
    const auto *Call = dyn_cast_or_null<CallBase>(O.Origin);
    if (!Lasting.contains(Id) || O.Kind != PointsTo::ObjectKind::Heap || !Call)
      return false;
    const RunnerCall Which = runnerCall(*Call);
    if (O.IsData || (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc))
      return true;
    return Blocks.contains(Call->getParent()) || Functions.contains(Call->getFunction()) ||
           Known.lookup(Call->getArgOperand(Which == RunnerCall::Alloc ? AllocBytes : ReallocBytes)) != 0;
  };
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && (runnerCall(*Call) == RunnerCall::Free || runnerCall(*Call) == RunnerCall::Realloc))
        if (const Value *Block = Call->getArgOperand(0); !Before.contains(&F) && comesFromState(Block))
          for (Place T : Memory.targets(Block))
            if (DependsOnShape(T.Object)) {
              Releases.insert(Call);
              break;
            }
}

void RememberedShapes::run() {
  Before = onlyBeforeOperator(M);
  findLasting();
  if (Lasting.empty())
    return;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        bool Complete;
        for (Function *Callee : Memory.callees(*Call, Complete))
          Callers[Callee].push_back(Call);
        const RunnerCall Which = runnerCall(*Call);
        if (Which == RunnerCall::Decide || Which == RunnerCall::Value || Which == RunnerCall::BoundedValue ||
            Which == RunnerCall::Extreme)
          depend(Call, Number);
      }
  for (const Argument &A : Root.args())
    if (!A.getType()->isPointerTy())
      depend(&A, Number);
  while (!Work.empty()) {
    const auto [V, How] = Work.pop_back_val();
    for (const User *U : V->users())
      if (const auto *I = dyn_cast<Instruction>(U); I && !Before.contains(I->getFunction()))
        visitUser(V, How, *I);
  }
  findReleases();
}

static std::string nameOf(const GlobalVariable &G) { return "'" + demangle(G.getName().str()) + "'"; }

static std::string placed(const std::string &Name, const Instruction &I) {
  const SourcePlace At = displayPlace(I.getDebugLoc());
  return Name + (At.File.empty() ? "" : " at " + At.File + ":" + std::to_string(At.Line));
}

std::string RememberedShapes::nameOf(const Instruction &I) const {
  for (const ModRef &Access : Accesses.of(&I))
    for (unsigned Id : Accesses.objectsOf(Access))
      if (const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(Id).Origin))
        return placed(memshape::nameOf(*G), I);
  return placed("a block that outlives the call", I);
}

std::vector<std::string> RememberedShapes::mark() {
  std::vector<std::string> Names;
  const auto Add = [&](const Instruction &At, const std::string &Name, unsigned How) {
    const auto Place = find(Names, Name);
    const auto Number = unsigned(Place - Names.begin());
    if (Place == Names.end())
      Names.push_back(Name);
    IRBuilder<> B(const_cast<Instruction *>(&At));
    B.CreateCall(runnerFunction(M, RunnerCall::Recall), {B.getInt32(Number), B.getInt32(How)});
  };
  for (const Instruction *I : Uses) {
    const unsigned Where = liesInBlocks(*I) ? MEMSHAPE_SK_IN_BLOCKS : 0;
    Add(isa<PHINode>(I) ? *I->getParent()->getFirstNonPHIIt() : *I, nameOf(*I), Where);
  }
  for (const Instruction *I : Releases)
    Add(*I, nameOf(*I), MEMSHAPE_SK_ANSWERED_ALONE | (liesInBlocks(*I) ? MEMSHAPE_SK_IN_BLOCKS : 0));
  for (const GrowingVariables::Test &Test : Growing.Tests) {
    // A capacity that has grown enough once is never too small again.
    BasicBlock *Side = SplitEdge(Test.Branch->getParent(), Test.Branch->getSuccessor(Test.TooSmall));
    Add(*Side->getTerminator(), placed(memshape::nameOf(*Test.Of), *Test.Branch), MEMSHAPE_SK_ANSWERED_ALONE);
  }
  return Names;
}

std::vector<std::string> changingVariables(const Module &M) {
  const DenseSet<const Function *> Before = onlyBeforeOperator(M);
  std::vector<std::string> Names;
  for (const GlobalVariable &G : M.globals()) {
    SmallVector<const User *, 8> Work(G.user_begin(), G.user_end());
    SmallPtrSet<const User *, 8> Seen;
    bool Changes = false;
    while (!Work.empty() && !Changes && !G.isConstant() && G.hasInitializer()) {
      const User *U = Work.pop_back_val();
      const auto *I = dyn_cast<Instruction>(U);
      Changes = I && !isa<LoadInst>(I) && I->mayReadOrWriteMemory() && !Before.contains(I->getFunction());
      if (Seen.insert(U).second && (isa<GEPOperator>(U) || isa<ConstantExpr>(U) || isa<LoadInst>(U)))
        append_range(Work, U->users()); // what it leads to changes, too
    }
    if (Changes && !G.getName().starts_with("_ZGV"))
      Names.push_back(nameOf(G));
  }
  return Names;
}

std::vector<std::string> markRememberedShapes(Module &M, Function &Root, Simplifier &Simplify) {
  if (none_of(M.globals(), [](const GlobalVariable &G) { return !G.isConstant() && G.hasInitializer(); }))
    return {};
  const GrowingVariables Growing = findGrowingVariables(Root, Simplify);
  const uint64_t Steps = 20'000'000;
  const PointsTo Memory(M, Root, Steps);
  if (!Memory.isComplete()) {
    IRBuilder<> B(&*Root.getEntryBlock().getFirstInsertionPt());
    B.CreateCall(runnerFunction(M, RunnerCall::Recall), {B.getInt32(0), B.getInt32(0)});
    return {"variables that outlive the call, through too many pointers to analyse"};
  }
  RememberedShapes Found(M, Root, Memory, Growing);
  Found.run();
  return Found.mark();
}

} // namespace memshape
