// From text to a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/Expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace memshape {

/// Deeper formulas are not read: each level takes stack.
constexpr unsigned DeepestNesting = 100;
constexpr std::size_t LongestFormula = 1 << 16;
/// Powers of ten that 128 bits hold.
constexpr int LargestScale = 38;

static bool isDigit(char C) { return std::isdigit(static_cast<unsigned char>(C)) != 0; }
/// Letters of other scripts are bytes above 127 in UTF-8.
static bool beginsName(char C) {
  return std::isalpha(static_cast<unsigned char>(C)) != 0 || C == '_' || C == '$' || static_cast<signed char>(C) < 0;
}

/// The decimal number exactly; invalid where 128 bits do not hold it.
static Rational exactly(std::string_view Digits) {
  const Rational Ten(10);
  Rational Value;
  int Scale = 0;
  std::size_t At = 0;
  for (bool Behind = false; At < Digits.size() && (isDigit(Digits[At]) || Digits[At] == '.'); ++At) {
    if (Digits[At] == '.') {
      Behind = true;
      continue;
    }
    Value = Value * Ten + Rational(Digits[At] - '0');
    Scale -= Behind ? 1 : 0;
  }
  if (At < Digits.size()) { // behind 'e'
    const bool Plus = Digits[At + 1] == '+';
    int Exponent = 0;
    std::from_chars(Digits.data() + At + 1 + Plus, Digits.data() + Digits.size(), Exponent);
    Scale += Exponent;
  }
  if (std::abs(Scale) > LargestScale)
    return Rational::fraction(0, 0);
  for (; Scale > 0; --Scale)
    Value = Value * Ten;
  for (; Scale < 0; ++Scale)
    Value = Value / Ten;
  return Value;
}

/// Recursive descent; the highest level is a sum.
class ExpressionReader {
public:
  explicit ExpressionReader(std::string_view Text) : Text(Text) {}

  std::optional<Expression> read(std::string *Why) {
    if (Text.size() > LongestFormula)
      fail("it is too long");
    else {
      sum();
      skip();
      if (At != Text.size())
        fail("it goes on with '" + std::string(Text.substr(At, 10)) + "'");
    }
    if (Problem.empty())
      return std::move(Found);
    if (Why)
      *Why = Problem;
    return std::nullopt;
  }

private:
  using Kind = Expression::Kind;

  void fail(std::string What) {
    if (Problem.empty())
      Problem = std::move(What);
    At = Text.size();
  }
  void skip() {
    while (At < Text.size() && std::isspace(static_cast<unsigned char>(Text[At])))
      ++At;
  }
  bool take(char Wanted) {
    skip();
    if (At >= Text.size() || Text[At] != Wanted)
      return false;
    ++At;
    return true;
  }
  void put(Kind What) { Found.Steps.push_back({What, 0, {}, {}}); }

  void sum() {
    if (++Depth > DeepestNesting)
      fail("it nests too deep");
    product();
    while (Problem.empty())
      if (take('+'))
        product(), put(Kind::Add);
      else if (take('-'))
        product(), put(Kind::Subtract);
      else
        break;
    --Depth;
  }
  void product() {
    power();
    while (Problem.empty())
      if (take('*'))
        power(), put(Kind::Multiply);
      else if (take('/'))
        power(), put(Kind::Divide);
      else
        break;
  }
  void power() {
    if (++Depth > DeepestNesting)
      fail("it nests too deep");
    if (take('-')) {
      power();
      put(Kind::Negate);
    } else {
      operand();
      if (take('^'))
        power(), put(Kind::Power);
    }
    --Depth;
  }
  void operand() {
    skip();
    if (At >= Text.size())
      return fail("it ends too early");
    char First = Text[At];
    if (take('(')) {
      sum();
      if (!take(')'))
        fail("a parenthesis is open");
    } else if (isDigit(First) || First == '.')
      number();
    else if (beginsName(First))
      name();
    else
      fail(std::string("'") + First + "' was not expected");
  }
  void number() {
    double Value = 0;
    auto [End, Error] = std::from_chars(Text.data() + At, Text.data() + Text.size(), Value);
    if (Error != std::errc() || !std::isfinite(Value))
      return fail("a number is not finite");
    const auto Length = static_cast<std::size_t>(End - Text.data()) - At;
    Found.Steps.push_back({Kind::Number, Value, exactly(Text.substr(At, Length)), {}});
    At += Length;
  }

  /// A symbol may have members, as in image.rows(), and indices, as in x.shape[0] and rows[0].size.
  void name() {
    const std::size_t Start = At;
    do {
      while (At < Text.size() && (beginsName(Text[At]) || isDigit(Text[At]) || Text[At] == '.'))
        ++At;
      while (At < Text.size() && Text[At] == '[') {
        const std::size_t Close = Text.find_first_not_of("0123456789", At + 1);
        if (Close == std::string_view::npos || Text[Close] != ']' || Close == At + 1)
          return fail("an index is no number");
        At = Close + 1;
      }
    } while (At + 1 < Text.size() && Text[At] == '.' && Text[At - 1] == ']' && beginsName(Text[At + 1]));
    if (Text.substr(At, 2) == "()")
      At += 2;
    const std::string_view Name = Text.substr(Start, At - Start);
    if (!Name.ends_with(')') && take('('))
      return function(Name);
    Found.Steps.push_back({Kind::Symbol, 0, {}, std::string(Name)});
  }

  void function(std::string_view Name) {
    enum class Arguments { One, Two, Any };
    struct Known {
      std::string_view Name;
      Kind What;
      Arguments Count;
    };
    constexpr Known Functions[] = {
        {"max", Kind::Max, Arguments::Any},
        {"min", Kind::Min, Arguments::Any},
        {"floor", Kind::Floor, Arguments::One},
        {"ceil", Kind::Ceil, Arguments::One},
        {"trunc", Kind::Truncate, Arguments::One},
        {"mod", Kind::Remainder, Arguments::Two},
        {"pow2ceil", Kind::PowerOfTwo, Arguments::One},
        {"halved", Kind::Halved, Arguments::Two},
        {"smooth", Kind::Smooth, Arguments::Two},
        {"above", Kind::Above, Arguments::Two},
        {"isqrt", Kind::IntegerRoot, Arguments::One},
        {"ilog2", Kind::IntegerLog2, Arguments::One},
        {"sqrt", Kind::Root, Arguments::One},
        {"log2", Kind::Log2, Arguments::One},
    };
    const Known *F =
        std::find_if(std::begin(Functions), std::end(Functions), [&](const Known &K) { return K.Name == Name; });
    if (F == std::end(Functions))
      return fail("there is no function '" + std::string(Name) + "'");
    std::size_t Count = 1;
    sum();
    for (; Problem.empty() && take(','); ++Count) {
      sum();
      if (F->Count == Arguments::Any)
        put(F->What);
    }
    if (!take(')'))
      return fail("a parenthesis is open");
    if (F->Count != Arguments::Any && Count != (F->Count == Arguments::Two ? 2u : 1u))
      return fail("'" + std::string(Name) + "' takes " +
                  (F->Count == Arguments::Two ? "two arguments" : "one argument"));
    if (F->Count != Arguments::Any)
      put(F->What);
  }

  std::string_view Text;
  std::size_t At = 0;
  unsigned Depth = 0;
  std::string Problem;
  Expression Found;
};

std::optional<Expression> Expression::parse(std::string_view Text, std::string *Why) {
  return ExpressionReader(Text).read(Why);
}

} // namespace memshape
