// Types of the data that a Fortran procedure works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fortran/DataTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace memshape {

// Names of nodes, as flang writes them: of a procedure's tree, and of all data in it.
static constexpr StringLiteral ProcedureRoot = "Flang function root", AnyData = "any data access";

static StringRef nameOf(const MDNode &Type) {
  const auto *Name = Type.getNumOperands() ? dyn_cast_or_null<MDString>(Type.getOperand(0)) : nullptr;
  return Name ? Name->getString() : "";
}

/// The type of all data of the procedure that Type, a node (name, parent, 0), belongs to; null for other types.
static MDNode *allData(MDNode *Type) {
  MDNode *Data = nullptr;
  for (;;) {
    if (nameOf(*Type) == AnyData)
      Data = Type;
    auto *Parent = Type->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(Type->getOperand(1)) : nullptr;
    if (!Parent)
      return nameOf(*Type).starts_with(ProcedureRoot) ? Data : nullptr;
    Type = Parent;
  }
}

void joinDataTypes(Module &M) {
  LLVMContext &C = M.getContext();
  Metadata *const Zero = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), 0));
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa); // (base type, access type, offset)
      auto *Type = Tag && Tag->getNumOperands() > 2 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1).get()) : nullptr;
      if (MDNode *Data = Type ? allData(Type) : nullptr)
        I.setMetadata(LLVMContext::MD_tbaa, MDNode::get(C, {Data, Data, Zero}));
    }
}

} // namespace memshape
