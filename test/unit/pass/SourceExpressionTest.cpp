// The arithmetic on a line of source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SourceExpression.h"

#include <gtest/gtest.h>

using memshape::expressionOn;

/// The expression around the first Operator on Line.
static std::string around(const std::string &Line, const char *Operator) {
  return expressionOn(Line, Line.find(Operator) + 1);
}

TEST(SourceExpression, ArgumentsAndElementsEndAtTheirBrackets) {
  EXPECT_EQ(around("void *f(int w, int h) { return malloc(4 * w * h * 2); }", "* w"), "4*w*h*2");
  EXPECT_EQ(around("double *p = new double[w * h];", "* h"), "w*h");
  EXPECT_EQ(around("q = calloc(n + 1, sizeof(int));", "+"), "n+1");
  EXPECT_EQ(around("return (w * h + 7) / 8;", "/"), "(w*h+7)/8");
}

TEST(SourceExpression, StatementsEndAtAssignmentsAndKeywords) {
  EXPECT_EQ(around("  size_t bytes = n * channels * seconds; // late", "* c"), "n*channels*seconds");
  EXPECT_EQ(around("return a.size() * k;", "* k"), "a.size()*k");
  EXPECT_EQ(around("if (w * h > 10)", "* h"), "w*h");
  EXPECT_EQ(around("for (int i = 0; i < w; ++i) bytes += h;", "+="), "bytes+=h");
  EXPECT_EQ(around("n = a << 2;", "<<"), "a<<2");
}

TEST(SourceExpression, ALineWithoutColumnHasItsLongestArithmetic) {
  EXPECT_EQ(expressionOn("p = malloc(a * b) + f(a * b * c);", 0), "malloc(a*b)+f(a*b*c)");
  EXPECT_EQ(expressionOn("for (int i = 0; i < w; ++i) bytes += h;", 0), "bytes+=h");
  EXPECT_EQ(expressionOn("while (++i < n)", 0), "");
}
