// Allocators that a program may replace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     void *(*allocate)(size_t) = malloc;          void set_allocator(void *(*f)(size_t)) { allocate = f; }
//
// A library that lets its users set where memory comes from calls it through such a variable. What another function
// takes is not known, but what is asked of it is. So the variable is taken to hold what its definition says, or a
// constructor puts there. That is an assumption: it is listed, and no answer that rests on it is exact.

#include "libraries/Allocators.h"
#include "operators/VariableMarks.h"
#include "skeleton/Stages.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

/// Something in the module may write to the pointer at byte At of the object that V points to.
static bool mayBeSet(const Value &V, int64_t At, const DataLayout &DL) {
  const int64_t End = At + DL.getPointerSize();
  const auto Meets = [&](uint64_t Bytes) { return At < int64_t(Bytes) && End > 0; };
  return any_of(V.uses(), [&](const Use &U) {
    const User *By = U.getUser();
    APInt Offset(DL.getIndexTypeSizeInBits(V.getType()), 0);
    if (const auto *Gep = dyn_cast<GEPOperator>(By))
      return !Gep->accumulateConstantOffset(DL, Offset) || mayBeSet(*By, At - Offset.getSExtValue(), DL);
    if (const auto *Store = dyn_cast<StoreInst>(By))
      return U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
             Meets(DL.getTypeStoreSize(Store->getValueOperand()->getType()));
    if (const auto *Write = dyn_cast<MemIntrinsic>(By)) {
      const auto *Length = dyn_cast<ConstantInt>(Write->getLength());
      return Write->isVolatile() || (U.getOperandNo() == 0 && (!Length || Meets(Length->getZExtValue())));
    }
    // Who is given the place of another member stays in it.
    return !isa<LoadInst>(By) && !isa<ICmpInst>(By) && !(isa<CallBase>(By) && At != 0 && !isa<GlobalVariable>(V));
  });
}

/// The variable that Load reads, where the operator finds it as others left it and leaves it so.
static const GlobalVariable *variableOf(const LoadInst &Load, const DataLayout &DL, APInt &Offset) {
  const auto *G = dyn_cast<GlobalVariable>(
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/false));
  return G && !Load.isVolatile() && G->hasMetadata(ForeignMetadata) && G->hasDefinitiveInitializer() &&
                 !mayBeSet(*G, Offset.getSExtValue(), DL)
             ? G
             : nullptr;
}

/// F does nothing about memory but what Inner, a call in its body, does: it returns that block, or frees what it is given.
static bool handsOn(const Function &F, const CallBase &Inner) {
  const auto Asked = allocationCall(const_cast<CallBase &>(Inner));
  if (!Asked)
    return false;
  if (Asked->Kind == AllocationKind::Release)
    return F.getReturnType()->isVoidTy() && isa<Argument>(Asked->Block->stripPointerCasts());
  return any_of(F, [&](const BasicBlock &BB) {
    const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator());
    return Return && Return->getReturnValue() && getUnderlyingObject(Return->getReturnValue()) == &Inner;
  });
}

/// F, called by Call, is an allocator, or a function of the unit's own around one.
static bool managesMemory(const Function &F, CallBase &Call) {
  Use &Callee = Call.getCalledOperandUse();
  Value *const Before = Callee.get();
  Callee.set(const_cast<Function *>(&F));
  const bool Known = allocationCall(Call).has_value();
  Callee.set(Before);
  return Known || any_of(instructions(F), [&](const Instruction &I) {
           const auto *Inner = dyn_cast<CallBase>(&I);
           return Inner && handsOn(F, *Inner);
         });
}

/// The function that the definition of a variable puts where Load reads, if it is called there as an allocator.
static Function *initialAllocator(LoadInst &Load, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  const GlobalVariable *G = Load.getType()->isPointerTy() ? variableOf(Load, DL, Offset) : nullptr;
  Constant *Held =
      G ? ConstantFoldLoadFromConst(const_cast<Constant *>(G->getInitializer()), Load.getType(), Offset, DL) : nullptr;
  auto *F = dyn_cast_or_null<Function>(Held);
  if (!F)
    return nullptr;
  bool Allocates = false;
  for (const Use &U : Load.uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call && isa<ICmpInst>(U.getUser()))
      continue;
    if (!Call || !Call->isCallee(&U) || Call->getFunctionType() != F->getFunctionType() || !managesMemory(*F, *Call))
      return nullptr;
    Allocates = true;
  }
  return Allocates ? F : nullptr;
}

static void list(const GlobalVariable &G, const Function &F, const LoadInst &Load, SkeletonFacts &Facts) {
  const std::string Variable = demangle(G.getName().str()), Held = demangle(F.getName().str());
  if (any_of(Facts.Initial, [&](const SkeletonInitial &I) { return I.Variable == Variable && I.Function == Held; }))
    return;
  for (const User *U : Load.users())
    if (const auto *Call = dyn_cast<CallBase>(U)) {
      Facts.Initial.push_back({Variable, Held, displayPlace(Call->getDebugLoc())});
      return;
    }
}

bool takeInitialFunctions(Module &M, SkeletonFacts &Facts) {
  const DataLayout &DL = M.getDataLayout();
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (Function *Held = initialAllocator(*Load, DL)) {
          list(*cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand())), *Held, *Load, Facts);
          Load->replaceAllUsesWith(Held);
          Load->eraseFromParent();
          Changed = true;
        }
  return Changed;
}

} // namespace memshape
