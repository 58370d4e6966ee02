// What a module needs from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/UndefinedNames.h"

using namespace llvm;

namespace memshape {

std::vector<std::string> undefinedNames(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalObject &G : M.global_objects())
    if (G.isDeclarationForLinker() && !G.use_empty() && !G.getName().starts_with("llvm.") &&
        !G.getName().starts_with("memshape"))
      Names.push_back(G.getName().str());
  sort(Names);
  return Names;
}

} // namespace memshape
