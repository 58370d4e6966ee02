// What a value follows from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Dependence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

StringRef wordOf(Dependence D) {
  static constexpr StringLiteral Words[] = {"constant", "shape", "setting", "unknown", "data"};
  return Words[static_cast<size_t>(D)];
}

static Dependence ofArgument(const Argument &A, const Operator &Op) {
  for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I)
    if (Op.argumentOf(I) == &A)
      switch (Op.Fact.Parameters[I].Role) {
      case ParameterRole::Shape: return Dependence::Shape;
      case ParameterRole::Setting: return Dependence::Setting;
      default: return Dependence::Unknown;
      }
  return Dependence::Unknown;
}

static bool isTensor(const Value &Object, const Operator &Op) {
  for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I)
    if (Op.argumentOf(I) == &Object)
      return Op.Fact.Parameters[I].Role == ParameterRole::Tensor;
  return false;
}

/// V computes its result from its operands.
static bool computes(const Value &V) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&V))
    return Call->doesNotAccessMemory();
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, PHINode, ExtractValueInst, InsertValueInst, FreezeInst,
             GetElementPtrInst>(V);
}

Dependence dependenceOf(const Value &Asked, const Operator &Op) {
  constexpr unsigned Most = 200;
  Dependence Strongest = Dependence::Constant;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Next = {&Asked};
  while (!Next.empty() && Strongest != Dependence::Data) {
    const Value *V = Next.pop_back_val();
    if (isa<Constant>(V) || isa<Function>(V) || !Seen.insert(V).second)
      continue;
    Dependence Here = Dependence::Constant;
    if (Seen.size() > Most)
      Here = Dependence::Unknown;
    else if (const auto *A = dyn_cast<Argument>(V))
      Here = ofArgument(*A, Op);
    else if (const auto *Load = dyn_cast<LoadInst>(V))
      Here = isTensor(*getUnderlyingObject(Load->getPointerOperand()), Op) ? Dependence::Data : Dependence::Unknown;
    else if (computes(*V))
      for (const Value *Operand : cast<User>(V)->operands())
        Next.push_back(Operand);
    else
      Here = Dependence::Unknown;
    Strongest = std::max(Strongest, Here);
  }
  return Strongest;
}

} // namespace memshape
