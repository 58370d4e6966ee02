// Structures and closures, member by member.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/ArrayUse.h"
#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/TypeKinds.h"

#include "clang/AST/RecordLayout.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

/// A union that anything may be copied into. Which of its members it holds is not known, so that all of it is data.
static bool isPlainUnion(const RecordDecl &Union) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&Union);
  return !Class || (Class->isAggregate() && Class->hasTrivialDefaultConstructor() && Class->hasTrivialDestructor());
}

/// A structure that points to what users do not see the members of: this may lead back to it.
static bool mayBeLedBackTo(const RecordDecl &Record) {
  return llvm::any_of(Record.fields(), [](const FieldDecl *Field) {
    const QualType Type = Field->getType();
    return Type->isPointerType() && Type->getPointeeType()->isRecordType() &&
           !Type->getPointeeType()->getAsRecordDecl()->getDefinition();
  });
}

bool Construction::fromFields(const RecordDecl &Record, QualType Type, const std::string &Display,
                              const std::string &Object, bool New) {
  const bool Cpp = Context.getLangOpts().CPlusPlus;
  const std::string Name = Names.of(Type);
  const std::string Behind = bytesBehind(Record, Display);
  if (!Behind.empty() || (New && !Cpp)) {
    const std::string Bytes = "sizeof(" + Name + ")" + (Behind.empty() ? "" : " + " + Behind);
    const std::string Built = behindPointer(Object, "(" + Name + " *)__builtin_calloc(1, " + Bytes + ")");
    return setFields(Record, Display, Built) && fillBehind(Record, Built, Behind);
  }
  Statements +=
      New ? Name + " &" + Object + " = *new " + Name + "();\n" : Name + " " + Object + (Cpp ? "{};\n" : " = {0};\n");
  if (mayBeLedBackTo(Record))
    Statements += "memshape_known(&" + Object + ");\n";
  return setFields(Record, Display, Object);
}

/// An object of the program's own class of which no function says how it comes from numbers: its members say. Where it
/// has no default constructor, each member is made by its own.
bool Construction::fromMembers(const CXXRecordDecl &Class, QualType Type, const std::string &Display,
                               const std::string &Object, bool New) {
  const std::string Name = Names.of(Type);
  if (Class.hasDefaultConstructor()) {
    Statements += New ? Name + " &" + Object + " = *new " + Name + "();\n" : Name + " " + Object + ";\n";
    return setFields(Class, Display, Object);
  }
  if (Class.isPolymorphic())
    return fail("its type " + written(Type) + " has virtual functions and no default constructor");
  const std::string Bytes = fresh("bytes");
  Statements += New ? "void *" + Bytes + " = __builtin_calloc(1, sizeof(" + Name + "));\n"
                    : "alignas(" + Name + ") unsigned char " + Bytes + "[sizeof(" + Name + ")] = {};\n";
  Statements += Name + " &" + Object + " = *(" + Name + " *)" + Bytes + ";\n";
  for (const FieldDecl *Field : Class.fields())
    if (const CXXRecordDecl *Of = Field->getType()->getAsCXXRecordDecl(); Of && Of->hasDefaultConstructor()) {
      const std::string Place = fresh("place");
      Statements += "struct " + Place + " {\n" + Names.of(Field->getType()) +
                    " member;\nstatic void *operator new(__SIZE_TYPE__, void *at) noexcept { return at; }\n};\n"
                    "new ((void *)&" +
                    Object + "." + Field->getNameAsString() + ") " + Place + "();\n";
    }
  return setFields(Class, Display, Object);
}

/// What a lambda has captured has no names in the text, only places.
bool Construction::fromCaptures(const CXXRecordDecl &Closure, QualType Type, const std::string &Display,
                                const std::string &Object) {
  const std::string Name = Names.of(Type), Bytes = fresh("closure");
  Statements += "alignas(" + Name + ") unsigned char " + Bytes + "[sizeof(" + Name + ")];\n" + Name + " &" + Object +
                " = *(" + Name + " *)" + Bytes + ";\n";
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(&Closure);
  auto Capture = Closure.captures_begin();
  for (const FieldDecl *Field : Closure.fields()) {
    const LambdaCapture *Captured = Capture == Closure.captures_end() ? nullptr : &*Capture++;
    const std::string Called = Captured && Captured->capturesVariable() ? Captured->getCapturedVar()->getNameAsString()
                               : Captured && Captured->capturesThis()   ? "this"
                                                                        : "captured";
    QualType Stored = Field->getType().getCanonicalType();
    std::string Value;
    if (Stored->isReferenceType())
      Stored = Context.getPointerType(Stored->getPointeeType());
    if (Stored->isRecordType()) {
      return fail("its closure holds a copy of '" + Called + "', of type " + written(Stored) +
                  ": capture that by reference");
    }
    ++Blocks; // what is behind a reference outlives the block
    const bool Done = value(Stored, Display + "." + Called, Value);
    --Blocks;
    if (!Done)
      return false;
    Statements += "*(" + Names.of(Context.getPointerType(Stored)) + ")(" + Bytes + " + " +
                  std::to_string(Layout.getFieldOffset(Field->getFieldIndex()) / 8) + ") = " + Value + ";\n";
  }
  return true;
}

bool Construction::setFields(const RecordDecl &Record, const std::string &Display, const std::string &Object) {
  constexpr size_t Most = 1000; // of structures that lead to each other there is no end
  if (Parameters.size() > Most)
    return fail("it leads to more than " + std::to_string(Most) + " members");
  if (Record.isUnion()) {
    if (!isPlainUnion(Record))
      return fail("its member '" + Display + "' is a union that cannot be copied into");
    declareFilled(Object);
    return true;
  }
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      const std::string Part = "((" + Names.of(Base.getType()) + " &)" + Object + ")";
      if (Base.isVirtual())
        return fail("its type has a virtual base");
      if (!setField(Base.getType(), Display, Part))
        return false;
    }
  const auto *Made = dyn_cast<CXXRecordDecl>(&Record);
  const bool IsMade = Made && Made->hasUserProvidedDefaultConstructor(); // nobody sets its constants anew
  for (const FieldDecl *Field : Record.fields()) {
    const std::string Name = Field->getNameAsString();
    const RecordDecl *Unnamed = Name.empty() ? Field->getType()->getAsRecordDecl() : nullptr;
    if (Field->isUnnamedBitField() || (Name.empty() && !Unnamed) || (IsMade && Field->getType().isConstQualified()) ||
        Field->getType()->isIncompleteArrayType())
      continue;
    if (Field->getType()->isFunctionPointerType() && !FunctionsAreThere && isAskedForNull(*Field)) {
      const std::string IsThere = presence(Display + "." + Name);
      Statements += Object + "." + Name + " = " + IsThere + " ? " +
                    parameter({Display + "." + Name, ParameterRole::Function, 0, false}, Names.of(Field->getType())) +
                    " : 0;\n";
    } else if (!Unnamed) {
      const size_t Had = Parameters.size();
      const Progress Before = progress();
      if (!setField(Field->getType(), Display + "." + Name, Object + "." + Name)) {
        if (!Made || !Made->hasDefaultConstructor() || !Field->getType()->isRecordType())
          return false;
        // The constructor makes it, and anything may have been done to it since.
        undo(Before);
        Problem.clear();
        declareFilled(Object + "." + Name);
        continue;
      }
      giveDefault(constantOf(Context, Field->getInClassInitializer()), Had);
    } else if (!Unnamed->isUnion()) {
      if (!setFields(*Unnamed, Display, Object))
        return false;
    } else {
      if (!isPlainUnion(*Unnamed))
        return fail("its type has a union that cannot be copied into");
      for (const FieldDecl *Each : Unnamed->fields())
        declareFilled(Object + "." + Each->getNameAsString());
    }
  }
  return true;
}

bool Construction::setArray(const ConstantArrayType &Array, const std::string &Display, const std::string &Object) {
  const QualType Element = Array.getElementType().getCanonicalType();
  const bool Few = Array.getSize().getZExtValue() <= FewParts;
  const RecordDecl *Record = Element->getAsRecordDecl();
  if (isPlain(Context, Element) && !(Few && (isSymbol(Element) || (Record && !Record->isUnion())))) {
    declareFilled(Object);
    return true;
  }
  if (Record && isPlainRecord(Context, Element)) {
    const std::string All = "((" + Names.of(Context.getPointerType(Element)) + ")&" + Object + ")";
    return fillElements(Element, Display, All, std::to_string(Context.getConstantArrayElementCount(&Array)));
  }
  if (!Few) {
    const std::string At = fresh("at");
    Statements += "for (long " + At + " = 0; " + At + " < " + std::to_string(Array.getSize().getZExtValue()) + "; ++" +
                  At + ") {\n";
    ++Blocks;
    const bool Done = setField(Element, Display + "[0]", Object + "[" + At + "]");
    --Blocks;
    Statements += "}\n";
    return Done;
  }
  for (uint64_t I = 0; I != Array.getSize().getZExtValue(); ++I) {
    const std::string At = "[" + std::to_string(I) + "]";
    if (!setField(Element, Display + At, Object + At))
      return false;
  }
  return true;
}

bool Construction::setField(QualType Type, const std::string &Display, const std::string &Object) {
  if (Type.isConstQualified() && !Type->isArrayType()) {
    const QualType Bare = Type.getCanonicalType().getUnqualifiedType();
    return setField(Bare, Display, "(*(" + Names.of(Context.getPointerType(Bare)) + ")&" + Object + ")");
  }
  Type = Type.getAtomicUnqualifiedType().getCanonicalType();
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type))
    return setArray(*Array, Display, Object);
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (Type->isReferenceType())
    return fail("its member '" + Display + "' is a reference");
  if (Type->isPointerType() && isPlainRecord(Context, Type->getPointeeType()) &&
      !entryOf(Context, Type->getPointeeType().getCanonicalType().getUnqualifiedType()))
    return setElements(Type->getPointeeType(), Display, Object);
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  if (Record && !entryOf(Context, Type) && (!Class || (Class->isAggregate() && !Class->isLambda())))
    return setFields(*Record, Display, Object);
  if (isNumber(Type) && !isSymbol(Type) && !Type->isEnumeralType() && !Type->isBooleanType() &&
      !Type->isRealFloatingType()) {
    declareFilled(Object);
    return true;
  }
  std::string Value;
  const bool Encloses = Class && Context.getLangOpts().CPlusPlus;
  if (Encloses) {
    Statements += "{\n";
    ++Blocks;
  }
  const bool Keyed = Encloses && hasKeys(Context, Type);
  Moved = Keyed ? Type : QualType();
  if (!value(Type, Display, Value)) {
    if (Problem.find("member '") == std::string::npos)
      Problem = "its member '" + Display + "': " + Problem;
    return false;
  }
  Statements += Object + " = " + Value + ";\n";
  if (Keyed && Later && llvm::StringRef(Object).starts_with(Later->Object + "."))
    Later->Keyed.emplace_back(Type, Object);
  else if (Keyed && !declareContents(Type, Object))
    return false;
  if (Encloses) {
    Statements += "}\n";
    --Blocks;
  }
  return true;
}

bool Construction::buildArray(QualType Type, const std::string &Display, const std::string &Object) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (!isPlainRecord(Context, Type) || !Type->getAsRecordDecl()->getDefinition())
    return fail("it is an array of objects of type " + written(Type) + ", which is not supported yet");
  Statements += Names.of(Context.getPointerType(Type)) + " " + Object + ";\n";
  return setElements(Type, Display, Object);
}

bool Construction::buildPointers(QualType Type, const std::string &Display, uint64_t Fixed, std::string &First) {
  const std::string Pointer = Names.of(Context.getPointerType(Type)), At = fresh("at"), Each = fresh("pointer");
  const std::string Count =
      Fixed ? std::to_string(Fixed) : parameter({Display + ".count", ParameterRole::Shape, 64, true}, "long long");
  First = fresh("pointers");
  Statements += Pointer + " *" + First + " = (" + Pointer + " *)__builtin_malloc(" + Count + " * sizeof(" + Pointer +
                "));\nfor (long " + At + " = 0; " + At + " < " + Count + "; ++" + At + ") {\n";
  ++Blocks;
  std::string Value = Each;
  const bool Done = isPlainRecord(Context, Type) && !entryOf(Context, Type)
                        ? buildArray(Type, Display + "[0]", Each)
                        : value(Context.getPointerType(Type), Display + "[0]", Value);
  --Blocks;
  Statements += First + "[" + At + "] = " + Value + ";\n}\n";
  return Done;
}

/// What an object points to of its own type: nothing, where a setting does not say that it is there, or a chain of
/// objects that are alike, as long as a symbol says. First: an expression of the pointer to the first of them.
bool Construction::chain(QualType Type, const std::string &Display, std::string &First) {
  if (const auto Within = llvm::find_if(Chains, [&](const Chain &Each) { return Each.Type == Type; });
      Within != Chains.end()) {
    // The member that leads on; a second one, as in a tree, leads nowhere.
    const llvm::StringRef Inside = Display, Outside = Within->Display;
    const bool LeadsOn = Inside.starts_with(Outside) && Outside.ends_with(Inside.drop_front(Outside.size()));
    if (LeadsOn)
      Within->Next = Inside.drop_front(Outside.size());
    First = LeadsOn ? Within->Last : "((" + Names.of(Context.getPointerType(Type)) + ")0)";
    return true;
  }
  ParameterFact Depth = {Display + ".depth", ParameterRole::Shape, 64, true};
  Depth.Default = "1";
  const std::string IsThere = presence(Display), Links = parameter(std::move(Depth), "long long");
  const std::string Last = fresh("last"), Link = fresh("link"), At = fresh("at"),
                    Pointer = Names.of(Context.getPointerType(Type));
  const size_t Had = Parameters.size();
  Statements += Pointer + " " + Last + " = 0;\nfor (long " + At + " = " + IsThere + " ? " + Links + " : 0; " + At +
                " > 0; --" + At + ") {\n";
  const std::vector<QualType> Outer = std::exchange(Open, {});
  Chains.push_back({Type, Display, Last, ""});
  Keys Made{Link, {}};
  ++Blocks;
  const bool Done = [&] {
    const llvm::SaveAndRestore Innermost(Later, &Made);
    return build(Type, Display, Link, /*New=*/true);
  }();
  --Blocks;
  const std::string Next = At + "->" + llvm::StringRef(Chains.back().Next).ltrim('.').str();
  Chains.pop_back();
  Open = Outer;
  if (!Done)
    return false;
  Statements += Last + " = &" + nameOf(Link) + ";\n}\n";
  if (!Made.Keyed.empty()) { // set in the loop, keys would be data where those of the next object are told apart
    Statements += "for (" + Pointer + " " + At + " = " + Last + "; " + At + "; " + At + " = " + Next + " ? &*" + Next +
                  " : 0) {\nauto &" + Link + " = *" + At + ";\n";
    for (const auto &[Each, Object] : Made.Keyed)
      if (!declareContents(Each, Object))
        return false;
    Statements += "}\n";
  }
  for (size_t I = Had; I != Parameters.size(); ++I) // where there is none, none of its symbols need be given
    if (ParameterFact &Fact = Parameters[I].Fact;
        Fact.Default.empty() && (Fact.Role == ParameterRole::Shape || Fact.Role == ParameterRole::Setting))
      Fact.Default = "0";
  return First = Last, true;
}

/// The array without an extent at the end of a structure; null where there is none.
static const FieldDecl *arrayBehind(const RecordDecl &Record) {
  const FieldDecl *Last = nullptr;
  for (const FieldDecl *Field : Record.fields())
    Last = Field;
  return Last && Last->getType()->isIncompleteArrayType() ? Last : nullptr;
}

/// How many bytes the array at the end of the structure takes, an expression; "" where it has none.
std::string Construction::bytesBehind(const RecordDecl &Record, const std::string &Display) {
  const FieldDecl *Array = arrayBehind(Record);
  if (!Array)
    return "";
  const QualType Element = Context.getAsArrayType(Array->getType())->getElementType();
  return parameter({Display + "." + Array->getNameAsString() + ".size", ParameterRole::Shape, 64, true}, "long long") +
         " * sizeof(" + Names.of(Element) + ")";
}

/// The array at the end of Object, of so many Bytes, is data.
bool Construction::fillBehind(const RecordDecl &Record, const std::string &Object, const std::string &Bytes) {
  const FieldDecl *Array = arrayBehind(Record);
  if (!Array)
    return true;
  if (!isPlain(Context, Context.getAsArrayType(Array->getType())->getElementType()))
    return fail("its member '" + Array->getNameAsString() + "' is an array of " + written(Array->getType()));
  Statements +=
      "__builtin_memcpy((void *)" + Object + "." + Array->getNameAsString() + ", " + numbers() + ", " + Bytes + ");\n";
  return true;
}

/// Object points to as many structures as a symbol says, all of them alike. What is declared only, or kept to itself by
/// the system, is the caller's: nothing is known of it.
bool Construction::setElements(QualType Type, const std::string &Display, const std::string &Object) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  const QualType Plain = Type.getCanonicalType().getUnqualifiedType();
  const std::string Name = Names.of(Plain);
  constexpr size_t Plenty = 100; // of structures that lead to each other only so many are built
  if (!Record->getDefinition() || isPrivate(*Record->getDefinition()) || Parameters.size() > Plenty) {
    const std::string Pointer = Names.of(Context.getPointerType(Plain));
    Statements += Object + " = " + parameter({Display, ParameterRole::Tensor, 0, false}, Pointer) + ";\n";
    return true;
  }
  if (llvm::is_contained(Open, Plain)) {
    std::string First;
    if (!chain(Plain, Display, First))
      return false;
    Statements += Object + " = " + First + ";\n";
    return true;
  }
  const bool IsTaken =
      llvm::any_of(Record->getDefinition()->fields(), [](const FieldDecl *F) { return F->getName() == "count"; });
  const std::string Count =
      parameter({Display + (IsTaken ? ".elements" : ".count"), ParameterRole::Shape, 64, true}, "long long");
  const std::string All = fresh("elements");
  const std::string Behind = bytesBehind(*Record->getDefinition(), Display);
  Statements += Name + " *" + All + " = (" + Name + " *)(" + Count + " ? __builtin_malloc(" + Count + " * sizeof(" +
                Name + ")" + (Behind.empty() ? "" : " + " + Behind) + ") : 0);\n"; // what is not there is null
  if (!fillElements(Plain, Display, All, Count))
    return false;
  if (!Behind.empty()) {
    Statements += "if (" + Count + ")\n";
    if (!fillBehind(*Record->getDefinition(), All + "[" + Count + " - 1]", Behind))
      return false;
  }
  Statements += Object + " = " + All + ";\n";
  return true;
}

/// Count structures from the one at All on, each like all others; what one leads to is its own.
bool Construction::fillElements(QualType Type, const std::string &Display, const std::string &All,
                                const std::string &Count) {
  const QualType Plain = Type.getCanonicalType().getUnqualifiedType();
  const std::string One = fresh("element"), At = fresh("at");
  Statements += "for (long " + At + " = 0; " + At + " < " + Count + "; ++" + At + ") {\n" + Names.of(Plain) + " " +
                One + (Context.getLangOpts().CPlusPlus ? "{};\n" : " = {0};\n");
  Open.push_back(Plain);
  ++Blocks;
  if (!setFields(*Type->getAsRecordDecl()->getDefinition(), Display, One))
    return false;
  --Blocks;
  Open.pop_back();
  Statements += All + "[" + At + "] = " + One + ";\n}\n";
  return true;
}

} // namespace memshape::ast
