// What a function was compiled by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/Compiler.h"
#include "Compat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

/// That of a function that builds arguments is the unit of the operator, which it calls.
static const DICompileUnit *unitOf(const Function &F) {
  if (const DISubprogram *SP = F.getSubprogram())
    return SP->getUnit();
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction())
        if (const DISubprogram *SP = Callee->getSubprogram())
          return SP->getUnit();
  return nullptr;
}

/// "rustc 1.95" of "clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"; "" where there is no number.
static std::string nameIn(StringRef Producer) {
  SmallVector<StringRef, 8> Words;
  Producer.split(Words, ' ', -1, /*KeepEmpty=*/false);
  StringRef Name;
  for (StringRef Word : Words) {
    if (!Name.empty() && isDigit(Word.front())) {
      const auto [Major, Rest] = Word.split('.');
      // Clang and flang have the numbers of LLVM.
      const StringRef Minor = Name == "clang" || Name == "flang" ? "" : Rest.take_while(isDigit);
      return (Name + " " + Major.take_while(isDigit) + (Minor.empty() ? "" : "." + Minor)).str();
    }
    if (Word != "version")
      Name = Word.ltrim('(');
  }
  return "";
}

std::string compilerOf(const Function &F) {
  std::string Name;
  if (const DICompileUnit *Unit = unitOf(F))
    Name = nameIn(Unit->getProducer());
  // The first entry is the unit's own; those of units that were linked to it follow.
  if (const NamedMDNode *Producers = F.getParent()->getNamedMetadata("llvm.ident");
      Name.empty() && Producers && Producers->getNumOperands())
    if (const auto *Text = dyn_cast<MDString>(Producers->getOperand(0)->getOperand(0)))
      Name = nameIn(Text->getString());
  return Name.empty() ? "LLVM " + std::to_string(compat::Release) : Name;
}

StringRef levelOf(const Function &F) {
  const DICompileUnit *Unit = unitOf(F);
  return Unit && !Unit->isOptimized() ? "-O0" : "";
}

} // namespace memshape
