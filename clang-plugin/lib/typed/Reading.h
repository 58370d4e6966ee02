// Text that reads what an object is built from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a program that runs has objects, and its shape is what their accessors say: the opposite of Construction.h.
//
//   a document of libraries/       the expression it names; the accessor or member that is called as the symbol is
//   an aggregate                   its members
//   a constructor                  members that are a parameter of it, and never anything else
//
// What none of these tells is unknown: a call whose shape is not known is better than one at a wrong shape.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <map>
#include <set>
#include <string>

namespace memshape {
struct BuildModel;
struct BuildPart;
struct BuildSymbol;
} // namespace memshape

namespace memshape::ast {

class Construction;

/// Finds expressions for the symbols and settings of objects, by the names that Construction gives them.
class Reading {
public:
  /// Asked: the symbols and settings that are looked for. MayLeadNowhere: of pointers that are not null, the runtime is
  /// asked whether they lead to what may be read.
  Reading(const clang::ASTContext &Context, const Construction &Asked, bool MayLeadNowhere = false);

  struct Text {
    std::string Condition; ///< there is something to be read; "" for always
    std::string Value;
  };

  /// Finds what a value of that type tells, which the text calls Object.
  void value(clang::QualType Type, const std::string &Display, const std::string &Object);
  /// The same, where the expression Holds does.
  void valueWhere(const std::string &Holds, clang::QualType Type, const std::string &Display,
                  const std::string &Object);
  /// The same, behind a pointer that may be null.
  void behind(clang::QualType Type, const std::string &Display, const std::string &Pointer);

  std::map<std::string, Text> Found;
  std::string Declarations; ///< text of the variables that conditions name

private:
  bool isAsked(const std::string &Display) const;
  void fromEntry(const BuildModel &Entry, const clang::CXXRecordDecl &Class, const std::string &Display,
                 const std::string &Object);
  void symbolOf(const BuildSymbol &Symbol, const clang::CXXRecordDecl &Class, const std::string &Display,
                const std::string &Object);
  void partOf(const BuildPart &Part, const clang::CXXRecordDecl &Class, const std::string &Display,
              const std::string &Object);
  void fromMembers(const clang::RecordDecl &Record, const std::string &Display, const std::string &Object);
  void fromMaker(const clang::FunctionDecl &Maker, const std::string &Display, const std::string &Object);

  const clang::ASTContext &Context;
  const std::map<std::string, const clang::FunctionDecl *> &Makers; ///< what makes an object, by the object's name
  const bool MayLeadNowhere;                                        ///< as a member that nobody has set yet
  std::set<std::string> Asked;
  std::string Condition;
  unsigned Depth = 0, Pointers = 0;
};

} // namespace memshape::ast
