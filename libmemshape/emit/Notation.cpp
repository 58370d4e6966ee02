// A formula as an expression of a language.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Notation.h"

#include <algorithm>

namespace memshape {

namespace {

/// Of all pieces: the greatest of fractions is that of their numerators.
Int128 denominatorOf(const Formula &Value) {
  Int128 All = 1;
  for (const Polynomial &Piece : Value.pieces())
    All *= Piece.scaled(Rational::fraction(All, 1)).denominator();
  return All;
}

/// An atom as calls.
struct Called {
  const CallNotation &In;
  const Atom &Of;
  const std::string Inner;

  std::string operator()(const rounding::None &) const { return Inner; }
  std::string operator()(const rounding::Blocks &How) const {
    if (How.SizeSymbol)
      return call("quotient", Inner, In.Symbols[*How.SizeSymbol]);
    const std::string Sum = How.Offset ? call("add", Inner, number(How.Offset)) : Inner;
    return call("quotient", Sum, number(How.Size));
  }
  std::string operator()(const rounding::PowerOfTwo &) const { return In.Prefix + "pow2ceil(" + Inner + ")"; }
  std::string operator()(const rounding::Halved &How) const { return call("halved", Inner, std::to_string(How.End)); }
  std::string operator()(const rounding::Smooth &How) const {
    return call("smooth", Inner, std::to_string(How.LargestPrime));
  }
  std::string operator()(const rounding::Root &) const { return In.Prefix + "isqrt(" + Inner + ")"; }
  std::string operator()(const rounding::Log2 &) const { return In.Prefix + "ilog2(" + Inner + ")"; }
  std::string operator()(const rounding::Least &How) const { return call("least", Inner, number(How.Cap)); }
  std::string operator()(const rounding::Above &How) const { return call("above", Inner, std::to_string(How.Limit)); }

private:
  std::string number(std::int64_t Value) const { return In.Number(std::to_string(Value)); }
  std::string call(const char *Function, const std::string &A, const std::string &B) const {
    return In.Prefix + Function + "(" + A + ", " + B + ")";
  }
};

std::string joined(const CallNotation &In, const char *Function, const std::vector<std::string> &Parts) {
  std::string Text;
  for (const std::string &Part : Parts)
    Text = Text.empty() ? Part : In.Prefix + Function + "(" + Text + ", " + Part + ")";
  return Text;
}

std::string called(const CallNotation &In, const Polynomial &Of, const std::vector<std::string> &Variables) {
  std::vector<std::string> Terms;
  for (const auto &[Powers, Coefficient] : Of.ordered()) {
    std::vector<std::string> Factors;
    for (std::size_t I = 0; I < Powers.size(); ++I)
      Factors.insert(Factors.end(), Powers[I], Variables[I]);
    if (Factors.empty() || !(Coefficient == Rational(1)))
      Factors.insert(Factors.begin(), In.Number(toDecimal(Coefficient.numerator())));
    Terms.push_back(joined(In, "multiply", Factors));
  }
  return Terms.empty() ? In.Number("0") : joined(In, "add", Terms);
}

/// An atom in Python.
struct InPython {
  const std::vector<std::string> &Symbols;
  const Atom &Of;
  const std::string Inner;

  std::string operator()(const rounding::None &) const { return Inner; }
  std::string operator()(const rounding::Blocks &How) const {
    const std::string Sum = How.Offset ? Inner + " + " + std::to_string(How.Offset) : Inner;
    const bool IsPlain = Sum.find(' ') == std::string::npos && Sum.find('*') == std::string::npos;
    return "(" + (IsPlain ? Sum : "(" + Sum + ")") + "//" +
           (How.SizeSymbol ? Symbols[*How.SizeSymbol] : std::to_string(How.Size)) + ")";
  }
  std::string operator()(const rounding::PowerOfTwo &) const { return "_pow2ceil(" + Inner + ")"; }
  std::string operator()(const rounding::Halved &How) const { return call("_halved", How.End); }
  std::string operator()(const rounding::Smooth &How) const { return call("_smooth", How.LargestPrime); }
  std::string operator()(const rounding::Root &) const { return "_isqrt(" + Inner + ")"; }
  std::string operator()(const rounding::Log2 &) const { return "_ilog2(" + Inner + ")"; }
  std::string operator()(const rounding::Least &How) const { return call("_least", How.Cap); }
  std::string operator()(const rounding::Above &How) const { return call("_above", How.Limit); }

private:
  std::string call(const char *Function, std::int64_t Number) const {
    return std::string(Function) + "(" + Inner + ", " + std::to_string(Number) + ")";
  }
};

std::string polynomialInPython(const Polynomial &Of, const std::vector<std::string> &Names) {
  std::string Text = Of.str(Names);
  for (std::size_t At = 0; (At = Text.find('^', At)) != std::string::npos; At += 2)
    Text.replace(At, 1, "**");
  return Text;
}

} // namespace

std::string CallNotation::of(const Formula &Value) const {
  std::vector<std::string> Variables;
  for (const Atom &Each : Value.atoms())
    Variables.push_back(std::visit(
        Called{*this, Each, Each.hasInner() ? called(*this, Each.Inner, Symbols) : Symbols[Each.Symbol]}, Each.How));
  const Int128 Denominator = denominatorOf(Value);
  std::vector<std::string> Pieces;
  for (const Polynomial &Piece : Value.pieces())
    Pieces.push_back(called(*this, Piece.scaled(Rational::fraction(Denominator, 1)), Variables));
  const std::string Chosen = joined(*this, Value.isLeast() ? "least" : "greatest", Pieces);
  return Denominator == 1 ? Chosen : Prefix + "divide(" + Chosen + ", " + toDecimal(Denominator) + ")";
}

std::string inPython(const Formula &Value, const std::vector<std::string> &Symbols) {
  std::vector<std::string> Variables;
  for (const Atom &Each : Value.atoms())
    Variables.push_back(std::visit(
        InPython{Symbols, Each, Each.hasInner() ? polynomialInPython(Each.Inner, Symbols) : Symbols[Each.Symbol]},
        Each.How));
  const Int128 Denominator = denominatorOf(Value);
  std::string Text;
  for (const Polynomial &Piece : Value.pieces())
    Text +=
        (Text.empty() ? "" : ", ") + polynomialInPython(Piece.scaled(Rational::fraction(Denominator, 1)), Variables);
  if (Value.pieces().size() > 1)
    Text = (Value.isLeast() ? "_least(" : "_greatest(") + Text + ")";
  return Denominator == 1 ? Text : "_divide(" + Text + ", " + toDecimal(Denominator) + ")";
}

bool rounds(const Formula &Value) {
  for (std::size_t I = 0; I < Value.atoms().size(); ++I)
    if (!Value.atoms()[I].isSymbol() && std::any_of(Value.pieces().begin(), Value.pieces().end(),
                                                    [&](const Polynomial &Each) { return Each.dependsOn(I); }))
      return true;
  return false;
}

bool mayFail(const Formula &Value) { return rounds(Value) || denominatorOf(Value) != 1; }

} // namespace memshape
