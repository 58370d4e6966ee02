//===- LibraryText.cpp - Objects that documents say how to build ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "typed/LibraryText.h"
#include "typed/Construction.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace memshape::ast {

std::string withWord(std::string Text, const std::string &Word, const std::string &Meaning) {
  for (size_t At = 0; (At = Text.find(Word, At)) != std::string::npos;) {
    const size_t End = At + Word.size();
    if (End < Text.size() && llvm::isAlnum(Text[End])) {
      At = End;
      continue;
    }
    Text.replace(At, Word.size(), Meaning);
    At += Meaning.size();
  }
  return Text;
}

void writeInto(BuildModel &Model, const std::string &Word, const std::string &Meaning) {
  for (std::string *Text : {&Model.First, &Model.Factory, &Model.Arguments, &Model.Then, &Model.Contents})
    *Text = withWord(std::move(*Text), Word, Meaning);
}

bool holdsNumbersAlone(const ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type).getCanonicalType();
  if (Type->isArithmeticType() || Type->isAnyComplexType() || Type->isEnumeralType())
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isUnion())
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    if (Class->isPolymorphic() || llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &Base) {
          return Base.isVirtual() || !holdsNumbersAlone(Context, Base.getType());
        }))
      return false;
  return llvm::all_of(Record->fields(), [&](const FieldDecl *F) { return holdsNumbersAlone(Context, F->getType()); });
}

std::string Construction::nameOf(const std::string &Object) const {
  const auto Found = BehindPointers.find(Object);
  return Found == BehindPointers.end() ? Object : Found->second;
}

/// Declares the pointer, plain or smart, behind which Object lies. Returns what the text calls the object.
std::string Construction::behindPointer(const std::string &Object, const std::string &Pointer) {
  Statements += (Context.getLangOpts().CPlusPlus ? "auto &&" : "__auto_type ") + Object + "_made = " + Pointer + ";\n";
  return BehindPointers[Object] = "(*" + Object + "_made)";
}

/// Text with a pointer to bytes that are data in place of `$unknown`.
std::string Construction::withUnknown(std::string Text) {
  if (Text.find("$unknown") == std::string::npos)
    return Text;
  const std::string Type = Names.of(Context.getPointerType(Context.CharTy));
  return withWord(std::move(Text), "$unknown", parameter({"", ParameterRole::Tensor, 0, false}, Type));
}

/// The object of an entry whose symbols are written out.
bool Construction::declareFromEntry(BuildModel &Written, const RecordDecl &Class, QualType Type,
                                    const std::string &Display, const std::string &Object) {
  if (Written.Object >= 0) {
    const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
    if (!Special || unsigned(Written.Object) >= Special->getTemplateArgs().size())
      return fail("its type has no template argument " + std::to_string(Written.Object));
    const TemplateArgument &Inner = Special->getTemplateArgs()[unsigned(Written.Object)];
    const std::string Held = Object + "_object";
    if (Inner.getKind() != TemplateArgument::Type || !build(Inner.getAsType(), Display, Held))
      return fail(Problem.empty() ? "its type says nothing of what it refers to" : std::move(Problem));
    writeInto(Written, "$object", nameOf(Held));
  }
  const std::string Name = Names.of(Type);
  writeInto(Written, "$type", Name);
  Statements += withWord(Written.First, "$x", Object) + "\n";
  std::string Built = Object;
  if (Written.Factory.empty())
    Statements += Name + " " + Object +
                  (Written.Arguments.empty() ? "" : "(" + withWord(Written.Arguments, "$x", Object) + ")") + ";\n";
  else
    Built = behindPointer(Object, withWord(Written.Factory, "$x", Object));
  Statements += withUnknown(withWord(Written.Then, "$x", Built)) + "\n";
  return declareContents(Type, Built);
}

} // namespace memshape::ast
