// Classes of libraries that own memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What containers and other objects of libraries hold, told from their interfaces as the documents of libraries/
// describe them: their bodies are not looked into.

#pragma once

#include "features/Value.h"
#include "libraries/reader/Interface.h"

#include "clang/AST/Type.h"

#include <string>

namespace clang {
class ASTContext;
class CallExpr;
class CXXConstructExpr;
class CXXRecordDecl;
class Decl;
class Expr;
class FunctionDecl;
} // namespace clang

namespace memshape::ast {

class ShapeEvaluator;
struct Frame;

/// A class whose objects own heap memory.
struct Owner {
  using enum Holding;
  Holding Kind = Holding::None;
  const Interface *From = nullptr; ///< the library that describes the class
  clang::QualType Element;
};

std::optional<Owner> ownerOf(const clang::ASTContext &Context, clang::QualType Type);

/// The owner whose layout a view of foreign memory has.
std::optional<Owner> viewedBy(const clang::ASTContext &Context, clang::QualType Type);

/// Outermost namespace and name, as documents name classes and functions; "" outside namespaces that they describe.
std::string modelledName(const clang::Decl *Declaration);

/// True for a type of a library that computes lazily: an expression that is not yet an object.
bool isLazyProduct(clang::QualType Type);

/// What is known of a class; null where nothing is.
const TypeModel *modelOf(const clang::CXXRecordDecl *Class);
const TypeModel *modelOf(clang::QualType Type);

/// What is known of a function that is called with so many arguments; null where nothing is.
const CallModel *modelOf(const clang::FunctionDecl &Function, unsigned Arguments);

/// True for a method that returns an object of its own where others return an expression.
bool makesObject(const clang::FunctionDecl &Method);

/// What a method does to the size of an owner.
Sizing sizingOf(const Owner &Of, const clang::FunctionDecl &Method, unsigned Arguments);

/// What a constructor makes of its arguments.
Value constructed(ShapeEvaluator &Eval, const Owner &Of, const clang::CXXConstructExpr &E, Frame &In);
/// What sizes depend on that these arguments give, in Sizes.
Value sizesOf(ShapeEvaluator &Eval, const Owner &Of, llvm::ArrayRef<const clang::Expr *> Arguments, Frame &In);
/// The result of calling a function or method of a described library.
std::optional<Value> modelledCall(ShapeEvaluator &Eval, const clang::CallExpr &Call, const clang::FunctionDecl &Callee,
                                  Frame &In);

} // namespace memshape::ast
