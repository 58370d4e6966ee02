// Formulas as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/formulas/FormulaSearch.h"

#include <algorithm>

namespace memshape::v1 {

Formula Access::formulaOf(Formula::Content Of) {
  for (std::size_t I = 0; I < Of.Symbols.size(); ++I)
    Of.Domain[Of.Symbols[I]] = {Of.Valid.Ranges[I].Low, Of.Valid.Ranges[I].High};
  return Formula(std::make_shared<const Formula::Content>(std::move(Of)));
}

std::optional<Formula> Access::formulaOf(const FormulaSet &Found, bool AtShape) {
  if (Found.prefersPart()) {
    const PartFormula &Part = *Found.Part;
    return formulaOf({Part.str(Found.Symbols), Found.Symbols, {}, Part.VerifiedShapes, std::nullopt, Part.Valid});
  }
  return Found.Peak && (!AtShape || Found.HoldsAtShape) ? std::optional(formulaOf(Found.Symbols, *Found.Peak))
                                                        : std::nullopt;
}

Formula Access::formulaOf(const std::vector<std::string> &Symbols, const Recovered &Found) {
  return formulaOf({Found.Value.str(Symbols), Symbols, {}, Found.VerifiedShapes, Found.Value, Found.Valid});
}

Expected<Formula> recover(const std::vector<std::string> &symbols, const std::vector<Figure> &figures) {
  std::vector<MeasuredFigure> Figures;
  for (const Figure &Each : figures) {
    memshape::Shape At;
    for (const std::string &Name : symbols) {
      const auto Given = Each.shape.find(Name);
      if (Given == Each.shape.end())
        return Error{ErrorCode::arguments, "a figure has no value for '" + Name + "'"};
      if (Given->second < 0 || Each.bytes < 0)
        return Error{ErrorCode::arguments, "a figure is negative"};
      At.push_back(Given->second);
    }
    if (Each.shape.size() != symbols.size())
      return Error{ErrorCode::arguments, "a figure has other symbols than the formula"};
    Figures.push_back({std::move(At), Each.bytes});
  }
  if (const std::optional<Recovered> Found = formulaThrough(symbols.size(), Figures))
    return Access::formulaOf(symbols, *Found);
  return Error{ErrorCode::no_formula, "no formula goes through all " + std::to_string(figures.size()) + " figures"};
}

bool Access::isOfAllSymbols(const Formula &Of, const Operator &Op) {
  return std::equal(Op.symbols().begin(), Op.symbols().end(), Of.symbols().begin(), Of.symbols().end(),
                    [](const Symbol &A, const std::string &B) { return A.name == B; });
}

const memshape::Formula *Access::valueOf(const Formula &Of) { return Of.of->Value ? &*Of.of->Value : nullptr; }

const std::string &Formula::text() const { return of->Text; }
const std::vector<std::string> &Formula::symbols() const { return of->Symbols; }
const std::map<std::string, Formula::Range> &Formula::domain() const { return of->Domain; }
unsigned Formula::verified_shapes() const { return of->VerifiedShapes; }
bool Formula::complete() const { return of->Value.has_value(); }

Expected<std::int64_t> Formula::extrapolate(const Shape &at) const {
  if (!of->Value)
    return Error{ErrorCode::no_formula, "what libraries hold is no part of " + of->Text};
  memshape::Shape Values;
  for (const std::string &Name : of->Symbols) {
    const auto Given = at.find(Name);
    if (Given == at.end())
      return Error{ErrorCode::arguments, "a value is missing for '" + Name + "' of " + of->Text};
    if (Given->second < 0)
      return Error{ErrorCode::arguments, "'" + Name + "' is negative"};
    Values.push_back(Given->second);
  }
  for (const auto &[Name, Value] : at)
    if (!of->Domain.contains(Name))
      return Error{ErrorCode::arguments, "there is no '" + Name + "' in " + of->Text};
  if (const std::optional<std::int64_t> Bytes = of->Value->evaluate(Values).toInt64())
    return *Bytes;
  return Error{ErrorCode::too_large, "the value of " + of->Text + " leaves 63 bits"};
}

Expected<std::int64_t> Formula::operator()(const Shape &at) const {
  for (const auto &[Name, Where] : of->Domain)
    if (const auto Given = at.find(Name);
        Given != at.end() && Given->second >= 0 && (Given->second < Where.low || Given->second > Where.high))
      return Error{ErrorCode::outside_domain, of->Text + " was verified for " + of->Valid.str(of->Symbols) +
                                                  ", not at " + Name + "=" + std::to_string(Given->second)};
  for (std::size_t I = 0; I < of->Valid.Ties.size(); ++I) {
    const auto Given = at.find(of->Symbols[I]), Other = at.find(of->Symbols[of->Valid.Ties[I]]);
    if (Given != at.end() && Other != at.end() && Given->second != Other->second)
      return Error{ErrorCode::outside_domain, of->Text + " was verified for " + of->Valid.str(of->Symbols) +
                                                  ", not at " + Given->first + "=" + std::to_string(Given->second) +
                                                  ", " + Other->first + "=" + std::to_string(Other->second)};
  }
  return extrapolate(at);
}

} // namespace memshape::v1
