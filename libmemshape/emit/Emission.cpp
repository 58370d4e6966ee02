// What is to be written as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Emission.h"
#include "libmemshape/emit/Notation.h"
#include "libmemshape/emit/Writing.h"
#include "libmemshape/text/Split.h"
#include "model/formula/Span.h"

#include <algorithm>

namespace memshape {

Written::Written(const Emission &From) : Of(From), Function(Identifiers().of(From.LastComponent)) {
  Identifiers Known;
  for (const EmittedSymbol &Each : Of.Symbols)
    Symbols.push_back(Known.of(Each.Name));
}

std::string Written::local(std::string Name) const {
  while (std::find(Symbols.begin(), Symbols.end(), Name) != Symbols.end())
    Name += '_';
  return Name;
}

std::string Written::withLocals(std::string Lines) const {
  for (std::size_t At; (At = Lines.find('$')) != std::string::npos;) {
    const std::size_t End = Lines.find_first_not_of("abcdefghijklmnopqrstuvwxyz", At + 1);
    Lines.replace(At, End - At, local(Lines.substr(At + 1, End - At - 1)));
  }
  return Lines;
}

std::vector<std::string> Written::spansOfSymbols(const std::string &Prefix, std::size_t Which) const {
  std::vector<std::string> Spans;
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    Spans.push_back(I == Which ? Prefix + "of(" + local("low") + ", " + local("high") + ")"
                               : Prefix + "at(" + Symbols[I] + ")");
  return Spans;
}

std::string Written::names(std::size_t Without) const {
  return parameters([&](std::size_t I) { return Symbols[I]; }, ", ", Without);
}

std::string Written::namesWith(std::size_t Symbol, const std::string &Value) const {
  return parameters([&](std::size_t I) { return I == Symbol ? Value : Symbols[I]; }, ", ");
}

std::string Written::inside(const Domain &Box, const Conditions &As, std::size_t Without) const {
  std::vector<std::string> Parts;
  for (std::size_t I = 0; I < Symbols.size(); ++I) {
    if (!Of.Symbols[I].IsParameter || I == Without)
      continue;
    if (Box.Ranges[I].Low > 0)
      Parts.push_back(Symbols[I] + " >= " + As.Number(Box.Ranges[I].Low));
    if (Box.Ranges[I].High < Of.Symbols[I].Largest)
      Parts.push_back(Symbols[I] + " <= " + As.Number(Box.Ranges[I].High));
    if (I < Box.Ties.size() && Box.Ties[I] != I && Box.Ties[I] != Without)
      Parts.push_back(Symbols[I] + " == " + Symbols[Box.Ties[I]]);
  }
  return joined(Parts, As.And);
}

std::string Written::verified(const Conditions &As) const {
  std::vector<std::vector<Domain>> Lists;
  for (const EmittedFigure &Each : Of.Figures) {
    std::vector<Domain> List;
    for (const EmittedCase &Case : Each.Cases)
      List.push_back(Case.Verified);
    if (!List.empty() && std::find(Lists.begin(), Lists.end(), List) == Lists.end())
      Lists.push_back(std::move(List));
  }
  const auto InOne = [&](const Domain &Box) {
    const std::string Inside = inside(Box, As);
    return Inside.empty() ? As.Always : As.BracketsAnd ? "(" + Inside + ")" : Inside;
  };
  const std::string All = joined(Lists, As.And, [&](const std::vector<Domain> &List) {
    const std::string Any = joined(List, As.Or, InOne);
    return List.size() > 1 ? "(" + Any + ")" : Any;
  });
  return All.empty() ? As.Always : All;
}

bool Written::hasRounding() const {
  return std::any_of(Of.Figures.begin(), Of.Figures.end(), [](const EmittedFigure &Each) {
    return std::any_of(Each.Cases.begin(), Each.Cases.end(),
                       [](const EmittedCase &Case) { return rounds(Case.Value); });
  });
}

bool Written::searchesBySpans(std::size_t Symbol) const {
  const std::vector<EmittedCase> &Cases = Of.upper().Cases;
  return Of.Symbols[Symbol].IsParameter && !Cases.empty() &&
         (Cases.size() > 1 || !Of.upper().Everywhere || !neverFalls(Cases.front().Value, Symbol));
}

bool Written::needsSpans() const {
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    if (searchesBySpans(I))
      return true;
  return false;
}

std::string sourceOf(const Emission &Of, EmittedLanguage Language) {
  return Language == EmittedLanguage::C ? cSource(Written(Of)) : pythonSource(Written(Of));
}

std::string preludeOf(const Written &Of, const Prelude &Language, const char *Between) {
  std::string Text(Language.Numbers);
  const auto Add = [&](bool IsNeeded, std::string_view Part) {
    if (IsNeeded)
      (Text += Between) += Part;
  };
  Add(Of.hasRounding(), Language.Rounding);
  Add(Of.needsSpans(), Language.Spans);
  Add(Of.needsSpans() && Of.hasRounding(), Language.RoundedSpans);
  return Text;
}

} // namespace memshape
