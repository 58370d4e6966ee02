// Which types are numbers, symbols, plain data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "clang/AST/Type.h"

#include <string>

namespace clang {
class ASTContext;
class RecordDecl;
class TemplateArgument;
} // namespace clang

namespace memshape {
struct BuildModel;
}

namespace memshape::ast {

/// More integers than this, side by side, are data; more objects are all alike.
inline constexpr int FewParts = 8;

/// An arithmetic type, a complex number, an enumeration, or what a vector register holds.
bool isNumber(clang::QualType Type);

/// Numbers and nothing else: also arrays and classes of them that have no virtual functions and nothing to destroy.
bool isPlain(const clang::ASTContext &Context, clang::QualType Type);

/// A pointer to plain data, to memory without a type, or to rows of such pointers.
bool isTensorPointer(const clang::ASTContext &Context, clang::QualType Type);

/// A template argument of the class; null where it has fewer.
const clang::TemplateArgument *argumentOf(const clang::RecordDecl &Class, unsigned Number);

/// The type that is a template argument of the class; null where that is none.
clang::QualType typeArgumentOf(const clang::RecordDecl &Class, int Number);

/// A structure that is copied as bytes and may have any, or one that is declared only.
bool isPlainRecord(const clang::ASTContext &Context, clang::QualType Type);

/// The class that a smart pointer refers to: its first template argument, where it has an operator ->. Null for others.
const clang::CXXRecordDecl *pointedClass(clang::QualType Type);

/// Whether an object can be copied, as far as declarations say it.
bool isCopyable(clang::QualType Type);

/// What the documents say of the class, by the kind of its elements; null where they say nothing.
const BuildModel *entryOf(const clang::ASTContext &Context, clang::QualType Type);

/// Where an object of the class keeps its elements, their keys say.
bool hasKeys(const clang::ASTContext &Context, clang::QualType Type);

} // namespace memshape::ast
