// Arguments of class type, from shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/Builders.h"
#include "libraries/reader/Object.h"
#include "memshape/DerivedClasses.h"
#include "naming/ArrayUse.h"
#include "naming/Makers.h"
#include "typed/DerivedClasses.h"
#include "typed/Reading.h"
#include "typed/Results.h"
#include "typed/TypeKinds.h"
#include "typed/UserLines.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

namespace {

/// A structure of functions that users may set, as an allocator, and of what these are called with.
bool holdsFunctionsAlone(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  const auto IsFunction = [](const FieldDecl *Field) { return Field->getType()->isFunctionPointerType(); };
  return Record && llvm::any_of(Record->fields(), IsFunction) &&
         llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
           return IsFunction(Field) || Field->getType()->isVoidPointerType();
         });
}

/// The text of one builder.
class Writing {
public:
  Writing(const FunctionDecl &Operator, const UserLines &Lines, TypeNames &Names, Builder &Made)
      : Context(Operator.getASTContext()), Lines(Lines), Names(Names), Making(Operator, Lines, Names), Made(Made) {}

  /// An argument of class type, or a pointer or a reference to one. Handle: the parameter, where it may lead to several,
  /// or to what a function of the unit makes.
  bool object(QualType Type, const std::string &Display, const std::string &Written,
              const ParmVarDecl *Handle = nullptr) {
    const bool IsPointer = Type->isPointerType(), IsReference = Type->isReferenceType();
    const QualType Class = IsPointer || IsReference ? Type->getPointeeType() : Type;
    const std::string Name = "memshape_argument_" + std::to_string(Made.Tensors.size());
    Passes.push_back({Type, Display, true});
    Made.Tensors.push_back({Display, Written});
    Making.Statements += "memshape_building(" + std::to_string(Made.Tensors.size()) + ");\n";
    const bool IsHandle = Handle && !Lines.of(Class);
    const FunctionDecl *Maker = IsHandle ? makerOf(*Handle) : nullptr;
    const bool IsArray = Handle && isUsedAsArray(*Handle);
    const bool IsOptional = IsPointer && Handle && holdsFunctionsAlone(Class) && isAskedForNull(*Handle);
    const llvm::SaveAndRestore Whole(Making.FunctionsAreThere, IsOptional);
    if (!(Maker     ? Making.make(*Maker, Class, Display, Name)
          : IsArray ? Making.buildArray(Class, Display, Name)
                    : Making.build(Class, Display, Name, /*New=*/IsPointer && Handle && isFreed(*Handle)))) {
      Made.Problem = (Display == "this" ? "its object" : "parameter '" + Display + "'") + ": " + Making.Problem;
      return false;
    }
    const std::string Built = Making.nameOf(Name);
    if ((IsPointer || Type->isLValueReferenceType()) && !IsArray && Display != "this" && !Class.isConstQualified())
      Changeable.push_back({Class, Display, Built});
    const bool Moves = Type->isRValueReferenceType() || (!IsPointer && !IsReference && !isCopyable(Type));
    if (IsOptional)
      return passIfThere(Display, "&" + Built), true;
    pass(IsArray ? Name : IsPointer ? "&" + Built : Moves ? "(" + Names.of(Class) + " &&)" + Built : Built);
    return true;
  }

  /// A number behind a pointer or a reference, in memory of the caller's, where other arguments may lie.
  bool numberByAddress(QualType Type, const std::string &Display, const ParmVarDecl &Parameter) {
    const QualType Number = Type->getPointeeType().getUnqualifiedType();
    const std::string Name = "memshape_number_" + std::to_string(Passes.size()), Pointer = Name + "_address";
    const size_t Had = Making.Parameters.size();
    std::string Value;
    if (!Making.value(Number, Display, Value))
      return Made.Problem = "parameter '" + Display + "': " + Making.Problem, false;
    Making.giveDefault(defaultOf(Context, Parameter), Had);
    Passes.push_back({Type, Display, true});
    Making.Statements += Names.of(Number) + " " + Name + " = " + Value + ", *" + Pointer + ";\nmemshape_lent(" +
                         Pointer + ", " + Name + ");\n";
    pass((Type->isReferenceType() ? "*" : "") + Pointer);
    return true;
  }

  /// Where a constructor makes its object.
  void memory(QualType This) {
    const std::string Class = Names.of(This->getPointeeType());
    Passes.push_back({This, "this", false});
    Making.Statements += "alignas(" + Class + ") unsigned char memshape_made[sizeof(" + Class + ")];\n";
    pass("(" + Class + " *)memshape_made");
  }

  /// Where the operator puts an object that it makes: a pointer to nothing.
  void result(QualType Type, const std::string &Display) {
    const std::string Name = "memshape_result_" + std::to_string(Passes.size());
    Passes.push_back({Type, Display, false});
    Making.Statements += Names.of(Type->getPointeeType()) + " " + Name + " = 0;\n";
    pass((Type->isPointerType() ? "&" : "") + Name);
  }

  /// A pointer to a pointer to an object: to one, or to as many as the parameter says, or a symbol.
  bool pointerToObject(const ParmVarDecl &Pointer, const std::string &Display, const std::string &Written) {
    const QualType Type = Pointer.getType().getCanonicalType();
    const ConstantArrayType *Array = Context.getAsConstantArrayType(Pointer.getOriginalType());
    std::string Value;
    Passes.push_back({Type, Display, false});
    Made.Tensors.push_back({Display, Written});
    Making.Statements += "memshape_building(" + std::to_string(Made.Tensors.size()) + ");\n";
    if (!(isUsedAsArray(Pointer) ? Making.buildPointers(Type->getPointeeType()->getPointeeType().getUnqualifiedType(),
                                                        Display, Array ? Array->getSize().getZExtValue() : 0, Value)
                                 : Making.value(Type, Display, Value))) {
      Made.Problem = "parameter '" + Display + "': " + Making.Problem;
      return false;
    }
    pass(Value);
    return true;
  }

  /// Two iterators of one container, or two pointers into one tensor.
  bool range(QualType Type, const std::string &Display, const std::string &Written) {
    if (Type->isPointerType()) {
      const std::string Begin = "memshape_parameter_" + std::to_string(Making.Parameters.size()),
                        Size = Begin + "_size";
      Making.Parameters.push_back({{Display, ParameterRole::Tensor, 0, false}, Names.of(Type), Begin});
      Making.Parameters.push_back({{Display + ".size", ParameterRole::Shape, 64, true}, "long long", Size});
      pass(Begin + ", " + Begin + " + " + Size);
      return true;
    }
    const std::string Name = "memshape_argument_" + std::to_string(Made.Tensors.size()), Held = Passed;
    const CXXRecordDecl &Class = *Type->getAsCXXRecordDecl();
    if (!object(typeArgumentOf(Class, entryOf(Context, Type)->Range), Display, Written))
      return false;
    Passed = Held;
    pass(Name + ".begin(), " + Name + ".end()");
    return true;
  }

  /// Null, where a setting does not say that the object is there.
  void passIfThere(const std::string &Display, const std::string &Pointer) {
    pass("(" + Making.presence(Display) + " ? " + Pointer + " : 0)");
  }

  /// A number, or a pointer to numbers: handed on.
  void number(QualType Type, const ParameterFact &Fact) {
    const std::string Name = "memshape_parameter_" + std::to_string(Making.Parameters.size());
    const bool IsReference = Type->isReferenceType();
    Passes.push_back({Type, Fact.Name, false});
    Making.Parameters.push_back(
        {Fact, Names.of(IsReference ? Context.getPointerType(Type->getPointeeType()) : Type), Name});
    pass(IsReference ? "*" + Name : Name);
  }

  /// Chosen: a class that the caller may choose another one in place of, derived from it.
  void finish(QualType Function, QualType Result, size_t Number, const std::string &Chosen) {
    const std::string Suffix = std::to_string(Number), Call = "memshape_call_" + Suffix;
    const std::string External = Context.getLangOpts().CPlusPlus ? "extern \"C\" " : "";
    std::string Declared;
    for (const BuilderParameter &P : Making.Parameters) {
      Declared += (Declared.empty() ? "" : ", ") + P.Type + " " + P.Name;
      Made.Parameters.push_back(P.Fact);
    }
    writeReader(Result, External, Suffix);
    Results Told(Context, Names);
    Told.addReturned(*Made.Operator, Lines);
    const bool Keeps = Result->isRecordType() || !Told.Symbols.empty();
    for (const Changed &Each : Changeable)
      Told.addArgument(Each.Class, Each.Display, Each.Object, Making);
    Made.Results = Told.Symbols;
    Made.ResultsText = Told.definition(Suffix);
    Made.ResultsCall = Told.call(Suffix);
    std::string Derived;
    if (!Chosen.empty()) {
      Derived = "memshape_derived_" + Suffix;
      Made.Text = External + "void " + Derived + "(void) __asm__(\"" + DerivedClasses.str() + Chosen + "\");\n";
      Derived += "();\n";
    }
    Made.Text += External + Names.of(Function) + " " + Call + ";\n" + External + "void " + Made.Function + "(" +
                 Declared + ") {\n" + Making.Statements + "memshape_building(0);\n" + Derived +
                 (Keeps ? resultDeclaration(Result) : "") + Call + "(" + Passed + ");\n" + Made.ResultsCall +
                 "memshape_returned();\n}\n";
  }

private:
  /// An argument of the operator.
  struct Pass {
    QualType Type;
    std::string Display;
    bool IsObject;
  };
  /// An object that the operator may leave with other extents.
  struct Changed {
    QualType Class;
    std::string Display, Object;
  };

  void writeReader(QualType Result, const std::string &External, const std::string &Suffix);

  void pass(const std::string &Argument) { Passed += (Passed.empty() ? "" : ", ") + Argument; }

  std::string resultDeclaration(QualType Result) {
    return Context.getLangOpts().CPlusPlus ? "auto &&memshape_result = " : Names.of(Result) + " memshape_result = ";
  }

  const ASTContext &Context;
  const UserLines &Lines;
  TypeNames &Names;
  Construction Making;
  Builder &Made;
  std::string Passed;
  std::vector<Pass> Passes;
  std::vector<Changed> Changeable;
};

/// What arguments tell, by the names of the builder's parameters.
std::string assignments(const std::vector<BuilderParameter> &Parameters, const Reading &Told) {
  std::string Unknown, Known;
  unsigned Symbols = 0, Settings = 0;
  for (const BuilderParameter &P : Parameters) {
    const bool IsSymbol = P.Fact.Role == ParameterRole::Shape;
    if (!IsSymbol && P.Fact.Role != ParameterRole::Setting)
      continue;
    const std::string To = IsSymbol ? "memshape_shape[" + std::to_string(Symbols++) + "] = "
                                    : "memshape_settings[" + std::to_string(Settings++) + "] = ";
    Unknown += To + (IsSymbol ? "memshape_unknown;\n" : "__builtin_nan(\"\");\n");
    if (const auto Read = Told.Found.find(P.Fact.Name); Read != Told.Found.end() && !P.Fact.Name.empty())
      Known += (Read->second.Condition.empty() ? "" : "if (" + Read->second.Condition + ")\n") + To +
               (IsSymbol ? "(long long)(" : "(double)(") + Read->second.Value + ");\n";
  }
  return Known.empty() ? "" : Unknown + "memshape_try {\n" + Told.Declarations + Known + "} memshape_caught\n";
}

void Writing::writeReader(QualType Result, const std::string &External, const std::string &Suffix) {
  constexpr size_t Bits = 64;
  Reading Told(Context, Making, /*MayLeadNowhere=*/true);
  std::string Parameters;
  for (size_t I = 0; I != Passes.size(); ++I) {
    const auto &[Type, Display, IsObject] = Passes[I];
    const std::string Name = "memshape_passed_" + std::to_string(I);
    const std::string Readable = "memshape_readable >> " + std::to_string(I) + " & 1";
    Parameters += Names.of(Type) + " " + Name + ", ";
    if (IsObject || (!Type->isPointerType() && !Type->isReferenceType()))
      Told.valueWhere(Readable, Type.getNonReferenceType(), Display, Name);
  }
  const std::string Body = Passes.size() > Bits ? "" : assignments(Making.Parameters, Told);
  if (Body.empty())
    return;
  Made.Reader = "memshape_read_" + Suffix;
  Made.ReaderText = External + "__attribute__((noreturn)) void memshape_read_done(void);\n" + External +
                    Names.of(Result) + " " + Made.Reader + "(" + Parameters +
                    "long long *memshape_shape, double *memshape_settings, unsigned long long memshape_readable) {\n" +
                    Body + "memshape_read_done();\n}\n";
}

/// The class of an argument as the source writes it.
std::string writtenClass(const ASTContext &Context, QualType Type) {
  Type = Type.getNonReferenceType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  return Type.getUnqualifiedType().getAsString(Context.getPrintingPolicy());
}

/// The type of a function that takes what the operator does; of a member function, with the object in front.
QualType plainFunction(const ASTContext &Context, const FunctionDecl &Operator, QualType This) {
  if (This.isNull())
    return Operator.getType();
  const auto *Type = Operator.getType()->castAs<FunctionProtoType>();
  SmallVector<QualType, 8> Parameters = {This};
  Parameters.append(Type->param_type_begin(), Type->param_type_end());
  return Context.getFunctionType(Operator.getReturnType(), Parameters, FunctionProtoType::ExtProtoInfo());
}

} // namespace

static std::string substituted(std::string Text, llvm::StringRef From, llvm::StringRef To) {
  if (const size_t At = Text.find(From); At != std::string::npos)
    Text.replace(At, From.size(), To);
  return Text;
}

/// first and last, in_begin and in_end.
static bool nameRange(const std::string &First, const std::string &Last) {
  const std::string A = llvm::StringRef(First).lower(), B = llvm::StringRef(Last).lower();
  constexpr std::pair<const char *, const char *> Words[] = {
      {"first", "last"}, {"begin", "end"}, {"beg", "end"}, {"start", "end"}, {"start", "stop"}};
  return (A == "b" && B == "e") || llvm::any_of(Words, [&](auto Pair) {
           return A.find(Pair.first) != std::string::npos && substituted(A, Pair.first, Pair.second) == B;
         });
}

/// The parameter and the one behind it are the two ends of a range.
static bool beginsRange(const Operator &Op, size_t I) {
  if (I + 1 >= Op.Fact.Parameters.size())
    return false;
  const ASTContext &Context = Op.Function->getASTContext();
  const QualType Type = Op.Function->getParamDecl(unsigned(I))->getType().getCanonicalType();
  if (!Context.hasSameUnqualifiedType(Type, Op.Function->getParamDecl(unsigned(I) + 1)->getType()))
    return false;
  if (Type->isPointerType())
    return isPlain(Context, Type->getPointeeType()) &&
           nameRange(Op.Fact.Parameters[I].Name, Op.Fact.Parameters[I + 1].Name);
  const BuildModel *Entry = entryOf(Context, Type);
  return Entry && Entry->Range >= 0 && !typeArgumentOf(*Type->getAsCXXRecordDecl(), Entry->Range).isNull();
}

/// An object, or a reference to plain data that a document builds from symbols.
static bool isObject(const Operator &Op, size_t I) {
  const ASTContext &Context = Op.Function->getASTContext();
  const QualType Type = Op.Function->getParamDecl(unsigned(I))->getType().getCanonicalType();
  if (Op.Fact.Parameters[I].Role != ParameterRole::Tensor || !Type->isReferenceType())
    return Op.Fact.Parameters[I].Role == ParameterRole::Object;
  const BuildModel *Entry = entryOf(Context, Type->getPointeeType());
  return Entry && !(Entry->Symbols.empty() && Entry->Parts.empty());
}

/// A pointer, or a reference, to a pointer.
static bool isPointerToPointer(QualType Type) {
  return (Type->isPointerType() || Type->isReferenceType()) && Type->getPointeeType()->isPointerType();
}

bool needsBuilder(const Operator &Op) {
  if (Op.Fact.HasThis)
    return true;
  for (size_t I = 0; I != Op.Fact.Parameters.size(); ++I)
    if (isObject(Op, I) || beginsRange(Op, I))
      return true;
  return false;
}

bool returnsObject(const Operator &Op) {
  QualType Type = Op.Function->getReturnType().getCanonicalType().getNonReferenceType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  return Type->isRecordType() && !Type->isIncompleteType() && !Op.Function->isVariadic();
}

Builder makeBuilder(const ASTContext &Context, const UserLines &Lines, const Operator &Op, size_t Number,
                    TypeNames &Names) {
  Builder Made;
  Made.Operator = Op.Function;
  Made.BuildsNothing = !needsBuilder(Op);
  Made.Function = "memshape_typed_" + std::to_string(Number);
  if (Op.Function->isVariadic()) {
    Made.Problem = "it takes variable arguments beside objects, which is not supported yet";
    return Made;
  }
  Writing Text(*Op.Function, Lines, Names, Made);
  QualType This;
  if (Op.Fact.HasThis) {
    This = cast<CXXMethodDecl>(Op.Function)->getThisType();
    if (isa<CXXConstructorDecl>(Op.Function))
      Text.memory(This);
    else if (!Text.object(This, "this", writtenClass(Context, This)))
      return Made;
  }
  for (size_t I = 0; I != Op.Fact.Parameters.size(); ++I) {
    const ParameterFact &Fact = Op.Fact.Parameters[I];
    const QualType Source = Op.Function->getParamDecl(unsigned(I))->getType(), Type = Source.getCanonicalType();
    const std::string Name = Fact.Name.empty() ? "arg" + std::to_string(I) : Fact.Name;
    if (beginsRange(Op, I)) {
      if (!Text.range(Type, Name, writtenClass(Context, Source)))
        return Made;
      ++I;
    } else if (!isObject(Op, I)) {
      Text.number(Type, Fact);
    } else if (isNumberByAddress(*Op.Function->getParamDecl(unsigned(I)))) {
      if (!Text.numberByAddress(Type, Name, *Op.Function->getParamDecl(unsigned(I))))
        return Made;
    } else if (isPointerToPointer(Type)) {
      const ParmVarDecl &Pointer = *Op.Function->getParamDecl(unsigned(I));
      if (isOnlyAssigned(Pointer))
        Text.result(Type, Name);
      else if (!Text.pointerToObject(Pointer, Name, writtenClass(Context, Source)))
        return Made;
    } else if (!Text.object(Type, Name, writtenClass(Context, Source), Op.Function->getParamDecl(unsigned(I)))) {
      return Made;
    }
  }
  Text.finish(plainFunction(Context, *Op.Function, This), Op.Function->getReturnType().getCanonicalType(), Number,
              Made.BuildsNothing ? "" : classChosenByCaller(Context, Lines, Op));
  return Made;
}

} // namespace memshape::ast
