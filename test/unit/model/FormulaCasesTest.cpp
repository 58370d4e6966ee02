// The language of formulas, case by case.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/formulas/cases.json holds for the model, the page of reports and the plugin alike; what the model prints is in
// the same language.

#include "model/formula/Expression.h"
#include "model/formula/Formula.h"

#include "Gives.h"
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace memshape;

namespace {

std::string written(const Rational &Value) {
  return toDecimal(Value.numerator()) + (Value.isInteger() ? "" : "/" + toDecimal(Value.denominator()));
}

/// Formulas of all kinds of atoms, with small numbers.
class AnyFormula {
public:
  explicit AnyFormula(unsigned Seed) : Random(Seed) {}

  Formula draw() {
    std::vector<Atom> Atoms;
    for (std::size_t I = 0; I < Symbols; ++I)
      Atoms.push_back({rounding::None(), I});
    for (int More = number(0, 2); More > 0; --More)
      Atoms.push_back(atom());
    std::vector<Polynomial> Pieces;
    for (int More = number(1, 3); More > 0; --More)
      Pieces.push_back(polynomial(Atoms.size(), 3, number(0, 3) == 0 ? 6 : 1));
    return Formula(std::move(Atoms), std::move(Pieces), number(0, 1) == 1);
  }
  int number(int Low, int High) { return std::uniform_int_distribution<int>(Low, High)(Random); }

  static constexpr std::size_t Symbols = 3;

private:
  Polynomial polynomial(std::size_t Variables, unsigned Degree, std::int64_t Denominator) {
    Polynomial Sum(Variables);
    for (int Terms = number(1, 4); Terms > 0; --Terms) {
      Polynomial::Monomial Powers(Variables, 0);
      for (int Rest = number(0, static_cast<int>(Degree)); Rest > 0; --Rest)
        ++Powers[static_cast<std::size_t>(number(0, static_cast<int>(Variables) - 1))];
      Sum = Sum + Polynomial::term(Powers, Rational::fraction(number(-9, 9), Denominator));
    }
    return Sum;
  }

  Atom atom() {
    const std::int64_t Number = number(1, 9);
    const rounding::Any Kinds[] = {rounding::Blocks{Number, number(0, static_cast<int>(Number) - 1)},
                                   rounding::PowerOfTwo(),
                                   rounding::Halved{Number},
                                   rounding::Smooth{Number},
                                   rounding::Root(),
                                   rounding::Log2(),
                                   rounding::Least{Number},
                                   rounding::Above{Number}};
    Atom Made{Kinds[number(0, 7)], static_cast<std::size_t>(number(0, 2))};
    if (number(0, 1)) {
      Made.Inner = polynomial(Symbols, 2, 1);
      if (Made.as<rounding::Blocks>() && number(0, 1))
        Made.How = rounding::Blocks{1, 0, static_cast<std::size_t>(number(0, 2))};
    }
    return Made;
  }

  std::mt19937 Random;
};

} // namespace

TEST(FormulaCases, TheModelReadsTheTable) {
  std::ifstream File(MEMSHAPE_FORMULA_CASES);
  const nlohmann::json Table = nlohmann::json::parse(File);
  std::size_t Count = 0;
  for (const nlohmann::json &Case : Table.at("cases")) {
    ++Count;
    const auto Text = Case.at("text").get<std::string>();
    SCOPED_TRACE(Text);
    std::string Why;
    const std::optional<Expression> Read = Expression::parse(Text, &Why);
    if (Case.contains("error")) {
      EXPECT_FALSE(Read);
      EXPECT_EQ(Why, Case.at("error").get<std::string>());
      continue;
    }
    ASSERT_TRUE(Read) << Why;
    std::map<std::string, std::int64_t> At;
    std::map<std::string, double> Numbers;
    bool FitDoubles = true;
    for (const auto &[Name, Value] : Case.at("at").items()) {
      At[Name] = std::stoll(Value.get<std::string>());
      Numbers[Name] = static_cast<double>(At[Name]);
      FitDoubles = FitDoubles && At[Name] < (std::int64_t(1) << 53);
    }
    const std::optional<Rational> Exact = Read->evaluateExactly(At);
    const std::optional<double> Nearly = Read->evaluate(Numbers);
    if (Case.contains("approximately")) {
      EXPECT_FALSE(Exact);
      ASSERT_TRUE(Nearly);
      EXPECT_DOUBLE_EQ(*Nearly, std::stod(Case.at("approximately").get<std::string>()));
    } else if (Case.at("value").is_null()) {
      EXPECT_FALSE(Exact);
      EXPECT_FALSE(Nearly);
    } else {
      ASSERT_TRUE(Exact);
      EXPECT_EQ(written(*Exact), Case.at("value").get<std::string>());
      if (!FitDoubles)
        continue;
      ASSERT_TRUE(Nearly);
      EXPECT_DOUBLE_EQ(*Nearly, static_cast<double>(Exact->numerator()) / static_cast<double>(Exact->denominator()));
    }
  }
  EXPECT_GT(Count, 80u);
}

TEST(FormulaCases, WhatTheModelPrintsReadsAsWhatItIs) {
  const std::vector<std::string> Names{"ni", "a[2].shape[0]", "image.rows()"};
  AnyFormula Any(7);
  for (int Drawn = 0; Drawn < 2000; ++Drawn) {
    const Formula F = Any.draw();
    const std::string Text = F.str(Names);
    SCOPED_TRACE(Text);
    std::string Why;
    const std::optional<Expression> Read = Expression::parse(Text, &Why);
    ASSERT_TRUE(Read) << Why;
    for (int Tried = 0; Tried < 4; ++Tried) {
      const Shape At{Any.number(0, 40), Any.number(1, 2000), Any.number(1, 90)};
      const Rational Value = F.evaluate(At);
      if (!Value.valid())
        continue;
      ASSERT_GIVES(const Rational Again,
                   Read->evaluateExactly({{Names[0], At[0]}, {Names[1], At[1]}, {Names[2], At[2]}}));
      EXPECT_EQ(Again, Value) << At[0] << " " << At[1] << " " << At[2];
    }
  }
}
