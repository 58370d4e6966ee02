// Formulas as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Emission.h"
#include "libmemshape/emit/Notation.h"
#include "libmemshape/emit/Writing.h"

#include <gmock/gmock.h>

using namespace memshape;
using testing::HasSubstr;
using testing::Not;

const CallNotation Calls{"f_", [](const std::string &Number) { return Number; }, {"n", "m"}};

static Polynomial variable(std::size_t Index) { return Polynomial::variable(2, Index); }
static Formula of(const Atom &First, const Polynomial &Piece) {
  return Formula({First, {rounding::None(), 1}}, {Piece});
}

const Domain Everywhere{{{0, INT32_MAX}, {0, INT64_MAX}}}, Verified{{{1, 2000}, {2, 500}}};

/// 8*n*m bytes, for a parameter of 32 bits and one of 64.
static Emission products() {
  Emission Made;
  Made.Operator = "imaging::smooth";
  Made.LastComponent = "smooth";
  Made.Symbols = {{"n", INT32_MAX, true}, {"a.m", INT64_MAX, true}};
  const EmittedCase Bytes{of({rounding::None(), 0}, variable(0) * variable(1).scaled(8)), Everywhere, Verified};
  Made.Figures = {EmittedFigure{"peak", "the peak", {Bytes}}, EmittedFigure{"upper", "at most", {Bytes}},
                  EmittedFigure{"output", "left", {}}, EmittedFigure{"tensor", "given", {}}};
  Made.Head = {"Memory of a /* strange */ \"name\"."};
  return Made;
}

TEST(Emission, WritesPolynomialsAsCalls) {
  EXPECT_EQ(Calls.of(of({rounding::None(), 0}, variable(0) * variable(0).scaled(4) + variable(1).scaled(-8))),
            "f_add(f_multiply(f_multiply(4, n), n), f_multiply(-8, m))");
  EXPECT_EQ(Calls.of(of({rounding::None(), 0}, Polynomial(2))), "0");
}

TEST(Emission, DividesTheGreatestOfNumerators) {
  const Formula Greatest({{rounding::None(), 0}, {rounding::None(), 1}},
                         {(variable(0) * variable(0) + variable(0)).scaled(Rational::fraction(1, 2)), variable(1)});
  EXPECT_EQ(Calls.of(Greatest), "f_divide(f_greatest(f_add(f_multiply(n, n), n), f_multiply(2, m)), 2)");
  EXPECT_EQ(inPython(Greatest, {"n", "m"}), "_divide(_greatest(n**2 + n, 2*m), 2)");
}

TEST(Emission, WritesEachRounding) {
  const auto InC = [](const rounding::Any &How) { return Calls.of(of({How, 0}, variable(0))); };
  const auto InPython = [](const rounding::Any &How) { return inPython(of({How, 0}, variable(0)), {"n", "m"}); };
  EXPECT_EQ(InC(rounding::Blocks{16, 15}), "f_quotient(f_add(n, 15), 16)");
  EXPECT_EQ(InPython(rounding::Blocks{16, 15}), "((n + 15)//16)");
  EXPECT_EQ(InC(rounding::Blocks{1, 0, 1}), "f_quotient(n, m)");
  EXPECT_EQ(InPython(rounding::Blocks{1, 0, 1}), "(n//m)");
  EXPECT_EQ(InC(rounding::PowerOfTwo()), "f_pow2ceil(n)");
  EXPECT_EQ(InC(rounding::Halved{64}), "f_halved(n, 64)");
  EXPECT_EQ(InC(rounding::Smooth{5}), "f_smooth(n, 5)");
  EXPECT_EQ(InC(rounding::Root()), "f_isqrt(n)");
  EXPECT_EQ(InC(rounding::Log2()), "f_ilog2(n)");
  EXPECT_EQ(InC(rounding::Least{64}), "f_least(n, 64)");
  EXPECT_EQ(InPython(rounding::Least{64}), "_least(n, 64)");
  EXPECT_EQ(InC(rounding::Above{64}), "f_above(n, 64)");
}

TEST(Emission, MakesIdentifiersOfNames) {
  Identifiers Made;
  EXPECT_EQ(Made.of("a.rows"), "a_rows");
  EXPECT_EQ(Made.of("a_rows"), "a_rows_");
  EXPECT_EQ(Made.of("x.shape[0]"), "x_shape_0");
  EXPECT_EQ(Made.of("lambda"), "lambda_");
  EXPECT_EQ(Made.of("n_"), "n_");
  EXPECT_EQ(Made.of("operator()"), "operator_");
}

TEST(Emission, RefusesWhatParametersCannotHold) {
  const std::string Header = sourceOf(products(), EmittedLanguage::C);
  EXPECT_THAT(Header, HasSubstr("static inline uint64_t smooth_peak_bytes(int64_t n, int64_t a_m) {\n"
                                "  if (n < 0 || n > 2147483647 || a_m < 0)\n    return UINT64_MAX;\n"));
  EXPECT_THAT(Header, HasSubstr("  return (n >= 1 && n <= 2000 && a_m >= 2 && a_m <= 500);\n"));
  EXPECT_THAT(sourceOf(products(), EmittedLanguage::Python),
              HasSubstr("    if not (0 <= n <= 2147483647 and 0 <= a_m <= 9223372036854775807):\n        return None\n"
                        "    return _bytes(8*n*a_m)\n"));
}

TEST(Emission, SearchesByHalvingWhereNothingFalls) {
  Emission Falls = products();
  EXPECT_THAT(sourceOf(Falls, EmittedLanguage::C), Not(HasSubstr("memshape_span")));
  Falls.Figures[1].Cases[0].Value = of({rounding::None(), 0}, variable(0) * variable(1) + variable(0).scaled(-1));
  const std::string Header = sourceOf(Falls, EmittedLanguage::C);
  EXPECT_THAT(Header, HasSubstr("memshape_span_of(low, high)"));
  EXPECT_THAT(Header, HasSubstr("int64_t smooth_largest_a_m(uint64_t memory, int64_t n)"));
}

TEST(Emission, TakesTheCaseThatAShapeLiesIn) {
  Emission Made = products();
  EmittedFigure &Upper = Made.Figures[1];
  const EmittedCase Small{
      of({rounding::None(), 0}, variable(0).scaled(4)), {{{0, 100}, {0, INT64_MAX}}}, {{{1, 100}, {1, 500}}}};
  Upper.Cases.insert(Upper.Cases.begin(), Small);
  const std::string Header = sourceOf(Made, EmittedLanguage::C);
  EXPECT_THAT(Header, HasSubstr("  if (n <= 100)\n    return memshape_bytes(memshape_multiply(4, n));\n"
                                "  return memshape_bytes(memshape_multiply(memshape_multiply(8, n), a_m));\n"));
  EXPECT_THAT(Header, HasSubstr("  if (low >= 0 && high <= 100)\n"
                                "    return memshape_span_multiply(memshape_span_at(4), memshape_span_of(low, high));\n"
                                "  if (high >= 0 && low <= 100)\n    return memshape_span_at(MEMSHAPE_NONE);\n"));
  Upper.Everywhere = false;
  EXPECT_THAT(sourceOf(Made, EmittedLanguage::C),
              HasSubstr("  return memshape_bytes(memshape_multiply(memshape_multiply(8, n), a_m));\n"
                        "  return UINT64_MAX;\n"));
}

TEST(Emission, KeepsNamesInsideOfComments) {
  EXPECT_THAT(sourceOf(products(), EmittedLanguage::C),
              testing::StartsWith("/* Memory of a / * strange * / \"name\". */\n"));
  EXPECT_THAT(sourceOf(products(), EmittedLanguage::Python),
              testing::StartsWith("\"\"\"Memory of a /* strange */ 'name'.\n"));
}

TEST(Emission, KeepsLocalNamesApartFromSymbols) {
  Emission Made = products();
  Made.Symbols[1].Name = "memory";
  EXPECT_THAT(sourceOf(Made, EmittedLanguage::C),
              HasSubstr("int64_t smooth_largest_n(uint64_t memory_, int64_t memory)"));
}
