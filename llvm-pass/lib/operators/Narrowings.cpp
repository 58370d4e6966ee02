// Functions that keep numbers in fewer bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/Narrowings.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <set>

using namespace llvm;

namespace memshape {

/// Pairs of a function and a number of bits.
static constexpr StringLiteral ListName = "memshape.narrowings";

void rememberNarrowings(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getSubprogram())
      continue;
    std::set<unsigned> Converted, Masked;
    for (const Instruction &I : instructions(F)) {
      const APInt *Mask = nullptr;
      if (isa<TruncInst>(I) && I.getType()->isIntegerTy())
        Converted.insert(I.getType()->getIntegerBitWidth());
      else if (PatternMatch::match(&I, PatternMatch::m_And(PatternMatch::m_Value(), PatternMatch::m_APInt(Mask))) &&
               Mask->isMask())
        Masked.insert(Mask->countTrailingOnes());
    }
    for (unsigned Bits : {8u, 16u, 32u})
      if (Converted.contains(Bits) && !Masked.contains(Bits))
        M.getOrInsertNamedMetadata(ListName)->addOperand(MDNode::get(
            M.getContext(),
            {F.getSubprogram(), ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), Bits))}));
  }
}

bool isNarrowing(const Module &M, const DebugLoc &Where, unsigned Bits) {
  const NamedMDNode *List = M.getNamedMetadata(ListName);
  const DILocation *L = Where.get();
  return List && L && any_of(List->operands(), [&](const MDNode *Pair) {
           return Pair->getOperand(0) == L->getScope()->getSubprogram() &&
                  mdconst::extract<ConstantInt>(Pair->getOperand(1))->getZExtValue() == Bits;
         });
}

void forgetNarrowings(Module &M) {
  if (NamedMDNode *List = M.getNamedMetadata(ListName))
    List->eraseFromParent();
}

} // namespace memshape
