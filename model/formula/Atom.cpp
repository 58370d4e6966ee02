// The variables of a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Atom.h"
#include "model/formula/IntegerFunctions.h"

#include <algorithm>

namespace memshape {

namespace {

Int128 floorOf(Int128 Number, Int128 Divisor) {
  Int128 Quotient = Number / Divisor;
  return Number % Divisor < 0 ? Quotient - 1 : Quotient;
}

/// Of a value at a shape.
struct Rounded {
  std::int64_t Value;
  const Shape &At;

  std::optional<std::int64_t> operator()(const rounding::None &) const { return Value; }
  std::optional<std::int64_t> operator()(const rounding::Blocks &R) const {
    const std::int64_t By = R.SizeSymbol ? At[*R.SizeSymbol] : R.Size;
    if (By <= 0)
      return std::nullopt;
    return static_cast<std::int64_t>(floorOf(Int128(Value) + R.Offset, By));
  }
  std::optional<std::int64_t> operator()(const rounding::PowerOfTwo &) const { return nextPowerOfTwo(Value); }
  std::optional<std::int64_t> operator()(const rounding::Halved &R) const { return halved(Value, R.End); }
  std::optional<std::int64_t> operator()(const rounding::Smooth &R) const { return nextSmooth(Value, R.LargestPrime); }
  std::optional<std::int64_t> operator()(const rounding::Root &) const { return integerRoot(Value); }
  std::optional<std::int64_t> operator()(const rounding::Log2 &) const { return integerLog2(Value); }
  std::optional<std::int64_t> operator()(const rounding::Least &R) const { return std::min(Value, R.Cap); }
  std::optional<std::int64_t> operator()(const rounding::Above &R) const { return Value > R.Limit ? 1 : 0; }
};

/// As formulas are written.
struct Written {
  const Atom &Of;
  const std::vector<std::string> &Names;
  std::string Inner = Of.hasInner() ? Of.Inner.str(Names) : Names[Of.Symbol];

  std::string operator()(const rounding::None &) const { return Inner; }
  std::string operator()(const rounding::Blocks &R) const {
    const std::string Quotient = Of.hasInner() && Of.Inner.termCount() > 1 ? "(" + Inner + ")/" : Inner + "/";
    const std::string Number = std::to_string(R.Size);
    if (R.SizeSymbol)
      return ofSizeSymbol(*R.SizeSymbol, Quotient);
    if (R.Offset == 0)
      return "floor(" + Quotient + Number + ")";
    if (R.Offset == R.Size - 1)
      return "ceil(" + Quotient + Number + ")";
    return "floor((" + Inner + " + " + std::to_string(R.Offset) + ")/" + Number + ")";
  }
  std::string operator()(const rounding::PowerOfTwo &) const { return "pow2ceil(" + Inner + ")"; }
  std::string operator()(const rounding::Halved &R) const { return called("halved", R.End); }
  std::string operator()(const rounding::Smooth &R) const { return called("smooth", R.LargestPrime); }
  std::string operator()(const rounding::Root &) const { return "isqrt(" + Inner + ")"; }
  std::string operator()(const rounding::Log2 &) const { return "ilog2(" + Inner + ")"; }
  std::string operator()(const rounding::Least &R) const { return called("min", R.Cap); }
  std::string operator()(const rounding::Above &R) const { return called("above", R.Limit); }

private:
  std::string called(const char *Function, std::int64_t Number) const {
    return std::string(Function) + "(" + Inner + ", " + std::to_string(Number) + ")";
  }
  /// (x + d - 1)/d as a ceiling.
  std::string ofSizeSymbol(std::size_t Size, const std::string &Quotient) const {
    const Polynomial One = Polynomial::constant(Of.Inner.variables(), Rational(1));
    const Polynomial Up = Of.Inner + One + Polynomial::variable(Of.Inner.variables(), Size).scaled(Rational(-1));
    if (Up.dependsOn(Size) || !Of.Inner.dependsOn(Size))
      return "floor(" + Quotient + Names[Size] + ")";
    const std::string Text = Up.str(Names);
    return "ceil(" + (Up.termCount() > 1 ? "(" + Text + ")" : Text) + "/" + Names[Size] + ")";
  }
};

} // namespace

std::optional<std::int64_t> Atom::evaluate(const Shape &At) const {
  std::optional<std::int64_t> Value = hasInner() ? Inner.evaluate(At).toInt64() : At[Symbol];
  return Value ? std::visit(Rounded{*Value, At}, How) : std::nullopt;
}

bool Atom::dependsOn(std::size_t Other) const {
  const auto *Blocks = as<rounding::Blocks>();
  return (hasInner() ? Inner.dependsOn(Other) : Symbol == Other) || (Blocks && Blocks->SizeSymbol == Other);
}

std::string Atom::str(const std::vector<std::string> &SymbolNames) const {
  return std::visit(Written{*this, SymbolNames}, How);
}

} // namespace memshape
