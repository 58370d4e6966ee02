// Functions compiled for several processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/Clones.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

SmallVector<Function *, 4> clonesOf(const GlobalIFunc &Chooser) {
  SmallVector<Function *, 4> Clones;
  const Function *Resolver = Chooser.getResolverFunction();
  if (!Resolver || Resolver->isDeclaration() || Resolver->getName() != (Chooser.getName() + ".resolver").str())
    return Clones;
  const std::string Prefix = (Chooser.getName() + ".").str();
  bool HasDefault = false;
  for (const Instruction &I : instructions(*Resolver))
    for (const Use &U : I.operands()) {
      auto *F = dyn_cast<Function>(U.get());
      if (!F || F->isDeclaration() || !F->getName().starts_with(Prefix) || is_contained(Clones, F) ||
          F->getFunctionType() != Chooser.getValueType())
        continue;
      const bool IsDefault = F->getName().drop_front(Prefix.size()).starts_with("default.");
      Clones.insert(IsDefault ? Clones.begin() : Clones.end(), F);
      HasDefault |= IsDefault;
    }
  if (!HasDefault)
    Clones.clear();
  return Clones;
}

} // namespace memshape
