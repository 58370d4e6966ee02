// Bodies of libraries, made plain where they are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body that is written in C serves arrays of any rank and objects of any type. Where it is called, rank and type are
// constants. So its loops over dimensions and members, which ask for it, are unrolled, and functions of it that are not
// to be inlined everywhere are, where an argument is a constant of the program: a type. Both lead to more constants.

#include "flatten/Flatten.h"
#include "lower/ArrayQuestions.h"
#include "memshape/Bodies.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace memshape {

/// Rounds until objects within objects are left as they are.
static constexpr unsigned MostRounds = 16;

/// A body that was left out of line: because it is part of a circle, or until one of its arguments is known.
static bool isKnownNow(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || !Callee->getName().starts_with(BodyPrefix))
    return false;
  return !Callee->hasFnAttribute(Attribute::NoInline) || any_of(Call.args(), [](const Value *Given) {
    const auto *G = dyn_cast<GlobalVariable>(Given);
    return G && G->isConstant() && G->hasDefinitiveInitializer();
  });
}

static bool inlineKnown(Function &Root) {
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(Root))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isKnownNow(*Call))
      Calls.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    Changed |= InlineFunction(*Call, Info).isSuccess();
  }
  return Changed;
}

void unfoldBodies(Function &Root, Simplifier &Simplify) {
  if (!asksOfArrays(*Root.getParent()) &&
      none_of(*Root.getParent(), [](const Function &F) { return F.getName().starts_with(BodyPrefix); }))
    return;
  Questions Which = Questions::Known;
  unsigned Before = 0;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    Simplify.thorough(Root);
    const bool Answered = answerArrayQuestions(Root, Which), Inlined = inlineKnown(Root);
    if (!Answered && !Inlined && Root.getInstructionCount() == Before) {
      if (Which == Questions::All)
        break;
      Which = Questions::All; // nothing more follows from objects and types
    }
    Before = Root.getInstructionCount();
    Simplify.unroll(Root);
  }
  answerArrayQuestions(Root, Questions::All);
  Simplify.thorough(Root);
}

} // namespace memshape
