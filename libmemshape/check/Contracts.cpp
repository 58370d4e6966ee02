// Promises of the source, held against its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A promise is refuted by the prediction of one shape, and by nothing else. It is proven where the formulas of what is
// promised about are polynomials: then the difference, written in what each symbol has above its least value, has no
// negative coefficient. Everything between is told as what it is: it held at so many shapes.

#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/check/SourceRules.h"
#include "libmemshape/emit/FigureFormulas.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"
#include "model/formula/Expression.h"

#include <algorithm>

namespace memshape {

namespace {

/// Predicted in any case, from small to large; and after the formulas of the operator have named shapes.
constexpr std::size_t PredictedShapes = 24, NamedShapes = 4;
/// "in.bytes": what an argument takes.
constexpr std::string_view BytesOf = ".bytes";

/// "at_most:4*n" as the skeleton has it.
struct Promise {
  bool Exactly = false;
  std::string Text;

  explicit Promise(const std::string &Written)
      : Exactly(Written.starts_with("exactly:")), Text(Written.substr(Written.find(':') + 1)) {}
  std::string words() const { return (Exactly ? "exactly " : "at most ") + Text; }
};

std::string bytesText(const Rational &Bytes) {
  const std::optional<std::int64_t> Whole = Rational::fraction(Bytes.numerator() / Bytes.denominator(), 1).toInt64();
  return (Whole && *Whole >= 0 ? grouped(static_cast<std::uint64_t>(*Whole)) : std::string("less than 0")) + " B";
}

/// Polynomial in what each variable has above Low; invalid where that does not fit.
Polynomial above(const Polynomial &P, const std::vector<Range> &Low) {
  Polynomial Sum(P.variables());
  for (const auto &[Powers, Coefficient] : P.terms()) {
    Polynomial Term = Polynomial::constant(P.variables(), Coefficient);
    for (std::size_t I = 0; I < Powers.size(); ++I)
      for (unsigned Times = 0; Times < Powers[I]; ++Times)
        Term = Term * (Polynomial::variable(P.variables(), I) + Polynomial::constant(P.variables(), Low[I].Low));
    Sum = Sum + Term;
  }
  return Sum;
}

/// The polynomials of Of in the symbols; nothing where it rounds, or is the least of several.
std::optional<std::vector<Polynomial>> polynomialsOf(const Formula &Of, std::size_t Symbols) {
  std::vector<std::size_t> Places;
  for (const Atom &Each : Of.atoms()) {
    if (!Each.isSymbol() || Each.Inner.variables())
      return std::nullopt;
    Places.push_back(Each.Symbol);
  }
  if (Of.isLeast() && Of.pieces().size() > 1)
    return std::nullopt;
  return mapped(Of.pieces(), [&](const Polynomial &Piece) { return Piece.among(Symbols, Places); });
}

/// Settings of 1, for all shapes.
Question anyShape(const Skeleton &S) {
  Question Asked;
  Asked.Settings.assign(S.parametersOf(Role::Setting).size(), 1);
  return Asked;
}

Finding about(const Skeleton &S, std::string Message) {
  Finding Told;
  Told.Rule = ContractRule;
  Told.Operator = S.Operator;
  Told.Place = CodePlace{wholePath(S, S.Place.File), S.Operator, "", S.Place.Line, S.Place.Column};
  Told.Message = std::move(Message);
  return Told;
}

/// One promise of one operator.
class Holding {
public:
  /// Found: the operator's formulas at anyShape().
  Holding(const WholeOperator &Op, const Surroundings &Around, const FigureFormulas &Found, const Promise &Of)
      : Op(Op), Around(Around), Found(Found), Of(Of), Known(Of.Exactly ? Found.Peak : Found.Upper),
        Symbols(Op.Source.shapeSymbols()), Told(about(Op.Source, "")) {}

  Finding run() {
    std::string Why;
    Bytes = Expression::parse(Of.Text, &Why);
    if (!Bytes) {
      Told.Message = "promises " + Of.words() + ", which is no formula: " + Why;
      return Told;
    }
    learnArguments();
    for (const Shape &At : shapesToTry())
      if (refutes(At))
        return Told;
    const std::optional<std::string> Open = unproven();
    if (Open && !Held) {
      Told.Message = "promises " + Of.words() + ", and is predicted at no shape";
      return Told;
    }
    Told.How = Severity::Note;
    Told.Message = "keeps its promise of " + Of.words() +
                   (Open ? " at " + several(Held, "shape") + "; others were not proven: " + *Open : domains()) +
                   settingsText();
    return Told;
  }

private:
  /// Formulas of what arguments take, where the promise names one.
  void learnArguments() {
    if (Of.Text.find(BytesOf) == std::string::npos)
      return;
    if (const Result<Answer> There = answer(Op, Found.Typical.Asked, Around))
      for (const TensorBytes &Each : tensorsOf(There->Predicted))
        if (Each.Law)
          Laws.emplace(Each.Name + std::string(BytesOf), *Each.Law);
  }

  /// Small ones first. Where formulas say that the promise is broken, they have named shapes.
  std::vector<Shape> shapesToTry() const {
    if (Symbols.empty())
      return {{}};
    std::vector<Shape> All = probeShapes(Found.Hull);
    Shape Least;
    for (const Range &Each : Found.Hull.Ranges)
      Least.push_back(Each.Low);
    All.insert(All.begin(), Least);
    for (std::int64_t Factor : {16, 4096})
      if (Shape Far = scaled(Found.Hull, Found.Most, Factor); !Far.empty())
        All.push_back(std::move(Far));
    std::vector<Shape> Chosen;
    for (const Shape &At : All)
      for (const Recovered &Case : Known.All)
        if (Case.Valid.contains(At) && Chosen.size() < NamedShapes && breaks(Case.Value.evaluate(At), promised(At, {})))
          Chosen.push_back(At);
    for (std::size_t I = 0; I < PredictedShapes; ++I)
      Chosen.push_back(All[I * (All.size() - 1) / (PredictedShapes - 1)]);
    return Chosen;
  }

  static Shape scaled(const Domain &Hull, const Shape &Most, std::int64_t Factor) {
    Shape Far;
    for (std::size_t I = 0; I < Hull.Ranges.size(); ++I)
      Far.push_back(Hull.Ranges[I].High > Most[I] / Factor ? Most[I] : Hull.Ranges[I].High * Factor);
    return Far;
  }

  /// Nothing where the formula has no value there. Arguments: what they take, where a prediction has told it.
  std::optional<Rational> promised(const Shape &At, const std::map<std::string, std::int64_t> &Arguments) const {
    std::map<std::string, std::int64_t> Values = Arguments;
    for (const auto &[Name, Law] : Laws)
      if (const std::optional<std::int64_t> Value = Law.evaluate(At).toInt64())
        Values.emplace(Name, *Value);
    for (std::size_t I = 0; I < At.size(); ++I)
      Values.emplace(Symbols[I], At[I]);
    return Bytes->evaluateExactly(Values);
  }

  bool breaks(const Rational &Taken, const std::optional<Rational> &Allowed) const {
    return Allowed && Taken.valid() && (Of.Exactly ? !(Taken == *Allowed) : *Allowed < Taken);
  }

  /// Whether the prediction at At says that the promise does not hold; Told then says so.
  bool refutes(const Shape &At) {
    Question Here = anyShape(Op.Source);
    Here.Shape = At;
    Surroundings Own = Around;
    Own.Formulas = false;
    const Result<Answer> There = answer(Op, Here, Own);
    if (!There)
      return false; // it does not return, or has no answer: nothing is known of it
    const Prediction &P = There->Predicted;
    std::map<std::string, std::int64_t> Arguments;
    for (const TensorBytes &Each : tensorsOf(P))
      if (Each.Bytes && *Each.Bytes <= INT64_MAX)
        Arguments.emplace(Each.Name + std::string(BytesOf), static_cast<std::int64_t>(*Each.Bytes));
    const std::string Where = At.empty() ? "" : " at " + shapeText(Op.Source, At);
    const std::string Before = "promises " + Of.words() + ", ";
    const std::optional<Rational> Allowed = promised(At, Arguments);
    if (!Allowed)
      return tell(At, Before + "which has no value" + Where + ": it may name " + known(Arguments));
    const std::optional<std::uint64_t> &Upper = P.Range.Upper;
    if (!Upper || *Upper > INT64_MAX)
      return tell(At, Before + "and nothing bounds its peak" + Where + ": memshape predict says why");
    if (Of.Exactly && !P.Range.Exact)
      return tell(At, Before + bytesText(*Allowed) + Where + ", and takes " + grouped(P.Range.Lower) + " to " +
                          grouped(*Upper) + " B there");
    if (breaks(Rational(static_cast<std::int64_t>(*Upper)), Allowed))
      return tell(At, Before + bytesText(*Allowed) + Where + ", and " + (P.Range.Exact ? "takes " : "may take ") +
                          grouped(*Upper) + " B there");
    ++Held;
    return false;
  }

  bool tell(const Shape &At, std::string Message) {
    Told.Message = std::move(Message);
    for (std::size_t I = 0; I < At.size(); ++I)
      Told.Shape.emplace_back(Symbols[I], At[I]);
    return true;
  }

  std::string known(const std::map<std::string, std::int64_t> &Arguments) const {
    std::string Names;
    for (const std::string &Name : Symbols)
      Names += (Names.empty() ? "" : ", ") + Name;
    for (const auto &[Name, Value] : Arguments)
      Names += (Names.empty() ? "" : ", ") + Name;
    return Names.empty() ? "numbers alone" : Names;
  }

  /// " (sigma=1)": for other values nothing was looked at.
  std::string settingsText() const {
    std::string Text;
    for (const Parameter &P : Op.Source.parametersOf(Role::Setting))
      Text += (Text.empty() ? " (" : ", ") + P.Name + "=1";
    return Text.empty() ? "" : Text + ")";
  }

  /// " for 1 <= n <= 2000": where the formulas that prove it were verified.
  std::string domains() const {
    std::string Text;
    for (const Recovered &Case : Known.All)
      if (!Symbols.empty())
        Text += (Text.empty() ? " for " : ", and for ") + Case.Valid.str(Symbols);
    return Text;
  }

  /// Why it was not proven where formulas were verified; nothing where it was.
  std::optional<std::string> unproven() const {
    if (Known.All.empty() || !Known.Everywhere)
      return "no formula of its " + std::string(Of.Exactly ? "peak" : "bound") + " is known for all of them";
    if (Of.Exactly && !Found.Exact)
      return "not all of its predictions are exact";
    const std::optional<Polynomial> Allowed = promisedPolynomial();
    if (!Allowed)
      return "the promise is no polynomial";
    for (const Recovered &Case : Known.All) {
      const std::optional<std::vector<Polynomial>> Pieces = polynomialsOf(Case.Value, Symbols.size());
      if (!Pieces)
        return "its formula is no polynomial: " + Case.Value.str(Symbols);
      if (Of.Exactly && Pieces->size() > 1)
        return "its formula has several pieces: " + Case.Value.str(Symbols);
      for (const Polynomial &Piece : *Pieces) {
        const Polynomial Left = above(*Allowed + Piece.scaled(Rational(-1)), Case.Valid.Ranges);
        const bool Proven = Left.valid() && std::ranges::all_of(Left.terms(), [&](const auto &Term) {
                              return !Of.Exactly && Rational(0) < Term.second;
                            });
        if (!Proven)
          return "its formula is " + Case.Value.str(Symbols);
      }
    }
    return std::nullopt;
  }

  std::optional<Polynomial> promisedPolynomial() const {
    std::map<std::string, Polynomial> Values;
    for (std::size_t I = 0; I < Symbols.size(); ++I)
      Values.emplace(Symbols[I], Polynomial::variable(Symbols.size(), I));
    for (const auto &[Name, Law] : Laws)
      if (const auto Pieces = polynomialsOf(Law, Symbols.size()); Pieces && Pieces->size() == 1)
        Values.emplace(Name, Pieces->front());
    return Bytes->polynomial(Symbols.size(), Values);
  }

  const WholeOperator &Op;
  const Surroundings &Around;
  const FigureFormulas &Found;
  const Promise &Of;
  const Cases &Known;
  const std::vector<std::string> Symbols;
  std::optional<Expression> Bytes;
  std::map<std::string, Formula> Laws; ///< of what arguments take, by "in.bytes"
  std::size_t Held = 0;                ///< shapes whose predictions keep the promise
  Finding Told;
};

} // namespace

std::vector<Finding> contractsOf(const Skeleton &Stored, const Surroundings &Around) {
  std::vector<Finding> Told;
  if (Stored.Contracts.empty())
    return Told;
  const Result<WholeOperator> Whole = wholeOperator(Stored, Around);
  const Result<FigureFormulas> Found =
      Whole ? figureFormulas(*Whole, anyShape(Whole->Source), Around) : Result<FigureFormulas>(Whole.failure());
  for (const std::string &Written : Stored.Contracts) {
    const Promise Of(Written);
    Told.push_back(
        Found ? Holding(*Whole, Around, *Found, Of).run()
              : about(Stored, "promises " + Of.words() + ", and cannot be predicted: " + Found.failure().Message));
  }
  return Told;
}

} // namespace memshape
