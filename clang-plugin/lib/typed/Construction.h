// Text that builds one object from symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a type is built is looked for in this order:
//
//   a line MEMSHAPE_BUILD          of the user's own                                UserLines.cpp
//   a static function              of the class that it points to                   FromConstructor.cpp
//   a document of libraries/       types of libraries                               FromDocument.cpp
//   a closure                      what a lambda has captured                       FromFields.cpp
//   an aggregate                   its members                                      FromFields.cpp
//   a constructor                  integers before settings before other objects    FromConstructor.cpp
//   a static function              that returns an object                           FromConstructor.cpp
//   members                        where no function makes an object from numbers   FromFields.cpp
//
// A number inside is a value by itself: integers are symbols, numbers with a point settings, pointers to numbers
// tensors. What the object then holds is data where numbers can lie: the blocks behind its pointers, its arrays.

#pragma once

#include "memshape/Handover.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memshape {
struct BuildModel;
struct BuildPart;
struct BuildSymbol;
} // namespace memshape

namespace memshape::ast {

struct ConstantMember;

class UserLines;

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
  Construction(const clang::FunctionDecl &Operator, const UserLines &Lines, TypeNames &Names)
      : Operator(Operator), Context(Operator.getASTContext()), Lines(Lines), Names(Names) {}

  /// Statements that declare Object, of class Type, and build it; with New, one that outlives its block. Display: the
  /// name of its symbols before the dot. False, with a Problem, where nothing says how.
  bool build(clang::QualType Type, const std::string &Display, const std::string &Object, bool New = false);

  /// The same of an object that lies behind a pointer which Maker, a function of the unit, returns.
  bool make(const clang::FunctionDecl &Maker, clang::QualType Type, const std::string &Display,
            const std::string &Object);

  /// An expression for a value of any type, built by statements as far as it needs them.
  bool value(clang::QualType Type, const std::string &Display, std::string &Expression);

  /// What the text calls the object that was built as Object: one that a factory makes lies behind a pointer.
  std::string nameOf(const std::string &Object) const;

  /// A name of the text that nothing else has.
  std::string fresh(const char *What) { return "memshape_" + std::string(What) + "_" + std::to_string(Fresh++); }

  /// The same of a pointer to several objects of Type, all alike: how many is a symbol.
  bool buildArray(clang::QualType Type, const std::string &Display, const std::string &Object);

  /// The same of pointers to objects of Type, as many as a symbol says, or Fixed. Each leads to objects of its own.
  bool buildPointers(clang::QualType Type, const std::string &Display, uint64_t Fixed, std::string &First);

  /// A setting that says whether what a pointer leads to is there; it is not, where nobody says so.
  std::string presence(const std::string &Display);

  /// Where one number is all that was added behind the Had parameters, it need not be given.
  void giveDefault(std::string Value, size_t Had);

  std::vector<BuilderParameter> Parameters;
  std::map<std::string, const clang::FunctionDecl *> Makers; ///< what made an object, by the object's display name
  std::string Statements;
  std::string Problem;
  bool FunctionsAreThere = false; ///< those in structures, which an operator can do without

private:
  /// The texts of a document, and what stands for their words.
  struct Texts;
  /// What a function of the unit has made: what the text calls it, the call, whether another one leads to it.
  struct Handle {
    const clang::FunctionDecl *Maker;
    const clang::RecordDecl *Record;
    std::string Display, Object, Call;
    bool IsNext = false;
  };
  /// Objects that lead from one to the next: what the text calls the last one that is there, a pointer; the member that
  /// leads on.
  struct Chain {
    clang::QualType Type;
    std::string Display, Last, Next;
  };
  /// Containers with keys in Object, of which the text makes one after the other: the keys are data once all are made.
  struct Keys {
    std::string Object;
    std::vector<std::pair<clang::QualType, std::string>> Keyed;
  };

  bool fromLine(const clang::FunctionDecl &Line, clang::QualType Type, const std::string &Display,
                const std::string &Object, bool New);

  bool fromEntry(const BuildModel &Entry, const clang::RecordDecl &Class, clang::QualType Type,
                 const std::string &Display, const std::string &Object, bool New);
  bool nameWords(const BuildModel &Entry, const clang::RecordDecl &Class, clang::QualType Type,
                 const std::string &Display, const std::string &Object, Texts &Words);
  std::string symbolValue(const BuildSymbol &Symbol, const clang::RecordDecl &Class, const std::string &Display);
  std::string behindPointer(const std::string &Object, const std::string &Pointer);
  std::string withUnknown(std::string Text);
  bool addParts(const BuildModel &Entry, const clang::RecordDecl &Class, const std::string &Display, Texts &Words,
                bool InFront);
  bool addPart(const BuildPart &Part, clang::QualType Type, clang::QualType Key, const std::string &Number,
               const std::string &Display, Texts &Words, std::string &List);
  bool newArray(clang::QualType Element, const std::string &Display, std::string &Pointer);
  bool distinctKey(clang::QualType Type, const std::string &Turn, const std::string &Display, Texts &Words);

  bool fromFunctions(const clang::CXXRecordDecl &Class, clang::QualType Type, const std::string &Display,
                     const std::string &Object, bool New);
  bool fromFactory(const clang::CXXRecordDecl &Class, clang::QualType Type, const std::string &Display,
                   const std::string &Object, bool New);
  void setContainer(const ConstantMember &Member, const std::string &Name, const std::string &Object);
  void fillMember(clang::QualType Type, const std::string &Name, const std::string &Object);
  void setConstants(const clang::CXXConstructorDecl &Constructor, const std::string &Display,
                    const std::string &Object);
  void setIfConstant(const ConstantMember &Each, const std::string &Name, const std::string &Member,
                     const std::string &Extent, size_t Had, const std::string &Sets);
  bool fromMaker(const clang::FunctionDecl &Maker, const std::string &ClassName, clang::QualType Made,
                 const std::string &Display, const std::string &Object, bool New);
  bool fromCall(const clang::FunctionDecl &Function, const std::string &Called, const std::string &Display,
                std::string &Arguments);

  bool declareSince(const Handle &Made);
  bool declareNext(const clang::FieldDecl &Field, const Handle &Made);

  bool fromFields(const clang::RecordDecl &Record, clang::QualType Type, const std::string &Display,
                  const std::string &Object, bool New);
  bool fromCaptures(const clang::CXXRecordDecl &Closure, clang::QualType Type, const std::string &Display,
                    const std::string &Object);
  bool setFields(const clang::RecordDecl &Record, const std::string &Display, const std::string &Object);
  bool setField(clang::QualType Type, const std::string &Display, const std::string &Object);
  bool setArray(const clang::ConstantArrayType &Array, const std::string &Display, const std::string &Object);
  std::string bytesBehind(const clang::RecordDecl &Record, const std::string &Display);
  bool fillBehind(const clang::RecordDecl &Record, const std::string &Object, const std::string &Bytes);
  bool setElements(clang::QualType Type, const std::string &Display, const std::string &Object);
  bool fillElements(clang::QualType Type, const std::string &Display, const std::string &All, const std::string &Count);
  bool chain(clang::QualType Type, const std::string &Display, std::string &First);
  bool fromMembers(const clang::CXXRecordDecl &Class, clang::QualType Type, const std::string &Display,
                   const std::string &Object, bool New);

  std::string contentsOf(const std::string &Pointer) const;
  bool declareContents(clang::QualType Type, const std::string &Object, unsigned Depth = 0);
  bool declareHeld(const BuildModel &Entry, const clang::RecordDecl &Class, const std::string &Object, unsigned Depth);
  bool declareUntold(const BuildModel &Entry, const clang::RecordDecl &Class, const std::string &Object,
                     unsigned Depth);
  bool declareMember(const clang::FieldDecl &Field, const std::string &Object, unsigned Depth = 0);
  bool declareMembers(const clang::RecordDecl &Record, const std::string &Object, unsigned Depth);
  bool declareReplaced(const clang::FieldDecl &Field, const std::string &Display, const std::string &Object,
                       bool Unset);
  std::string fromData();
  std::string ownFunction(clang::QualType Type);
  void setPointers(clang::QualType Type, const std::string &Display, const std::string &Object, bool Optional);
  void declareFilled(const std::string &Object);
  void declareIfConstant(const std::string &Number);
  std::string numbers();

  std::string parameter(ParameterFact Fact, const std::string &Type);
  std::string symbol(clang::QualType Type, const std::string &Display);
  std::string setting(clang::QualType Type, const std::string &Display);
  std::string written(clang::QualType Type) const { return "'" + Type.getAsString(Context.getPrintingPolicy()) + "'"; }
  bool fail(std::string Why) { return Problem = std::move(Why), false; }

  /// How far the text is. After undo() nothing is left of what was written since; Problem says why.
  struct Progress {
    std::string Statements;
    size_t Parameters, Open, Chains;
    unsigned Blocks;
  };
  Progress progress() const { return {Statements, Parameters.size(), Open.size(), Chains.size(), Blocks}; }
  void undo(Progress To);

  const clang::FunctionDecl &Operator;
  const clang::ASTContext &Context;
  const UserLines &Lines;
  TypeNames &Names;
  std::map<std::string, std::string> BehindPointers; ///< the objects that factories make
  std::vector<clang::QualType> Open;                 ///< the types that are being built, from the outside
  std::vector<Handle> Handles;
  std::vector<Chain> Chains; ///< that are being built
  std::string Whole;         ///< the object whose members are declared data
  std::string HandedTo;      ///< functions of other units, `NAME:ARGUMENT`, to which a member is handed
  bool IsHidden = false;     ///< users do not see what is behind the handle that is being made
  Keys *Later = nullptr;     ///< of the object that a loop makes
  clang::QualType Moved;     ///< of an object that goes elsewhere before its keys are data
  unsigned Blocks = 0;       ///< of the text, around what is being written
  unsigned Fresh = 0;
};

/// Text with Meaning in place of Word, which begins with `$`. A longer word that begins so stays: `$x` is not in `$xs`.
std::string withWord(std::string Text, const std::string &Word, const std::string &Meaning);

} // namespace memshape::ast
