// Operators of a front end that has no plugin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/NamedOperators.h"
#include "features/ModuleFeatures.h"
#include "fortran/Dummies.h"
#include "fortran/Procedures.h"
#include "memshape/OperatorName.h"
#include "operators/Operators.h"
#include "operators/SourceParameters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace memshape {

/// The name that is shown.
static std::string displayName(const Function &F) {
  return isFortran(*F.getParent()) ? displayNameOf(F) : operatorName(F);
}

/// As Given, with the signs and the case of the module's language.
static std::string inItsLanguage(StringRef Given, const Module &M) {
  std::string Name = Given.trim().str();
  if (!isFortran(M))
    return Name;
  const size_t Member = Name.find('%');
  if (Member != std::string::npos)
    Name.replace(Member, 1, "::");
  return StringRef(Name).lower();
}

static bool hasSymbol(const OperatorFact &Fact) {
  const auto &Parameters = Fact.Builder.empty() ? Fact.Parameters : Fact.BuilderParameters;
  return any_of(Parameters, [](const ParameterFact &P) { return P.Role == ParameterRole::Shape; });
}

static StringRef lastOf(StringRef Name) { return Name.contains("::") ? Name.rsplit("::").second : Name; }

static void warn(const Module &M, StringRef Given, ArrayRef<std::string> Names) {
  constexpr unsigned Mistakes = 2;
  std::string Near;
  for (const std::string &Name : Names)
    if (lastOf(Name).edit_distance_insensitive(lastOf(Given), /*AllowReplacements=*/true, Mistakes) <= Mistakes)
      Near += (Near.empty() ? "'" : ", '") + Name + "'";
  if (!Near.empty())
    WithColor::warning(errs(), "memshape")
        << "this unit defines no function '" << Given << "'; did you mean " << Near << "?\n";
}

namespace {

/// The functions of one module, by the names that were given.
class Choice {
public:
  explicit Choice(Module &M) : M(M) {
    for (Function &F : M)
      if (!F.isDeclaration() && F.hasExternalLinkage() && F.getName() != "_QQmain" && F.getName() != "main")
        Known.push_back({&F, displayName(F)});
  }

  void name(StringRef Given) {
    if (Given == "*") {
      All = true;
      return;
    }
    const std::string Name = inItsLanguage(Given, M);
    NameFit Best = NameFit::None;
    for (const auto &[F, Display] : Known)
      Best = std::max(Best, fit(*F, Display, Given, Name));
    for (const auto &[F, Display] : Known)
      if (Best != NameFit::None && fit(*F, Display, Given, Name) == Best)
        Chosen.insert(F);
    if (Best == NameFit::None)
      warn(M, Name, to_vector(map_range(Known, [](const auto &Each) { return Each.second; })));
  }

  template <typename Add> void each(Add &&Each) const {
    for (const auto &[F, Display] : Known)
      if (All || Chosen.contains(F))
        Each(*F, Display, Chosen.contains(F));
  }

private:
  static NameFit fit(const Function &F, StringRef Display, StringRef Given, StringRef Name) {
    return F.getName() == Given ? NameFit::Whole : fitOf(std::string_view(Display), std::string_view(Name));
  }

  Module &M;
  std::vector<std::pair<Function *, std::string>> Known;
  SmallPtrSet<const Function *, 8> Chosen;
  bool All = false;
};

} // namespace

void addNamedOperators(Module &M) {
  Choice Chosen(M);
  const std::string Given = sys::Process::GetEnv("MEMSHAPE_OPERATORS").value_or("");
  for (StringRef Each : split(Given, ','))
    if (!Each.trim().empty())
      Chosen.name(Each.trim());
  ProcedureCode Procedures(M);
  TranslationUnitFacts &Facts = handover();
  Chosen.each([&](Function &F, const std::string &Display, bool IsNamed) {
    OperatorFact Fact = isFortran(M) ? describeFunction(F) : describeSource(F);
    Fact.Name = Display;
    if (isFortran(M))
      Procedures.describe(F, Fact);
    if (!IsNamed && !hasSymbol(Fact))
      return;
    addOperator(M, F, Fact);
    Facts.Operators.push_back(std::move(Fact));
  });
  Facts.BuilderBitcode = Procedures.bitcode();
  for (Function *F : annotatedFunctions(M))
    addOperator(M, *F, describeFunction(*F));
  if (!Facts.Operators.empty())
    Facts.FeaturesJson = moduleFeatures(M);
}

} // namespace memshape
