// Modules as object files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectFile.h"
#include "Bitcode.h"
#include "Compat.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace memshape {

Expected<SmallVector<char, 0>> objectFile(Module &M) {
  const Triple Target(M.getTargetTriple());
  const std::unique_ptr<TargetMachine> Machine = compat::targetMachine(Target);
  SmallVector<char, 0> Object;
  raw_svector_ostream Stream(Object);
  legacy::PassManager Emission;
  if (Machine) {
    Machine->setOptLevel(CodeGenOptLevel::Default);
    Machine->Options.FunctionSections = Machine->Options.DataSections = true; // a linker drops what nobody calls
  }
  if (!Machine || Machine->addPassesToEmitFile(Emission, Stream, nullptr, CodeGenFileType::ObjectFile))
    return problem("no object file can be written for " + Target.str());
  Emission.run(M);
  return Object;
}

} // namespace memshape
