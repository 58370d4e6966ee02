//===- LibraryModel.h - Classes of libraries that own memory --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the standard library's containers and Eigen's objects hold, told from their interfaces: their bodies are not
// looked into. Extents are elements along each dimension.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_FEATURES_LIBRARYMODEL_H
#define MEMSHAPE_FEATURES_LIBRARYMODEL_H

#include "features/Value.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class ASTContext;
class CallExpr;
class CXXConstructExpr;
class Decl;
class Expr;
class FunctionDecl;
} // namespace clang

namespace memshape::ast {

class ShapeEvaluator;
struct Frame;

/// A class whose objects own heap memory.
struct Owner {
  enum KindType {
    Sequence, ///< contiguous elements in one dimension
    Text,     ///< a sequence that keeps short contents inside itself
    Nodes,    ///< one allocation per element, or per bucket
    Matrix,   ///< rows and columns
    Tensor,   ///< any number of dimensions
    Handle    ///< owns what it was given
  } Kind;
  clang::QualType Element;
  int Fixed[2] = {-1, -1}; ///< rows and columns that the type fixes
};

std::optional<Owner> ownerOf(const clang::ASTContext &Context, clang::QualType Type);

/// The owner whose layout a view of foreign memory (Eigen::Map) has.
std::optional<Owner> viewedBy(const clang::ASTContext &Context, clang::QualType Type);

/// "std::vector", "Eigen::Matrix": outermost namespace and name; "" outside namespaces that are described here.
std::string modelledName(const clang::Decl *Declaration);

/// True for a type of a library that computes lazily: an expression that is not yet an object.
bool isLazyProduct(clang::QualType Type);

/// What a method does to the size of an owner.
enum class Sizing { None, Sets, Reserves, Grows };
Sizing sizingOf(const Owner &Of, const clang::FunctionDecl &Method, unsigned Arguments);

/// Extents after construction; Depends of the result is what the size depends on, in Sizes.
Value constructedExtents(ShapeEvaluator &Eval, const Owner &Of, const clang::CXXConstructExpr &E, Frame &In);
/// Extents that a call of a sizing method sets.
Value methodExtents(ShapeEvaluator &Eval, const Owner &Of, llvm::StringRef Method,
                    llvm::ArrayRef<const clang::Expr *> Arguments, Frame &In);
/// The result of calling a function or method of a described library.
std::optional<Value> modelledCall(ShapeEvaluator &Eval, const clang::CallExpr &Call, const clang::FunctionDecl &Callee,
                                  Frame &In);

/// Bytes that an owner with these extents asks for.
MaybeFormula ownedBytes(const ShapeEvaluator &Eval, const Owner &Of, const Value &Held);

} // namespace memshape::ast

#endif // MEMSHAPE_FEATURES_LIBRARYMODEL_H
