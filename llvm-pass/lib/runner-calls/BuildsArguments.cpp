// What is executed before the operator is called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/BuildsArguments.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memshape {

BuildsArguments::BuildsArguments(const Function &Root) : Root(Root) {
  SmallVector<const BasicBlock *, 16> Work;
  for (const Instruction &I : instructions(Root))
    if (const auto *Mark = dyn_cast<CallBase>(&I);
        Mark && runnerCall(*Mark) == RunnerCall::Building && match(Mark->getArgOperand(0), PatternMatch::m_Zero())) {
      Ends.push_back(Mark);
      Work.append(succ_begin(Mark->getParent()), succ_end(Mark->getParent()));
    }
  while (!Work.empty())
    if (const BasicBlock *Block = Work.pop_back_val(); Behind.insert(Block).second)
      Work.append(succ_begin(Block), succ_end(Block));
  for (const Function &F : *Root.getParent())
    if (!Ends.empty() && !F.isDeclaration() && &F != &Root)
      Callees.insert(&F);
  const auto IsCalledElsewhere = [&](const Function *F) {
    return any_of(F->uses(), [&](const Use &U) {
      const auto *Call = dyn_cast<CallBase>(U.getUser());
      return !Call || !Call->isCallee(&U) || !contains(*Call);
    });
  };
  SmallVector<const Function *, 8> Others;
  do {
    Others.clear();
    copy_if(Callees, std::back_inserter(Others), IsCalledElsewhere);
    for (const Function *F : Others)
      Callees.erase(F);
  } while (!Others.empty());
}

bool BuildsArguments::contains(const Instruction &I) const {
  const BasicBlock *Block = I.getParent();
  if (Ends.empty() || Block->getParent() != &Root)
    return Callees.contains(Block->getParent());
  return !Behind.contains(Block) &&
         none_of(Ends, [&](const CallBase *End) { return End->getParent() == Block && !I.comesBefore(End); });
}

} // namespace memshape
