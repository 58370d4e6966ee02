// What an operator does with one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Arguments.h"
#include "Compat.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace memshape {

namespace {

/// Follows the pointers to one object of a known size.
class ObjectUses {
public:
  ObjectUses(uint64_t Bytes, const DataLayout &Layout) : Bytes(Bytes), Layout(Layout) {}

  /// Whether a pointer to the object is kept in memory, from where anything may take it.
  bool isKept() const { return Kept; }

  bool leaveWhenHandedOver(const Value &Pointer) {
    for (const Use &U : Pointer.uses())
      if (const auto *Call = dyn_cast<CallBase>(U.getUser()))
        handOver(*Call, U, 0);
    while (!Left && !List.empty()) {
      auto [V, Offset] = List.pop_back_val();
      for (const Use &U : V->uses())
        use(U, Offset);
    }
    return Left;
  }

private:
  /// The offset of a pointer that several steps may have led to.
  static constexpr int64_t Somewhere = INT64_MIN / 2;

  void follow(const Value &V, int64_t Offset) {
    if (Seen.insert({&V, Offset}).second)
      List.push_back({&V, Offset});
  }

  /// The largest of the values of an index that is one of a few, as where a condition selects an object; otherwise 0.
  uint64_t oneOfFew(const Value &Index) const {
    constexpr unsigned FewBits = 4;
    const KnownBits Known = computeKnownBits(&Index, Layout);
    const unsigned Open = Known.getBitWidth() - (Known.Zero | Known.One).popcount();
    return Open <= FewBits ? Known.getMaxValue().getLimitedValue(UINT32_MAX) : 0;
  }

  /// Behind the object nothing may be read, whichever way led there.
  int64_t merged(int64_t Offset) const { return Offset == int64_t(Bytes) ? Offset : Somewhere; }

  static bool isSetOnce(const AllocaInst &Slot) {
    return llvm::count_if(Slot.users(), [](const User *Each) { return isa<StoreInst>(Each); }) == 1;
  }

  void handOver(const CallBase &Call, const Use &U, int64_t Offset) {
    const Function *Callee = Call.getCalledFunction();
    if (Callee && !Callee->isDeclaration() && Call.isArgOperand(&U) && Call.getArgOperandNo(&U) < Callee->arg_size())
      follow(*Callee->getArg(Call.getArgOperandNo(&U)), Offset);
  }

  void step(const GEPOperator &Address, int64_t Offset) {
    compat::OffsetMap Variable;
    APInt Constant(64, 0);
    if (!Address.collectOffset(Layout, 64, Variable, Constant))
      return;
    for (const auto &[Index, Stride] : Variable) {
      const uint64_t Step = Stride.abs().getZExtValue();
      Left |= (Step >= Bytes && Step % Bytes == 0) || oneOfFew(*Index) * Step >= Bytes;
    }
    if (!Variable.empty())
      return;                  // into an array that the object holds
    if (Offset == Somewhere) { // the same, step by step
      Left |= Constant.abs().getZExtValue() >= Bytes;
      return;
    }
    const int64_t Next = Offset + Constant.getSExtValue();
    Left |= Next < 0 || Next > int64_t(Bytes); // where the object ends, a loop over its own array does
    follow(Address, Next);
  }

  void use(const Use &U, int64_t Offset) {
    const User &By = *U.getUser();
    if (const auto *Address = dyn_cast<GEPOperator>(&By)) {
      step(*Address, Offset);
    } else if (isa<PHINode>(By)) {
      follow(By, merged(Offset));
    } else if (isa<SelectInst, BitCastInst, AddrSpaceCastInst, FreezeInst>(By)) {
      follow(By, Offset);
    } else if (const auto *Load = dyn_cast<LoadInst>(&By)) {
      Left |= Offset + int64_t(Layout.getTypeStoreSize(Load->getType()).getFixedValue()) > int64_t(Bytes);
    } else if (const auto *Store = dyn_cast<StoreInst>(&By)) {
      const auto *Slot = dyn_cast<AllocaInst>(Store->getPointerOperand());
      if (U.getOperandNo() != 0)
        return;
      if (!Slot || !Slot->getAllocatedType()->isPointerTy())
        Kept = true;
      else // a variable of unoptimised code
        for (const User *Other : Slot->users())
          if (isa<LoadInst>(Other))
            follow(*Other, isSetOnce(*Slot) ? Offset : merged(Offset));
    } else if (const auto *Copy = dyn_cast<MemIntrinsic>(&By)) {
      if (const auto *Length = dyn_cast<ConstantInt>(Copy->getLength()))
        Left |= Offset + int64_t(Length->getZExtValue()) > int64_t(Bytes);
    } else if (const auto *Call = dyn_cast<CallBase>(&By)) {
      handOver(*Call, U, Offset);
    }
  }

  const uint64_t Bytes;
  const DataLayout &Layout;
  bool Left = false, Kept = false;
  DenseSet<std::pair<const Value *, int64_t>> Seen;
  SmallVector<std::pair<const Value *, int64_t>, 16> List;
};

/// Whether Address goes on from an object of this size, behind a pointer that was in memory, to another one.
bool stepsOn(const GEPOperator &Address, uint64_t Bytes, const DataLayout &Layout) {
  Type *Element = Address.getSourceElementType();
  if (!isa<LoadInst>(getUnderlyingObject(Address.getPointerOperand())) || !Element->isSized())
    return false;
  const Value *Index = *Address.idx_begin();
  uint64_t Step = Layout.getTypeAllocSize(Element).getFixedValue();
  ConstantInt *Factor = nullptr;
  if (PatternMatch::match(Index, PatternMatch::m_Mul(PatternMatch::m_Value(), PatternMatch::m_ConstantInt(Factor))))
    Step *= Factor->getZExtValue();
  else if (!Element->isStructTy() && !Element->isArrayTy())
    return false; // numbers
  const auto *Fixed = dyn_cast<ConstantInt>(Index);
  return Step == Bytes && !(Fixed && Fixed->isZero());
}

/// The functions whose names stand in Begin, or in another one that is reached.
SmallSetVector<const Function *, 16> reachedFrom(const Function &Begin) {
  SmallSetVector<const Function *, 16> Reached;
  Reached.insert(&Begin);
  for (size_t At = 0; At != Reached.size(); ++At)
    for (const Instruction &I : instructions(*Reached[At]))
      for (const Use &U : I.operands())
        if (const auto *Named = dyn_cast<Function>(U->stripPointerCasts()))
          Reached.insert(Named);
  return Reached;
}

/// Whether calls take it as a C++ reference, which is to one object.
bool isReferredTo(const AllocaInst &Object) {
  return llvm::all_of(Object.uses(), [](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    return !Call || !Call->isArgOperand(&U) || !Call->getCalledFunction() || Call->getCalledFunction()->isIntrinsic() ||
           Call->getParamDereferenceableBytes(Call->getArgOperandNo(&U)) ||
           (Call->getArgOperandNo(&U) < Call->getCalledFunction()->arg_size() &&
            Call->getCalledFunction()->getArg(Call->getArgOperandNo(&U))->getDereferenceableBytes());
  });
}

/// Whether a call returns its one result there: no argument, whatever else is told about it.
bool isResult(const AllocaInst &Object) {
  return llvm::any_of(Object.uses(), [](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isArgOperand(&U) && Call->paramHasAttr(Call->getArgOperandNo(&U), Attribute::StructRet);
  });
}

} // namespace

bool leavesArguments(const Function &Builder) {
  const DataLayout &Layout = Builder.getParent()->getDataLayout();
  SmallSet<uint64_t, 4> KeptBytes;
  for (const Instruction &I : instructions(Builder))
    if (const auto *Object = dyn_cast<AllocaInst>(&I); Object && !isResult(*Object))
      if (const std::optional<TypeSize> Bytes = Object->getAllocationSize(Layout); Bytes && Bytes->getFixedValue()) {
        ObjectUses Uses(Bytes->getFixedValue(), Layout);
        if (Uses.leaveWhenHandedOver(*Object))
          return true;
        if (Uses.isKept() && !isReferredTo(*Object))
          KeptBytes.insert(Bytes->getFixedValue());
      }
  if (KeptBytes.empty())
    return false;
  for (const Function *F : reachedFrom(Builder))
    for (const Instruction &I : instructions(*F))
      if (const auto *Address = dyn_cast<GEPOperator>(&I))
        for (uint64_t Bytes : KeptBytes)
          if (stepsOn(*Address, Bytes, Layout))
            return true;
  return false;
}

} // namespace memshape
