// Functions that allocate, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Allocators.h"

#include "features/LibraryModel.h"
#include "libraries/reader/Known.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"

using namespace clang;

namespace memshape::ast {

/// In the words of the features record, where a mapping is memory of the host.
static llvm::StringRef spaceOf(const KnownAllocator &Known) {
  return Known.In == Space::Mapped ? "host" : spaceName(Known.In);
}

/// What the documents of libraries say of Function: by the plain name that a C interface declares, or its C++ wrapper
/// at global scope; functions of C++ that users declare, by the linker's name.
static const KnownAllocator *knownOf(const FunctionDecl &Function) {
  const DeclContext *Scope = Function.getDeclContext()->getRedeclContext();
  if (!Function.getIdentifier())
    return nullptr;
  if (Scope->isTranslationUnit() || Scope->isStdNamespace())
    if (const KnownAllocator *Known = knownAllocator(Function.getName()))
      return Known;
  if (addedSummaries().empty() || Function.isExternC() || Function.isDependentContext() ||
      !Function.getASTContext().getLangOpts().CPlusPlus)
    return nullptr;
  return knownAllocator(ASTNameGenerator(Function.getASTContext()).getName(&Function));
}

std::optional<Allocator> allocatorOf(const FunctionDecl &Function) {
  if (Function.getOverloadedOperator() == OO_New || Function.getOverloadedOperator() == OO_Array_New) {
    // Written as a call; placement forms return the place they were given.
    if (Function.getNumParams() == 2 && Function.getParamDecl(1)->getType()->isPointerType())
      return std::nullopt;
    return Allocator{"host", {0, -1, -1}};
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  const TypeModel *Class = Method ? modelOf(Method->getParent()) : nullptr;
  if (Class && Method->getIdentifier() && Method->getName() == Class->Allocates &&
      Method->getReturnType()->isPointerType()) {
    // A static one is given the allocator first.
    QualType Element = Method->getReturnType()->getPointeeType();
    if (Element->isIncompleteType())
      return std::nullopt;
    auto Bytes = static_cast<unsigned>(Function.getASTContext().getTypeSizeInChars(Element).getQuantity());
    return Allocator{"host", {Method->isStatic() ? 1 : 0, -1, -1}, Bytes};
  }
  if (const KnownAllocator *Known = knownOf(Function)) {
    if (Known->Kind == AllocationKind::Release)
      return std::nullopt;
    return Allocator{spaceOf(*Known),
                     {Known->Size, Known->Count, -1},
                     Known->ElementBytes,
                     Known->Kind == AllocationKind::Reallocate,
                     Known->Size >= 0 && !Known->Padded};
  }
  if (const auto *Attribute = Function.getAttr<AllocSizeAttr>()) {
    Allocator Declared{"host", {-1, -1, -1}};
    Declared.Arguments[0] = static_cast<int>(Attribute->getElemSizeParam().getASTIndex());
    if (Attribute->getNumElemsParam().isValid())
      Declared.Arguments[1] = static_cast<int>(Attribute->getNumElemsParam().getASTIndex());
    return Declared;
  }
  return std::nullopt;
}

bool isRelease(const FunctionDecl &Function) {
  OverloadedOperatorKind Kind = Function.getOverloadedOperator();
  const KnownAllocator *Known = knownOf(Function);
  return Kind == OO_Delete || Kind == OO_Array_Delete || (Known && Known->Kind == AllocationKind::Release);
}

} // namespace memshape::ast
