// The functions that names mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NamedOperators.h"
#include "Bitcode.h"
#include "memshape/OperatorName.h"
#include "operators/SourceParameters.h"
#include "operators/SourcePlace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace memshape {

/// What people may call F: its own name, those of its aliases, and its path in the source.
static SmallVector<std::string, 4> namesOf(const Function &F) {
  SmallVector<std::string, 4> Names = {F.getName().str()};
  for (const GlobalAlias &Alias : F.getParent()->aliases())
    if (Alias.getAliaseeObject() == &F)
      Names.push_back(Alias.getName().str());
  Names.push_back(sourcePath(F.getName()));
  if (const DISubprogram *SP = F.getSubprogram())
    Names.push_back(pathOf(*SP));
  return Names;
}

static NameFit fitOf(const Function &F, StringRef Wanted) {
  NameFit Best = NameFit::None;
  for (const std::string &Name : namesOf(F))
    Best = std::max(Best, fitOf(std::string_view(Name), std::string_view(Wanted)));
  return Best;
}

static bool isOffered(const Function &F) {
  return !F.isDeclaration() && F.hasExternalLinkage() &&
         (!F.getSubprogram() || !isInSystemHeader(*F.getSubprogram())) &&
         any_of(describeSource(F).Parameters, [](const ParameterFact &P) { return P.Role == ParameterRole::Shape; });
}

static SmallVector<Function *, 4> meantBy(Module &M, StringRef Wanted) {
  SmallVector<Function *, 4> Whole, Last;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (Wanted == "*" && isOffered(F))
      Whole.push_back(&F);
    const NameFit Fit = Wanted == "*" ? NameFit::None : fitOf(F, Wanted);
    if (Fit != NameFit::None)
      (Fit == NameFit::Whole ? Whole : Last).push_back(&F);
  }
  return Whole.empty() ? Last : Whole;
}

/// The names of functions that are most like Wanted, as one would write them.
static std::string nearNames(const Module &M, StringRef Wanted) {
  constexpr size_t Shown = 3;
  SmallVector<std::pair<unsigned, std::string>, 0> Candidates;
  for (const Function &F : M) {
    if (F.isDeclaration() || F.isIntrinsic() || (F.getSubprogram() && isInSystemHeader(*F.getSubprogram())))
      continue;
    const std::string Path = operatorName(F);
    const StringRef Last = StringRef(Path).rsplit("::").second.empty() ? Path : StringRef(Path).rsplit("::").second;
    const unsigned Distance = std::min(StringRef(Path).edit_distance(Wanted), Last.edit_distance(Wanted));
    Candidates.emplace_back(Distance, Path);
  }
  sort(Candidates);
  Candidates.erase(llvm::unique(Candidates), Candidates.end());
  SmallVector<std::string, Shown> Names;
  for (const auto &[Distance, Name] : ArrayRef(Candidates).take_front(Shown))
    Names.push_back("'" + Name + "'");
  return join(Names, ", ");
}

Expected<SmallVector<Function *, 4>> namedFunctions(Module &M, const std::vector<std::string> &Names, bool LeaveOut) {
  SetVector<Function *, SmallVector<Function *, 4>> Chosen;
  for (const std::string &Name : Names) {
    const SmallVector<Function *, 4> Meant = meantBy(M, Name);
    Chosen.insert(Meant.begin(), Meant.end());
    if (!Meant.empty() || LeaveOut)
      continue;
    const std::string Near = nearNames(M, Name);
    if (Near.empty())
      return problem("it defines no function, so none that '" + Twine(Name) + "' means");
    return problem("it has no function '" + Twine(Name) + "', perhaps because all calls of it were inlined; near are " +
                   Near);
  }
  return Chosen.takeVector();
}

} // namespace memshape
