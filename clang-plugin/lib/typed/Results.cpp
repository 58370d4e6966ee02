// Text that tells what an operator has made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/Results.h"

#include <tuple>

using namespace clang;

namespace memshape::ast {

/// One more parameter of the function; what it points to, in the text.
std::string Results::told(QualType Type, const std::string &Object) {
  const std::string Name = "memshape_told_" + std::to_string(Objects++), Comma = Declared.empty() ? "" : ", ";
  Declared += Comma + Names.of(Context.getPointerType(Type)) + " " + Name;
  Passed += Comma + (Context.getLangOpts().CPlusPlus ? "__builtin_addressof(" : "&(") + Object + ")";
  return "(*" + Name + ")";
}

void Results::tell(QualType Type, const std::string &Display, const std::string &Object, const Construction &Like) {
  const auto Before = std::make_tuple(Declared, Passed, Objects);
  const size_t Had = Symbols.size();
  Reading Found(Context, Like);
  Found.value(Type, Display, told(Type, Object));
  tellSymbols(Like.Parameters, Found);
  if (Symbols.size() == Had) // then it is not handed on either
    std::tie(Declared, Passed, Objects) = Before;
}

void Results::tellSymbols(const std::vector<BuilderParameter> &Parameters, const Reading &Found) {
  for (const BuilderParameter &P : Parameters) {
    const auto Read = Found.Found.find(P.Fact.Name);
    if (P.Fact.Role != ParameterRole::Shape || P.Fact.Name.empty() || Read == Found.Found.end() ||
        llvm::is_contained(Symbols, P.Fact.Name))
      continue;
    const Reading::Text &Text = Read->second;
    Body += (Text.Condition.empty() ? "" : "if (" + Text.Condition + ")\n") + "memshape_result(" +
            std::to_string(Symbols.size()) + ", " + Text.Value + ");\n";
    Symbols.push_back(P.Fact.Name);
  }
}

void Results::addReturned(const FunctionDecl &Operator, const UserLines &Lines) {
  const std::string Display = "result";
  const QualType Type = Operator.getReturnType().getCanonicalType().getNonReferenceType();
  const QualType Class = Type->isPointerType() ? Type->getPointeeType() : Type;
  if (!Class->isRecordType())
    return;
  // The symbols of a type are those that such an object would be built from.
  Construction Like(Operator, Lines, Names);
  if (!Like.build(Class.getUnqualifiedType(), Display, "memshape_like"))
    return;
  tell(Type, Display, "memshape_result", Like);
}

void Results::addArgument(QualType Class, const std::string &Display, const std::string &Object,
                          const Construction &Made) {
  tell(Class, Display, Object, Made);
}

std::string Results::definition(const std::string &Suffix) const {
  if (Symbols.empty())
    return "";
  const bool Linkage = Context.getLangOpts().CPlusPlus;
  return std::string(Linkage ? "extern \"C\" {\n" : "") + "__attribute__((noinline)) static void memshape_tell_" +
         Suffix + "(" + Declared + ") {\n" + Body + "}\n" + (Linkage ? "}\n" : "");
}

std::string Results::call(const std::string &Suffix) const {
  return Symbols.empty() ? "" : "memshape_tell_" + Suffix + "(" + Passed + ");\n";
}

} // namespace memshape::ast
