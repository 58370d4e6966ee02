//===- Construction.h - Text that builds one object from symbols ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a type is built is looked for in this order:
//
//   a document of libraries/       types of libraries
//   a constructor                  all of whose parameters are integers, or numbers; the one with most integers
//   an aggregate                   integers are symbols, floating-point numbers settings, pointers to numbers tensors
//
// What the object then holds is data where numbers can lie: the blocks behind its pointers, its arrays.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TYPED_CONSTRUCTION_H
#define MEMSHAPE_TYPED_CONSTRUCTION_H

#include "memshape/Handover.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memshape {
struct BuildModel;
}

namespace memshape::ast {

/// Names for types in the text, in the order in which they are declared.
class TypeNames {
public:
  std::string of(clang::QualType Type);
  const std::vector<clang::QualType> &types() const { return Types; }
  static std::string name(size_t Number) { return "memshape_type_" + std::to_string(Number); }

private:
  std::vector<clang::QualType> Types;
};

/// One parameter of the function that builds: what it is for, and how the text declares it.
struct BuilderParameter {
  ParameterFact Fact;
  std::string Type, Name;
};

/// Writes the statements that build objects, and collects the parameters that they need.
class Construction {
public:
  Construction(const clang::ASTContext &Context, TypeNames &Names) : Context(Context), Names(Names) {}

  /// Statements that declare Object, of class Type, and build it. Display: the name of its symbols before the dot.
  /// False, with a Problem, where nothing says how.
  bool build(clang::QualType Type, const std::string &Display, const std::string &Object);

  /// What the text calls the object that was built as Object: one that a factory makes lies behind a pointer.
  std::string nameOf(const std::string &Object) const;

  std::vector<BuilderParameter> Parameters;
  std::string Statements;
  std::string Problem;

private:
  bool fromEntry(const BuildModel &Entry, const clang::RecordDecl &Class, clang::QualType Type,
                 const std::string &Display, const std::string &Object);
  bool declareFromEntry(BuildModel &Written, const clang::RecordDecl &Class, clang::QualType Type,
                        const std::string &Display, const std::string &Object);
  std::string behindPointer(const std::string &Object, const std::string &Pointer);
  std::string withUnknown(std::string Text);
  bool fromConstructor(const clang::CXXConstructorDecl &Constructor, unsigned Given, clang::QualType Type,
                       const std::string &Display, const std::string &Object);
  std::string argument(clang::QualType Type, const std::string &Display);
  bool fromFields(const clang::RecordDecl &Record, clang::QualType Type, const std::string &Display,
                  const std::string &Object);
  bool setFields(const clang::RecordDecl &Record, const std::string &Display, const std::string &Object);
  bool setField(clang::QualType Type, const std::string &Display, const std::string &Object);
  bool declareContents(clang::QualType Type, const std::string &Object, unsigned Depth = 0);
  bool setElements(clang::QualType Type, const std::string &Display, const std::string &Object);
  bool fillElements(clang::QualType Type, const std::string &Display, const std::string &All, const std::string &Count);
  void declareFilled(const std::string &Object);
  std::string parameter(ParameterFact Fact, const std::string &Type);
  bool fail(std::string Why) { return Problem = std::move(Why), false; }

  const clang::ASTContext &Context;
  TypeNames &Names;
  std::map<std::string, std::string> BehindPointers;      ///< the objects that factories make
  llvm::SmallVector<const clang::RecordDecl *, 4> Inside; ///< structures whose members are being set
  unsigned Elements = 0;                                  ///< arrays of structures made
};

} // namespace memshape::ast

#endif // MEMSHAPE_TYPED_CONSTRUCTION_H
