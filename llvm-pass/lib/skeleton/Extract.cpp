//===- Extract.cpp - Clone an operator with everything it reaches ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extract.h"
#include "Layout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

DenseSet<const GlobalValue *> reachableFrom(const Function &Root) {
  DenseSet<const GlobalValue *> Seen;
  DenseSet<const Constant *> SeenConstants;
  SmallVector<const GlobalValue *, 32> Work = {&Root};
  Seen.insert(&Root);
  SmallVector<const Constant *, 16> Constants;
  auto Visit = [&](const Value *V) {
    if (const auto *C = dyn_cast<Constant>(V))
      Constants.push_back(C);
    while (!Constants.empty()) {
      const Constant *C = Constants.pop_back_val();
      if (const auto *G = dyn_cast<GlobalValue>(C)) {
        if (Seen.insert(G).second)
          Work.push_back(G);
        continue;
      }
      if (!isa<ConstantData>(C) && SeenConstants.insert(C).second)
        for (const Use &U : C->operands())
          if (const auto *Part = dyn_cast<Constant>(U.get()))
            Constants.push_back(Part);
    }
  };
  while (!Work.empty()) {
    const GlobalValue *G = Work.pop_back_val();
    if (const auto *F = dyn_cast<Function>(G)) {
      for (const Instruction &I : instructions(*F))
        for (const Use &U : I.operands())
          Visit(U.get());
    } else if (const auto *V = dyn_cast<GlobalVariable>(G)) {
      if (V->hasInitializer())
        Visit(V->getInitializer());
    } else if (const auto *A = dyn_cast<GlobalAlias>(G)) {
      Visit(A->getAliasee());
    }
  }
  return Seen;
}

/// True when code outside Reachable may change G: another translation unit, or a function here that does more than load
/// it.
static bool isSetElsewhere(const GlobalVariable &G, const DenseSet<const GlobalValue *> &Reachable) {
  if (G.isConstant() || G.isDeclaration())
    return false;
  if (G.hasExternalLinkage())
    return true;
  SmallVector<const User *, 8> Work(G.user_begin(), G.user_end());
  SmallPtrSet<const User *, 16> Seen;
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (!Reachable.contains(I->getFunction()) && !isa<LoadInst>(I))
        return true;
    } else if (!isa<GlobalValue>(U)) {
      Work.append(U->user_begin(), U->user_end());
    }
  }
  return false;
}

std::unique_ptr<Module> extract(Function &Root, Function *&Copy) {
  DenseSet<const GlobalValue *> Reachable = reachableFrom(Root);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone =
      CloneModule(*Root.getParent(), Map, [&](const GlobalValue *G) { return Reachable.contains(G); });
  Copy = cast<Function>(Map[&Root]);
  for (const GlobalVariable &G : Root.getParent()->globals())
    if (Reachable.contains(&G) && isSetElsewhere(G, Reachable))
      cast<GlobalVariable>(Map[&G])->setMetadata(ForeignMetadata, MDNode::get(Root.getContext(), {}));
  Clone->setModuleInlineAsm("");
  while (!Clone->named_metadata_empty()) {
    NamedMDNode &List = *Clone->named_metadata_begin();
    if (List.getName() == "llvm.dbg.cu" || List.getName() == "llvm.module.flags")
      break;
    Clone->eraseNamedMetadata(&List);
  }
  for (GlobalVariable &V : make_early_inc_range(Clone->globals())) {
    if (V.getName().starts_with("llvm.") && V.use_empty()) {
      V.eraseFromParent();
      continue;
    }
    V.setComdat(nullptr);
    V.setSection("");
    if (!V.isDeclaration())
      V.setLinkage(GlobalValue::InternalLinkage);
  }
  for (GlobalAlias &A : Clone->aliases())
    if (!A.isDeclaration())
      A.setLinkage(GlobalValue::InternalLinkage);
  for (Function &F : *Clone) {
    F.setComdat(nullptr);
    if (F.isDeclaration())
      continue;
    // Only the operator is seen from outside, whatever it was before: nothing else keeps it alive.
    F.setLinkage(&F == Copy ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    F.setSection("");
    for (Attribute::AttrKind Barrier : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
                                        Attribute::MinSize, Attribute::OptimizeForSize})
      F.removeFnAttr(Barrier);
    F.addFnAttr(Attribute::MustProgress);
    hideUnions(F);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      I.dropDbgRecords();
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (Intrinsic && (isa<DbgInfoIntrinsic>(Intrinsic) || Intrinsic->isAssumeLikeIntrinsic()) &&
          Intrinsic->getType()->isVoidTy())
        Intrinsic->eraseFromParent();
    }
  }
  return Clone;
}

} // namespace memshape
