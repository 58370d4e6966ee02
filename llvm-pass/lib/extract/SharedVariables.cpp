// Variables whose address escapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct Config { int block = 4; static Config &get() { static Config c; return c; } };
//     struct Plan   { int width = 8; static Plan &get() { static Plan *p = new Plan; return *p; } };
//
// Any code that includes this header can write c.block, and p->width. The address of c is followed through arithmetic,
// variables on the stack, arguments and results, and so are pointers that are read from p or from what p leads to. One
// escapes if a function with external callers returns it, if it is stored elsewhere, or if it is passed to a function
// of another unit. What a library does with it is described by its summary.

#include "extract/SharedVariables.h"
#include "extract/Constructors.h"
#include "extract/Setters.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "memory/PointsTo.h"
#include "operators/VariableMarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
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
  /// An address in a function.
  struct Address {
    const Value *V;
    bool Handed; ///< it was passed to the function: if it is returned, it goes back to the caller
    bool Behind; ///< it was read from the variable, or from what the variable leads to
  };
  const GlobalVariable &Variable;
  ArrayRef<const Function *> AddressTaken; ///< what an indirect call may call
  DenseSet<PointerIntPair<const Value *, 2, unsigned>> Seen, Slots;
  SmallVector<Address, 32> Work;
  DenseMap<const Function *, SmallVector<Address, 2>> Calls; ///< calls that pass the address to the function
  DenseMap<const Function *, unsigned> GivesBack;            ///< functions that return their argument: levels
  /// What arguments point to, where the address is stored; whether it was handed to the function as well.
  SetVector<std::pair<const Argument *, unsigned>> Kept;
  DenseSet<std::tuple<const Value *, const Argument *, unsigned>> Asked; ///< pairs of call and argument, for recursion
  SmallPtrSet<const Function *, 8> Giving;     ///< functions whose results are being looked at, for recursion
  bool Leaves[2] = {};                         ///< the variable's address escapes; one behind it does
  bool HasPointers[2] = {};                    ///< pointers are read from the variable; from what it leads to
  SmallPtrSet<const GlobalVariable *, 2> Into; ///< variables in which pointers of this one are stored
  bool CopiedOut[2] = {};                      ///< bytes of it are copied to where others can read

public:
  Follower(const GlobalVariable &G, ArrayRef<const Function *> AddressTaken)
      : Variable(G), AddressTaken(AddressTaken) {}

  void run() {
    follow({&Variable, false, false});
    do {
      while (!Work.empty() && !Leaves[false]) {
        const Address At = Work.pop_back_val();
        for (const Use &U : At.V->uses())
          use(U, At);
      }
      for (unsigned I = 0; I != Kept.size() && !Leaves[false]; ++I)
        leavesThrough(*Kept[I].first, Kept[I].second & 1, Kept[I].second & 2);
    } while (!Work.empty() && !Leaves[false]);
  }

  /// Whether the address of the variable, or one inside it, escapes.
  bool escapes() const { return Leaves[false]; }
  /// Whether a pointer escapes that is kept in the variable, or in what it leads to.
  bool leadsOut() const {
    return Leaves[true] || (CopiedOut[false] && HasPointers[false]) || (CopiedOut[true] && HasPointers[true]);
  }

  /// Variables in which pointers are stored that this one keeps: if one leads out, all do.
  const SmallPtrSet<const GlobalVariable *, 2> &sharesWith() const { return Into; }

private:
  void follow(Address At) {
    if (Seen.insert({At.V, unsigned(At.Handed) | unsigned(At.Behind) << 1}).second)
      Work.push_back(At);
  }

  void use(const Use &U, Address At) {
    User *By = U.getUser();
    if (isa<GlobalValue>(By) || isa<ConstantAggregate>(By)) {
      Leaves[At.Behind] = true; // it is stored in another variable
    } else if (isa<LoadInst>(By)) {
      if (holdsPointer(By->getType())) {
        HasPointers[At.Behind] = true;
        follow({By, At.Handed, true});
      }
    } else if (const auto *Store = dyn_cast<StoreInst>(By)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        stored(*Store->getPointerOperand(), At);
      else if (holdsPointer(Store->getValueOperand()->getType()))
        HasPointers[At.Behind] = true;
    } else if (const auto *Return = dyn_cast<ReturnInst>(By)) {
      returned(*Return->getFunction(), At);
    } else if (const auto *Copy = dyn_cast<MemTransferInst>(By)) {
      if (U.getOperandNo() == 1)
        copied(*Copy->getRawDest(), At);
    } else if (auto *Call = dyn_cast<CallBase>(By)) {
      passed(U, *Call, At);
    } else if (!isa<CmpInst>(By) && (!At.Behind || !isa<PtrToIntInst>(By) || !onlyMeasures(*By))) {
      follow({By, At.Handed, At.Behind});
    }
  }

  static bool holdsPointer(const Type *T) {
    return T->isPtrOrPtrVectorTy() || any_of(T->subtypes(), [](const Type *Part) { return holdsPointer(Part); });
  }

  /// An address as a number that is compared, or whose distance from another one is taken.
  static bool onlyMeasures(const User &Number) {
    return all_of(Number.users(), [](const User *U) {
      const auto *Operation = dyn_cast<BinaryOperator>(U);
      return isa<CmpInst>(U) || (Operation && Operation->getOpcode() == Instruction::Sub);
    });
  }

  void passed(const Use &U, const CallBase &Call, Address At) {
    if (!Call.isArgOperand(&U) || Call.isInlineAsm())
      return;
    const unsigned Number = Call.getArgOperandNo(&U);
    if (const Function *Callee = Call.getCalledFunction()) {
      // A library keeps what it is given to itself; what another unit does with it is unknown.
      if (!Callee->isDeclaration())
        into(*Callee, Number, Call, At);
      else if (!Callee->isIntrinsic() && summaryOf(*Callee).How == Treatment::Unknown &&
               !allocationCall(const_cast<CallBase &>(Call)))
        Leaves[At.Behind] = true;
      return;
    }
    for (const Function *Callee : AddressTaken)
      if (Callee->getFunctionType() == Call.getFunctionType())
        into(*Callee, Number, Call, At);
  }

  void into(const Function &Callee, unsigned Number, const CallBase &Call, Address At) {
    if (Number >= Callee.arg_size())
      return;
    Calls[&Callee].push_back({&Call, At.Handed, At.Behind});
    const unsigned Levels = GivesBack.lookup(&Callee);
    for (const bool Behind : {false, true})
      if (Levels >> Behind & 1)
        follow({&Call, At.Handed, Behind || At.Behind});
    follow({Callee.getArg(Number), true, At.Behind});
  }

  /// What Pointer is computed from, through the allocas in which a front end keeps arguments, and through pointers in
  /// memory: what they lead to is as private as the place where they are kept.
  static const Value *baseOf(const Value *Pointer) {
    for (;;) {
      Pointer = getUnderlyingObject(Pointer);
      const auto *Load = dyn_cast<LoadInst>(Pointer);
      if (!Load)
        return Pointer;
      const auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand());
      const Value *Stored = nullptr;
      for (const User *U : Slot ? Slot->users() : iterator_range<Value::const_user_iterator>({}, {}))
        if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Slot) {
          if (Stored)
            return Pointer;
          Stored = Store->getValueOperand();
        }
      Pointer = Stored ? Stored : Slot ? nullptr : Load->getPointerOperand();
      if (!Pointer)
        return Load;
    }
  }

  /// The address is stored at Pointer. Nodes of a container that refer to the variable are as private as it is; other
  /// variables, and what a caller passes in, are not.
  void stored(const Value &Pointer, Address At) {
    const Value *Base = baseOf(&Pointer);
    if (isa<AllocaInst>(Base))
      readBack(*Base, At);
    else if (isVisibleToOthers(*Base, At))
      Leaves[At.Behind] = true;
  }

  /// Bytes at the address are copied to To, and pointers among them.
  void copied(const Value &To, Address At) {
    const Value *Base = baseOf(&To);
    if (isa<AllocaInst>(Base))
      readBack(*Base, {At.V, At.Handed, true});
    else if (isVisibleToOthers(*Base, {At.V, At.Handed, true}))
      CopiedOut[At.Behind] = true;
  }

  /// The address is stored on the stack: follows the loads of that slot, and copies of it.
  void readBack(const Value &Slot, Address At) {
    if (!Slots.insert({&Slot, unsigned(At.Handed) | unsigned(At.Behind) << 1}).second)
      return;
    for (const User *Reader : Slot.users()) {
      if (isa<LoadInst>(Reader) && carriesPointers(Reader->getType()))
        follow({Reader, At.Handed, At.Behind});
      else if (isa<GetElementPtrInst>(Reader))
        readBack(*Reader, At);
      else if (const auto *Copy = dyn_cast<MemTransferInst>(Reader); Copy && Copy->getRawSource() == &Slot)
        stored(*Copy->getRawDest(), At);
    }
  }

  /// Whether other code can read what is stored at Pointer. For an argument the callers decide.
  bool isVisibleToOthers(const Value &Pointer, Address At) {
    const Value *Base = baseOf(&Pointer);
    if (const auto *G = dyn_cast<GlobalVariable>(Base)) {
      const bool Private = G == &Variable || (At.Behind && G->hasLocalLinkage());
      if (Private)
        Into.insert(G);
      return !Private;
    }
    if (const auto *Call = dyn_cast<CallBase>(Base))
      return givesVisible(*Call, At);
    const auto *A = dyn_cast<Argument>(Base);
    if (!A)
      return false;
    if (!At.Handed && !A->getParent()->hasLocalLinkage())
      return true;
    Kept.insert({A, unsigned(At.Handed) | unsigned(At.Behind) << 1});
    return false;
  }

  /// Whether Call returns a place that other code can read: not a new block, nor one of this variable.
  bool givesVisible(const CallBase &Call, Address At) {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || allocationCall(const_cast<CallBase &>(Call)))
      return !Callee;
    if (Callee->isDeclaration())
      return summaryOf(*Callee).How == Treatment::Unknown;
    if (!Giving.insert(Callee).second)
      return false;
    const bool Visible = any_of(*Callee, [&](const BasicBlock &BB) {
      const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator());
      if (!Return || !Return->getReturnValue()->getType()->isPointerTy())
        return false;
      const Value *Base = baseOf(Return->getReturnValue());
      const auto *A = dyn_cast<Argument>(Base);
      return A ? A->getArgNo() < Call.arg_size() && isVisibleToOthers(*Call.getArgOperand(A->getArgNo()), At)
               : isVisibleToOthers(*Base, At);
    });
    Giving.erase(Callee);
    return Visible;
  }

  /// Finds out whether what some caller passes as A, behind which the address is stored, is visible to other code.
  void leavesThrough(const Argument &A, bool Handed, bool Behind) {
    const Function &F = *A.getParent();
    SmallVector<Address, 8> Callers;
    if (Handed)
      Callers = Calls.lookup(&F);
    else
      for (const User *Caller : F.users())
        if (const auto *Call = dyn_cast<CallBase>(Caller); Call && Call->getCalledFunction() == &F) {
          Callers.push_back({Call, false, Behind});
        } else {
          Leaves[Behind] = true; // called through a pointer, with any argument
          return;
        }
    for (const Address &Caller : Callers) {
      const auto &Call = *cast<CallBase>(Caller.V);
      if (A.getArgNo() < Call.arg_size() && Asked.insert({&Call, &A, unsigned(Behind)}).second)
        stored(*Call.getArgOperand(A.getArgNo()), {Caller.V, Caller.Handed, Behind});
    }
  }

  void returned(const Function &F, Address At) {
    if (At.Handed) {
      GivesBack[&F] |= 1u << At.Behind;
      const SmallVector<Address, 2> Callers = Calls.lookup(&F);
      for (const Address &Call : Callers)
        follow({Call.V, Call.Handed, At.Behind || Call.Behind});
    } else if (!F.hasLocalLinkage() || F.hasAddressTaken()) {
      Leaves[At.Behind] = true;
    } else {
      for (const User *Caller : F.users())
        follow({Caller, false, At.Behind});
    }
  }
};

} // namespace

static constexpr char ListName[] = "memshape.variables";

/// Adds what is known of G, whose address does not escape.
static void list(GlobalVariable &G, bool LeadsOut) {
  LLVMContext &Context = G.getContext();
  SmallVector<Metadata *, 4> Node = {MDString::get(Context, G.getName()),
                                     MDString::get(Context, LeadsOut ? "leads out" : "")};
  if (!isKnownProcessVariable(G.getName()))
    for (const Function *F : settersOf(G))
      Node.push_back(MDString::get(Context, F->getName()));
  if (LeadsOut || Node.size() > 2)
    G.getParent()->getOrInsertNamedMetadata(ListName)->addOperand(MDNode::get(Context, Node));
}

void markSharedVariables(Module &M) {
  SmallVector<const Function *, 16> AddressTaken;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken())
      AddressTaken.push_back(&F);
  MapVector<GlobalVariable *, SmallPtrSet<const GlobalVariable *, 2>> Private;
  SmallPtrSet<const GlobalVariable *, 16> Out; ///< they lead out
  for (GlobalVariable &G : M.globals()) {
    // Variables with external linkage are visible to all units.
    const bool OfFunction = G.getName().starts_with("_ZZ") && !G.hasExternalLinkage();
    if (G.isDeclaration() || G.isConstant() || G.hasMetadata(ConstantMetadata) || !(G.hasLocalLinkage() || OfFunction))
      continue;
    Follower Addresses(G, AddressTaken);
    Addresses.run();
    if (Addresses.escapes())
      G.setMetadata(SharedMetadata, MDNode::get(M.getContext(), {}));
    else
      Private[&G] = Addresses.sharesWith();
    if (Addresses.escapes() || Addresses.leadsOut())
      Out.insert(&G);
  }
  for (bool Grown = true; Grown;) {
    Grown = false;
    for (const auto &[G, Others] : Private)
      for (const GlobalVariable *Other : Others)
        if (Out.contains(G) || Out.contains(Other))
          Grown |= Out.insert(Out.contains(G) ? Other : G).second;
  }
  for (const auto &[G, Others] : Private)
    list(*G, Out.contains(G));
}

static StringRef textOf(const MDNode &Node, unsigned At) { return cast<MDString>(Node.getOperand(At))->getString(); }

PrivateVariables::PrivateVariables(const Module &M) {
  if (const NamedMDNode *List = M.getNamedMetadata(ListName))
    for (const MDNode *Node : List->operands())
      Nodes[textOf(*Node, 0)] = Node;
}

const MDNode *PrivateVariables::nodeOf(const GlobalVariable &G) const {
  for (StringRef Name = G.getName(); !Name.empty(); Name = Name.contains('.') ? Name.rsplit('.').first : "")
    if (const MDNode *Node = Nodes.lookup(Name))
      return Node;
  return nullptr;
}

bool PrivateVariables::leadsOut(const GlobalVariable &G) const {
  const MDNode *Node = nodeOf(G);
  return Node && !textOf(*Node, 1).empty();
}

bool PrivateVariables::hasOtherSetter(const GlobalVariable &G, const Function &Root) const {
  const MDNode *Node = nodeOf(G);
  for (unsigned At = 2; Node && At < Node->getNumOperands(); ++At)
    if (textOf(*Node, At) != Root.getName())
      return true;
  return false;
}

} // namespace memshape
