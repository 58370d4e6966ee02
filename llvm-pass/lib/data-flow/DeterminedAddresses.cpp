// Numbers and orders of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where things lie is chance. Distances within one object follow from what its pointers are made of, and so does
// whether two pointers are equal; every other number that is made from an address is undetermined.

#include "data-flow/Determined.h"
#include "memshape/SkeletonAbi.h"
#include "operators/CallersFunction.h"
#include "operators/SourcePlace.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace memshape {

/// Objects that V may point into; none for null, for labels, and for what is never set.
static SmallSetVector<unsigned, 4> objectsOf(const Value *V, const PointsTo &Memory) {
  SmallSetVector<unsigned, 4> Objects;
  for (Place T : Memory.targets(V))
    Objects.insert(T.Object);
  return Objects;
}

/// Load reads what an earlier call may have left in objects that are Left: no store of this call to the same place is
/// always before it.
bool Determined::isKept(const LoadInst &Load, const Objects &Left) const {
  if (none_of(Memory.targets(Load.getPointerOperand()), [&](Place T) { return Left.contains(T.Object); }))
    return false;
  const DataLayout &DL = Load.getModule()->getDataLayout();
  const auto placeOf = [&](const Value *Pointer) {
    APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    const Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
    return std::pair(Base, Offset.getSExtValue());
  };
  const auto Here = placeOf(Load.getPointerOperand());
  const DominatorTree DT(const_cast<Function &>(*Load.getFunction()));
  return none_of(instructions(*Load.getFunction()), [&](const Instruction &I) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    return Store && placeOf(Store->getPointerOperand()) == Here && DT.dominates(Store, &Load) &&
           Store->getValueOperand()->getType() == Load.getType() && !mayBeOfEarlierCall(Store->getValueOperand(), Left);
  });
}

/// Pointer comes from objects that are Left, in which an earlier call may have left it.
bool Determined::mayBeOfEarlierCall(const Value *Pointer, const Objects &Left) const {
  constexpr unsigned Most = 1024;
  SmallSetVector<const Value *, 8> From;
  From.insert(Pointer);
  for (unsigned N = 0; N != From.size() && N != Most; ++N) {
    const auto *I = dyn_cast<Instruction>(From[N]);
    if (const auto *Load = dyn_cast_or_null<LoadInst>(I)) {
      if (isKept(*Load, Left))
        return true;
    } else if (const auto *Gep = dyn_cast_or_null<GetElementPtrInst>(I)) {
      From.insert(Gep->getPointerOperand());
    } else if (const auto *Select = dyn_cast_or_null<SelectInst>(I)) {
      From.insert(Select->getTrueValue());
      From.insert(Select->getFalseValue());
    } else if (isa_and_nonnull<CastInst, PHINode, FreezeInst>(I)) {
      From.insert(I->op_begin(), I->op_end());
    }
  }
  return From.size() > Most;
}

/// Each thread has an object of its own there.
static bool isOfThread(const PointsTo::Object &O) {
  const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
  return G && G->hasMetadata(ThreadMetadata);
}

/// Load reads a variable of the thread that has made an earlier call: another one may have made it.
bool Determined::readsOfEarlierThread(const LoadInst &Load) const {
  return any_of(Memory.targets(Load.getPointerOperand()),
                [&](Place T) { return isOfThread(Memory.object(T.Object)); }) &&
         mayBeOfEarlierCall(Load.getPointerOperand(), KeptByAll);
}

/// One is a tensor or a frame of this call, and Other of an earlier one, or the other way round: whether they lie at one
/// place is the caller's secret. So is a variable of the thread, of which another call may have seen another one.
/// MayBeFreed: so is a block's, which may lie where an earlier call has freed one.
bool Determined::meetsEarlierCall(const Value *One, const Value *Other, bool MayBeFreed) const {
  using Kind = PointsTo::ObjectKind;
  const auto Lead = [&](const Value *V, function_ref<bool(const PointsTo::Object &)> To) {
    return any_of(Memory.targets(V), [&](Place T) { return To(Memory.object(T.Object)); });
  };
  const auto BothLead = [&](function_ref<bool(const PointsTo::Object &)> To, const Objects &Left) {
    return Lead(One, To) && Lead(Other, To) && mayBeOfEarlierCall(One, Left) != mayBeOfEarlierCall(Other, Left);
  };
  const auto IsOfCall = [&](const PointsTo::Object &O) {
    return O.Kind == Kind::Tensor || O.Kind == Kind::Stack || (MayBeFreed && O.Kind == Kind::Heap);
  };
  return !Kept.empty() && (BothLead(IsOfCall, Kept) || BothLead(isOfThread, KeptByAll));
}

/// Both may lead to variables of frames, not to the same one, or one of them to a variable of the program's: how far they
/// are apart, and which comes first, is a secret of the compiler's, and of who has made the stack.
static bool framesDecide(const Value *One, const Value *Other, const PointsTo &Memory) {
  using Kind = PointsTo::ObjectKind;
  const SmallSetVector<unsigned, 4> Here = objectsOf(One, Memory), There = objectsOf(Other, Memory);
  const auto Is = [&](unsigned Id, ArrayRef<Kind> Kinds) { return is_contained(Kinds, Memory.object(Id).Kind); };
  const auto Decide = [&](unsigned A, unsigned B) {
    return A != B && Is(A, Kind::Stack) && Is(B, {Kind::Stack, Kind::Global, Kind::Function});
  };
  return any_of(Here,
                [&](unsigned A) { return any_of(There, [&](unsigned B) { return Decide(A, B) || Decide(B, A); }); });
}

/// How far two pointers are apart, and which comes first, is the caller's secret where both lead into tensors, and the
/// linker's where both lead to variables or to code. For blocks the runner tries
/// other places: a test whether one lies in the other comes out alike in all. By asks: of frames, libraries know what
/// they do.
bool Determined::distanceIsDetermined(const Value *From, const Value *To, const Instruction &By) const {
  using Kind = PointsTo::ObjectKind;
  SmallSetVector<unsigned, 4> Tensors, Linked;
  bool BothInTensors = true, BothLinked = true;
  for (const Value *Side : {From, To}) {
    const SmallSetVector<unsigned, 4> Objects = objectsOf(Side, Memory);
    bool InTensor = false, AllLinked = Objects.size() == 1;
    for (unsigned Id : Objects) {
      const Kind K = Memory.object(Id).Kind;
      if (K == Kind::Tensor)
        Tensors.insert(Id), InTensor = true;
      else if (K == Kind::Global || K == Kind::Function)
        Linked.insert(Id);
      AllLinked &= K == Kind::Global || K == Kind::Function;
    }
    BothInTensors &= InTensor;
    BothLinked &= AllLinked;
  }
  return !(BothInTensors && Tensors.size() > 1) && !(BothLinked && Linked.size() > 1) &&
         !(framesDecide(From, To, Memory) && isInProgramsFile(By)) && !meetsEarlierCall(From, To, /*MayBeFreed=*/false);
}

/// Both may lead into one object; nothing is said of pointers that nobody shows.
static bool mayShareObject(const Value *One, const Value *Other, const PointsTo &Memory) {
  const SmallSetVector<unsigned, 4> Here = objectsOf(One, Memory), There = objectsOf(Other, Memory);
  return Here.empty() || There.empty() || Here.contains(0) || There.contains(0) ||
         any_of(Here, [&](unsigned Id) { return There.contains(Id); });
}

/// Distance, a number of bytes, moves pointers and does nothing else: moved by it, one leads from here to there,
/// wherever that is.
static bool onlyMoves(const Instruction &Distance, const PointsTo &Memory) {
  SmallVector<const Instruction *, 4> Work = {&Distance};
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 4> Moved; // addresses
  while (!Work.empty()) {
    const Instruction *At = Work.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    for (const Use &U : At->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      switch (User->getOpcode()) {
      case Instruction::GetElementPtr: continue;
      case Instruction::Add:
      case Instruction::Sub:
        Moved.push_back(User->getOperand(1 - U.getOperandNo()));
        if (Memory.targets(Moved.back()).empty())
          return false;
        continue;
      case Instruction::PHI:
      case Instruction::Select:
      case Instruction::Freeze: break;
      case Instruction::SDiv: // elements, which count bytes again
      case Instruction::AShr:
      case Instruction::LShr:
        if (!User->isExact())
          return false;
        break;
      case Instruction::Mul:
      case Instruction::Shl:
        if (!isa<ConstantInt>(User->getOperand(1 - U.getOperandNo())))
          return false;
        break;
      default: return false;
      }
      Work.push_back(User);
    }
  }
  return none_of(Moved, [&](const Value *V) { return Seen.contains(V); }); // five times the distance is none
}

static const Value *withoutAddressCasts(const Value *V) {
  while (const auto *Cast = dyn_cast<PtrToIntOperator>(V))
    V = Cast->getPointerOperand();
  return V;
}

/// The call that has given the block of which V is an address; null where others may have.
static const Instruction *givenBy(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(getUnderlyingObject(withoutAddressCasts(V), /*MaxLookup=*/0));
  return Call && runnerCall(*Call) == RunnerCall::Alloc ? Call : nullptr;
}

/// Control may come from From to To without passing Without, an instruction before To.
static bool reachesWithout(const Instruction &From, const Instruction &To, const Instruction *Without) {
  if (From.getFunction() != To.getFunction())
    return true; // through calls
  if (!Without)
    return isPotentiallyReachable(&From, &To);
  if (From.getParent() == To.getParent() && From.comesBefore(&To) && Without->comesBefore(&From))
    return true;
  if (Without->getParent() == To.getParent())
    return false;
  auto *Start = const_cast<BasicBlock *>(From.getParent());
  SmallVector<BasicBlock *, 4> After(successors(Start));
  SmallPtrSet<BasicBlock *, 1> Passed = {const_cast<BasicBlock *>(Without->getParent())};
  return !After.empty() && isPotentiallyReachableFromMany(After, To.getParent(), &Passed);
}

/// At compares addresses of blocks, one of which may have been freed before: the other one may lie where it lay. Nobody
/// may use a pointer to it any more, but a number that was made from one before: pointers into one object are taken for
/// those of blocks that are there, but for what the call returned whose block was moved since. A library compares the
/// blocks that it keeps.
bool Determined::meetsFreedBlock(const Instruction &At) const {
  const Value *Left = At.getOperand(0), *Right = At.getOperand(1);
  const auto IsPointer = [](const Value *V) { return isa<PtrToIntOperator>(V) || !V->getType()->isIntegerTy(); };
  if (!isInProgramsFile(At))
    return false;
  const bool AreOfOne = IsPointer(Left) && IsPointer(Right) && mayShareObject(Left, Right, Memory);
  const auto IsHeap = [&](Place T) { return Memory.object(T.Object).Kind == PointsTo::ObjectKind::Heap; };
  const auto MayBeFreed = [&](const Value *Side) {
    const Instruction *Given = givenBy(Side);
    return any_of(Frees, [&](const CallBase *Free) {
      if (AreOfOne && (!Given || runnerCall(*Free) != RunnerCall::Realloc))
        return false;
      return any_of(Memory.targets(Free->getArgOperand(0)),
                    [&](Place T) { return IsHeap(T) && objectsOf(Side, Memory).contains(T.Object); }) &&
             reachesWithout(*Free, At, Given && Given->getFunction() == At.getFunction() ? Given : nullptr);
    });
  };
  return any_of(Memory.targets(Left), IsHeap) && any_of(Memory.targets(Right), IsHeap) &&
         (MayBeFreed(Left) || MayBeFreed(Right));
}

/// V leads to a byte of an object, and not behind its end, where another one may begin.
static bool leadsInside(const Value *V, const PointsTo &Memory) {
  return all_of(Memory.targets(V), [&](Place T) {
    if (!T.isFixed() || T.Offset <= 0)
      return T.isFixed() && T.Offset == 0;
    const PointsTo::Object &O = Memory.object(T.Object);
    const auto *Call = dyn_cast_or_null<CallBase>(O.Origin);
    if (O.Kind == PointsTo::ObjectKind::Heap && Call && runnerCall(*Call) == RunnerCall::Alloc) {
      const auto *Bytes = dyn_cast<ConstantInt>(Call->getArgOperand(AllocBytes));
      return Bytes && Bytes->getValue().sgt(T.Offset);
    }
    if (const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin); G && G->getValueType()->isSized())
      return G->getParent()->getDataLayout().getTypeAllocSize(G->getValueType()).getFixedValue() > uint64_t(T.Offset);
    if (const auto *Variable = dyn_cast_or_null<AllocaInst>(O.Origin)) {
      const std::optional<TypeSize> Bytes = Variable->getAllocationSize(Variable->getDataLayout());
      return Bytes && !Bytes->isScalable() && Bytes->getFixedValue() > uint64_t(T.Offset);
    }
    return O.Kind != PointsTo::ObjectKind::Heap;
  });
}

/// What V leads to may be declared weak: its address is null where nothing in the program defines it.
static bool mayBeMissing(const Value *V, const PointsTo &Memory) {
  const auto IsWeak = [](const Value *Object) {
    const auto *G = dyn_cast_or_null<GlobalValue>(Object);
    return G && G->hasExternalWeakLinkage();
  };
  return IsWeak(V->stripPointerCasts()) ||
         any_of(Memory.targets(V), [&](Place T) { return IsWeak(Memory.object(T.Object).Origin); });
}

/// What has been moved has no place any more, and may be from there.
bool Determined::isInOperatorFile(const Instruction &I) const {
  const DILocation *Where = I.getDebugLoc().get();
  return !Where || Where->getFilename() == OperatorFile ||
         (IsBuilder && !OperatorFile.empty() &&
          sys::path::filename(Where->getFilename()) == sys::path::filename(OperatorFile)); // written otherwise
}

bool Determined::isInProgramsFile(const Instruction &I) const {
  const DILocation *Where = I.getDebugLoc().get();
  if (isInOperatorFile(I))
    return true;
  const auto [At, IsNew] = OfProgram.try_emplace(Where->getFile());
  if (IsNew)
    At->second = !isInSystemHeader(*Where);
  return At->second;
}

/// The caller chooses whether what two pointers lead to, an object of One and one of Other, is the same: it may pass one
/// block as two tensors, a constant or a function that it knows by name or has got from one of the unit, and a number
/// that is no address. That a tensor is apart from others says nothing of where it lies, if the program itself asks.
bool Determined::callerMayPassOne(const Pointees &One, const Pointees &Other, const CmpInst &Compare) const {
  using Kind = PointsTo::ObjectKind;
  const bool IsOfProgram = isInProgramsFile(Compare);
  const bool HasPlace = bool(Compare.getDebugLoc()); // what builds arguments has none
  const auto MayBeGiven = [&](const PointsTo::Object &O) {
    return O.mayOverlap() || (IsOfProgram && (O.Kind == Kind::Tensor || (O.Kind == Kind::Unknown && HasPlace)));
  };
  const auto HasName = [&](const PointsTo::Object &O) {
    const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
    return O.Kind == Kind::Function || (O.Kind == Kind::Global && (O.Escapes || (G && G->isConstant())));
  };
  const auto IsOne = [&](const PointsTo::Object &Given, const PointsTo::Object &Else) {
    return MayBeGiven(Given) ? MayBeGiven(Else) || Else.Kind == Kind::Unknown || HasName(Else)
                             : Given.Kind == Kind::Tensor && HasName(Else);
  };
  const auto IsTensor = [&](unsigned Id) { return Memory.object(Id).Kind == Kind::Tensor; };
  if ((isa<Constant>(Compare.getOperand(0)) && One.empty() && any_of(Other, IsTensor)) ||
      (isa<Constant>(Compare.getOperand(1)) && Other.empty() && any_of(One, IsTensor)))
    return true;
  for (unsigned A : One)
    for (unsigned B : Other) {
      const PointsTo::Object &X = Memory.object(A), &Y = Memory.object(B);
      if ((X.Kind == Kind::Unknown && KnownElsewhere.contains(B)) ||
          (Y.Kind == Kind::Unknown && KnownElsewhere.contains(A)))
        return true;
      if (A != B && (IsOne(X, Y) || IsOne(Y, X)))
        return true;
    }
  return false;
}

/// Whether the caller passes null, or one block for two tensors, is the caller's secret, and so is which of two comes
/// first in memory.
bool Determined::comparesDetermined(const CmpInst &Compare) const {
  if (meetsFreedBlock(Compare))
    return false;
  const Value *Left = withoutAddressCasts(Compare.getOperand(0)), *Right = withoutAddressCasts(Compare.getOperand(1));
  if (!Left->getType()->isPtrOrPtrVectorTy() || !Right->getType()->isPtrOrPtrVectorTy())
    return true;
  auto IsMoved = [](const Value *New, const Value *Old) {
    auto IsRealloc = [Old](const Value *V) {
      const auto *Call = dyn_cast<CallBase>(V);
      return Call && runnerCall(*Call) == RunnerCall::Realloc && Call->getArgOperand(0) == Old && !isa<Constant>(Old);
    };
    const auto *UnlessFreed = dyn_cast<SelectInst>(New);
    return UnlessFreed ? IsRealloc(UnlessFreed->getTrueValue()) || IsRealloc(UnlessFreed->getFalseValue())
                       : IsRealloc(New);
  };
  if (IsMoved(Left, Right) || IsMoved(Right, Left))
    return false; // whether a realloc moves its block is chance
  const auto *Constant = dyn_cast<llvm::Constant>(isa<llvm::Constant>(Left) ? Left : Right);
  if (Constant && Constant->isNullValue()) {
    // A library asks every pointer that it is given whether it is there, and so do assignments of arrays in Fortran; the
    // program's own source asks of an argument where there may be none.
    const Value *Asked = Constant == Left ? Right : Left;
    if (mayBeMissing(Asked, Memory))
      return false; // another unit or library may have it: the linker decides
    const bool IsOfAll = !IsBuilder && isInOperatorFile(Compare);
    return !isInProgramsFile(Compare) || none_of(objectsOf(Asked, Memory), [&](unsigned Id) {
      const PointsTo::Object &O = Memory.object(Id);
      const auto *A = dyn_cast_or_null<Argument>(O.Origin);
      const bool IsPassed = A && (IsBuilder ? callersPointer(*A).isValid() : !OperatorFile.empty());
      return O.Kind == PointsTo::ObjectKind::Tensor && (IsOfAll || IsPassed);
    });
  }
  const Pointees One = objectsOf(Left, Memory), Other = objectsOf(Right, Memory);
  const auto IsMergeable = [&](unsigned Id) {
    const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(Id).Origin);
    return G && G->isConstant() && G->hasGlobalUnnamedAddr() && G->hasInitializer() &&
           isa<ConstantDataSequential>(G->getInitializer());
  };
  if (!Compare.isEquality()) {
    // The program's own source asks where a tensor lies; a library asks whether it lies in a block, which it does not.
    auto InTensor = [&](unsigned Id) { return Memory.object(Id).Kind == PointsTo::ObjectKind::Tensor; };
    const bool Mixed = !One.empty() && !Other.empty() && any_of(One, InTensor) != any_of(Other, InTensor);
    return distanceIsDetermined(Left, Right, Compare) && !(Mixed && isInProgramsFile(Compare));
  }
  // A library compares the blocks that it keeps with each other.
  if (meetsEarlierCall(Left, Right, /*MayBeFreed=*/isInProgramsFile(Compare)))
    return false;
  // One past the end of a block may be the start of the next one, and of a variable that of another.
  const auto Both = [&](auto Is) { return all_of(One, Is) && all_of(Other, Is); };
  const auto IsOf = [&](PointsTo::ObjectKind Kind) {
    return [&, Kind](unsigned Id) { return Memory.object(Id).Kind == Kind; };
  };
  using Kind = PointsTo::ObjectKind;
  const bool MayTouch = Both(IsOf(Kind::Heap)) || Both(IsOf(Kind::Global)) || Both(IsOf(Kind::Stack));
  if (MayTouch && !mayShareObject(Left, Right, Memory) && !(leadsInside(Left, Memory) && leadsInside(Right, Memory)))
    return false;
  // The linker may put equal constants, and one text that ends as another does, at one place.
  if (!mayShareObject(Left, Right, Memory) && any_of(One, IsMergeable) && any_of(Other, IsMergeable))
    return false;
  return !callerMayPassOne(One, Other, Compare);
}

/// What every address of the object is a multiple of.
static uint64_t alignmentOf(const PointsTo::Object &O) {
  if (O.Kind == PointsTo::ObjectKind::Heap)
    return MEMSHAPE_SK_BLOCK_ALIGNMENT;
  if (const auto *Variable = dyn_cast_or_null<AllocaInst>(O.Origin))
    return Variable->getAlign().value();
  if (const auto *F = dyn_cast_or_null<Function>(O.Origin)) // a pointer to a member keeps a bit beside it
    return F->getAlign().valueOrOne().value();
  return 1;
}

/// I rounds an address down to more than its object is aligned to: how far it moves is chance.
bool Determined::roundsAddress(const Instruction &I) const {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  const bool Masks = I.getOpcode() == Instruction::And || (Call && Call->getIntrinsicID() == Intrinsic::ptrmask);
  const auto *Mask = Masks ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  if (!Mask || !Mask->getValue().isNegatedPowerOf2())
    return false;
  const unsigned Bits = Mask->getValue().countr_zero();
  return any_of(Memory.targets(I.getOperand(0)),
                [&](Place T) { return Log2_64(alignmentOf(Memory.object(T.Object))) < Bits; });
}

/// How far Rounded, and what is reached from there, is from other addresses.
void Determined::findDistancesOf(const Instruction &Rounded) {
  SmallSetVector<const Value *, 16> From;
  From.insert(&Rounded);
  for (unsigned I = 0; I != From.size(); ++I)
    for (const Use &U : From[I]->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      switch (User->getOpcode()) {
      case Instruction::GetElementPtr:
        if (U.getOperandNo() != GetElementPtrInst::getPointerOperandIndex())
          break;
        [[fallthrough]];
      case Instruction::Add:
      case Instruction::PHI:
      case Instruction::Select:
      case Instruction::Freeze:
      case Instruction::IntToPtr:
      case Instruction::PtrToInt:
      case Instruction::AddrSpaceCast: From.insert(User); break;
      default: break;
      }
    }
  for (const Value *V : From)
    for (const Use &U : V->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      if (User->getOpcode() != Instruction::Sub && !isa<ICmpInst>(User))
        continue;
      const Value *Other = User->getOperand(1 - U.getOperandNo());
      if (From.contains(Other) || Memory.targets(Other).empty() || !mayShareObject(V, Other, Memory) ||
          onlyMoves(*User, Memory))
        continue;
      Uncertain.insert(User);
    }
}

/// Bits that User, a shift to the right or a division by a power of two, takes from the low end of U; none for others.
static std::optional<uint64_t> bitsTaken(const Instruction &User, const Use &U) {
  const auto *By = dyn_cast<ConstantInt>(User.getOperand(1));
  if (!By || U.getOperandNo() != 0)
    return std::nullopt;
  if (User.getOpcode() != Instruction::UDiv)
    return By->getLimitedValue(AddressBits);
  return By->getValue().isPowerOf2() ? std::optional<uint64_t>(By->getValue().logBase2()) : std::nullopt;
}

/// What Mask leaves of Address, of which LostBits low bits are lost, or the remainder by it, are bits that alignment gives.
bool Determined::keepsLowBits(const Instruction &Address, const ConstantInt *Mask, bool IsModulus,
                              unsigned LostBits) const {
  // Of a label in the code, and of what nobody shows, no alignment is known.
  if (!Mask || Memory.targets(&Address).empty())
    return false;
  // The low bits of a block's address are those that alignment gives: what is left is the offset's.
  const APInt Modulus = IsModulus ? Mask->getValue() : Mask->getValue() + 1;
  return Modulus.isPowerOf2() && Modulus.logBase2() + LostBits < AddressBits &&
         all_of(
             Memory.targets(&Address),
             [&](Place T) { return Log2_64(alignmentOf(Memory.object(T.Object))) >= Modulus.logBase2() + LostBits; });
}

/// The parameter that U, an argument of a call of a function of the module, is given to; null for others.
static const Argument *givenTo(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *Callee = Call && Call->isArgOperand(&U) ? Call->getCalledFunction() : nullptr;
  const unsigned Number = Callee ? Call->getArgOperandNo(&U) : 0;
  return Callee && !Callee->isDeclaration() && Number < Callee->arg_size() ? Callee->getArg(Number) : nullptr;
}

/// What U makes of a number that comes from Address, a pointer as an integer, and of which Is tells what is left. Where
/// what it makes is to be looked at in turn, Is becomes what is left of that.
Determined::AddressUse Determined::useOfAddress(const Use &U, const Instruction &Address, AddressPart &Is) const {
  const Value *At = U.get();
  const auto *User = cast<Instruction>(U.getUser());
  const bool IsAddressStill = Is.LostBits == 0 && !Is.Turned;
  const Value *Other =
      isa<BinaryOperator>(User) || isa<CmpInst>(User) ? User->getOperand(1 - U.getOperandNo()) : nullptr;
  auto IsAddress = [&](const Value *V) { return !Memory.targets(V).empty() || isa<PtrToIntInst>(V); };
  auto HarmlessIf = [](bool Yes) { return Yes ? AddressUse::Harmless : AddressUse::Number; };
  switch (User->getOpcode()) {
  case Instruction::IntToPtr:
  case Instruction::GetElementPtr: return HarmlessIf(IsAddressStill); // a pointer again
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv: {
    const std::optional<uint64_t> Bits = bitsTaken(*User, U);
    if (!Bits || Is.LostBits + *Bits >= AddressBits)
      return AddressUse::Number;
    Is.LostBits += unsigned(*Bits);
    return AddressUse::Followed;
  }
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::Trunc: // low bits: looked at where they are used
  case Instruction::ZExt:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractElement: return AddressUse::Followed;
  case Instruction::Sub:
    if (!IsAddressStill || !IsAddress(Other)) {
      Is.Turned |= U.getOperandNo() == 1;
      return AddressUse::Followed;
    }
    // A library asks how far two places are apart once it has found that they are in one block.
    return HarmlessIf(distanceIsDetermined(At, Other, *User) && !meetsFreedBlock(*User) &&
                      (mayShareObject(At, Other, Memory) || onlyMoves(*User, Memory) || !isInProgramsFile(*User)));
  case Instruction::Add: return isa<PtrToIntInst>(Other) ? AddressUse::Number : AddressUse::Followed;
  case Instruction::Xor: Is.Turned = true; return isa<ConstantInt>(Other) ? AddressUse::Followed : AddressUse::Number;
  case Instruction::And: {
    const auto *Mask = dyn_cast<ConstantInt>(Other);
    if (Mask && Mask->isNegative())
      return AddressUse::Followed; // rounds the address down
    return HarmlessIf(keepsLowBits(Address, Mask, /*IsModulus=*/false, Is.LostBits));
  }
  case Instruction::URem:
  case Instruction::SRem:
    return HarmlessIf(U.getOperandNo() == 0 &&
                      keepsLowBits(Address, dyn_cast<ConstantInt>(Other), /*IsModulus=*/true, Is.LostBits));
  case Instruction::ICmp:
    if (const auto *Number = dyn_cast<ConstantInt>(Other))
      return HarmlessIf(IsAddressStill && Number->isZero());
    return HarmlessIf(IsAddressStill && IsAddress(Other) && distanceIsDetermined(At, Other, *User) &&
                      (mayShareObject(At, Other, Memory) || (isa<PtrToIntInst>(At) && isa<PtrToIntInst>(Other))));
  case Instruction::Store: // read again as an address
    return HarmlessIf(IsAddressStill && U.getOperandNo() != StoreInst::getPointerOperandIndex() &&
                      At->getType()->isIntegerTy(AddressBits));
  default: return AddressUse::Number;
  }
}

/// Numbers that are made from Address, a pointer as an integer, other than addresses again and distances.
void Determined::findNumbersOf(const Instruction &Address) {
  using Part = std::tuple<const Value *, unsigned, bool>;
  SmallVector<std::pair<const Value *, AddressPart>, 8> Work = {{&Address, {}}};
  SmallSet<Part, 8> Seen;
  while (!Work.empty()) {
    const auto [At, Is] = Work.pop_back_val();
    if (!Seen.insert(Part{At, Is.LostBits, Is.Turned}).second)
      continue;
    for (const Use &U : At->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      AddressPart Then = Is;
      if (const Argument *Parameter = givenTo(U); Parameter && !Memory.targets(Parameter).empty()) {
        Work.push_back({Parameter, Is});
        continue;
      }
      const AddressUse Found = useOfAddress(U, Address, Then);
      if (Found == AddressUse::Followed)
        Work.push_back({User, Then});
      if (Found != AddressUse::Number)
        continue;
      if (User->getType()->isVoidTy() || User->isTerminator() || isa<CallBase>(User))
        User = isa<Instruction>(At) ? cast<Instruction>(At) : &Address;
      Uncertain.insert(User);
    }
  }
}

} // namespace memshape
