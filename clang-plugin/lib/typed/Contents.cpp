// What objects hold is data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/Object.h"
#include "naming/ArrayUse.h"
#include "naming/FunctionValues.h"
#include "typed/Construction.h"
#include "typed/TypeKinds.h"
#include "typed/UserLines.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

/// The bytes of Object itself are data: copied from a tensor.
void Construction::declareFilled(const std::string &Object) {
  Statements += "__builtin_memcpy((void *)&" + Object + ", " + numbers() + ", sizeof(" + Object + "));\n";
}

/// A number with a point that every object begins with is data: others have set it since. One that follows from
/// parameters is not.
void Construction::declareIfConstant(const std::string &Number) {
  Statements += "if (__builtin_constant_p(" + Number + "))\n";
  declareFilled(Number);
}

/// An object of the class is what its class does: the class has no members, and neither have its bases.
static bool hasNoMembers(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  return Class && !Class->isUnion() && Class->field_empty() &&
         llvm::all_of(Class->bases(), [](const CXXBaseSpecifier &Base) { return hasNoMembers(Base.getType()); });
}

/// What Pointer leads to is data; where only functions of other units may change it, if one of them does.
std::string Construction::contentsOf(const std::string &Pointer) const {
  return HandedTo.empty() ? "memshape_contents(" + Pointer + ");\n"
                          : "memshape_handed(" + Pointer + ", \"" + HandedTo + "\");\n";
}

bool Construction::declareContents(QualType Type, const std::string &Object, unsigned Depth) {
  constexpr unsigned Deepest = 8;
  const llvm::SaveAndRestore Outermost(Whole, Depth ? Whole : Object);
  if (Depth == Deepest)
    return fail("its type holds objects in objects more than " + std::to_string(Deepest) + " deep");
  Type = Type.getAtomicUnqualifiedType().getCanonicalType();
  if (isNumber(Type))
    return true;
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    if (isPlain(Context, Type))
      return declareFilled(Object), true;
    const std::string At = fresh("at");
    Statements += "for (long " + At + " = 0; " + At + " < " + std::to_string(Array->getSize().getZExtValue()) + "; ++" +
                  At + ") {\n";
    const bool Done = declareContents(Array->getElementType(), Object + "[" + At + "]", Depth + 1);
    Statements += "}\n";
    return Done;
  }
  if ((Type->isPointerType() || Type->isReferenceType()) && hasNoMembers(Type->getPointeeType()))
    return true;
  if (Type->isPointerType()) {
    const QualType Behind = Type->getPointeeType().getCanonicalType();
    if (Behind->isPointerType() && isTensorPointer(Context, Behind)) {
      Statements += "if (" + Object + ") " + contentsOf("*" + Object); // of one row, as of all
      return true;
    }
    if (Behind->isFunctionType()) {
      const std::string Own = ownFunction(Type), Name = Object.substr(Object.rfind('.') + 1);
      Statements += Object + " = " +
                    (Own.empty() ? parameter({Name, ParameterRole::Function, 0, false}, Names.of(Type)) : Own) + ";\n";
      return true;
    }
    Statements += contentsOf(Object);
    return true;
  }
  if (Type->isReferenceType() && Type->getPointeeType()->isRecordType()) {
    const std::string At = "(char *)&" + Object, Begin = "(char *)&" + Whole;
    Statements += "if (" + At + " < " + Begin + " || " + At + " >= " + Begin + " + sizeof(" + Whole + ")) " +
                  contentsOf("&" + Object); // rather than the object that it is a member of
    return true;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (Record && Record->getDefinition() && Record->isUnion())
    return declareFilled(Object), true;
  if (!Record || !Record->getDefinition())
    return fail("it holds " + written(Type) + ", which is not supported yet");
  const BuildModel *Entry = entryOf(Context, Type);
  if (!Entry || Entry->Members)
    return declareMembers(*Record->getDefinition(), Object, Depth);
  return declareHeld(*Entry, *Record, Object, Depth);
}

/// The entry tells where the data of its objects is.
static bool tellsData(const BuildModel &Entry) {
  const auto Declares = [](const std::string &Text) { return Text.find("memshape_contents") != std::string::npos; };
  return !Entry.Data.empty() || !Entry.Contents.empty() || !Entry.Inner.empty() || !Entry.Parts.empty() ||
         Entry.Object >= 0 || Declares(Entry.First) || Declares(Entry.Then);
}

/// An entry is one way to build an object. What the object then holds, others may have set otherwise: beside what the
/// entry tells, all that its members hold.
bool Construction::declareUntold(const BuildModel &Entry, const RecordDecl &Class, const std::string &Object,
                                 unsigned Depth) {
  if (Entry.Fixed || !Entry.Parts.empty())
    return true;
  const Progress Before = progress();
  if (declareMembers(*Class.getDefinition(), Object, Depth))
    return true;
  if (!tellsData(Entry))
    return fail(Problem + "; say in its description what is data, or that it is \"fixed\"");
  undo(Before);
  Problem.clear();
  return true;
}

bool Construction::declareHeld(const BuildModel &Entry, const RecordDecl &Class, const std::string &Object,
                               unsigned Depth) {
  if (!Entry.Contents.empty())
    Statements += withUnknown(withWord(Entry.Contents, "$x", Object)) + "\n";
  if (!Entry.Data.empty()) {
    const QualType Type = typeArgumentOf(Class, std::max(Entry.Element, 0));
    const std::string Element = Type.isNull() || Type->isFunctionType() ? "" : Names.of(Type);
    const std::string Data = withWord(Entry.Data, "$x", Object);
    if (Entry.Bytes.empty())
      Statements += "memshape_contents(" + Data + ");\n";
    else
      Statements += "__builtin_memcpy((void *)" + Data + ", " + numbers() + ", " +
                    withWord(withWord(Entry.Bytes, "$x", Object), "$element", Element) + ");\n";
  }
  for (const BuildInner &Inner : Entry.Inner) {
    QualType Type = typeArgumentOf(Class, Inner.Type);
    if (Type.isNull() || Type->isFunctionType())
      continue;
    std::string At = withWord(Inner.At, "$x", Object);
    if (!Inner.Behind.empty()) {
      if (const ArrayType *Array = Context.getAsArrayType(Type))
        Type = Array->getElementType();
      const std::string Pointer = fresh("behind");
      Statements += "if (auto *" + Pointer + " = " + withWord(Inner.Behind, "$x", Object) + ") {\n";
      At = "(*" + Pointer + ")";
    } else {
      Statements += withWord(Inner.Under, "$x", Object) + " {\n";
    }
    if (!isPlain(Context, Type)) {
      if (!declareContents(Type, At, Depth + 1))
        return false;
    } else if (Inner.Behind.empty()) {
      declareFilled(At);
    } else {
      Statements += "memshape_contents(&" + At + ");\n";
    }
    Statements += "}\n";
  }
  return declareUntold(Entry, Class, Object, Depth);
}

/// A truth value that data decides.
std::string Construction::fromData() {
  const std::string Truth = fresh("there");
  Statements += "char " + Truth + " = 0;\n";
  declareFilled(Truth);
  return Truth;
}

/// An expression for a function that a member of Type holds: one of the unit's, data says which. "" where others may have
/// put theirs there.
std::string Construction::ownFunction(QualType Type) {
  constexpr size_t Most = 16;
  const auto Own = IsHidden ? ownFunctions(Context, Type) : std::nullopt;
  if (!Own || Own->empty() || Own->size() > Most)
    return "";
  std::string Any = calledAs(*Own->back());
  for (const FunctionDecl *Each : llvm::drop_end(*Own))
    Any = "(" + fromData() + " ? " + calledAs(*Each) + " : " + Any + ")";
  return Any;
}

/// Pointers in Object are null, or the caller's: data says which, and a setting of functions that are Optional.
void Construction::setPointers(QualType Type, const std::string &Display, const std::string &Object, bool Optional) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    if (isPlain(Context, Type))
      return;
    const std::string At = fresh("at");
    Statements += "for (long " + At + " = 0; " + At + " < " + std::to_string(Array->getSize().getZExtValue()) + "; ++" +
                  At + ") {\n";
    setPointers(Array->getElementType(), Display, Object + "[" + At + "]", Optional);
    Statements += "}\n";
  } else if (Type->isPointerType()) {
    const ParameterRole Role = Type->isFunctionPointerType() ? ParameterRole::Function : ParameterRole::Tensor;
    const std::string Own = Role == ParameterRole::Function ? ownFunction(Type) : "";
    const std::string There =
        Role == ParameterRole::Function && Own.empty() && Optional ? presence(Display) : fromData();
    Statements += "*(" + Names.of(Context.getPointerType(Type)) + ")&" + Object + " = " + There + " ? " +
                  (Own.empty() ? parameter({Display, Role, 0, false}, Names.of(Type)) : Own) + " : 0;\n";
  } else if (const RecordDecl *Record = Type->getAsRecordDecl(); Record && !Record->isUnion()) {
    for (const FieldDecl *Field : Record->getDefinition()->fields())
      if (const std::string Name = Field->getNameAsString(); !Name.empty())
        setPointers(Field->getType(), Display + "." + Name, Object + "." + Name, Optional && isAskedForNull(*Field));
  }
}

bool Construction::declareReplaced(const FieldDecl &Field, const std::string &Display, const std::string &Object,
                                   bool Unset) {
  const std::string Name = Field.getNameAsString();
  if (Name.empty())
    return true;
  if (Field.isBitField()) {
    const std::string Number = fresh("number");
    Statements += "unsigned long " + Number + " = 0;\n";
    declareFilled(Number);
    Statements += Object + "." + Name + " = (" + Names.of(Field.getType()) + ")" + Number + ";\n";
    return true;
  }
  if (!Field.getType().getAtomicUnqualifiedType().isTriviallyCopyableType(Context))
    return fail("other functions change its member '" + Name + "', of type " + written(Field.getType()));
  if (!Field.getType()->isPointerType())
    declareFilled(Object + "." + Name);
  setPointers(Field.getType(), Display + "." + Name, Object + "." + Name, Unset && isAskedForNull(Field));
  return true;
}

bool Construction::declareMember(const FieldDecl &Field, const std::string &Object, unsigned Depth) {
  if (Field.getName().empty() || Field.isBitField())
    return true;
  const std::string Member = Object + "." + Field.getNameAsString();
  if (Field.getType()->isRealFloatingType() && !Field.getType().isConstQualified())
    declareIfConstant(Member);
  return declareContents(Field.getType(), Member, Depth + 1);
}

bool Construction::declareMembers(const RecordDecl &Record, const std::string &Object, unsigned Depth) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      if (Base.isVirtual())
        return fail("its type has a virtual base");
      if (!declareContents(Base.getType(), "((" + Names.of(Base.getType()) + " &)" + Object + ")", Depth + 1))
        return false;
    }
  return llvm::all_of(Record.fields(), [&](const FieldDecl *Field) { return declareMember(*Field, Object, Depth); });
}

} // namespace memshape::ast
