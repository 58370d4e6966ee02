// Objects of types that a document describes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/Object.h"
#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/TypeKinds.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace clang;

namespace memshape::ast {

struct Construction::Texts {
  std::map<std::string, std::string> Words;

  std::string in(std::string Text) const {
    for (const auto &[Word, Meaning] : Words)
      Text = withWord(Text, Word, Meaning);
    return Text;
  }
};

static bool names(const std::string &Text, const char *Word) { return Text.find(Word) != std::string::npos; }

/// The object is made from this part alone.
static bool returns(const BuildPart &Part) { return llvm::StringRef(Part.Add).starts_with("return "); }

/// A part's name behind that of what it is a part of: a.first, a[0], or the same name.
static std::string joined(const std::string &Display, const std::string &Name) {
  return Name.empty() || Name.front() == '[' ? Display + Name : Display + "." + Name;
}

std::string Construction::symbolValue(const BuildSymbol &Symbol, const RecordDecl &Class, const std::string &Display) {
  const TemplateArgument *Fixed = Symbol.Argument >= 0 ? argumentOf(Class, unsigned(Symbol.Argument)) : nullptr;
  const TemplateArgument *Count = Symbol.Count >= 0 ? argumentOf(Class, unsigned(Symbol.Count)) : nullptr;
  const std::string Name = Display + "." + Symbol.Name;
  auto Extent = [&](std::string Called) {
    return parameter({std::move(Called), ParameterRole::Shape, 64, true}, "long long");
  };
  if (!Symbol.Setting.empty())
    return setting(Symbol.Setting == "bool" ? Context.BoolTy : Context.DoubleTy, Name);
  if (Count && Count->getKind() == TemplateArgument::Integral) {
    const std::string As = "(" + (Symbol.Type.empty() ? "__SIZE_TYPE__" : Symbol.Type) + ")";
    std::string List;
    for (int64_t I = 0; I < Count->getAsIntegral().getExtValue(); ++I)
      List += (I ? ", " : "") + As + Extent(Name + "[" + std::to_string(I) + "]");
    return List;
  }
  if (Fixed && Fixed->getKind() == TemplateArgument::Integral && Fixed->getAsIntegral().getExtValue() != Symbol.Open)
    return std::to_string(Fixed->getAsIntegral().getExtValue());
  return Extent(Name);
}

/// As many elements as a symbol says, behind a pointer.
bool Construction::newArray(QualType Element, const std::string &Display, std::string &Pointer) {
  const std::string Name = Names.of(Element), Turn = fresh("turn");
  const std::string Size = parameter({Display + ".size", ParameterRole::Shape, 64, true}, "long long");
  Pointer = fresh("array");
  Statements += Name + " *" + Pointer + " = new " + Name + "[" + Size + "];\n";
  if (isPlain(Context, Element)) {
    Statements += "memshape_contents(" + Pointer + ");\n";
    return true;
  }
  std::string Value;
  Statements += "for (long long " + Turn + " = 0; " + Turn + " < " + Size + "; ++" + Turn + ") {\n";
  ++Blocks;
  if (!value(Element, Display + "[0]", Value))
    return false;
  --Blocks;
  Statements += Pointer + "[" + Turn + "] = " + Value + ";\n}\n";
  return true;
}

/// A key that no other turn has: plain ones begin with the number of the turn, others are told apart by their document.
bool Construction::distinctKey(QualType Type, const std::string &Turn, const std::string &Display, Texts &Words) {
  const std::string Name = Names.of(Type), Key = fresh("key");
  if (isPlain(Context, Type)) {
    Statements += Name + " " + Key + "{};\n__builtin_memcpy((void *)&" + Key + ", &" + Turn + ", sizeof(" + Key +
                  ") < sizeof(" + Turn + ") ? sizeof(" + Key + ") : sizeof(" + Turn + "));\n";
  } else {
    const BuildModel *Entry = entryOf(Context, Type);
    if (!Entry || Entry->Distinct.empty())
      return fail("nothing says how its keys, of type " + written(Type) + ", differ from each other");
    Texts Own;
    for (const BuildSymbol &Symbol : Entry->Symbols)
      Own.Words["$" + Symbol.Name] = symbolValue(Symbol, *Type->getAsCXXRecordDecl(), Display);
    if (const QualType Element = typeArgumentOf(*Type->getAsCXXRecordDecl(), std::max(Entry->Element, 0));
        !Element.isNull())
      Own.Words["$element"] = Names.of(Element);
    Own.Words["$x"] = Key;
    Own.Words["$i"] = Turn;
    Statements += Name + " " + Key + "(" + Own.in(Entry->Arguments) + ");\n" + Own.in(Entry->Distinct) + "\n";
  }
  Words.Words["$key"] = "static_cast<" + Name + " &&>(" + Key + ")";
  return true;
}

bool Construction::addPart(const BuildPart &Part, QualType Type, QualType Key, const std::string &Number,
                           const std::string &Display, Texts &Words, std::string &List) {
  std::string Turn = Number;
  const size_t Outside = Blocks;
  if (!Part.Times.empty()) {
    const std::string Index = fresh("turn");
    Words.Words["$i"] = Number;
    Statements += "for (long long " + Index + " = 0; " + Index + " < (long long)(" + Words.in(Part.Times) + "); ++" +
                  Index + ") {\n";
    Turn = Number.empty() ? Index : Number;
    ++Blocks;
  }
  Words.Words["$i"] = Turn;
  std::string Value;
  if (!Key.isNull() && !distinctKey(Key.getUnqualifiedType(), Turn,
                                    joined(Display, Type.isNull() && !Part.Name.empty() ? Part.Name : "key"), Words))
    return false;
  if (!Type.isNull()) {
    const std::string Name = joined(Display, withWord(Part.Name, "$i", Number));
    if (!Part.New) {
      if (!value(Type, Name, Value))
        return false;
    } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
      if (!newArray(Array->getElementType(), Name, Value))
        return false;
    } else if (isNumber(Type) && !isSymbol(Type)) {
      Value = fresh("number");
      Statements += Names.of(Context.getPointerType(Type)) + " " + Value + " = new " + Names.of(Type) +
                    "();\nmemshape_contents(" + Value + ");\n";
    } else if (isNumber(Type) || Type->isPointerType()) {
      if (!value(Type, Name, Value))
        return false;
      Value = "new " + Names.of(Type) + "(" + Value + ")";
    } else {
      Value = fresh("part");
      if (!build(Type, Name, Value, /*New=*/true))
        return false;
      Value = "&" + Value;
    }
  }
  Words.Words["$value"] = Value;
  if (Part.Add.empty()) {
    List += (List.empty() ? "" : ", ") + Value;
    if (!Part.Name.empty() && Part.Name.front() != '[')
      Words.Words["$" + Part.Name] = Value;
  } else {
    Statements += Words.in(Part.Add) + "\n";
  }
  if (Blocks != Outside) {
    Statements += "}\n";
    Blocks = unsigned(Outside);
  }
  return true;
}

bool Construction::addParts(const BuildModel &Entry, const RecordDecl &Class, const std::string &Display, Texts &Words,
                            bool InFront) {
  std::string List;
  for (const BuildPart &Part : Entry.Parts) {
    if ((Part.Add.empty() || returns(Part)) != InFront)
      continue;
    SmallVector<QualType, 4> Types;
    bool Numbered = Part.Types >= 0;
    if (Part.Types >= 0) {
      const TemplateArgument *Pack = argumentOf(Class, unsigned(Part.Types));
      for (const TemplateArgument &Each :
           Pack && Pack->getKind() == TemplateArgument::Pack ? Pack->pack_elements() : ArrayRef<TemplateArgument>())
        if (Each.getKind() == TemplateArgument::Type)
          Types.push_back(Each.getAsType().getCanonicalType());
    } else {
      const TemplateArgument *Count = Part.Count >= 0 ? argumentOf(Class, unsigned(Part.Count)) : nullptr;
      Numbered = Count && Count->getKind() == TemplateArgument::Integral;
      Types.assign(Numbered ? Count->getAsIntegral().getZExtValue() : 1, typeArgumentOf(Class, Part.Type));
    }
    if (Types.size() > FewParts)
      return fail("it consists of " + std::to_string(Types.size()) + " objects: more than " + std::to_string(FewParts) +
                  " have no names of their own yet");
    const bool IsInner = llvm::any_of(Entry.Inner, [&](const BuildInner &Inner) { return Inner.Type == Part.Type; });
    for (size_t I = 0; I != Types.size(); ++I) {
      Moved = IsInner && !Part.New && hasKeys(Context, Types[I]) ? Types[I] : QualType();
      if (!addPart(Part, Types[I], typeArgumentOf(Class, Part.Key), Numbered ? std::to_string(I) : "", Display, Words,
                   List))
        return false;
    }
  }
  Words.Words["$parts"] = List;
  return true;
}

/// Declares the pointer, plain or smart, behind which Object lies. Returns what the text calls the object.
std::string Construction::behindPointer(const std::string &Object, const std::string &Pointer) {
  Statements += (Context.getLangOpts().CPlusPlus ? "auto &&" : "__auto_type ") + Object + "_made = " + Pointer + ";\n";
  return BehindPointers[Object] = "(*" + Object + "_made)";
}

/// Text with a pointer to bytes that are data in place of `$unknown`.
std::string Construction::withUnknown(std::string Text) {
  return names(Text, "$unknown") ? withWord(std::move(Text), "$unknown", numbers()) : Text;
}

/// What the words of the entry's texts stand for: types, symbols, settings, and the object that it refers to.
bool Construction::nameWords(const BuildModel &Entry, const RecordDecl &Class, QualType Type,
                             const std::string &Display, const std::string &Object, Texts &Words) {
  Words.Words["$type"] = Names.of(Type);
  if (QualType Element = typeArgumentOf(Class, std::max(Entry.Element, 0)); !Element.isNull()) {
    if (const ArrayType *Array = Context.getAsArrayType(Element))
      Element = Array->getElementType();
    if (Entry.Element >= 0 && Entry.Parts.empty() && !isPlain(Context, Element))
      return fail("the elements of its type " + written(Type) + " are no numbers, which is not supported yet");
    Words.Words["$element"] = Names.of(Element);
    if (names(Entry.Arguments, "$tensor"))
      Words.Words["$tensor"] =
          parameter({Display, ParameterRole::Tensor, 0, false}, Names.of(Context.getPointerType(Element)));
  }
  for (const BuildSymbol &Symbol : Entry.Symbols)
    Words.Words["$" + Symbol.Name] = symbolValue(Symbol, Class, Display);
  for (const BuildSetting &Setting : Entry.Settings) {
    const unsigned Bits = unsigned(Context.getTypeSize(Context.DoubleTy));
    ParameterFact Fact = {Display + "." + Setting.Name, ParameterRole::Setting, Bits, false};
    if (Setting.Default)
      Fact.Default = llvm::formatv("{0}", *Setting.Default).str();
    Words.Words["$" + Setting.Name] = parameter(std::move(Fact), Names.of(Context.DoubleTy));
  }
  if (Entry.Object >= 0) {
    const QualType Referred = typeArgumentOf(Class, Entry.Object);
    const std::string Held = Object + "_object";
    if (Referred.isNull())
      return fail("its type " + written(Type) + " says nothing of what it refers to");
    if (!build(Referred, Display, Held))
      return false;
    Words.Words["$object"] = nameOf(Held);
  }
  return true;
}

static bool lacksDefault(QualType Element) {
  const CXXRecordDecl *Class = Element.isNull() ? nullptr : Element->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && !Class->getDefinition()->hasDefaultConstructor();
}

bool Construction::fromEntry(const BuildModel &Entry, const RecordDecl &Class, QualType Type,
                             const std::string &Display, const std::string &Object, bool New) {
  if (!Entry.Unbuilt.empty())
    return fail("its type " + written(Type) + " is not built: " + Entry.Unbuilt);
  const QualType Going = std::exchange(Moved, QualType());
  const bool Goes = !Going.isNull() && Context.hasSameUnqualifiedType(Going, Type);
  const std::string Name = Names.of(Type);
  Texts Words;
  if (!nameWords(Entry, Class, Type, Display, Object, Words))
    return false;
  Words.Words["$x"] = Object;
  if (!Entry.First.empty())
    Statements += Words.in(Entry.First) + "\n";
  if (!Entry.Factory.empty()) {
    const std::string Built = behindPointer(Object, Words.in(Entry.Factory));
    Words.Words["$x"] = Built;
    Statements += withUnknown(Words.in(Entry.Then)) + "\n";
    return declareContents(Type, Built);
  }

  // What stands in front of the object is gone when that is made.
  const bool Returns = llvm::any_of(Entry.Parts, returns);
  const bool InFront = Returns || llvm::any_of(Entry.Parts, [](const BuildPart &Part) { return Part.Add.empty(); });
  // Keys are data, but were none where they were told apart: the caller has a copy.
  const bool Copies = llvm::any_of(Entry.Parts, [&](const BuildPart &Part) {
    const QualType Key = typeArgumentOf(Class, Part.Key);
    return !Key.isNull() && !isPlain(Context, Key);
  });
  const std::string Made = InFront || Copies ? fresh("made") : Object;
  const std::string Begin = New ? Name + " &" + Object + " = *new " + Name : Name + " " + Object;
  if (InFront || Copies) {
    Statements += Begin + "([&]() -> " + Name + " {\n";
    ++Blocks;
    if (InFront && !addParts(Entry, Class, Display, Words, /*InFront=*/true))
      return false;
    --Blocks;
  }
  if (Returns) {
    Statements += "__builtin_trap();\n}());\n";
    return true;
  }
  std::string Arguments = Words.in(Entry.Arguments);
  if (const QualType Element = typeArgumentOf(Class, Entry.Element);
      Entry.Arguments == "$size" && lacksDefault(Element))
    Arguments += ", *(" + Names.of(Context.getPointerType(Element)) + ")" + numbers(); // copies of one
  Statements +=
      (InFront || Copies ? Name + " " + Made : Begin) + (Arguments.empty() ? "" : "(" + Arguments + ")") + ";\n";
  Words.Words["$x"] = Made;
  Statements += withUnknown(Words.in(Entry.Then)) + "\n";
  if (Copies) {
    ++Blocks;
    if (!addParts(Entry, Class, Display, Words, /*InFront=*/false))
      return false;
    --Blocks;
    Statements += "return static_cast<const " + Name + " &>(" + Made + ");\n}());\n";
    return Goes || declareHeld(Entry, Class, Object, 0);
  }
  if (InFront)
    Statements += "return " + Made + ";\n}());\n";
  Words.Words["$x"] = Object;
  if (!addParts(Entry, Class, Display, Words, /*InFront=*/false))
    return false;
  if (Goes)
    return true;
  // What was built as a part has its contents, but for keys.
  auto IsPart = [&](const BuildInner &Inner) {
    return llvm::any_of(Entry.Parts, [&](const BuildPart &Part) {
      return Part.Types >= 0 || (Part.Type == Inner.Type && !hasKeys(Context, typeArgumentOf(Class, Part.Type)));
    });
  };
  BuildModel Rest = Entry;
  llvm::erase_if(Rest.Inner, IsPart);
  if (!Entry.Parts.empty() && Rest.Inner.empty())
    return true;
  return Entry.Members ? declareMembers(*Class.getDefinition(), Object, 0) : declareHeld(Rest, Class, Object, 0);
}

} // namespace memshape::ast
