// The page and the JSON about operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Report.h"
#include "MadeUpOperators.h"
#include "libmemshape/formulas/FormulaCache.h"

#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

const char Features[] = R"({"schema": "memshape.features/1", "unit": "smooth.cpp", "language": "c++", "operators": [{
  "operator": "smooth", "symbol": "smooth",
  "allocations": [{"location": {"file": "src/smooth.cpp", "line": 6, "column": 23}, "name": "sums", "size_written": "ns + 1",
                   "loop_depth": 1, "space": "host", "conditional": false, "growth": false},
                  {"location": {"file": "src/smooth.cpp", "line": 9, "column": 5}, "name": null, "written_as": "new float[k]",
                   "size_written": null, "depends_on": "data", "loop_depth": 0, "space": "pinned", "conditional": true, "growth": false}],
  "intermediates": [{"name": "sums", "location": {"file": "src/smooth.cpp", "line": 6, "column": 23},
                     "first_use": 10, "last_use": 12, "dies_before_return": true}],
  "control": [{"kind": "loop", "depends_on": "shape", "guards_allocation": false, "condition": "i < ni"},
              {"kind": "branch", "location": {"file": "src/smooth.cpp", "line": 8, "column": 3}, "depends_on": "data",
               "guards_allocation": true, "condition": "x > 0"}],
  "shares": {"control": 0.25}, "transformation": {"pattern": "new_output", "outputs": [{"name": "out"}]}}]})";

static FileReport report() {
  FileReport File;
  File.Path = "smooth.o";
  File.Features.push_back(*parseFeatures(Features));
  OperatorReport Report;
  Report.Source = withSymbols("smooth", {"ns"});
  Report.Source.Parameters.push_back({"out", Role::Tensor, 0, false});
  Report.Source.Sites = {{{"smooth.cpp", "smooth", 6, 23}, "host", "operator new", {}}};
  Report.Source.Decisions = {branchAt(8)};
  Report.Source.Flattened = 153;
  Report.Source.Kept = 45;
  auto F = [](const Question &Asked) {
    Footprint Answer = footprint(8 * static_cast<std::uint64_t>(Asked.Shape[0]) + 8);
    Answer.SiteBytes[0] = Answer.Peak;
    return Answer;
  };
  FunctionEvaluator Evaluate(F);
  Report.Typical.Shape = {100};
  Report.AtTypical = F(Report.Typical);
  Report.Formulas = searchFormulas(Report.Source, {}, Evaluate, std::chrono::seconds(30), nullptr, {});
  File.Operators.push_back(std::move(Report));
  return File;
}

TEST(Report, PageWithoutSkeleton) {
  FileReport File;
  OperatorReport Report;
  Report.Source = withSymbols("smooth", {"ns"});
  Report.Source.Available = false;
  Report.Trouble = "parameter 'a' is of class type";
  File.Operators.push_back(std::move(Report));
  EXPECT_EQ(reportPage({File}), R"(smooth

  shape  ns

  no skeleton: parameter 'a' is of class type
)");
}

TEST(Report, Page) {
  EXPECT_EQ(reportPage({report()}), R"(smooth

  shape    ns
  tensors  out

  peak heap         8*ns + 8
                    verified at 500 other shapes, for 1 <= ns <= 2000
  left at return    0
  allocated in all  8*ns + 8
  allocations       1

  At the peak (shares at ns=100)
    100.0 %  smooth.cpp:6  smooth  8*ns + 8

  Allocations in the source
    smooth.cpp:6  sums          ns + 1     in a loop
    smooth.cpp:9  new float[k]  data size  conditional, pinned

  Intermediates
    smooth.cpp:6  sums  used in lines 10 to 12  dies before return

  Control       2 statements (25.0 % of all), 1 on data (50.0 %), 1 over an allocation

  Control on data over an allocation
    smooth.cpp:8  branch  x > 0
  Pattern       new output: out

  Decisions that the data takes
    0  LLT.h:8  x <= 0    ends a loop

  The skeleton keeps 45 of 153 instructions.
)");
}

TEST(Report, JsonPutsTheSkeletonBesideTheFeatures) {
  nlohmann::json Out = nlohmann::json::parse(reportJson({report()}));
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0]["schema"], "memshape.features/1");
  const nlohmann::json &Skeleton = Out[0]["operators"][0]["skeleton"];
  EXPECT_EQ(Skeleton["status"], "sliced");
  EXPECT_EQ(Skeleton["formula"]["peak"], "8*ns + 8");
  EXPECT_EQ(Skeleton["sites"][0]["formula"], "8*ns + 8");
  EXPECT_EQ(Skeleton["sites"][0]["share"], 1.0);
  EXPECT_EQ(Skeleton["decisions"][0]["line"], 8);
}

TEST(Report, UnavailableSkeletonsAreSaid) {
  FileReport File = report();
  File.Operators[0] = {};
  File.Operators[0].Source.Operator = File.Operators[0].Source.Symbol = "smooth";
  File.Operators[0].Trouble = "an object parameter";
  EXPECT_THAT(reportPage({File}), HasSubstr("no skeleton: an object parameter"));
  EXPECT_EQ(nlohmann::json::parse(reportJson({File}))[0]["operators"][0]["skeleton"]["status"], "unavailable");
}

TEST(Report, RefusesForeignFeatures) {
  EXPECT_THAT(parseFeatures("{").failure().Message, HasSubstr("not valid JSON"));
  EXPECT_THAT(parseFeatures("[]").failure().Message, HasSubstr("not valid JSON"));
  EXPECT_THAT(parseFeatures(R"({"schema": "memshape.features/2"})").failure().Message, HasSubstr("newer memshape"));
  EXPECT_THAT(parseFeatures(R"({"schema": 1})").failure().Message, HasSubstr("not a memshape.features/1"));
}

TEST(Report, WhatIsOddInFeaturesIsLeftOutOfThePage) {
  auto Page = [](const char *Operator) { return featuresPage(nlohmann::ordered_json::parse(Operator)); };
  for (const char *Operator : {"{}", "[]", "3", R"({"allocations": 5, "control": {"a": 1}, "intermediates": "x"})",
                               R"({"allocations": [1, null], "transformation": {"pattern": 7, "outputs": 4}})"})
    EXPECT_EQ(Page(Operator), "") << Operator;
  EXPECT_EQ(Page(R"({"control": [[]], "transformation": {"pattern": "in_place", "outputs": [4, {"name": 5}]}})"),
            "\n  Control       0 statements\n  Pattern       in place: returned value\n");
  const std::string Beside =
      Page(R"({"allocations": [1, {"name": "sums", "size_written": "n", "location": 3}, null]})");
  EXPECT_THAT(Beside, HasSubstr("sums  n\n"));
  EXPECT_EQ(std::count(Beside.begin(), Beside.end(), '\n'), 3) << Beside;
}
