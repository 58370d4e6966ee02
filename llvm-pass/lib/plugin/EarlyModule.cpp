//===- EarlyModule.cpp - The module before loops are unrolled and vectorised -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/EarlyModule.h"
#include "extract/Extract.h"
#include "libraries/Allocators.h"
#include "operators/Operators.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

/// Metadata kind on an allocating call: its number, which copies of the call share.
static constexpr StringLiteral MarkName = "memshape.allocation";

void EarlyModule::take(Module &M) {
  Copy.reset();
  Of = &M;
  // Without optimisation coroutines are split after this point, and their parts are what runs.
  if (operatorsOf(M).empty() || any_of(M, [](const Function &F) { return F.isPresplitCoroutine(); }))
    return;
  Type *Number = Type::getInt32Ty(M.getContext());
  unsigned Count = 0;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && allocationCall(*Call))
        Call->setMetadata(MarkName,
                          MDNode::get(M.getContext(), ConstantAsMetadata::get(ConstantInt::get(Number, Count++))));
  Copy = CloneModule(M);
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
