// How a library call is taken to go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice/Success.h"
#include "libraries/Summaries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

static int statusOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Callee->isIntrinsic() ? summaryOf(*Callee).Status : Summary::NoStatus;
}

/// V is what a library call said about how it went.
static bool isStatus(const Value *V) {
  if (const auto *Call = dyn_cast<CallBase>(V))
    return statusOf(*Call) == Summary::InResult;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(), [](const Use &U) { return !isa<PHINode>(U.get()) && isStatus(U.get()); });
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  return Variable && any_of(Variable->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           int Argument = Call ? statusOf(*Call) : Summary::NoStatus;
           return Argument >= 0 && unsigned(Argument) < Call->arg_size() && Call->getArgOperand(Argument) == Variable;
         });
}

std::optional<bool> answerOfSuccess(const Instruction &Verdict) {
  const auto *Compare = dyn_cast<ICmpInst>(&Verdict);
  auto *Against = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Against || !isStatus(Compare->getOperand(0)))
    return std::nullopt;
  const APInt Success(Against->getBitWidth(), 0);
  return ICmpInst::compare(Success, Against->getValue(), Compare->getPredicate());
}

} // namespace memshape
