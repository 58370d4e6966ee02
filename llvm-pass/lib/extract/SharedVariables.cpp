// Variables and functions that others reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct Config { int block = 4; static Config &get() { static Config c; return c; } };
//     struct Plan   { int width = 8; static Plan &get() { static Plan *p = new Plan; return *p; } };
//
// Any code that includes this header can write c.block, and p->width. The address of c is followed through arithmetic,
// arguments and results, and so are pointers that are read from p or from what p leads to. One escapes if a function
// with external callers returns it, if it is stored elsewhere, or if it is passed to a function of another unit. What a
// library does with it is described by its summary.
//
// A function with external callers may set a variable whose address does not escape:
//
//     inline int block(int set = 0) { static int size = 4; if (set) size = set; return size; }
//
// An operator that calls block() finds 4, unless another unit has called block(64). What a guard lets run once, with
// constants alone, is the same whoever comes first.
//
// A place on the stack that holds such an address is followed as well: it may be read, copied and passed on.
//
//     void *slot = &c;  memcpy(result, &slot, 8);        slot lies one level above c; what is copied from it leads to c

#include "extract/SharedVariables.h"
#include "extract/GuardedStatics.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "memory/PointsTo.h"
#include "operators/VariableMarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
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
  static constexpr unsigned MostLevels = 3;
  /// An address in a function.
  struct Address {
    const Value *V;
    bool Handed;        ///< it was passed to the function: if it is returned, it goes back to the caller
    bool Behind;        ///< it was read from the variable, or from what the variable leads to
    unsigned Above = 0; ///< so many loads lead from V to the address; MostLevels stands for more

    unsigned kind() const { return unsigned(Handed) | unsigned(Behind) << 1 | Above << 2; }
    static Address of(const Value *V, unsigned Kind) { return {V, bool(Kind & 1), bool(Kind & 2), Kind >> 2}; }
  };
  const GlobalObject &Variable;                      ///< or a function
  ArrayRef<const Function *> AddressTaken;           ///< what an indirect call may call
  DenseSet<std::pair<const Value *, unsigned>> Seen; ///< with their kinds
  SmallVector<Address, 32> Work;
  DenseMap<const Function *, SmallVector<Address, 2>> Calls; ///< calls that pass the address to the function
  /// Functions that return what they were handed: how what they return differs from it.
  DenseMap<const Function *, SmallVector<Address, 2>> GivesBack;
  /// What arguments point to, where the address is stored, with the kind of that.
  SetVector<std::pair<const Argument *, unsigned>> Kept;
  DenseSet<std::tuple<const Value *, const Argument *, unsigned>> Asked; ///< pairs of call and argument, for recursion
  SmallPtrSet<const Function *, 8> Giving;     ///< functions whose results are being looked at, for recursion
  bool Leaves[2] = {};                         ///< the variable's address escapes; one behind it does
  bool HasPointers[2] = {};                    ///< pointers are read from the variable; from what it leads to
  SmallPtrSet<const GlobalVariable *, 2> Into; ///< variables in which pointers of this one are stored
  bool CopiedOut[2] = {};                      ///< bytes of it are copied to where others can read

public:
  Follower(const GlobalObject &G, ArrayRef<const Function *> AddressTaken) : Variable(G), AddressTaken(AddressTaken) {}

  void run() {
    follow({&Variable, false, false});
    do {
      while (!Work.empty() && !Leaves[false]) {
        const Address At = Work.pop_back_val();
        for (const Use &U : At.V->uses())
          use(U, At);
      }
      for (unsigned I = 0; I != Kept.size() && !Leaves[false]; ++I)
        leavesThrough(*Kept[I].first, Address::of(Kept[I].first, Kept[I].second));
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
    if (Seen.insert({At.V, At.kind()}).second)
      Work.push_back(At);
  }

  /// What is read at At: By.
  void read(const User &By, Address At) {
    if (At.Above ? !carriesPointers(By.getType()) : !holdsPointer(By.getType()))
      return;
    if (At.Above == 0) {
      HasPointers[At.Behind] = true;
      follow({&By, At.Handed, true});
      return;
    }
    if (At.Above == MostLevels)
      follow({&By, At.Handed, At.Behind, At.Above});
    follow({&By, At.Handed, At.Behind, At.Above - 1});
  }

  /// What is read at At, wherever it is: bytes of it.
  static Address contentsOf(Address At) {
    return {At.V, At.Handed, At.Behind || !At.Above, At.Above ? At.Above - 1 : 0};
  }

  void use(const Use &U, Address At) {
    User *By = U.getUser();
    if (isa<GlobalValue>(By) || isa<ConstantAggregate>(By)) {
      Leaves[At.Behind] |= isa<GlobalVariable>(Variable); // it is stored in another variable: see markHandedOut
    } else if (isa<LoadInst>(By)) {
      read(*By, At);
    } else if (const auto *Store = dyn_cast<StoreInst>(By)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        stored(*Store->getPointerOperand(), At);
      else if (!At.Above && holdsPointer(Store->getValueOperand()->getType()))
        HasPointers[At.Behind] = true;
    } else if (const auto *Return = dyn_cast<ReturnInst>(By)) {
      returned(*Return->getFunction(), At);
    } else if (const auto *Copy = dyn_cast<MemTransferInst>(By)) {
      if (U.getOperandNo() == 1)
        copied(*Copy->getRawDest(), At);
    } else if (auto *Call = dyn_cast<CallBase>(By)) {
      passed(U, *Call, At);
    } else if (!isa<CmpInst>(By) && (!At.Behind || !isa<PtrToIntInst>(By) || !onlyMeasures(*By))) {
      follow({By, At.Handed, At.Behind, At.Above});
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
      if (!Callee->isDeclaration())
        into(*Callee, Number, Call, At);
      else if (!Callee->isIntrinsic())
        outside(*Callee, Number, Call, At);
      return;
    }
    for (const Function *Callee : AddressTaken)
      if (Callee->getFunctionType() == Call.getFunctionType())
        into(*Callee, Number, Call, At);
  }

  /// A library keeps what it is given to itself, and may copy bytes of it to what else it is given; what another unit
  /// does with it is unknown.
  void outside(const Function &Callee, unsigned Number, const CallBase &Call, Address At) {
    if (isFunctions() && knownRole(Callee.getName()))
      return; // the operator's own threads run it
    const Summary S = summaryOf(Callee);
    const bool Keeps = isFunctions() && (Number >= 64 || S.KeptArguments >> Number & 1); // and may call it later
    if ((S.How == Treatment::Unknown || Keeps) && !allocationCall(const_cast<CallBase &>(Call)))
      Leaves[At.Behind] = true;
    if (S.How == Treatment::Adjust)
      for (const Use &Other : Call.args())
        if (const unsigned N = Call.getArgOperandNo(&Other);
            N != Number && Other->getType()->isPointerTy() && (N >= 64 || S.WrittenArguments >> N & 1))
          copied(*Other, At);
  }

  void into(const Function &Callee, unsigned Number, const CallBase &Call, Address At) {
    if (Number >= Callee.arg_size()) {
      Leaves[At.Behind] = true; // behind the dots of a variadic function
      return;
    }
    Calls[&Callee].push_back({&Call, At.Handed, At.Behind, At.Above});
    const SmallVector<Address, 2> Back = GivesBack.lookup(&Callee);
    for (const Address &Returned : Back)
      givenBack(Returned, {&Call, At.Handed, At.Behind, At.Above});
    follow({Callee.getArg(Number), true, At.Behind, At.Above});
  }

  /// A function returns Returned, which it was handed or read there; Call hands such an address to it. What it was
  /// handed lies no lower than what it returns, and is no further behind the variable.
  void givenBack(Address Returned, Address Call) {
    if (Returned.Above <= Call.Above && Returned.Behind >= Call.Behind)
      follow({Call.V, Call.Handed, Returned.Behind, Returned.Above});
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
    if (isa<AllocaInst>(Base) || (isFunctions() && isa<CallBase>(Base)))
      follow({Base, At.Handed, At.Behind, std::min(At.Above + 1, MostLevels)});
    else if (isVisibleToOthers(*Base, At))
      Leaves[At.Behind] = true;
  }

  /// Bytes at the address are copied to To, and pointers among them.
  void copied(const Value &To, Address At) {
    const Value *Base = baseOf(&To);
    const Address Contents = contentsOf(At);
    if (isa<AllocaInst>(Base) || At.Above)
      stored(To, Contents);
    else if (isVisibleToOthers(*Base, Contents))
      CopiedOut[At.Behind] = true;
  }

  /// It is a function, or functions are all that it holds: what leads to them is given away with each object.
  bool isFunctions() const {
    const auto *G = dyn_cast<GlobalVariable>(&Variable);
    return !G || G->isConstant();
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
    Kept.insert({A, At.kind()});
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

  /// Finds out whether what some caller passes as A, behind which At is stored, is visible to other code.
  void leavesThrough(const Argument &A, Address At) {
    const Function &F = *A.getParent();
    SmallVector<Address, 8> Callers;
    if (At.Handed)
      Callers = Calls.lookup(&F);
    else
      for (const User *Caller : F.users())
        if (const auto *Call = dyn_cast<CallBase>(Caller); Call && Call->getCalledFunction() == &F) {
          Callers.push_back({Call, false, At.Behind});
        } else {
          Leaves[At.Behind] = true; // called through a pointer, with any argument
          return;
        }
    for (const Address &Caller : Callers) {
      const auto &Call = *cast<CallBase>(Caller.V);
      if (A.getArgNo() < Call.arg_size() && Asked.insert({&Call, &A, At.kind()}).second)
        stored(*Call.getArgOperand(A.getArgNo()), {Caller.V, Caller.Handed, At.Behind, At.Above});
    }
  }

  void returned(const Function &F, Address At) {
    if (At.Handed) {
      GivesBack[&F].push_back(At);
      const SmallVector<Address, 2> Callers = Calls.lookup(&F);
      for (const Address &Call : Callers)
        givenBack(At, Call);
    } else if (!F.hasLocalLinkage() || F.hasAddressTaken()) {
      Leaves[At.Behind] = true;
    } else {
      for (const User *Caller : F.users())
        follow({Caller, false, At.Behind, At.Above});
    }
  }
};

} // namespace

/// Whether I writes to the variable at Address, or in it.
static bool writesTo(const Instruction &I, const Value &Address) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand() == &Address;
  if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Copy->getRawDest() == &Address;
  return isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I);
}

bool isCalledByOthers(const Function &F) { return !F.hasLocalLinkage() || F.hasFnAttribute(HandedOutAttribute); }

/// Functions that others may call, and that write to G. That an operator calls one of them does not tell who else does,
/// with what. G is a variable of one unit, or of one inline function, as the front end made it.
static SmallVector<const Function *, 2> settersOf(const GlobalVariable &G) {
  SmallSetVector<const Function *, 2> Setters;
  SmallVector<const Value *, 8> Work = {&G};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *Address = Work.pop_back_val();
    for (const User *U : Address->users()) {
      const auto *I = dyn_cast<Instruction>(U);
      if (isa<GEPOperator>(U) || (I && I->isCast()) || isa<ConstantExpr>(U)) {
        if (Seen.insert(U).second)
          Work.push_back(U);
      } else if (I && isCalledByOthers(*I->getFunction()) && writesTo(*I, *Address) && !initialisesAlike(*I, G)) {
        Setters.insert(I->getFunction());
      }
    }
  }
  return Setters.takeVector();
}

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

/// Functions that the initialiser of G names.
static SmallVector<Function *, 4> functionsIn(const GlobalVariable &G) {
  SmallVector<Function *, 4> Found;
  SmallPtrSet<const Constant *, 8> Seen;
  SmallVector<Constant *, 8> Parts;
  if (G.hasInitializer())
    Parts.push_back(const_cast<Constant *>(G.getInitializer()));
  while (!Parts.empty()) {
    Constant *C = Parts.pop_back_val();
    if (auto *F = dyn_cast<Function>(C))
      Found.push_back(F);
    else if (!isa<GlobalValue>(C) && Seen.insert(C).second)
      for (const Use &U : C->operands())
        if (auto *Part = dyn_cast<Constant>(U.get()))
          Parts.push_back(Part);
  }
  return Found;
}

/// F is called when a thread ends.
static bool endsThreads(const Function &F) {
  return any_of(F.uses(), [](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    const Function *Callee = Call && Call->isDataOperand(&U) ? Call->getCalledFunction() : nullptr;
    return Callee && knownRole(Callee->getName()) == Role::ThreadExit;
  });
}

/// Marks functions that others call, or whose address they find: by itself, in a table of virtual functions behind an
/// object, or in a variable.
static void markHandedOut(Module &M, ArrayRef<const Function *> AddressTaken) {
  const auto Escapes = [&](const GlobalObject &G) {
    Follower Addresses(G, AddressTaken);
    Addresses.run();
    return Addresses.escapes() || Addresses.leadsOut();
  };
  for (const Function *F : AddressTaken)
    if (Escapes(*F) || endsThreads(*F))
      const_cast<Function *>(F)->addFnAttr(HandedOutAttribute);
  for (GlobalVariable &G : M.globals()) {
    const SmallVector<Function *, 4> Held = functionsIn(G);
    const bool IsList = G.getName().starts_with("llvm.");
    // Nobody names a table of virtual functions.
    const bool IsNamed = !G.hasLocalLinkage() && !G.hasGlobalUnnamedAddr();
    if (!Held.empty() && !IsList && (IsNamed || G.hasMetadata(SharedMetadata) || Escapes(G)))
      for (Function *F : Held)
        F->addFnAttr(HandedOutAttribute);
  }
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
  if (!Private.empty()) // others are anybody's as it is
    markHandedOut(M, AddressTaken);
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
