//===- Construction.cpp - Text that builds one object from symbols --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "typed/Construction.h"
#include "libraries/reader/Known.h"
#include "typed/LibraryText.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace memshape::ast {

static std::string replaced(std::string Text, const std::string &From, const std::string &To) {
  return withWord(std::move(Text), From, To);
}

static ParameterFact symbolFact(std::string Name) { return {std::move(Name), ParameterRole::Shape, 64, true}; }

static bool isNumber(QualType Type) {
  return Type->isArithmeticType() || Type->isAnyComplexType() || Type->isEnumeralType();
}

static bool isSymbol(QualType Type) {
  return Type->isIntegerType() && !Type->isBooleanType() && !Type->isEnumeralType() && !Type->isAnyCharacterType();
}

/// Behind Type lie numbers or untyped memory, or rows of them: pointers to pointers to numbers.
static bool isTensor(QualType Type) {
  while (Type->isPointerType())
    Type = Type->getPointeeType().getCanonicalType();
  return Type->isVoidType() || isNumber(Type);
}

/// A structure that is copied as bytes and may have any, or one that is declared only.
static bool isPlainRecord(const ASTContext &Context, QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || Record->isUnion() || !Record->getDefinition())
    return Record && !Record->isUnion();
  const auto *Class = dyn_cast<CXXRecordDecl>(Record->getDefinition());
  return !Class || (Class->isAggregate() && Type.isTriviallyCopyableType(Context));
}

/// As people write it: std::vector, not std::__cxx11::vector.
static std::string nameOf(const CXXRecordDecl &Class) {
  std::string Name = Class.getNameAsString();
  for (const DeclContext *At = Class.getDeclContext(); At && !At->isTranslationUnit(); At = At->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(At)) {
      if (!Space->isInline() && !Space->isAnonymousNamespace())
        Name = Space->getNameAsString() + "::" + Name;
    } else if (const auto *Outer = dyn_cast<CXXRecordDecl>(At)) {
      Name = Outer->getNameAsString() + "::" + Name;
    }
  return Name;
}

static const BuildModel *entryOf(QualType Type) {
  if (const CXXRecordDecl *Class = Type->getAsCXXRecordDecl())
    if (const BuildModel *Entry = knownBuild(nameOf(*Class)))
      return Entry;
  const RecordDecl *Record = Type->getAsRecordDecl();
  const TypedefNameDecl *Named = Record ? Record->getTypedefNameForAnonDecl() : nullptr;
  return Record ? knownBuild(Named ? Named->getName() : Record->getName()) : nullptr;
}

/// A template argument of the class; null where it has fewer.
static const TemplateArgument *argumentOf(const RecordDecl &Class, unsigned Number) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  return Special && Number < Special->getTemplateArgs().size() ? &Special->getTemplateArgs()[Number] : nullptr;
}

/// Parameters that the caller has to give: those behind the first one that takes a default and is no number are left
/// to their defaults. Zero where one of them is neither a number nor, with Numbers, a pointer to numbers.
static unsigned givenParameters(const CXXConstructorDecl &Constructor, bool Numbers) {
  unsigned Given = 0;
  for (const ParmVarDecl *P : Constructor.parameters()) {
    const QualType Type = P->getType().getCanonicalType();
    const bool IsNumber = (Type->isArithmeticType() || Type->isEnumeralType()) && !Type->isAnyComplexType();
    const bool IsPointer = Type->isPointerType() && isTensor(Type);
    const bool Suits = isSymbol(Type) || (Numbers && (IsNumber || IsPointer));
    if (P->hasDefaultArg() && (!Suits || IsPointer))
      break;
    if (!Suits)
      return 0;
    ++Given;
  }
  return Given;
}

/// The constructor with the most integers of those that everybody may call and that take integers alone; of those that
/// take other numbers, too, where there is none. Given: how many of its parameters the caller gives.
static const CXXConstructorDecl *numberConstructor(const CXXRecordDecl &Class, unsigned &Given) {
  const CXXConstructorDecl *Best = nullptr;
  for (bool Numbers : {false, true}) {
    long Most = 0;
    for (const CXXConstructorDecl *Each : Class.ctors()) {
      if (Each->getAccess() != AS_public || Each->isDeleted() || Each->isCopyOrMoveConstructor() || Each->isVariadic())
        continue;
      const unsigned Count = givenParameters(*Each, Numbers);
      const long Integers = llvm::count_if(Each->parameters().take_front(Count),
                                           [](const ParmVarDecl *P) { return isSymbol(P->getType()); });
      if (Integers > Most) {
        Best = Each;
        Most = Integers;
        Given = Count;
      }
    }
    if (Best)
      break;
  }
  return Best;
}

std::string TypeNames::of(QualType Type) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  for (size_t I = 0; I != Types.size(); ++I)
    if (Types[I] == Type)
      return name(I);
  Types.push_back(Type);
  return name(Types.size() - 1);
}

std::string Construction::parameter(ParameterFact Fact, const std::string &Type) {
  const std::string Name = "memshape_parameter_" + std::to_string(Parameters.size());
  Parameters.push_back({std::move(Fact), Type, Name});
  return Name;
}

bool Construction::build(QualType Type, const std::string &Display, const std::string &Object) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  const std::string Named = "'" + Type.getAsString(Context.getPrintingPolicy()) + "'";
  if (!Record || !Record->getDefinition())
    return fail("its type " + Named + " is declared only: include its definition, or give the operator another type");
  Record = Record->getDefinition();
  if (Record->isUnion())
    return fail("its type " + Named + " is a union");
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  if (Class && Class->isAbstract())
    return fail("its type " + Named + " is abstract: name an operator that takes a class which can be built");
  if (const BuildModel *Entry = entryOf(Type))
    return fromEntry(*Entry, *Record, Type, Display, Object);
  if (!Class || Class->isAggregate())
    return fromFields(*Record, Type, Display, Object);
  unsigned Given = 0;
  if (const CXXConstructorDecl *Constructor = numberConstructor(*Class, Given))
    return fromConstructor(*Constructor, Given, Type, Display, Object);
  return fail("nothing says how its type " + Named +
              " is built from sizes: it has no public constructor that takes integers and other numbers alone");
}

bool Construction::fromEntry(const BuildModel &Entry, const RecordDecl &Class, QualType Type,
                             const std::string &Display, const std::string &Object) {
  if (!Entry.Unbuilt.empty())
    return fail("its type '" + Type.getAsString(Context.getPrintingPolicy()) + "' is not built: " + Entry.Unbuilt);
  BuildModel Written = Entry;
  auto Write = [&](const std::string &Word, const std::string &Text) { writeInto(Written, Word, Text); };
  if (Entry.Element >= 0) {
    QualType Element;
    const TemplateArgument *Argument = argumentOf(Class, unsigned(Entry.Element));
    if (Argument && Argument->getKind() == TemplateArgument::Type)
      Element = Argument->getAsType();
    if (Element.isNull() || !holdsNumbersAlone(Context, Element))
      return fail("the elements of its type '" + Type.getAsString(Context.getPrintingPolicy()) +
                  "' are no numbers, which is not supported yet");
    Write("$element", Names.of(Element));
    if (Entry.Arguments.find("$tensor") != std::string::npos)
      Write("$tensor",
            parameter({Display, ParameterRole::Tensor, 0, false}, Names.of(Context.getPointerType(Element))));
  }
  for (const BuildSymbol &Symbol : Entry.Symbols) {
    const TemplateArgument *Fixed = Symbol.Argument >= 0 ? argumentOf(Class, unsigned(Symbol.Argument)) : nullptr;
    const TemplateArgument *Count = Symbol.Count >= 0 ? argumentOf(Class, unsigned(Symbol.Count)) : nullptr;
    std::string Value;
    if (Count && Count->getKind() == TemplateArgument::Integral) {
      const std::string As = "(" + (Symbol.Type.empty() ? "__SIZE_TYPE__" : Symbol.Type) + ")";
      for (int64_t I = 0; I < Count->getAsIntegral().getExtValue(); ++I)
        Value += (I ? ", " : "") + As +
                 parameter(symbolFact(Display + "." + Symbol.Name + "[" + std::to_string(I) + "]"), "long long");
    } else if (Fixed && Fixed->getKind() == TemplateArgument::Integral && Fixed->getAsIntegral() != Symbol.Open) {
      Value = std::to_string(Fixed->getAsIntegral().getExtValue());
    } else {
      Value = parameter(symbolFact(Display + "." + Symbol.Name), "long long");
    }
    Write("$" + Symbol.Name, Value);
  }
  for (const BuildSetting &Setting : Entry.Settings) {
    const QualType Double = Context.DoubleTy;
    const unsigned Bits = unsigned(Context.getTypeSize(Double));
    ParameterFact Fact = {Display + "." + Setting.Name, ParameterRole::Setting, Bits, false, Setting.Default};
    Write("$" + Setting.Name, parameter(std::move(Fact), Names.of(Double)));
  }
  return declareFromEntry(Written, Class, Type, Display, Object);
}

bool Construction::fromConstructor(const CXXConstructorDecl &Constructor, unsigned Given, QualType Type,
                                   const std::string &Display, const std::string &Object) {
  std::string Arguments;
  for (const ParmVarDecl *P : Constructor.parameters().take_front(Given)) {
    std::string Name = llvm::StringRef(P->getNameAsString()).trim('_').str();
    if (Name.empty())
      Name = "size" + (Constructor.getNumParams() > 1 ? std::to_string(P->getFunctionScopeIndex()) : "");
    const std::string Value = argument(P->getType().getCanonicalType(), Display + "." + Name);
    Arguments += (Arguments.empty() ? "(" : ", (") + Names.of(P->getType()) + ")" + Value;
  }
  Statements += Names.of(Type) + " " + Object + "(" + Arguments + ");\n";
  return declareContents(Type, Object);
}

/// The name of a parameter for a number, or for a pointer to numbers.
std::string Construction::argument(QualType Type, const std::string &Display) {
  if (isSymbol(Type))
    return parameter(symbolFact(Display), "long long");
  if (Type->isPointerType())
    return parameter({Display, ParameterRole::Tensor, 0, false}, Names.of(Type));
  const unsigned Bits = Type->isBooleanType() ? 1 : unsigned(Context.getTypeSize(Type));
  return parameter({Display, ParameterRole::Setting, Bits, Type->hasSignedIntegerRepresentation()}, Names.of(Type));
}

bool Construction::fromFields(const RecordDecl &Record, QualType Type, const std::string &Display,
                              const std::string &Object) {
  Statements += Names.of(Type) + " " + Object + (Context.getLangOpts().CPlusPlus ? "{};\n" : " = {0};\n");
  Inside = {&Record};
  return setFields(Record, Display, Object);
}

bool Construction::setFields(const RecordDecl &Record, const std::string &Display, const std::string &Object) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record); Class && Class->getNumBases())
    return fail("its type has a base and no constructor that takes integers alone");
  for (const FieldDecl *Field : Record.fields()) {
    if (Field->isUnnamedBitField() || Field->getName().empty())
      continue;
    if (!setField(Field->getType(), Display + "." + Field->getNameAsString(), Object + "." + Field->getNameAsString()))
      return false;
  }
  return true;
}

bool Construction::setField(QualType Type, const std::string &Display, const std::string &Object) {
  constexpr uint64_t FewSymbols = 8;
  Type = Type.getCanonicalType().getUnqualifiedType();
  const std::string Name = Names.of(Type);
  if (isSymbol(Type) || Type->isEnumeralType()) {
    Statements += Object + " = (" + Name + ")" + parameter(symbolFact(Display), "long long") + ";\n";
  } else if (Type->isBooleanType() || Type->isRealFloatingType()) {
    const unsigned Bits = Type->isBooleanType() ? 1 : unsigned(Context.getTypeSize(Type));
    Statements += Object + " = " + parameter({Display, ParameterRole::Setting, Bits, false}, Name) + ";\n";
  } else if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    const uint64_t Count = Array->getSize().getZExtValue();
    if (isSymbol(Array->getElementType()) && Count <= FewSymbols) {
      for (uint64_t I = 0; I != Count; ++I) {
        const std::string At = "[" + std::to_string(I) + "]";
        if (!setField(Array->getElementType(), Display + At, Object + At))
          return false;
      }
    } else if (isNumber(Context.getBaseElementType(Type))) {
      declareFilled(Object);
    } else if (const QualType Element = Context.getBaseElementType(Type).getCanonicalType().getUnqualifiedType();
               Element->isRecordType() && isPlainRecord(Context, Element)) {
      const std::string All = "((" + Names.of(Context.getPointerType(Element)) + ")&" + Object + ")";
      return fillElements(Element, Display, All, std::to_string(Context.getConstantArrayElementCount(Array)));
    } else {
      return fail("its member '" + Display + "' is an array of objects, which is not supported yet");
    }
  } else if (Type->isPointerType() && isTensor(Type)) {
    Statements += Object + " = " + parameter({Display, ParameterRole::Tensor, 0, false}, Name) + ";\n";
  } else if (Type->isFunctionPointerType()) {
    Statements += Object + " = " + parameter({Display, ParameterRole::Function, 0, false}, Name) + ";\n";
  } else if (Type->isPointerType() && isPlainRecord(Context, Type->getPointeeType())) {
    return setElements(Type->getPointeeType(), Display, Object);
  } else if (const RecordDecl *Inner = Type->getAsRecordDecl(); Inner && Inner->getDefinition() && !entryOf(Type)) {
    const auto *Class = dyn_cast<CXXRecordDecl>(Inner->getDefinition());
    if (Inner->isUnion() || (Class && !Class->isAggregate()))
      return fail("nothing says how its member '" + Display + "' is built");
    return setFields(*Inner->getDefinition(), Display, Object);
  } else if (isNumber(Type)) {
    declareFilled(Object);
  } else {
    return fail("nothing says how its member '" + Display + "', of type '" +
                Type.getAsString(Context.getPrintingPolicy()) + "', is built");
  }
  return true;
}

/// Object points to as many structures as a symbol says, all of them alike. What such a structure itself points to of
/// its own type, and what is declared only, is the caller's: nothing is known of it.
bool Construction::setElements(QualType Type, const std::string &Display, const std::string &Object) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  const QualType Plain = Type.getCanonicalType().getUnqualifiedType();
  const std::string Name = Names.of(Plain);
  if (!Record->getDefinition() || llvm::is_contained(Inside, Record->getDefinition())) {
    const std::string Pointer = Names.of(Context.getPointerType(Plain));
    Statements += Object + " = " + parameter({Display, ParameterRole::Tensor, 0, false}, Pointer) + ";\n";
    return true;
  }
  const bool IsTaken =
      llvm::any_of(Record->getDefinition()->fields(), [](const FieldDecl *F) { return F->getName() == "count"; });
  const std::string Count = parameter(symbolFact(Display + (IsTaken ? ".elements" : ".count")), "long long");
  const std::string All = "memshape_elements_" + std::to_string(Elements);
  Statements += Name + " *" + All + " = (" + Name + " *)__builtin_malloc(" + Count + " * sizeof(" + Name + "));\n";
  if (!fillElements(Plain, Display, All, Count))
    return false;
  Statements += Object + " = " + All + ";\n";
  return true;
}

/// Count structures from the one at All on, each like all others.
bool Construction::fillElements(QualType Type, const std::string &Display, const std::string &All,
                                const std::string &Count) {
  const std::string Number = std::to_string(Elements++), One = "memshape_element_" + Number;
  Statements += Names.of(Type) + " " + One + (Context.getLangOpts().CPlusPlus ? "{};\n" : " = {0};\n");
  const RecordDecl *Record = Type->getAsRecordDecl()->getDefinition();
  Inside.push_back(Record);
  if (!setFields(*Record, Display, One))
    return false;
  Inside.pop_back();
  const std::string At = "memshape_at_" + Number;
  Statements +=
      "for (long " + At + " = 0; " + At + " < " + Count + "; ++" + At + ") " + All + "[" + At + "] = " + One + ";\n";
  return true;
}

/// The bytes of Object itself are data: copied from a tensor.
void Construction::declareFilled(const std::string &Object) {
  const QualType Pointer = Context.getPointerType(Context.CharTy);
  const std::string From = parameter({"", ParameterRole::Tensor, 0, false}, Names.of(Pointer));
  Statements += "__builtin_memcpy((void *)&" + Object + ", " + From + ", sizeof(" + Object + "));\n";
}

bool Construction::declareContents(QualType Type, const std::string &Object, unsigned Depth) {
  constexpr unsigned Deepest = 8;
  if (Depth == Deepest)
    return fail("its type holds objects in objects more than " + std::to_string(Deepest) + " deep");
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (isNumber(Type))
    return true;
  if (Context.getAsConstantArrayType(Type)) {
    if (!isNumber(Context.getBaseElementType(Type)))
      return fail("it holds an array of objects, which is not supported yet");
    declareFilled(Object);
    return true;
  }
  if (Type->isPointerType()) {
    if (Type->getPointeeType()->isFunctionType() ||
        !(Type->getPointeeType()->isVoidType() || isNumber(Type->getPointeeType().getCanonicalType())))
      return fail("it holds a pointer to '" + Type->getPointeeType().getAsString(Context.getPrintingPolicy()) +
                  "', and what is behind that is not known");
    Statements += "memshape_contents(" + Object + ");\n";
    return true;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->getDefinition() || Record->isUnion())
    return fail("it holds '" + Type.getAsString(Context.getPrintingPolicy()) + "', which is not supported yet");
  if (const BuildModel *Entry = entryOf(Type)) {
    if (!Entry->Contents.empty())
      Statements += withUnknown(replaced(Entry->Contents, "$x", Object)) + "\n";
    if (Entry->Data.empty())
      return true;
    const std::string Data = replaced(Entry->Data, "$x", Object);
    if (Entry->Bytes.empty())
      Statements += "memshape_contents(" + Data + ");\n";
    else
      Statements += "__builtin_memcpy((void *)" + Data + ", " +
                    parameter({"", ParameterRole::Tensor, 0, false}, Names.of(Context.getPointerType(Context.CharTy))) +
                    ", " + replaced(Entry->Bytes, "$x", Object) + ");\n";
    return true;
  }
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record->getDefinition()))
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      if (Base.isVirtual())
        return fail("its type has a virtual base");
      if (!declareContents(Base.getType(), "((" + Names.of(Base.getType()) + " &)" + Object + ")", Depth + 1))
        return false;
    }
  return llvm::all_of(Record->getDefinition()->fields(), [&](const FieldDecl *Field) {
    return Field->getName().empty() || Field->isBitField() ||
           declareContents(Field->getType(), Object + "." + Field->getNameAsString(), Depth + 1);
  });
}

} // namespace memshape::ast
