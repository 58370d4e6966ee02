// What counts as a regression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/Compare.h"
#include "libmemshape/check/OperatorComparison.h"
#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/check/writers/Writers.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

using namespace memshape;
using testing::HasSubstr;

constexpr std::uint64_t N = 1000;

static BaselineSite site(const std::string &Code, std::uint32_t Line, std::uint64_t Bytes, std::uint64_t Times = 1) {
  BaselineSite S;
  S.Function = "smooth";
  S.Code = Code;
  S.Allocator = "malloc";
  S.Space = "host";
  S.Held = S.Requested = {Bytes};
  S.Times = {Times};
  S.Places = {{"smooth.c", "smooth", Code, Line, 3}};
  return S;
}

/// 8*n bytes in one block.
static BaselineOperator smooth() {
  BaselineOperator Op;
  Op.Name = "smooth";
  Op.Symbols = {"n"};
  Op.Place = {"smooth.c", "smooth", "", 10, 6};
  Op.Formulas[PeakIndex] = Op.Formulas[TotalIndex] = "8*n";
  Op.Formulas[OutputIndex] = "0";
  Op.Formulas[AllocationsIndex] = "1";
  BaselineRow Row;
  Row.Shape = {static_cast<std::int64_t>(N)};
  Row.Figures[PeakIndex] = Row.Figures[TotalIndex] = 8 * N;
  Row.Figures[AllocationsIndex] = 1;
  Op.Rows = {Row};
  Op.Sites = {site("double *all = malloc(8 * n);", 12, 8 * N)};
  return Op;
}

static BaselineFile lockOf(std::vector<BaselineOperator> Operators, const std::string &Compiler = "clang 22 -O2") {
  BaselineFile L;
  L.Compiler = Compiler;
  L.Machine = referenceMachine();
  L.Operators = std::move(Operators);
  return L;
}

/// smooth() with one more block of Bytes on line 20, and formulas.
static BaselineOperator grown(std::uint64_t Bytes, const std::string &Peak) {
  BaselineOperator Op = smooth();
  Op.Rows[0].Figures[PeakIndex] += Bytes;
  Op.Rows[0].Figures[TotalIndex] += Bytes;
  Op.Formulas[PeakIndex] = Op.Formulas[TotalIndex] = Peak;
  Op.Sites.push_back(site("double *more = malloc(8 * m);", 20, Bytes));
  return Op;
}

static Comparison compared(BaselineOperator Then, BaselineOperator Now, const Tolerances &Allowed = {}) {
  return compareBaselines(lockOf({std::move(Then)}), lockOf({std::move(Now)}), Allowed);
}

static std::string rules(const Comparison &Found) {
  std::string Text;
  for (const Finding &F : Found.Findings)
    Text += (Text.empty() ? "" : " ") + F.Rule + (F.How == Severity::Error ? "!" : F.How == Severity::Note ? "?" : "");
  return Text;
}

TEST(Check, TheSameIsSilent) { EXPECT_EQ(rules(compared(smooth(), smooth())), ""); }

TEST(Check, NamesLinesAndFilesAreNoPartOfAFootprint) {
  BaselineOperator Now = smooth();
  Now.Symbols = {"count"};
  Now.Formulas[PeakIndex] = Now.Formulas[TotalIndex] = "8*count";
  Now.Sites = {site("double *values = take(count);", 99, 8 * N)};
  Now.Sites[0].Function = "take";
  EXPECT_EQ(rules(compared(smooth(), Now)), "");
}

TEST(Check, GradesByDegreeThenCoefficientThenBytes) {
  EXPECT_EQ(rules(compared(smooth(), grown(8 * N * N, "8*n^2 + 8*n"))), "degree-growth!");
  EXPECT_EQ(rules(compared(smooth(), grown(8 * N, "16*n"))), "coefficient-growth!");
  EXPECT_EQ(rules(compared(smooth(), grown(44, "8*n + 44"))), "bytes-growth!");
}

TEST(Check, SaysWhichLineItWas) {
  const Comparison Found = compared(smooth(), grown(8 * N, "16*n"));
  ASSERT_EQ(Found.Findings.size(), 1u);
  const Finding &F = Found.Findings[0];
  EXPECT_EQ(F.Place->Line, 20u);
  EXPECT_EQ(F.Message, "the peak grew from 8*n to 16*n: from 8,000 B to 16,000 B at n=1000");
  ASSERT_EQ(F.Sites.size(), 1u);
  EXPECT_EQ(F.Sites[0].What, SiteChange::Kind::New);
}

TEST(Check, LessIsAnImprovement) {
  const Comparison Found = compared(grown(8 * N, "16*n"), smooth());
  EXPECT_EQ(rules(Found), "improvement");
  EXPECT_FALSE(Found.failed());
}

TEST(Check, ToleratesWhatIsAllowedAndNoHigherDegree) {
  Tolerances Five;
  Five.Everywhere = 0.05;
  EXPECT_EQ(rules(compared(smooth(), grown(44, "8*n + 44"), Five)), "bytes-growth?");
  EXPECT_EQ(rules(compared(smooth(), grown(2 * N, "10*n"), Five)), "coefficient-growth!");
  Five.Everywhere = 10;
  EXPECT_EQ(rules(compared(smooth(), grown(N, "8*n + n^2/1000"), Five)), "degree-growth!");
  BaselineOperator Then = smooth();
  Then.Tolerance = "30%";
  EXPECT_EQ(rules(compared(Then, grown(2 * N, "10*n"))), "bytes-growth?");
  Tolerances Strict;
  Strict.Of["smooth"] = 0.1;
  EXPECT_EQ(rules(compared(Then, grown(2 * N, "10*n"), Strict)), "coefficient-growth!");
}

TEST(Check, DecisionsBoundsAndExactness) {
  BaselineOperator Now = smooth();
  Now.Rows[0].Exact = false;
  Now.Rows[0].Lower = 0;
  Now.Rows[0].Upper = 16 * N;
  Now.Decisions = {{"smooth", "x > 0", false, {"smooth.c", "smooth", "if (x > 0)", 30, 7}}};
  EXPECT_EQ(rules(compared(smooth(), Now)), "lost-exactness! new-decision!");
  BaselineOperator Unbounded = Now;
  Unbounded.Rows[0].Upper.reset();
  EXPECT_EQ(rules(compared(Now, Unbounded)), "lost-bound!");
  BaselineOperator Wider = Now;
  Wider.Rows[0].Upper = 17 * N;
  EXPECT_EQ(rules(compared(Now, Wider)), "bytes-growth!");
  BaselineOperator Edited = Now;
  Edited.Decisions[0].Condition = "value > 0";
  EXPECT_EQ(rules(compared(Now, Edited)), "");
}

TEST(Check, OperatorsThatComeGoAndAreRenamed) {
  EXPECT_EQ(rules(compareBaselines(lockOf({smooth()}), lockOf({}), {})), "vanished-operator!");
  EXPECT_EQ(rules(compareBaselines(lockOf({}), lockOf({smooth()}), {})), "new-operator!");
  BaselineOperator Other = smooth();
  Other.Name = "smoothed";
  EXPECT_EQ(rules(compared(smooth(), Other)), "renamed-operator?");
  BaselineOperator More = smooth();
  More.Symbols.push_back("m");
  EXPECT_EQ(rules(compared(smooth(), More)), "changed-parameters!");
}

TEST(Check, WhatAnotherCompilerElidesIsANote) {
  auto Across = [](const BaselineOperator &Now) {
    const Comparison Found = compareBaselines(lockOf({smooth()}), lockOf({Now}, "clang 19 -O2"), {});
    EXPECT_EQ(Found.Notes.size(), 1u);
    const auto Json = nlohmann::json::parse(checkJson(Found, {"memshape.lock", "."}));
    EXPECT_EQ(Json.at("reasons").at(0).at("code"), "other_compiler");
    EXPECT_EQ(Json.at("reasons").at(0).at("text"), Json.at("notes").at(0));
    return rules(Found);
  };
  EXPECT_EQ(Across(smooth()), "");
  EXPECT_EQ(Across(grown(44, "8*n + 44")), "other-compiler?");
  EXPECT_EQ(Across(grown(8 * N, "16*n")), "coefficient-growth!");
}

TEST(Check, OtherBlocksThatLiveLongerAreFoundByWhatTheyHold) {
  BaselineOperator Then = smooth(), Now;
  Then.Sites.push_back(site("float *half = malloc(4 * n);", 20, 4 * N));
  Then.Sites[1].Held = {0};
  Then.Rows[0].Figures[TotalIndex] = 12 * N;
  Now = Then;
  Now.Sites[1].Held = {4 * N};
  Now.Rows[0].Figures[PeakIndex] = 12 * N;
  Now.Formulas[PeakIndex] = "12*n";
  const Comparison Found = compared(Then, Now);
  ASSERT_EQ(rules(Found), "coefficient-growth!");
  EXPECT_EQ(Found.Findings[0].Sites[0].What, SiteChange::Kind::Longer);
  EXPECT_EQ(Found.Findings[0].Place->Line, 20u);
}

TEST(Check, FormulasFarFromTheOrigin) {
  const std::vector<std::string> NM = {"n", "m"};
  EXPECT_TRUE(growthFrom("8*n*m", "n^2", NM).Degree) << "of one symbol";
  EXPECT_TRUE(growthFrom("8*n + 8*m", "n*m/1000", NM).Degree);
  EXPECT_FALSE(growthFrom("8*n*m", "8*n*m + 1000*n + 5", NM).Degree);
  EXPECT_NEAR(growthFrom("8*n*m", "max(8*n*m, 12*n*m - 1000)", NM).Coefficient, 1.5, 0.01);
  EXPECT_EQ(growthFrom("8*n*m + 44", "4*n*m", NM).Coefficient, 1);
  EXPECT_EQ(renamed("8*n*nm + max(n, m)", {"n", "m"}, {"rows", "n"}), "8*rows*nm + max(rows, n)");
  EXPECT_EQ(renamed("8*a.rows*x.shape[0] + 0.5*a.rowsum", {"a.rows", "x.shape[0]"}, {"b.rows", "y.shape[1]"}),
            "8*b.rows*y.shape[1] + 0.5*a.rowsum");
}

TEST(Check, AnnotationsEscapeWhatWouldEndThem) {
  Comparison Found = compared(smooth(), grown(8 * N, "16*n"));
  Found.Findings[0].Place->File = "a,b:c.c";
  Found.Findings[0].Message = "100% more";
  const std::string Text = checkGithub(Found, {"memshape.lock", "", false});
  EXPECT_THAT(Text,
              HasSubstr("::error file=a%2Cb%3Ac.c,line=20,col=3,title=memshape%3A coefficient-growth::smooth: 100%25 "
                        "more%0Apeak: 8,000 B -> 16,000 B (+100.0 %25) at n=1000%0A"));
}

TEST(Check, SarifNamesRuleLevelAndLine) {
  const Comparison Found = compared(smooth(), grown(8 * N, "16*n"));
  const auto Log = nlohmann::json::parse(checkSarif(Found, {"memshape.lock", "", false}));
  const auto &Run = Log["runs"][0], &Result = Run["results"][0];
  EXPECT_EQ(Log["version"], "2.1.0");
  EXPECT_EQ(Run["tool"]["driver"]["rules"][Result["ruleIndex"].get<std::size_t>()]["id"], Result["ruleId"]);
  EXPECT_EQ(Result["level"], "error");
  EXPECT_EQ(Result["locations"][0]["physicalLocation"]["region"]["startLine"], 20);
  EXPECT_EQ(Result["partialFingerprints"]["memshapeFinding/v1"].get<std::string>().size(), 16u);
}

TEST(Check, JUnitHasACaseForEachFindingAndOneWithout) {
  Comparison Found = compared(smooth(), grown(8 * N, "16*n"));
  Found.Findings[0].Message = "a < b & \"c\"";
  const std::string Text = checkJUnit(Found, {"memshape.lock", "", false});
  EXPECT_THAT(Text, HasSubstr("tests=\"1\" failures=\"1\""));
  EXPECT_THAT(Text,
              HasSubstr("<testcase name=\"smooth: coefficient-growth\" classname=\"smooth.c\" file=\"smooth.c\" "
                        "line=\"20\"><failure type=\"coefficient-growth\" message=\"a &lt; b &amp; &quot;c&quot;\">"));
  EXPECT_THAT(checkJUnit(compared(smooth(), smooth()), {"memshape.lock", "", false}),
              HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST(Check, CodeQualityNamesLineAndFingerprint) {
  const Comparison Found = compared(smooth(), grown(8 * N, "16*n"));
  const auto Issues = nlohmann::json::parse(checkCodeQuality(Found, {"memshape.lock", "", false}));
  ASSERT_EQ(Issues.size(), 1u);
  EXPECT_EQ(Issues[0]["severity"], "major");
  EXPECT_EQ(Issues[0]["location"]["path"], "smooth.c");
  EXPECT_EQ(Issues[0]["location"]["lines"]["begin"], 20);
  EXPECT_EQ(Issues[0]["fingerprint"].get<std::string>().size(), 16u);
}

TEST(Check, MarkdownIsNotBrokenByFormulas) {
  const Comparison Found = compared(smooth(), grown(8 * N, "8*n|m"));
  EXPECT_THAT(checkMarkdown(Found, {"memshape.lock", "", false}), HasSubstr("`8*n\\|m`"));
}
