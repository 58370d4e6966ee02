// Assembly statements of the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/InlineAssembly.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace memshape {

bool isEmptyAssembly(StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Line = Line.trim(" \t\r;");
    if (!Line.empty() && !Line.starts_with("#") && !Line.starts_with("//"))
      return false;
    Text = Rest;
  }
  return true;
}

static bool says(const CallBase &Call, StringRef Mark) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && Call.arg_size() == 1 && StringRef(Asm->getAsmString()).contains(Mark);
}

bool tellsAddress(const CallBase &Call) { return says(Call, "# memshape.known"); }

bool lendsMemory(const CallBase &Call) { return says(Call, "# memshape.lent"); }

} // namespace memshape
