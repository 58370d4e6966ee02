//===- SharedVariables.cpp - Variables whose address escapes --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     struct Config { int block = 4; static Config &get() { static Config c; return c; } };
//
// Any code that includes this header can write c.block. The address is followed through arithmetic, variables on the
// stack, arguments and results. It escapes if a function with external callers returns it, if it is stored elsewhere,
// or if it is passed to a function of another unit. What a library does with it is described by its summary.
//
//===----------------------------------------------------------------------===//

#include "extract/SharedVariables.h"
#include "extract/Constructors.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "memory/PointsTo.h"
#include "operators/VariableMarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

namespace {

class Follower {
  /// An address in a function: named there, or passed to it. If the latter is returned, it goes back to the caller.
  struct Address {
    const Value *V;
    bool Handed;
  };
  const GlobalVariable &Variable;
  DenseSet<PointerIntPair<const Value *, 1, bool>> Seen;
  SmallVector<Address, 32> Work;
  DenseMap<const Function *, SmallVector<Address, 2>> Calls; ///< calls that pass the address to the function
  SmallPtrSet<const Function *, 8> GivesBack;                ///< functions that return their argument
  /// What arguments point to, where the address is stored; whether it was handed to the function as well.
  SetVector<PointerIntPair<const Argument *, 1, bool>> Kept;
  DenseSet<std::pair<const Value *, const Argument *>> Asked; ///< pairs of call and argument, for recursion

public:
  explicit Follower(const GlobalVariable &G) : Variable(G) {}

  /// Whether the address of the variable, or one inside it, escapes.
  bool escapes() {
    follow({&Variable, false});
    do {
      while (!Work.empty()) {
        const Address At = Work.pop_back_val();
        for (const Use &U : At.V->uses())
          if (leaves(U, At.Handed))
            return true;
      }
      for (unsigned I = 0; I != Kept.size(); ++I)
        if (leavesThrough(*Kept[I].getPointer(), Kept[I].getInt()))
          return true;
    } while (!Work.empty());
    return false;
  }

private:
  void follow(Address At) {
    if (Seen.insert(PointerIntPair<const Value *, 1, bool>(At.V, At.Handed)).second)
      Work.push_back(At);
  }

  bool leaves(const Use &U, bool Handed) {
    User *By = U.getUser();
    if (isa<GlobalValue>(By) || isa<ConstantAggregate>(By))
      return true; // it is stored in another variable
    if (isa<LoadInst>(By) || isa<CmpInst>(By))
      return false;
    if (const auto *Store = dyn_cast<StoreInst>(By))
      return U.getOperandNo() != StoreInst::getPointerOperandIndex() && stored(*Store, Handed);
    if (const auto *Return = dyn_cast<ReturnInst>(By))
      return returned(*Return->getFunction(), Handed);
    if (auto *Call = dyn_cast<CallBase>(By)) {
      const Function *Callee = Call->getCalledFunction();
      // A library keeps what it is given to itself; what another unit does with it is unknown.
      if (Call->isArgOperand(&U) && Callee && Callee->isDeclaration() && !Callee->isIntrinsic())
        return summaryOf(*Callee).How == Treatment::Unknown && !allocationCall(*Call);
      if (Call->isArgOperand(&U) && Callee && !Callee->isDeclaration())
        if (const unsigned Number = Call->getArgOperandNo(&U); Number < Callee->arg_size()) {
          Calls[Callee].push_back({Call, Handed});
          if (GivesBack.contains(Callee))
            follow({Call, Handed});
          follow({Callee->getArg(Number), true});
        }
      return false;
    }
    follow({By, Handed});
    return false;
  }

  /// What Pointer is computed from, through the allocas in which a front end keeps arguments.
  static const Value *baseOf(const Value *Pointer) {
    for (;;) {
      Pointer = getUnderlyingObject(Pointer);
      const auto *Load = dyn_cast<LoadInst>(Pointer);
      const auto *Slot = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
      const Value *Stored = nullptr;
      for (const User *U : Slot ? Slot->users() : iterator_range<Value::const_user_iterator>({}, {}))
        if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Slot) {
          if (Stored)
            return Pointer;
          Stored = Store->getValueOperand();
        }
      if (!Stored)
        return Pointer;
      Pointer = Stored;
    }
  }

  /// Whether a store of the address lets it escape. Nodes of a container that refer to the variable are as private as
  /// it is; other variables, and what a caller passes in, are not.
  bool stored(const StoreInst &Store, bool Handed) {
    const Value *Base = baseOf(Store.getPointerOperand());
    return isa<AllocaInst>(Base) ? readBack(*Base, Handed) : isVisibleToOthers(*Base, Handed);
  }

  /// The address is stored on the stack: follows the loads of that slot.
  bool readBack(const Value &Slot, bool Handed) {
    for (const User *Reader : Slot.users()) {
      if (isa<LoadInst>(Reader) && carriesPointers(Reader->getType()))
        follow({Reader, Handed});
      const auto *Copy = dyn_cast<MemTransferInst>(Reader);
      if (Copy && Copy->getRawSource() == &Slot && isVisibleToOthers(*Copy->getRawDest(), Handed))
        return true;
    }
    return false;
  }

  /// Whether other code can read what is stored at Pointer. For an argument the callers decide.
  bool isVisibleToOthers(const Value &Pointer, bool Handed) {
    const Value *Base = baseOf(&Pointer);
    if (isa<GlobalVariable>(Base))
      return Base != &Variable;
    const auto *A = dyn_cast<Argument>(Base);
    if (!A)
      return false;
    if (!Handed && !A->getParent()->hasLocalLinkage())
      return true;
    Kept.insert({A, Handed});
    return false;
  }

  /// Whether what some caller passes as A, behind which the address is stored, is visible to other code.
  bool leavesThrough(const Argument &A, bool Handed) {
    const Function &F = *A.getParent();
    SmallVector<Address, 8> Callers;
    if (Handed)
      Callers = Calls.lookup(&F);
    else
      for (const User *Caller : F.users())
        if (const auto *Call = dyn_cast<CallBase>(Caller); Call && Call->getCalledFunction() == &F)
          Callers.push_back({Call, false});
        else
          return true; // called through a pointer, with any argument
    for (const Address &Caller : Callers) {
      const auto &Call = *cast<CallBase>(Caller.V);
      if (A.getArgNo() >= Call.arg_size() || !Asked.insert({&Call, &A}).second)
        continue;
      const Value *Base = baseOf(Call.getArgOperand(A.getArgNo()));
      if (isa<AllocaInst>(Base) ? readBack(*Base, Caller.Handed) : isVisibleToOthers(*Base, Caller.Handed))
        return true;
    }
    return false;
  }

  bool returned(const Function &F, bool Handed) {
    if (Handed) {
      GivesBack.insert(&F);
      for (const Address &Call : Calls.lookup(&F))
        follow(Call);
      return false;
    }
    if (!F.hasLocalLinkage())
      return true;
    for (const User *Caller : F.users())
      if (isa<CallBase>(Caller))
        follow({Caller, false});
    return false;
  }
};

} // namespace

void markSharedVariables(Module &M) {
  for (GlobalVariable &G : M.globals()) {
    // Variables with external linkage are visible to all units.
    const bool OfFunction = G.getName().starts_with("_ZZ") && !G.hasExternalLinkage();
    if (G.isDeclaration() || G.isConstant() || G.hasMetadata(ConstantMetadata) || !(G.hasLocalLinkage() || OfFunction))
      continue;
    if (Follower(G).escapes())
      G.setMetadata(SharedMetadata, MDNode::get(M.getContext(), {}));
  }
}

} // namespace memshape
