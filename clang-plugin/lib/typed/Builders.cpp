//===- Builders.cpp - Arguments of class type, from shape symbols ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "typed/Builders.h"
#include "naming/ArrayUse.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace memshape::ast {

namespace {

/// The text of one builder.
class Writing {
public:
  Writing(const ASTContext &Context, const UserLines &Lines, TypeNames &Names, Builder &Made)
      : Context(Context), Names(Names), Making(Context, Lines, Names), Made(Made) {}

  /// An argument of class type, or a pointer or a reference to one; with IsArray, a pointer to several.
  bool object(QualType Type, const std::string &Display, bool IsArray = false) {
    const bool IsPointer = Type->isPointerType(), IsReference = Type->isReferenceType();
    const QualType Class = IsPointer || IsReference ? Type->getPointeeType() : Type;
    const std::string Name = "memshape_argument_" + std::to_string(Made.Tensors.size());
    Made.Tensors.push_back(Display);
    Making.Statements += "memshape_building(" + std::to_string(Made.Tensors.size()) + ");\n";
    if (!(IsArray ? Making.buildArray(Class, Display, Name) : Making.build(Class, Display, Name))) {
      Made.Problem = (Display == "this" ? "its object" : "parameter '" + Display + "'") + ": " + Making.Problem;
      return false;
    }
    const std::string Built = Making.nameOf(Name);
    pass(IsArray                         ? Name
         : IsPointer                     ? "&" + Built
         : Type->isRValueReferenceType() ? "(" + Names.of(Class) + " &&)" + Built
                                         : Built);
    return true;
  }

  /// A number, or a pointer to numbers: handed on.
  void number(QualType Type, const ParameterFact &Fact) {
    const std::string Name = "memshape_parameter_" + std::to_string(Making.Parameters.size());
    const bool IsReference = Type->isReferenceType();
    Making.Parameters.push_back(
        {Fact, Names.of(IsReference ? Context.getPointerType(Type->getPointeeType()) : Type), Name});
    pass(IsReference ? "*" + Name : Name);
  }

  void finish(QualType Function, QualType Result, size_t Number) {
    const std::string Suffix = std::to_string(Number), Call = "memshape_call_" + Suffix;
    const std::string External = Context.getLangOpts().CPlusPlus ? "extern \"C\" " : "";
    std::string Declared;
    for (const BuilderParameter &P : Making.Parameters) {
      Declared += (Declared.empty() ? "" : ", ") + P.Type + " " + P.Name;
      Made.Parameters.push_back(P.Fact);
    }
    Made.Text = External + Names.of(Function) + " " + Call + ";\n" + External + "void " + Made.Function + "(" +
                Declared + ") {\n" + Making.Statements + "memshape_building(0);\n" +
                (Result->isRecordType() ? resultDeclaration(Result) : "") + Call + "(" + Passed +
                ");\nmemshape_returned();\n}\n";
  }

private:
  void pass(const std::string &Argument) { Passed += (Passed.empty() ? "" : ", ") + Argument; }

  std::string resultDeclaration(QualType Result) {
    return Context.getLangOpts().CPlusPlus ? "auto &&memshape_result = " : Names.of(Result) + " memshape_result = ";
  }

  const ASTContext &Context;
  TypeNames &Names;
  Construction Making;
  Builder &Made;
  std::string Passed;
};

/// The type of a function that takes what the operator does; of a member function, with the object in front.
QualType plainFunction(const ASTContext &Context, const FunctionDecl &Operator, QualType This) {
  if (This.isNull())
    return Operator.getType();
  const auto *Type = Operator.getType()->castAs<FunctionProtoType>();
  SmallVector<QualType, 8> Parameters = {This};
  Parameters.append(Type->param_type_begin(), Type->param_type_end());
  return Context.getFunctionType(Operator.getReturnType(), Parameters, FunctionProtoType::ExtProtoInfo());
}

} // namespace

bool needsBuilder(const Operator &Op) {
  return Op.Fact.HasThis ||
         llvm::any_of(Op.Fact.Parameters, [](const ParameterFact &P) { return P.Role == ParameterRole::Object; });
}

Builder makeBuilder(const ASTContext &Context, const UserLines &Lines, const Operator &Op, size_t Number,
                    TypeNames &Names) {
  Builder Made;
  Made.Operator = Op.Function;
  Made.Function = "memshape_typed_" + std::to_string(Number);
  Writing Text(Context, Lines, Names, Made);
  QualType This;
  if (Op.Fact.HasThis) {
    This = cast<CXXMethodDecl>(Op.Function)->getThisType();
    if (!Text.object(This, "this"))
      return Made;
  }
  for (size_t I = 0; I != Op.Fact.Parameters.size(); ++I) {
    const ParameterFact &Fact = Op.Fact.Parameters[I];
    const QualType Type = Op.Function->getParamDecl(unsigned(I))->getType().getCanonicalType();
    if (Fact.Role != ParameterRole::Object)
      Text.number(Type, Fact);
    else if (!Text.object(Type, Fact.Name.empty() ? "arg" + std::to_string(I) : Fact.Name,
                          isUsedAsArray(*Op.Function->getParamDecl(unsigned(I)))))
      return Made;
  }
  Text.finish(plainFunction(Context, *Op.Function, This), Op.Function->getReturnType().getCanonicalType(), Number);
  return Made;
}

} // namespace memshape::ast
