// Structures and closures, member by member.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/TypeKinds.h"

#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace memshape::ast {

/// A union that anything may be copied into. Which of its members it holds is not known, so that all of it is data.
static bool isPlainUnion(const RecordDecl &Union) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&Union);
  return !Class || (Class->isAggregate() && Class->hasTrivialDefaultConstructor() && Class->hasTrivialDestructor());
}

bool Construction::fromFields(const RecordDecl &Record, QualType Type, const std::string &Display,
                              const std::string &Object, bool New) {
  const bool Cpp = Context.getLangOpts().CPlusPlus;
  const std::string Name = Names.of(Type);
  Statements += New ? Name + " &" + Object + " = *new " + Name + (Cpp ? "();\n" : ";\n")
                    : Name + " " + Object + (Cpp ? "{};\n" : " = {0};\n");
  return setFields(Record, Display, Object);
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
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      const std::string Part = "((" + Names.of(Base.getType()) + " &)" + Object + ")";
      if (Base.isVirtual())
        return fail("its type has a virtual base");
      if (!setField(Base.getType(), Display, Part))
        return false;
    }
  for (const FieldDecl *Field : Record.fields()) {
    const std::string Name = Field->getNameAsString();
    const RecordDecl *Unnamed = Name.empty() ? Field->getType()->getAsRecordDecl() : nullptr;
    if (Field->isUnnamedBitField() || (Name.empty() && !Unnamed))
      continue;
    if (!Unnamed) {
      const size_t Had = Parameters.size();
      if (!setField(Field->getType(), Display + "." + Name, Object + "." + Name))
        return false;
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
  if (!Few)
    return fail("its member '" + Display + "' is an array of more than " + std::to_string(FewParts) +
                " objects, which is not supported yet");
  for (uint64_t I = 0; I != Array.getSize().getZExtValue(); ++I) {
    const std::string At = "[" + std::to_string(I) + "]";
    if (!setField(Element, Display + At, Object + At))
      return false;
  }
  return true;
}

bool Construction::setField(QualType Type, const std::string &Display, const std::string &Object) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type))
    return setArray(*Array, Display, Object);
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (Record && Record->isUnion()) {
    if (!isPlainUnion(*Record))
      return fail("its member '" + Display + "' is a union that cannot be copied into");
    declareFilled(Object);
    return true;
  }
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
  if (!value(Type, Display, Value)) {
    if (Problem.find("member '") == std::string::npos)
      Problem = "its member '" + Display + "': " + Problem;
    return false;
  }
  Statements += (Type.isConstQualified() ? "(" + Names.of(Type) + " &)" : "") + Object + " = " + Value + ";\n";
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

/// Object points to as many structures as a symbol says, all of them alike. What such a structure itself points to of
/// its own type, and what is declared only, is the caller's: nothing is known of it.
bool Construction::setElements(QualType Type, const std::string &Display, const std::string &Object) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  const QualType Plain = Type.getCanonicalType().getUnqualifiedType();
  const std::string Name = Names.of(Plain);
  if (!Record->getDefinition() || llvm::is_contained(Open, Plain)) {
    const std::string Pointer = Names.of(Context.getPointerType(Plain));
    Statements += Object + " = " + parameter({Display, ParameterRole::Tensor, 0, false}, Pointer) + ";\n";
    return true;
  }
  const bool IsTaken =
      llvm::any_of(Record->getDefinition()->fields(), [](const FieldDecl *F) { return F->getName() == "count"; });
  const std::string Count =
      parameter({Display + (IsTaken ? ".elements" : ".count"), ParameterRole::Shape, 64, true}, "long long");
  const std::string All = fresh("elements");
  Statements += Name + " *" + All + " = (" + Name + " *)__builtin_malloc(" + Count + " * sizeof(" + Name + "));\n";
  if (!fillElements(Plain, Display, All, Count))
    return false;
  Statements += Object + " = " + All + ";\n";
  return true;
}

/// Count structures from the one at All on, each like all others.
bool Construction::fillElements(QualType Type, const std::string &Display, const std::string &All,
                                const std::string &Count) {
  const QualType Plain = Type.getCanonicalType().getUnqualifiedType();
  const std::string One = fresh("element"), At = fresh("at");
  Statements += Names.of(Plain) + " " + One + (Context.getLangOpts().CPlusPlus ? "{};\n" : " = {0};\n");
  Open.push_back(Plain);
  if (!setFields(*Type->getAsRecordDecl()->getDefinition(), Display, One))
    return false;
  Open.pop_back();
  Statements +=
      "for (long " + At + " = 0; " + At + " < " + Count + "; ++" + At + ") " + All + "[" + At + "] = " + One + ";\n";
  return true;
}

} // namespace memshape::ast
