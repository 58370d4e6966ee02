// Definitions that become declarations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/Bodies.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

/// Names that stand for G, directly and indirectly.
static SmallVector<GlobalValue *, 2> namesOf(GlobalObject &G) {
  Module &M = *G.getParent();
  SmallVector<GlobalValue *, 2> Names;
  for (GlobalIFunc &Chosen : M.ifuncs())
    if (Chosen.getResolverFunction() == &G) {
      Names.append(namesOf(Chosen));
      Names.push_back(&Chosen);
    }
  for (GlobalAlias &Alias : M.aliases())
    if (Alias.getAliaseeObject() == &G)
      Names.push_back(&Alias);
  return Names;
}

/// A declaration takes the place of an alias or an indirect function. Calls of it pass arguments as they did.
static void replaceByDeclaration(GlobalValue &Name) {
  Module &M = *Name.getParent();
  GlobalValue *Declared;
  if (auto *Type = dyn_cast<FunctionType>(Name.getValueType())) {
    auto *F = Function::Create(Type, GlobalValue::ExternalLinkage, Name.getAddressSpace(), "", &M);
    if (const auto *Of = dyn_cast_or_null<Function>(Name.getAliaseeObject());
        Of && isa<GlobalAlias>(Name) && Of->getFunctionType() == Type) {
      F->setCallingConv(Of->getCallingConv());
      F->setAttributes(Of->getAttributes());
    }
    Declared = F;
  } else {
    Declared = new GlobalVariable(M, Name.getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                                  "", nullptr, Name.getThreadLocalMode(), Name.getAddressSpace());
  }
  Declared->takeName(&Name);
  Declared->setVisibility(Name.getVisibility());
  Declared->setDSOLocal(Name.isDSOLocal());
  Name.replaceAllUsesWith(Declared);
  Name.eraseFromParent();
}

void leaveDeclaration(GlobalValue &G) {
  auto *Object = dyn_cast<GlobalObject>(&G);
  if (Object)
    for (GlobalValue *Name : namesOf(*Object))
      replaceByDeclaration(*Name);
  if (auto *F = dyn_cast<Function>(&G)) {
    F->deleteBody();
    F->setComdat(nullptr);
  } else if (auto *V = dyn_cast<GlobalVariable>(&G)) {
    V->setInitializer(nullptr);
    V->setLinkage(GlobalValue::ExternalLinkage);
    V->setComdat(nullptr);
  } else {
    replaceByDeclaration(G);
  }
}

} // namespace memshape
