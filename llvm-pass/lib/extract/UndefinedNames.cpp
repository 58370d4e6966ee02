// What a module needs from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/UndefinedNames.h"
#include "libraries/reader/Known.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memshape {

static bool isDefinedIn(const Module &M, StringRef Name) {
  const GlobalValue *G = M.getNamedValue(Name);
  return G && !G->isDeclarationForLinker();
}

std::vector<std::string> undefinedNames(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalObject &G : M.global_objects())
    if (G.isDeclarationForLinker() && !G.use_empty() && !G.getName().starts_with("llvm.") &&
        !G.getName().starts_with("memshape"))
      for (StringRef Name = G.getName(); !Name.empty() && !isDefinedIn(M, Name); Name = knownForward(Name))
        Names.push_back(Name.str());
  sort(Names);
  Names.erase(unique(Names), Names.end());
  return Names;
}

} // namespace memshape
