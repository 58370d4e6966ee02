// The module before loops are unrolled and vectorised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/EarlyModule.h"
#include "extract/Extract.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "memshape/Bodies.h"
#include "operators/Operators.h"
#include "operators/SourcePlace.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

/// Metadata kind on an allocating call: its number, which copies of the call share.
static constexpr StringLiteral MarkName = "memshape.allocation";

/// Attribute of a function whose body another unit emits.
static constexpr StringLiteral KeptName = "memshape.kept";

bool EarlyModule::keepBody(Function &F) {
  const DISubprogram *Where = F.getSubprogram();
  if (!F.hasAvailableExternallyLinkage() || !Where || isInSystemHeader(*Where))
    return false;
  const SmallVector<Operator, 4> Operators = operatorsOf(*F.getParent());
  if (Operators.empty() || any_of(Operators, [&](const Operator &Op) { return Op.Function == &F; }))
    return false;
  F.setLinkage(GlobalValue::LinkOnceODRLinkage);
  F.addFnAttr(KeptName);
  return true;
}

/// The other unit's are called.
static bool dropKept(Module &M) {
  bool Any = false;
  for (Function &F : M)
    if (F.hasFnAttribute(KeptName)) {
      F.removeFnAttr(KeptName);
      leaveDeclaration(F);
      Any = true;
    }
  return Any;
}

/// Marks calls in Copy that the vectoriser may replace by calls of a library for several numbers at a time (-fveclib).
/// M: what Copy was made of.
static void markVectorised(Module &M, Module &Copy, FunctionAnalysisManager &FAM) {
  const auto Defined = find_if(M, [](const Function &F) { return !F.isDeclaration(); });
  if (Defined == M.end())
    return;
  const TargetLibraryInfo &Library = FAM.getResult<TargetLibraryAnalysis>(*Defined);
  for (Function &F : Copy)
    if (F.isDeclaration() && Library.isFunctionVectorizable(F.getName()))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
          Call->addFnAttr(Attribute::get(Copy.getContext(), VectorisedCall));
}

bool EarlyModule::take(Module &M, FunctionAnalysisManager &FAM) {
  copy(M, FAM);
  return dropKept(M);
}

void EarlyModule::copy(Module &M, FunctionAnalysisManager &FAM) {
  Copy.reset();
  Of = &M;
  // Without optimisation coroutines are split after this point, and their parts are what runs.
  if (operatorsOf(M).empty() || any_of(M, [](const Function &F) { return F.isPresplitCoroutine(); }))
    return;
  Type *Number = Type::getInt32Ty(M.getContext());
  unsigned Count = 0;
  for (Function &F : M) {
    if (F.hasFnAttribute(KeptName))
      continue; // what becomes of its allocations, the other unit knows
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && allocationCall(*Call))
        Call->setMetadata(MarkName,
                          MDNode::get(M.getContext(), ConstantAsMetadata::get(ConstantInt::get(Number, Count++))));
  }
  Copy = CloneModule(M);
  markVectorised(M, *Copy, FAM);
  for (Function &F : *Copy)
    F.removeFnAttr(KeptName);
}

static void collectMarks(const Function &F, DenseSet<const MDNode *> &Marks) {
  for (const Instruction &I : instructions(F))
    if (const MDNode *Mark = I.getMetadata(MarkName))
      Marks.insert(Mark);
}

std::unique_ptr<Module> EarlyModule::release(Module &M) {
  DenseSet<const MDNode *> Left, Wanted;
  for (Function &F : M) {
    collectMarks(F, Left);
    for (Instruction &I : instructions(F))
      I.setMetadata(MarkName, nullptr);
  }
  std::unique_ptr<Module> Result = std::move(Copy);
  if (!Result || Of != &M)
    return nullptr;
  SmallVector<const Function *, 4> Roots;
  for (const Operator &Op : operatorsOf(*Result))
    Roots.push_back(Op.Function);
  for (const GlobalValue *G : reachableFrom(Roots))
    if (const auto *F = dyn_cast<Function>(G))
      collectMarks(*F, Wanted);
  if (any_of(Wanted, [&](const MDNode *Mark) { return !Left.contains(Mark); }))
    return nullptr;
  KeptAll = true;
  for (Function &F : *Result)
    for (Instruction &I : instructions(F)) {
      if (const MDNode *Mark = I.getMetadata(MarkName))
        KeptAll &= Left.contains(Mark);
      I.setMetadata(MarkName, nullptr);
    }
  return Result;
}

} // namespace memshape
