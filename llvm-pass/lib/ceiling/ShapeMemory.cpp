// Bounds of numbers in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/ShapeRanges.h"
#include "intervals/Bounder.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Whether the object may hold what an earlier call, or other code, has left.
bool ShapeRanges::outlivesCalls(unsigned Id) {
  if (!Outliving) {
    Outliving.emplace();
    for (unsigned Each = 0; Each != Memory.objectCount(); ++Each) {
      const PointsTo::Object &O = Memory.object(Each);
      if (O.Kind != PointsTo::ObjectKind::Stack && O.Kind != PointsTo::ObjectKind::Heap)
        Outliving->insert(Each);
      if (O.Kind == PointsTo::ObjectKind::Global || O.Kind == PointsTo::ObjectKind::Tensor)
        if (O.Origin)
          for (unsigned Reached : Memory.reachable(O.Origin))
            Outliving->insert(Reached);
    }
  }
  const PointsTo::Object &O = Memory.object(Id);
  return Outliving->contains(Id) || O.IsData || O.Escapes || O.IsHeader;
}

/// Aligned accesses of one size overlap completely or not at all.
template <class Access> static bool isAligned(const Access &I, const Type &Accessed, const DataLayout &DL) {
  const uint64_t Bytes = DL.getTypeStoreSize(const_cast<Type *>(&Accessed));
  return isPowerOf2_64(Bytes) && I.getAlign().value() >= Bytes;
}

Constant *ShapeRanges::filledWith(const MemSetInst &Set, Type *Of) const {
  const auto *Byte = dyn_cast<ConstantInt>(Set.getValue());
  return Byte && Of->isIntegerTy() ? ConstantInt::get(Of, APInt::getSplat(Of->getIntegerBitWidth(), Byte->getValue()))
                                   : nullptr;
}

bool ShapeRanges::storedValues(LoadInst &Load, SmallVectorImpl<StoreInst *> &Stores,
                               SmallVectorImpl<Constant *> &Filled) {
  const ArrayRef<ModRef> Reads = Accesses.of(&Load);
  if (Load.getFunction() != &F || Load.isVolatile() || Reads.size() != 1 || !isAligned(Load, *Load.getType(), DL))
    return false;
  if (mayBeLeftBehind(Reads.front()))
    return false;
  bool AllKnown = true;
  Accesses.forWritersOf(Reads.front(), [&](const ModRef &Write) {
    if (Write.By->getFunction() != &F) { // the number of executions is unknown
      AllKnown = false;
      return;
    }
    if (auto *Store = dyn_cast<StoreInst>(Write.By)) {
      if (Store->getValueOperand()->getType() == Load.getType() && isAligned(*Store, *Load.getType(), DL)) {
        if (!is_contained(Stores, Store))
          Stores.push_back(Store);
        return;
      }
      const auto *C = dyn_cast<Constant>(Store->getValueOperand());
      AllKnown &= C && C->isNullValue();
      return;
    }
    if (const auto *Set = dyn_cast<MemSetInst>(Write.By)) {
      Filled.push_back(filledWith(*Set, Load.getType()));
      AllKnown &= Filled.back() != nullptr;
      return;
    }
    const auto *Call = dyn_cast<CallBase>(Write.By);
    if (Call && isHeapCall(runnerCall(*Call)))
      return; // a fresh block (zeros, or undefined to read), or one that is freed
    AllKnown = false;
  });
  return AllKnown;
}

/// The range of the numbers in constant tables that Load may read, at any index.
Interval ShapeRanges::ofConstants(LoadInst &Load, bool Signed) {
  const ArrayRef<ModRef> Reads = Accesses.of(&Load);
  if (Reads.size() != 1 || !canBeBounded(&Load))
    return {};
  std::optional<int64_t> Low, High;
  for (unsigned Id : Accesses.objectsOf(Reads.front())) {
    const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(Id).Origin);
    const auto *Table = G && G->isConstant() && G->hasDefinitiveInitializer()
                            ? dyn_cast<ConstantDataSequential>(G->getInitializer())
                            : nullptr;
    if (!Table || Table->getElementType() != Load.getType())
      return {};
    for (unsigned Number = 0; Number != Table->getNumElements(); ++Number) {
      const APInt Each = Table->getElementAsAPInt(Number);
      if (!Signed && Each.getActiveBits() > 62)
        return {};
      const int64_t N = Signed ? Each.getSExtValue() : int64_t(Each.getZExtValue());
      Low = Low ? std::min(*Low, N) : N;
      High = High ? std::max(*High, N) : N;
    }
  }
  return High ? A.constant(*Low, *High) : Interval();
}

/// Checks the summary's condition: only zeros, and numbers of 1 or more, are written where it says so.
bool ShapeRanges::returnsNoMore(CallBase &Call, const MostReturned &Most) {
  if (Most.WhileOne < 0)
    return true;
  bool Holds = unsigned(Most.WhileOne) < Call.arg_size();
  for (const ModRef &Each : Accesses.of(&Call)) {
    if (!Holds || !Each.Reads || Each.Pointer != Call.getArgOperand(unsigned(Most.WhileOne)))
      continue;
    Holds &= !mayBeLeftBehind(Each);
    Accesses.forWritersOf(Each, [&](const ModRef &Write) {
      const auto *Writer = dyn_cast<CallBase>(Write.By);
      if (Writer && Writer->getCalledFunction() == Call.getCalledFunction())
        return;
      // Zeros that end at the float or begin behind it do not change it.
      if (const auto *Set = dyn_cast<MemSetInst>(Write.By)) {
        int64_t Here = 0, There = 0;
        const Value *Base = GetPointerBaseWithConstantOffset(Each.Pointer, Here, DL);
        if (Base == GetPointerBaseWithConstantOffset(Set->getDest(), There, DL) && There >= Here + 4)
          return;
      }
      const auto *Store = dyn_cast<StoreInst>(Write.By);
      const auto *C = Store ? dyn_cast<Constant>(Store->getValueOperand()) : nullptr;
      const auto *Real = dyn_cast_or_null<ConstantFP>(C);
      Holds &= C && (Real ? Real->getValueAPF().convertToDouble() >= 1 : C->isNullValue());
    });
  }
  return Holds;
}

/// The range of what a library function returns, from its summary.
Interval ShapeRanges::ofCall(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return {};
  const Summary S = summaryOf(*Callee);
  Interval Found;
  if (S.Returns && returnsNoMore(Call, *S.Returns)) {
    Found = A.constant(0, 0);
    for (unsigned Number = 0; Number != Call.arg_size(); ++Number)
      if (S.Returns->Arguments >> Number & 1)
        Found = A.add(Found, {B.getInt64(0), at(Call.getArgOperand(Number), false, Call).High});
    Found = A.divide(A.multiply(Found, A.constant(S.Returns->Percent, S.Returns->Percent)), A.constant(100, 100));
    return A.add(Found, A.constant(0, S.Returns->Plus));
  }
  if (S.LengthBehind >= 0 && S.AtMost >= 0 && unsigned(S.AtMost) < Call.arg_size())
    Found = {B.getInt64(0), at(Call.getArgOperand(unsigned(S.AtMost)), false, Call).High};
  return Found;
}

} // namespace memshape
