// Questions to the processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/MachineQueries.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

#include <optional>

using namespace llvm;

namespace memshape {

namespace {

/// The number of a register in cpuid's answer: eax, ebx, ecx, edx. An output in any register is ebx, which
/// position-independent code may not name.
std::optional<unsigned> answerRegister(StringRef Code) {
  static constexpr StringLiteral Names[] = {"ax", "bx", "cx", "dx"};
  if (Code == "r")
    return 1;
  Code.consume_front("{");
  Code.consume_back("}");
  if (Code.size() == 3)
    Code.consume_front("e") || Code.consume_front("r");
  for (unsigned I = 0; I != 4; ++I)
    if (Code == Names[I])
      return I;
  return std::nullopt;
}

struct Query {
  SmallVector<unsigned, 4> Answers; ///< by output
  Value *Leaf = nullptr, *Subleaf = nullptr;
};

std::optional<Query> recognise(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm || !StringRef(Asm->getAsmString()).contains("cpuid"))
    return std::nullopt;
  Query Q;
  unsigned Argument = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Asm->ParseConstraints()) {
    if (Constraint.Type == InlineAsm::isClobber)
      continue;
    if (Constraint.isIndirect || Constraint.Codes.size() != 1)
      return std::nullopt;
    StringRef Code = Constraint.Codes[0];
    if (Constraint.Type == InlineAsm::isOutput) {
      std::optional<unsigned> Register = answerRegister(Code);
      if (!Register)
        return std::nullopt;
      Q.Answers.push_back(*Register);
      continue;
    }
    // An input is tied to an output, or names its register.
    unsigned Tied;
    std::optional<unsigned> Register;
    if (!Code.getAsInteger(10, Tied))
      Register = Tied < Q.Answers.size() ? std::optional(Q.Answers[Tied]) : std::nullopt;
    else
      Register = answerRegister(Code);
    Value *Given = Call.getArgOperand(Argument++);
    if (!Register || !Given->getType()->isIntegerTy() || (*Register != 0 && *Register != 2))
      return std::nullopt;
    (*Register == 0 ? Q.Leaf : Q.Subleaf) = Given;
  }
  bool Matches = Q.Leaf && !Q.Answers.empty();
  if (Q.Answers.size() == 1)
    Matches &= Call.getType()->isIntegerTy();
  else if (auto *Fields = dyn_cast<StructType>(Call.getType()))
    Matches &= Fields->getNumElements() == Q.Answers.size() &&
               all_of(Fields->elements(), [](Type *T) { return T->isIntegerTy(); });
  else
    Matches = false;
  return Matches ? std::optional(std::move(Q)) : std::nullopt;
}

} // namespace

void askRunnerForProcessor(Module &Skeleton) {
  for (Function &F : Skeleton)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      std::optional<Query> Q = Call && Call->isInlineAsm() ? recognise(*Call) : std::nullopt;
      if (!Q)
        continue;
      IRBuilder<> B(Call);
      Type *I32 = B.getInt32Ty();
      FunctionCallee Ask = Skeleton.getOrInsertFunction("memshape_sk_cpuid", I32, I32, I32, I32);
      Value *Leaf = B.CreateZExtOrTrunc(Q->Leaf, I32);
      Value *Subleaf = Q->Subleaf ? B.CreateZExtOrTrunc(Q->Subleaf, I32) : B.getInt32(0);
      auto Answer = [&](unsigned Register, Type *As) {
        return B.CreateZExtOrTrunc(B.CreateCall(Ask, {Leaf, Subleaf, B.getInt32(Register)}), As);
      };
      Value *All;
      if (auto *Fields = dyn_cast<StructType>(Call->getType())) {
        All = PoisonValue::get(Fields);
        for (unsigned Output = 0; Output != Q->Answers.size(); ++Output)
          All = B.CreateInsertValue(All, Answer(Q->Answers[Output], Fields->getElementType(Output)), Output);
      } else {
        All = Answer(Q->Answers[0], Call->getType());
      }
      Call->replaceAllUsesWith(All);
      Call->eraseFromParent();
    }
}

} // namespace memshape
