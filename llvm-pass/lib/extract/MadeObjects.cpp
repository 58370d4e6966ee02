// What makers of handles have left, and others may have changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/MadeObjects.h"
#include "extract/Extract.h"
#include "operators/VariableMarks.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

static bool hasPointers(const Type *T) {
  if (const auto *Array = dyn_cast<ArrayType>(T))
    return hasPointers(Array->getElementType());
  return T->isPtrOrPtrVectorTy() || (isa<StructType>(T) && any_of(T->subtypes(), hasPointers));
}

/// What a pointer leads to is read alone, by all that is done with the pointer and with those that are found there.
class Readers {
public:
  static bool alone(const Value &Pointer) {
    Readers All;
    return All.onlyRead(Pointer);
  }
  /// The same of a pointer that is found in a place.
  static bool aloneBehind(const Value &Place) {
    Readers All;
    return All.onlyRead(Place, /*IsPlace=*/true);
  }

private:
  SmallPtrSet<const Value *, 16> Seen[2]; ///< as pointers, and as places

  bool onlyRead(const Value &Pointer, bool IsPlace = false) {
    return !Seen[IsPlace].insert(&Pointer).second ||
           all_of(Pointer.uses(), [&](const Use &U) { return leavesAsItIs(U, IsPlace); });
  }

  /// A number that a pointer may have become, as in a structure of 8 bytes that is assigned to another one.
  static bool isCopied(const Value &Number) {
    constexpr unsigned Bits = 64;
    return Number.getType()->isIntegerTy(Bits) &&
           any_of(Number.users(), [](const User *By) { return isa<StoreInst, IntToPtrInst>(By); });
  }

  bool leavesAsItIs(const Use &U, bool IsPlace) {
    const User &By = *U.getUser();
    if (isa<LoadInst>(By))
      return hasPointers(By.getType()) ? onlyRead(By) : !isCopied(By);
    if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, FreezeInst, PHINode, SelectInst>(By))
      return onlyRead(By, IsPlace);
    if (isa<StoreInst>(By)) // a pointer in the place is another one then
      return IsPlace && U.getOperandNo() == StoreInst::getPointerOperandIndex();
    if (isa<ICmpInst>(By))
      return true;
    const auto *Call = dyn_cast<CallBase>(&By);
    if (!Call || !Call->isArgOperand(&U))
      return false;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
    if (Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() || Intrinsic->isLifetimeStartOrEnd()))
      return true;
    const unsigned Number = Call->getArgOperandNo(&U);
    const Function *Callee = Call->getCalledFunction();
    if (Callee && !Callee->isDeclaration() && !Callee->isInterposable())
      return Number < Callee->arg_size() && onlyRead(*Callee->getArg(Number), IsPlace);
    return !IsPlace && !Intrinsic && !Call->getType()->isPointerTy() && Call->onlyReadsMemory(Number) &&
           Call->doesNotCapture(Number);
  }
};

/// Whether all of Functions, each `NAME:ARGUMENT`, leave what they are given as it is.
static bool leaveAsItIs(const Module &M, StringRef Functions) {
  return all_of(split(Functions.trim(), ' '), [&](StringRef Each) {
    const auto [Name, Number] = Each.split(':');
    unsigned Argument = 0;
    const Function *F = M.getFunction(Name);
    return !Number.getAsInteger(10, Argument) && F && !F->isDeclaration() && !F->isInterposable() &&
           Argument < F->arg_size() && F->getArg(Argument)->getType()->isPointerTy() &&
           Readers::alone(*F->getArg(Argument));
  });
}

/// Pointer leads into what Maker returns. Who keeps that is known from the source (clang-plugin/lib/naming/Makers.cpp).
static bool isOfReturned(const Value &Pointer, const Function *Maker) {
  const Value *Object = getUnderlyingObject(&Pointer);
  const auto *I = dyn_cast<Instruction>(Object);
  return I && I->getFunction() == Maker && any_of(*Maker, [&](const BasicBlock &BB) {
           const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator());
           return Return && Return->getReturnValue() && getUnderlyingObject(Return->getReturnValue()) == Object;
         });
}

/// Whether functions that Maker reaches may put at Place, a variable or a part of one, or behind it, what they make.
static bool mayKeep(const Value &Place, const Function *Maker, const DenseSet<const GlobalValue *> &Reached) {
  return any_of(Place.uses(), [&](const Use &U) {
    const User &By = *U.getUser();
    if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(By))
      return mayKeep(By, Maker, Reached);
    const auto *I = dyn_cast<Instruction>(&By);
    if (I && !Reached.contains(I->getFunction()))
      return false;
    if (isa<LoadInst>(By))
      return hasPointers(By.getType()) && !Readers::alone(By);
    const auto *Store = dyn_cast<StoreInst>(&By);
    if (!Store || U.getOperandNo() != StoreInst::getPointerOperandIndex())
      return true;
    const Value &Kept = *Store->getValueOperand();
    return (hasPointers(Kept.getType()) || Kept.getType()->isIntegerTy(64)) && !isa<Constant>(Kept) &&
           !isOfReturned(Kept, Maker);
  });
}

/// The same of what pointers in a variable, or in a part of one, lead to.
static void markPointers(IRBuilder<> &B, CallBase &Mark, Type &T, Value *Place) {
  if (auto *Array = dyn_cast<ArrayType>(&T); Array && hasPointers(Array)) {
    Type &Element = *Array->getElementType();
    markPointers(B, Mark, Element, B.CreateGEP(&Element, Place, dataValue(Mark, B.getInt64Ty())));
  } else if (auto *Structure = dyn_cast<StructType>(&T)) {
    for (unsigned I = 0; I != Structure->getNumElements(); ++I)
      markPointers(B, Mark, *Structure->getElementType(I), B.CreateStructGEP(Structure, Place, I));
  } else if (T.isPointerTy()) {
    markData(B, B.CreateLoad(B.getPtrTy(), Place), B.getInt64(AllBehind));
  }
}

/// What variables that Maker reaches lead to is data, where others may write there.
static void markKept(CallBase &Mark, Module &Of, const Function *Maker, const ValueToValueMapTy &Copies) {
  const DenseSet<const GlobalValue *> Reached = Maker ? reachableFrom(Maker) : DenseSet<const GlobalValue *>();
  IRBuilder<> B(&Mark);
  for (const GlobalVariable &G : Of.globals()) {
    if (G.isConstant() || G.hasMetadata(ConstantMetadata) || !hasPointers(G.getValueType()) ||
        (Maker && (!Reached.contains(&G) || !mayKeep(G, Maker, Reached))) ||
        (G.hasLocalLinkage() && Readers::aloneBehind(G)))
      continue;
    auto *Copy = dyn_cast_or_null<GlobalVariable>(Copies.lookup(&G));
    if (!Copy)
      continue;
    markPointers(B, Mark, *G.getValueType(), Copy);
  }
}

void resolveMadeMarks(Module &Copy, Module &Of, const ValueToValueMapTy &Copies) {
  for (Function &F : Copy)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallBase>(&I);
      const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
      StringRef Text = Asm ? StringRef(Asm->getAsmString()) : "";
      if (Text.consume_front("# memshape.handed ")) {
        IRBuilder<> B(Call);
        if (!leaveAsItIs(Of, Text.rsplit(' ').first))
          markData(B, Call->getArgOperand(0), B.getInt64(AllBehind));
      } else if (Text.consume_front("# memshape.made ")) {
        markKept(*Call, Of, Of.getFunction(Text.trim()), Copies);
      } else {
        continue;
      }
      Call->eraseFromParent();
    }
}

static constexpr StringLiteral LeftMark = "# memshape.left ";

/// The setting that a mark speaks of, or "-"; nothing where I is no such mark.
static std::optional<StringRef> leftSetting(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  StringRef Text = Asm ? StringRef(Asm->getAsmString()) : "";
  return Text.consume_front(LeftMark) ? std::optional(Text.split(' ').first) : std::nullopt;
}

bool hasLeftMarks(const Module &M) {
  return any_of(M, [](const Function &F) { return any_of(instructions(F), leftSetting); });
}

/// A setting can be Number, and nothing else is known of it.
static bool isDefault(const ConstantInt &Number, StringRef Setting, SettingDefaults &Defaults) {
  constexpr unsigned ExactInDouble = 53;
  return Setting == "-" ||
         (Number.getValue().getSignificantBits() <= ExactInDouble &&
          Defaults.try_emplace(Setting.str(), Number.getSExtValue()).first->second == Number.getSExtValue());
}

void answerLeftMarks(Module &M, SettingDefaults *Defaults) {
  enum { Unknown, Same, Data };
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (const std::optional<StringRef> Setting = leftSetting(I)) {
        const Value *Asked = cast<CallBase>(I).getArgOperand(0);
        const auto *Number = dyn_cast<ConstantInt>(Asked);
        const bool IsSame = Number ? Defaults && isDefault(*Number, *Setting, *Defaults) : !isa<UndefValue>(Asked);
        const int Is = !Defaults || !isa<Constant>(Asked) ? Unknown : IsSame ? Same : Data;
        I.replaceAllUsesWith(ConstantInt::get(I.getType(), Is));
        I.eraseFromParent();
      }
}

} // namespace memshape
