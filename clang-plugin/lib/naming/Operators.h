// Which functions are operators, and their parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Handover.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class ASTNameGenerator;
class FunctionDecl;
class ParmVarDecl;
class QualType;
class RecordDecl;
class SourceLocation;
} // namespace clang

namespace memshape::ast {

inline constexpr char OperatorAnnotation[] = "memshape.operator";

/// What the user said on the command line about which functions are operators.
struct OperatorNames {
  bool Everything = false;        ///< `*`: every externally visible function that takes an integer or an object
  std::vector<std::string> Names; ///< as memshape/OperatorName.h reads them
};

/// An operator's definition, and the facts that are handed over about it.
struct Operator {
  const clang::FunctionDecl *Function;
  OperatorFact Fact;
};

struct OperatorsOfUnit {
  std::vector<Operator> Operators;   ///< in the order of their declarations
  std::vector<std::string> Warnings; ///< about names that stand for nothing, a sentence each
};

/// All operators defined in the translation unit. A name stands for the functions that it fits best.
OperatorsOfUnit findOperators(clang::ASTContext &Context, const OperatorNames &Names, bool OwnOnly);

/// A number that is known where the unit is compiled, as text; "" for all others.
std::string constantOf(const clang::ASTContext &Context, const clang::Expr *Value);

/// "0", null, for a pointer behind which nobody shows what there is, a pool's or a context's; "" for others.
std::string defaultOfPointer(clang::QualType Type);

/// The number that a call without this argument hands over; "" where there is none that is known.
std::string defaultOf(const clang::ASTContext &Context, const clang::ParmVarDecl &Parameter);

/// The role of an operator's parameter; see docs/formats.md, section 3.
ParameterFact describeParameter(const clang::ASTContext &Context, const clang::ParmVarDecl &Parameter);

/// An integer that counts: no truth value, no character.
bool isSymbol(clang::QualType Type);

/// A plain structure of a system header whose members all have names that are reserved for it, as FILE has: nobody else
/// reads or sets them.
bool isPrivate(const clang::RecordDecl &Record);

/// The name of a function's code for the linker; of a constructor, of that which makes a base, too.
std::string symbolOf(clang::ASTNameGenerator &Mangler, const clang::FunctionDecl &Function);

/// A function's display name: qualified, with template arguments, without parameters.
std::string displayName(const clang::FunctionDecl &Function);

/// A place in the source as the compiler prints it; Line 0 if unknown.
struct Place {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
};
Place placeOf(const clang::ASTContext &Context, clang::SourceLocation Location);

} // namespace memshape::ast
