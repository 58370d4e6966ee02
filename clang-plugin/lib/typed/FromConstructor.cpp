//===- FromConstructor.cpp - Objects that functions of their class make ---===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "typed/Construction.h"
#include "typed/TypeKinds.h"

#include "clang/AST/Decl.h"

#include <tuple>

using namespace clang;

namespace memshape::ast {

namespace {

/// What the parameters of a function are; the first kind is the best.
enum class Takes { Integers, Numbers, Objects };

/// The number of parameters that have to be given; those behind have values of their own. Objects with one are left to
/// it.
unsigned givenParameters(const FunctionDecl &Function) {
  unsigned Given = 0;
  for (const ParmVarDecl *P : Function.parameters()) {
    const QualType Type = P->getType().getCanonicalType();
    if (P->hasDefaultArg() && !isNumber(Type))
      break;
    ++Given;
  }
  return Given;
}

Takes takes(const FunctionDecl &Function) {
  Takes Worst = Takes::Integers;
  for (unsigned I = 0; I != givenParameters(Function); ++I) {
    const QualType Type = Function.getParamDecl(I)->getType().getCanonicalType();
    Worst =
        std::max(Worst, isSymbol(Type)                                                               ? Takes::Integers
                        : isNumber(Type) && !Type->isAnyCharacterType() && !Type->isAnyComplexType() ? Takes::Numbers
                                                                                                     : Takes::Objects);
  }
  return Worst;
}

bool isForAll(const FunctionDecl &Function) {
  return Function.getAccess() == AS_public && !Function.isDeleted() && !Function.isVariadic() &&
         givenParameters(Function);
}

/// Functions that make an object of the class, the best first: of the same kind, that with the most parameters.
SmallVector<const FunctionDecl *, 8> makers(const CXXRecordDecl &Class) {
  SmallVector<const FunctionDecl *, 8> Found;
  for (const CXXConstructorDecl *Each : Class.ctors())
    if (isForAll(*Each) && !Each->isCopyOrMoveConstructor())
      Found.push_back(Each);
  for (const CXXMethodDecl *Each : Class.methods()) {
    const QualType Result = Each->getReturnType().getCanonicalType();
    const QualType Made = Result->isPointerType() ? Result->getPointeeType() : Result;
    const CXXRecordDecl *MadeClass = Made->getAsCXXRecordDecl();
    if (Each->isStatic() && isForAll(*Each) && MadeClass && declaresSameEntity(MadeClass, &Class))
      Found.push_back(Each);
  }
  auto Rank = [](const FunctionDecl *Maker) {
    return std::make_tuple(takes(*Maker), !isa<CXXConstructorDecl>(Maker), -int(givenParameters(*Maker)),
                           Maker->getLocation());
  };
  llvm::sort(Found, [&](const FunctionDecl *A, const FunctionDecl *B) { return Rank(A) < Rank(B); });
  return Found;
}

} // namespace

bool Construction::fromCall(const FunctionDecl &Function, const std::string &Called, const std::string &Display,
                            std::string &Arguments) {
  const unsigned Given = givenParameters(Function);
  for (unsigned I = 0; I != Given; ++I) {
    const ParmVarDecl *P = Function.getParamDecl(I);
    std::string Name = llvm::StringRef(P->getNameAsString()).trim('_').str(), Value;
    if (Name.empty())
      Name = "size" + (Given > 1 ? std::to_string(I) : "");
    if (!value(P->getType(), Display + "." + Name, Value))
      return false;
    Arguments += (Arguments.empty() ? "" : ", ") + Value;
  }
  Arguments = Called + "(" + Arguments + ")";
  return true;
}

bool Construction::fromFunctions(const CXXRecordDecl &Class, QualType Type, const std::string &Display,
                                 const std::string &Object, bool New) {
  const std::string Name = Names.of(Type), Before = Statements;
  const size_t Had = Parameters.size();
  const unsigned Outside = Blocks;
  std::string First;
  for (const FunctionDecl *Maker : makers(Class)) {
    const bool Constructs = isa<CXXConstructorDecl>(Maker), Points = Maker->getReturnType()->isPointerType();
    std::string Made;
    // What the arguments were built from is gone when the object is made.
    const bool Encloses = takes(*Maker) == Takes::Objects;
    const std::string Begin = Name + " " + (New || Points ? "&" : "") + Object +
                              (New && !Points ? " = *new " + Name
                               : Points       ? " = *"
                                              : "");
    if (Encloses) {
      ++Blocks;
      Statements += Begin + "([&]() -> " + Name + (Points ? " * {\n" : " {\n");
    }
    if (fromCall(*Maker, Constructs ? Name : Name + "::" + Maker->getNameAsString(), Display, Made)) {
      Statements += Encloses     ? "return " + Made + ";\n}());\n"
                    : Constructs ? Begin + Made.substr(Name.size()) + ";\n"
                                 : Begin + (Points ? Made : "(" + Made + ")") + ";\n";
      Blocks = Outside;
      Makers[Display] = Maker;
      return declareContents(Type, Object);
    }
    if (First.empty())
      First = std::exchange(Problem, "");
    Statements = Before;
    Parameters.resize(Had);
    Blocks = Outside;
  }
  if (Class.hasDefaultConstructor() && First.empty() && isPlain(Context, Type)) {
    Statements += Name + " " + Object + ";\n";
    declareFilled(Object);
    return true;
  }
  const bool Hidden = llvm::none_of(Class.ctors(), [](const CXXConstructorDecl *Each) {
    return Each->getAccess() == AS_public && !Each->isDeleted() && !Each->isCopyOrMoveConstructor();
  });
  return fail(
      "nothing says how its type " + written(Type) + " is built from sizes: " +
      (Hidden          ? "its constructors are private, and no static function of it takes numbers alone"
       : First.empty() ? "it has no public constructor that takes integers alone"
                       : "it has no public constructor that takes integers alone, and of the best one " + First) +
      "; say it in a line MEMSHAPE_BUILD(" + Type.getAsString(Context.getPrintingPolicy()) + ", (int size), ...)");
}

} // namespace memshape::ast
