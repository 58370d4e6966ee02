// Statics that everybody initialises alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/GuardedStatics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

/// In the Itanium ABI the guard of _ZZ1fvE1x is _ZGVZ1fvE1x.
static const GlobalVariable *guardOf(const GlobalVariable &G) {
  StringRef Name = G.getName();
  if (Name.starts_with("_ZGV"))
    return &G;
  return Name.consume_front("_Z") ? G.getParent()->getNamedGlobal(("_ZGV" + Name).str()) : nullptr;
}

static bool isGuardCall(const Instruction &I, const GlobalVariable &Guard, StringRef Function) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Function && Call->arg_size() == 1 && Call->getArgOperand(0) == &Guard;
}

/// The block where Acquire has said that the initialiser is to run; null where that cannot be told.
static const BasicBlock *initialiserAfter(const Instruction &Acquire) {
  const auto *Test = Acquire.hasOneUse() ? dyn_cast<ICmpInst>(Acquire.user_back()) : nullptr;
  if (!Test || !Test->isEquality() || !Test->hasOneUse() || !isa<ConstantInt>(Test->getOperand(1)) ||
      !cast<ConstantInt>(Test->getOperand(1))->isZero())
    return nullptr;
  const auto *Branch = dyn_cast<BranchInst>(Test->user_back());
  if (!Branch || !Branch->isConditional())
    return nullptr;
  const BasicBlock *Runs = Branch->getSuccessor(Test->getPredicate() == ICmpInst::ICMP_EQ ? 1 : 0);
  return Runs->getSinglePredecessor() ? Runs : nullptr;
}

namespace {

/// Code that looks at constants and the machine alone, and writes nothing but a variable and what is its own.
class Initialiser {
public:
  /// From block Begin on.
  Initialiser(const BasicBlock &Begin, const GlobalVariable &Variable) : Variable(Variable) {
    const DominatorTree Dominators(const_cast<Function &>(*Begin.getParent()));
    for (const BasicBlock &BB : *Begin.getParent())
      if (Dominators.dominates(&Begin, &BB))
        Blocks.insert(&BB);
  }

  bool contains(const Instruction &I) const { return Blocks.contains(I.getParent()); }

  bool isClosed() {
    return all_of(Blocks, [this](const BasicBlock *BB) {
      return all_of(*BB, [this](const Instruction &I) { return usesOwnValues(I) && isClosed(I); });
    });
  }

private:
  /// What I computes with comes from the initialiser.
  bool usesOwnValues(const Instruction &I) const {
    return all_of(I.operands(), [this](const Use &U) {
      const auto *Operand = dyn_cast<Instruction>(U.get());
      return !isa<Argument>(U.get()) && (!Operand || contains(*Operand) || isa<AllocaInst>(Operand));
    });
  }

  bool isOwnMemory(const Value *Pointer) const {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    return all_of(Objects, [this](const Value *Object) { return isOwnObject(Object); });
  }

  bool isOwnObject(const Value *Object) const {
    if (const auto *G = dyn_cast<GlobalVariable>(Object))
      return G == &Variable || (G->isConstant() && G->hasDefinitiveInitializer());
    if (const auto *A = dyn_cast<Argument>(Object)) // of a function that the initialiser calls: it gave what is its own
      return Called.contains(A->getParent());
    const auto *Local = dyn_cast<AllocaInst>(Object);
    return Local && (Called.contains(Local->getFunction()) || all_of(Local->users(), [this](const User *U) {
                       const auto *I = cast<Instruction>(U);
                       return contains(*I) || I->isLifetimeStartOrEnd();
                     }));
  }

  bool isClosed(const Instruction &I) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return !Load->getType()->isPointerTy() && isOwnMemory(Load->getPointerOperand());
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return !Store->getValueOperand()->getType()->isPointerTy() && isOwnMemory(Store->getPointerOperand());
    if (const auto *Move = dyn_cast<MemIntrinsic>(&I))
      return isOwnMemory(Move->getDest()) &&
             (!isa<MemTransferInst>(Move) || isOwnMemory(cast<MemTransferInst>(Move)->getSource()));
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return !isa<PtrToIntInst>(I) && !I.mayReadOrWriteMemory();
    if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      return StringRef(Asm->getAsmString()).contains("cpuid") && !Call->getType()->isVoidTy() &&
             none_of(Call->args(), [](const Use &U) { return U->getType()->isPointerTy(); });
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return false;
    if (I.isLifetimeStartOrEnd() || Callee->getName().starts_with("__cxa_guard_"))
      return true;
    if (Callee->isDeclaration())
      return Callee->isIntrinsic() && Callee->doesNotAccessMemory();
    return all_of(Call->args(),
                  [this](const Use &U) { return !U->getType()->isPointerTy() || isOwnMemory(U.get()); }) &&
           isClosed(*Callee);
  }

  bool isClosed(const Function &Callee) {
    if (!Called.insert(&Callee).second)
      return true;
    return !Callee.isInterposable() &&
           all_of(instructions(Callee), [this](const Instruction &I) { return isClosed(I); });
  }

  const GlobalVariable &Variable;
  SmallPtrSet<const BasicBlock *, 8> Blocks;
  SmallPtrSet<const Function *, 8> Called;
};

} // namespace

/// The variable that Guard guards.
static const GlobalVariable *guardedBy(const GlobalVariable &Guard) {
  StringRef Name = Guard.getName();
  return Name.consume_front("_ZGV") ? Guard.getParent()->getNamedGlobal(("_Z" + Name).str()) : nullptr;
}

/// I is part of a closed initialiser of Variable, or the question whether it has run.
static bool isInClosedInitialiser(const Instruction &I, const GlobalVariable &Guard, const GlobalVariable &Variable) {
  for (const Instruction &At : instructions(*I.getFunction())) {
    if (!isGuardCall(At, Guard, "__cxa_guard_acquire"))
      continue;
    const BasicBlock *Begin = initialiserAfter(At);
    if (!Begin)
      return false;
    Initialiser Runs(*Begin, Variable);
    if ((&At == &I || Runs.contains(I)) && Runs.isClosed())
      return true;
  }
  return false;
}

/// Only closed initialisers write Variable, and these write no pointers: who reads it cannot write through it.
static bool holdsNumbersAlone(const GlobalVariable &Guard, const GlobalVariable &Variable) {
  SmallVector<const User *, 8> Work(Variable.user_begin(), Variable.user_end());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (!isa<LoadInst>(I) && !isInClosedInitialiser(*I, Guard, Variable))
        return false;
    } else if (isa<ConstantExpr>(U)) {
      Work.append(U->user_begin(), U->user_end());
    } else {
      return false;
    }
  }
  return true;
}

bool initialisesAlike(const Instruction &I, const GlobalVariable &G) {
  const GlobalVariable *Guard = guardOf(G);
  const GlobalVariable *Variable = Guard ? guardedBy(*Guard) : nullptr;
  if (!Variable)
    return false;
  return isa<LoadInst>(I) ? holdsNumbersAlone(*Guard, *Variable) : isInClosedInitialiser(I, *Guard, *Variable);
}

} // namespace memshape
