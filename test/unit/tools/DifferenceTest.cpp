// What changed between two builds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Difference.h"
#include "MadeUpOperators.h"
#include "libmemshape/formulas/FormulaCache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

namespace {

/// An operator that holds Factor*n bytes, from one site at Line.
std::vector<FileReport> build(const std::string &Name, std::uint64_t Factor, std::uint32_t Line) {
  OperatorReport Report;
  Report.Source = withSymbols(Name, {"n"});
  Report.Source.Sites = {{{"filter.cpp", "smooth", Line, 3}, "host", "malloc", {}}};
  auto F = [Factor](const Question &Asked) {
    Footprint Answer = footprint(Factor * static_cast<std::uint64_t>(Asked.Shape[0]));
    Answer.SiteBytes[0] = Answer.Peak;
    return Answer;
  };
  FunctionEvaluator Evaluate(F);
  Report.Typical.Shape = {100};
  Report.AtTypical = F(Report.Typical);
  Bounds &Range = Report.Range.emplace();
  Range.Lower = Report.AtTypical->Peak;
  Range.Upper = Report.AtTypical->Peak;
  Range.Exact = Range.Proven = true;
  Report.Formulas = searchFormulas(Report.Source, {}, Evaluate, std::chrono::seconds(30), nullptr, {});
  FileReport File;
  File.Path = Name + ".o";
  File.Operators.push_back(std::move(Report));
  return {File};
}

} // namespace

TEST(Difference, MovedLinesAreNone) { EXPECT_TRUE(differences(build("op", 8, 6), build("op", 8, 99)).empty()); }

TEST(Difference, SaysWhichFormulaAndSite) {
  EXPECT_EQ(differencePage(differences(build("op", 8, 6), build("op", 16, 7))), R"(op (changed)
  peak heap
    - 8*n
    + 16*n
  allocated in all
    - 8*n
    + 16*n
  at n=100
    - 800 bytes
    + 1,600 bytes
  sites at the peak
    -  filter.cpp:6  smooth  8*n
    +  filter.cpp:7  smooth  16*n
)");
}

TEST(Difference, NewAndVanishedOperators) {
  std::string Page = differencePage(differences(build("old", 8, 6), build("young", 8, 6)));
  EXPECT_THAT(Page, HasSubstr("young (new)\n  peak heap\n    + 8*n\n"));
  EXPECT_THAT(Page, HasSubstr("old (vanished)\n  peak heap\n    - 8*n\n"));
}

TEST(Difference, Json) {
  nlohmann::json Out = nlohmann::json::parse(differenceJson(differences(build("op", 8, 6), build("op", 16, 6))));
  EXPECT_EQ(Out["schema"], "memshape.difference/1");
  EXPECT_EQ(Out["operators"][0]["lines"][0]["after"], "16*n");
  EXPECT_EQ(Out["operators"][0]["sites"][1]["after"], 1);
}
