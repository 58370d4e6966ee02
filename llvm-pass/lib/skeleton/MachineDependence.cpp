// What an answer depends on beside shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/Summaries.h"
#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// Functions whose answer is the machine's.
bool listMachineDependence(Module &M, SkeletonState &State) {
  SkeletonFacts &Facts = State.Facts;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.use_empty() || F.isIntrinsic())
      continue;
    Summary S = summaryOf(F);
    if (S.How == Treatment::Ask)
      Facts.Machine.push_back(demangle(nameOf(F).str()));
    for (const std::string &Name : S.Libraries)
      if (!is_contained(Facts.Libraries, Name))
        Facts.Libraries.push_back(Name);
    if (any_of(Facts.Unknowns,
               [&](const SkeletonUnknown &U) { return U.IsCalled && U.Symbol == demangle(nameOf(F).str()); }))
      continue; // listed where it stands
    if (S.How == Treatment::Perform || S.How == Treatment::Repeat || S.Query)
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && !(runnerCall(*Call) == RunnerCall::RepeatAlike && Call->getArgOperand(2) == &F)) {
          const bool OnlyAsks = S.Query && S.How != Treatment::Perform && S.How != Treatment::Repeat;
          Facts.Unknowns.push_back({demangle(nameOf(F).str()), displayPlace(Call->getDebugLoc()),
                                    OnlyAsks ? CallReason::AsksForSize : CallReason::Executed, true});
          break;
        }
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm() && !is_contained(Facts.Machine, "cpuid"))
        if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
            Asm && StringRef(Asm->getAsmString()).contains("cpuid"))
          Facts.Machine.push_back("cpuid");
  return true;
}

} // namespace memshape
