// Which arguments are one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   Image &Image::operator=(const Image &other) {
//     if (this == &other)                  one image twice, or two of them: the caller chooses
//
// Arguments that are built are objects of their own, and the comparison would be folded. It is data where the program's
// own source compares one with another or with a variable or a function, which the caller may pass as well.

#include "extract/Extract.h"
#include "operators/SourcePlace.h"
#include "runner-calls/BuildsArguments.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

static bool isOfProgram(const Instruction &I) {
  const DILocation *Where = I.getDebugLoc().get();
  const DISubprogram *Source = Where ? Where->getScope()->getSubprogram() : nullptr;
  return !Source || !isInSystemHeader(*Source);
}

/// The argument that V is, or was read from; null for all else.
static const Argument *argumentBehind(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 6;
  V = getUnderlyingObject(V);
  const auto *Load = Depth < MostDepth ? dyn_cast<LoadInst>(V) : nullptr;
  if (!Load)
    return dyn_cast<Argument>(V);
  const Value *From = getUnderlyingObject(Load->getPointerOperand());
  if (!isa<AllocaInst>(From))
    return argumentBehind(From, Depth + 1);
  const StoreInst *Only = nullptr; // the variable of a parameter
  for (const User *By : From->users())
    if (const auto *Store = dyn_cast<StoreInst>(By)) {
      if (Only || Store->getPointerOperand() != From)
        return nullptr;
      Only = Store;
    }
  return Only ? argumentBehind(Only->getValueOperand(), Depth + 1) : nullptr;
}

/// Call hands A what Root has built, and not what Root was given.
static bool isBuilt(const CallBase &Call, const Argument &A) {
  const Value &Given = *Call.getArgOperand(A.getArgNo());
  return A.getType()->isPointerTy() && !isa<Constant>(Given) && !isa<Argument>(getUnderlyingObject(&Given));
}

/// One of what Compare compares is an argument that Call has built, or was read from there; the other one the caller may
/// pass as well.
static bool asksCaller(const ICmpInst &Compare, const CallBase &Call) {
  if (!Compare.isEquality() || !Compare.getOperand(0)->getType()->isPointerTy() || !isOfProgram(Compare))
    return false;
  const Argument *Behind[] = {argumentBehind(Compare.getOperand(0)), argumentBehind(Compare.getOperand(1))};
  return any_of(seq(2u), [&](unsigned Number) {
    const Argument *One = Behind[Number], *Other = Behind[1 - Number];
    return One && isBuilt(Call, *One) &&
           (Other ? One != Other : isa<GlobalVariable, Function>(getUnderlyingObject(Compare.getOperand(1 - Number))));
  });
}

void hideSameObjects(Function &Root) {
  const BuildsArguments Arguments(Root);
  if (!Arguments.any())
    return;
  SmallSetVector<ICmpInst *, 4> Compares;
  for (const Instruction &I : instructions(Root)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || Callee->arg_size() != Call->arg_size() || Arguments.contains(*Call))
      continue;
    for (Instruction &Inside : instructions(*Callee))
      if (auto *Compare = dyn_cast<ICmpInst>(&Inside); Compare && asksCaller(*Compare, *Call))
        Compares.insert(Compare);
  }
  for (ICmpInst *Compare : Compares) {
    IRBuilder<> B(Compare);
    Value *Any = dataValue(*Compare, B.getInt8Ty());
    Compare->replaceAllUsesWith(B.CreateICmpNE(Any, B.getInt8(0)));
    Compare->eraseFromParent();
  }
}

} // namespace memshape
