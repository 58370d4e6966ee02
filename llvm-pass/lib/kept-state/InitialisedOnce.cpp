// Variables that the first use sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kept-state/InitialisedOnce.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

InitialisedOnce::InitialisedOnce(Module &M, const PointsTo &Memory, ModRefIndex &Accesses)
    : Memory(Memory), Accesses(Accesses) {
  for (GlobalVariable &G : M.globals()) {
    Flag Found;
    if (G.isConstant() || !G.hasLocalLinkage() || !G.hasInitializer() || !G.getInitializer()->isNullValue() ||
        !findUses(G, Found) || !findRegion(Found) || !findCalled(Found) || !readersHavePassed(Found))
      continue;
    for (const BasicBlock *BB : Found.Region)
      Regions[BB].push_back(&G);
  }
}

bool InitialisedOnce::settles(const BasicBlock &BB, const BasicBlock *From) const {
  const auto Own = Regions.find(&BB), Outer = Regions.find(From);
  return Own != Regions.end() && any_of(Own->second, [&](const GlobalVariable *G) {
           return Outer == Regions.end() || !is_contained(Outer->second, G);
         });
}

/// Whether V is true where the flag is not 0, or false there: what is known of a value that was read.
static bool isTest(const Value &V) {
  const auto *Compared = dyn_cast<ICmpInst>(&V);
  const auto *With = Compared ? dyn_cast<ConstantInt>(Compared->getOperand(1)) : nullptr;
  return Compared ? Compared->isEquality() && With && With->isZero() : isa<TruncInst>(V) && V.getType()->isIntegerTy(1);
}

bool InitialisedOnce::findTests(LoadInst &Read, Flag &Found) {
  SmallVector<User *, 4> Branches;
  for (User *U : Read.users())
    if (isTest(*U))
      append_range(Branches, U->users());
    else
      Branches.push_back(U);
  for (User *U : Branches) {
    auto *Branch = dyn_cast<BranchInst>(U);
    if (!Branch)
      return false;
    Found.Tests.push_back(Branch);
  }
  Found.Reads.push_back(&Read);
  return true;
}

/// G is tested against 0, each time for a branch, and set to a constant; nothing else happens to it.
bool InitialisedOnce::findUses(GlobalVariable &G, Flag &Found) {
  for (User *U : G.users()) {
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      if (!Load->getType()->isIntegerTy() || !findTests(*Load, Found))
        return false;
      continue;
    }
    auto *Store = dyn_cast<StoreInst>(U);
    const auto *Value = Store ? dyn_cast<ConstantInt>(Store->getValueOperand()) : nullptr;
    if (!Value || Store->getPointerOperand() != &G || Value->isZero())
      return false;
    Found.Sets.push_back(Store);
  }
  return !Found.Tests.empty() && !Found.Sets.empty();
}

/// A region is what the side of a test dominates on which the flag is 0. It is left behind a store of the flag alone.
bool InitialisedOnce::findRegion(Flag &Found) {
  for (BranchInst *Test : Found.Tests) {
    const auto *Compared = dyn_cast<ICmpInst>(Test->getCondition());
    const unsigned Unset = Compared && Compared->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1;
    BasicBlock *Begin = Test->getSuccessor(Unset);
    if (Begin->getSinglePredecessor() != Test->getParent())
      return false;
    SmallVector<BasicBlock *, 8> Blocks;
    treeOf(*Test->getFunction()).getDescendants(Begin, Blocks);
    Found.Region.insert(Blocks.begin(), Blocks.end());
  }
  if (any_of(Found.Sets, [&](const StoreInst *Set) { return !Found.Region.contains(Set->getParent()); }))
    return false;
  return all_of(Found.Region, [&](const BasicBlock *BB) {
    const bool Leaves = isa<ReturnInst>(BB->getTerminator()) ||
                        any_of(successors(BB), [&](const BasicBlock *Next) { return !Found.Region.contains(Next); });
    return !Leaves || any_of(Found.Sets, [&](const StoreInst *Set) {
      return Set->getFunction() == BB->getParent() &&
             treeOf(*const_cast<Function *>(BB->getParent())).dominates(Set->getParent(), BB);
    });
  });
}

/// Regions call nothing that others call, too, nothing whose code is unknown, and free what they allocate alone.
bool InitialisedOnce::findCalled(Flag &Found) {
  SmallVector<const CallBase *, 4> Frees;
  SmallVector<Instruction *, 16> Calls;
  const auto Collect = [&](BasicBlock &BB) {
    for (Instruction &I : BB)
      if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
        Calls.push_back(&I);
  };
  for (const BasicBlock *BB : Found.Region)
    Collect(const_cast<BasicBlock &>(*BB));
  while (!Calls.empty()) {
    const auto &Call = cast<CallBase>(*Calls.pop_back_val());
    const RunnerCall Which = runnerCall(Call);
    if (Which == RunnerCall::Free || Which == RunnerCall::Realloc)
      Frees.push_back(&Call);
    if (Call.isInlineAsm() || isHeapCall(Which) || Which == RunnerCall::Touch || Which == RunnerCall::Check ||
        Which == RunnerCall::MayEnd || Which == RunnerCall::Leave)
      continue;
    Function *Callee = Call.getCalledFunction();
    if (Which != RunnerCall::None || !Callee || Callee->isDeclaration())
      return false;
    if (is_contained(Found.Called, Callee))
      continue;
    Found.Called.push_back(Callee);
    for (BasicBlock &BB : *Callee)
      Collect(BB);
  }
  const auto IsOwn = [&](Place T) {
    const auto *Origin = dyn_cast_or_null<Instruction>(Memory.object(T.Object).Origin);
    return Origin && inRegion(Found, *Origin);
  };
  if (!all_of(Frees, [&](const CallBase *Call) { return all_of(Memory.targets(Call->getArgOperand(0)), IsOwn); }))
    return false;
  return all_of(Found.Called, [&](const Function *F) {
    return all_of(F->uses(), [&](const Use &U) {
      const auto *Call = dyn_cast<CallBase>(U.getUser());
      return Call && Call->isCallee(&U) && inRegion(Found, *Call);
    });
  });
}

bool InitialisedOnce::inRegion(const Flag &Found, const Instruction &I) const {
  return Found.Region.contains(I.getParent()) || is_contained(Found.Called, I.getFunction());
}

bool InitialisedOnce::readersHavePassed(const Flag &Found) {
  bool Passed = true;
  const auto Check = [&](const Instruction &I) {
    for (const ModRef &Write : Accesses.of(&I))
      if (Passed && Write.Writes)
        Accesses.forReadersOf(
            Write, [](const Instruction *) { return false; },
            [&](const ModRef &Read) {
              Passed &= inRegion(Found, *Read.By) || is_contained(Found.Reads, Read.By) ||
                        any_of(Found.Tests, [&](BranchInst *Test) {
                          return Test->getFunction() == Read.By->getFunction() &&
                                 treeOf(*Test->getFunction()).dominates(Test, Read.By);
                        });
            });
  };
  for (const BasicBlock *BB : Found.Region)
    for (const Instruction &I : *BB)
      Check(I);
  for (const Function *F : Found.Called)
    for (const Instruction &I : instructions(*F))
      Check(I);
  return Passed;
}

} // namespace memshape
