// Operators of a front end that has no plugin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/NamedOperators.h"
#include "arguments/BuilderCode.h"
#include "features/ModuleFeatures.h"
#include "fortran/Dummies.h"
#include "memshape/OperatorName.h"
#include "operators/Operators.h"
#include "operators/SourceParameters.h"
#include "operators/SourcePlace.h"
#include "rust/RustArguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace memshape {

/// The name that is shown.
static std::string displayName(const Function &F) {
  return isFortran(*F.getParent()) ? displayNameOf(F) : operatorName(F);
}

/// What people may call F: its own name, those of its aliases, and its path in the source.
static SmallVector<std::string, 4> namesOf(const Function &F) {
  SmallVector<std::string, 4> Names = {F.getName().str(), displayName(F), sourcePath(F.getName())};
  for (const GlobalAlias &Alias : F.getParent()->aliases())
    if (Alias.getAliaseeObject() == &F)
      Names.push_back(Alias.getName().str());
  if (const DISubprogram *SP = F.getSubprogram())
    Names.push_back(pathOf(*SP));
  return Names;
}

/// As Given, with the signs and the case of the module's language.
static std::string inItsLanguage(StringRef Given, const Module &M) {
  if (!isFortran(M))
    return Given.str();
  std::string Name = Given.lower();
  if (const size_t Member = Name.find('%'); Member != std::string::npos)
    Name.replace(Member, 1, "::");
  return Name;
}

static NameFit fitOf(const Function &F, StringRef Given, StringRef InItsLanguage) {
  NameFit Best = F.getName() == Given ? NameFit::Whole : NameFit::None;
  for (const std::string &Name : namesOf(F))
    Best = std::max(Best, fitOf(std::string_view(Name), std::string_view(InItsLanguage)));
  return Best;
}

/// The source is the program's own.
static bool isOwn(const Function &F) {
  return !F.isDeclaration() && (!F.getSubprogram() || !isInSystemHeader(*F.getSubprogram()));
}

bool choose(Module &M, StringRef Name, ChosenFunctions &Into) {
  if (Name == "*") {
    for (Function &F : M)
      if (isOwn(F) && F.hasExternalLinkage() && F.getName() != "main" && !isProgram(F))
        Into.try_emplace(&F, false);
    return !Into.empty();
  }
  const std::string InItsLanguage = inItsLanguage(Name, M);
  SmallVector<Function *, 4> Whole, Last;
  for (Function &F : M)
    if (const NameFit Fit = F.isDeclaration() ? NameFit::None : fitOf(F, Name, InItsLanguage); Fit != NameFit::None)
      (Fit == NameFit::Whole ? Whole : Last).push_back(&F);
  for (Function *F : Whole.empty() ? Last : Whole)
    Into[F] = true;
  return !Whole.empty() || !Last.empty();
}

std::string namesLike(const Module &M, StringRef Name, unsigned Edits) {
  constexpr size_t Shown = 3;
  const auto LastOf = [](StringRef Path) { return Path.contains("::") ? Path.rsplit("::").second : Path; };
  const auto Distance = [](StringRef A, StringRef B) { return A.edit_distance_insensitive(B); };
  SmallVector<std::pair<unsigned, std::string>, 0> Candidates;
  for (const Function &F : M)
    if (isOwn(F) && !F.isIntrinsic()) {
      std::string Path = displayName(F);
      const unsigned Far = std::min(Distance(Path, Name), Distance(LastOf(Path), LastOf(Name)));
      if (Far <= Edits)
        Candidates.emplace_back(Far, std::move(Path));
    }
  sort(Candidates);
  Candidates.erase(llvm::unique(Candidates), Candidates.end());
  SmallVector<std::string, Shown> Names;
  for (const auto &[Far, Path] : ArrayRef(Candidates).take_front(Shown))
    Names.push_back("'" + Path + "'");
  return join(Names, ", ");
}

static bool hasSymbol(const OperatorFact &Fact) {
  const auto &Parameters = Fact.Builder.empty() ? Fact.Parameters : Fact.BuilderParameters;
  return any_of(Parameters, [](const ParameterFact &P) { return P.Role == ParameterRole::Shape; });
}

void addOperators(Module &M, const ChosenFunctions &Of) {
  BuilderCode Builders(M);
  TranslationUnitFacts &Facts = handover();
  for (const auto &[F, IsNamed] : Of) {
    OperatorFact Fact = isFortran(M) ? describeFunction(*F) : describeSource(*F);
    Fact.Name = displayName(*F);
    if (const std::optional<PassedArguments> Passed = isFortran(M) ? dummiesOf(*F) : passedByRust(*F, Fact))
      Builders.describe(*F, *Passed, Fact);
    if (!IsNamed && !hasSymbol(Fact))
      continue;
    addOperator(M, *F, Fact);
    Facts.Operators.push_back(std::move(Fact));
  }
  Facts.BuilderBitcode = Builders.bitcode();
}

void addNamedOperators(Module &M) {
  constexpr unsigned Mistakes = 2;
  ChosenFunctions Chosen;
  const std::string Given = sys::Process::GetEnv("MEMSHAPE_OPERATORS").value_or("");
  for (StringRef Each : split(Given, ','))
    if (const StringRef Name = Each.trim(); !Name.empty() && !choose(M, Name, Chosen))
      if (const std::string Near = namesLike(M, Name, Mistakes); !Near.empty())
        WithColor::warning(errs(), "memshape")
            << "this unit defines no function '" << Name << "'; did you mean " << Near << "?\n";
  addOperators(M, Chosen);
  for (Function *F : annotatedFunctions(M))
    addOperator(M, *F, describeFunction(*F));
  if (!handover().Operators.empty())
    handover().FeaturesJson = moduleFeatures(M);
}

} // namespace memshape
