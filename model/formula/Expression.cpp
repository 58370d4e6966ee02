//===- Expression.cpp - A footprint formula, read from text --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/formula/Expression.h"
#include "model/formula/Atom.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace memshape {

namespace {

/// Deeper formulas are not read: each level takes stack.
constexpr unsigned DeepestNesting = 100;
constexpr std::size_t LongestFormula = 1 << 16;

double smoothSize(double Size, double Largest) {
  Atom Next{Atom::Kind::Smooth, 0, static_cast<std::int64_t>(std::clamp(Largest, 2.0, 100.0)), 0};
  return static_cast<double>(Next.evaluate({static_cast<std::int64_t>(Size)}).value_or(0));
}

} // namespace

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
    while (At < Text.size() && Text[At] == ' ')
      ++At;
  }
  bool take(char Wanted) {
    skip();
    if (At >= Text.size() || Text[At] != Wanted)
      return false;
    ++At;
    return true;
  }
  void put(Kind What) { Found.Steps.push_back({What, 0, {}}); }

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
    } else if (std::isdigit(static_cast<unsigned char>(First)) || First == '.')
      number();
    else if (std::isalpha(static_cast<unsigned char>(First)) || First == '_')
      name();
    else
      fail(std::string("'") + First + "' was not expected");
  }
  void number() {
    double Value = 0;
    auto [End, Error] = std::from_chars(Text.data() + At, Text.data() + Text.size(), Value);
    if (Error != std::errc() || !std::isfinite(Value))
      return fail("a number is not finite");
    At = static_cast<std::size_t>(End - Text.data());
    Found.Steps.push_back({Kind::Number, Value, {}});
  }
  void name() {
    std::size_t Start = At;
    while (At < Text.size() && (std::isalnum(static_cast<unsigned char>(Text[At])) || Text[At] == '_'))
      ++At;
    std::string Name(Text.substr(Start, At - Start));
    if (!take('(')) {
      Found.Steps.push_back({Kind::Symbol, 0, std::move(Name)});
      return;
    }
    constexpr std::pair<std::string_view, Kind> Functions[] = {
        {"max", Kind::Max},
        {"min", Kind::Min},
        {"floor", Kind::Floor},
        {"ceil", Kind::Ceil},
        {"pow2ceil", Kind::PowerOfTwo},
        {"halved", Kind::Halved},
        {"smooth", Kind::Smooth},
        {"above", Kind::Above},
        {"isqrt", Kind::IntegerRoot},
        {"ilog2", Kind::IntegerLog2},
        {"sqrt", Kind::Root},
        {"log2", Kind::Log2},
    };
    auto Known =
        std::find_if(std::begin(Functions), std::end(Functions), [&](const auto &F) { return F.first == Name; });
    if (Known == std::end(Functions))
      return fail("there is no function '" + Name + "'");
    bool Many = Known->second == Kind::Max || Known->second == Kind::Min || Known->second == Kind::Halved ||
                Known->second == Kind::Smooth || Known->second == Kind::Above;
    sum();
    while (Many && Problem.empty() && take(','))
      sum(), put(Known->second);
    if (!take(')'))
      fail("a parenthesis is open");
    if (!Many)
      put(Known->second);
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

std::optional<double> Expression::evaluate(const std::map<std::string, double> &Symbols) const {
  std::vector<double> Stack;
  auto Pop = [&] {
    double Value = Stack.back();
    Stack.pop_back();
    return Value;
  };
  for (const Step &S : Steps) {
    if (S.What == Kind::Number) {
      Stack.push_back(S.Value);
      continue;
    }
    if (S.What == Kind::Symbol) {
      auto Place = Symbols.find(S.Name);
      if (Place == Symbols.end())
        return std::nullopt;
      Stack.push_back(Place->second);
      continue;
    }
    double B = Pop();
    auto A = [&] { return Pop(); };
    switch (S.What) {
    case Kind::Add:
      Stack.push_back(A() + B);
      break;
    case Kind::Subtract:
      Stack.push_back(A() - B);
      break;
    case Kind::Multiply:
      Stack.push_back(A() * B);
      break;
    case Kind::Divide:
      Stack.push_back(A() / B);
      break;
    case Kind::Power:
      Stack.push_back(std::pow(A(), B));
      break;
    case Kind::Max:
      Stack.push_back(std::max(A(), B));
      break;
    case Kind::Min:
      Stack.push_back(std::min(A(), B));
      break;
    case Kind::Negate:
      Stack.push_back(-B);
      break;
    case Kind::Floor:
      Stack.push_back(std::floor(B));
      break;
    case Kind::Ceil:
      Stack.push_back(std::ceil(B));
      break;
    case Kind::PowerOfTwo:
      Stack.push_back(B <= 1 ? 1 : std::exp2(std::ceil(std::log2(B))));
      break;
    case Kind::Halved: {
      double Side = A();
      while (Side > std::max(B, 1.0) && std::fmod(Side, 2) == 0)
        Side /= 2;
      Stack.push_back(Side);
      break;
    }
    case Kind::Smooth: {
      // Beyond 2^40, and for what is not finite, the size itself: a step there is no more than a rounding error.
      double Size = std::ceil(A());
      Stack.push_back(std::abs(Size) < 0x1p40 ? smoothSize(Size, B) : Size);
      break;
    }
    case Kind::Above:
      Stack.push_back(A() > B ? 1 : 0);
      break;
    case Kind::IntegerRoot:
      Stack.push_back(std::floor(std::sqrt(B)));
      break;
    case Kind::IntegerLog2:
      Stack.push_back(B < 1 ? 0 : std::logb(B));
      break;
    case Kind::Root:
      Stack.push_back(std::sqrt(B));
      break;
    case Kind::Log2:
      Stack.push_back(std::log2(B));
      break;
    case Kind::Number:
    case Kind::Symbol:
      break;
    }
  }
  double Value = Pop();
  return std::isfinite(Value) ? std::optional<double>(Value) : std::nullopt;
}

} // namespace memshape
