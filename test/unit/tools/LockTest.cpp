// Baselines: written, read, refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/baseline/Baseline.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using testing::HasSubstr;

const char Small[] = R"lock({
  "schema": "memshape.lock/1",
  "compiler": "clang 22 -O2",
  "machine": {"l1d": 32768, "l2": 1048576, "l3": 33554432, "page": 4096, "processors": 4},
  "tolerance": "0%",
  "operators": {
    "ns::smooth(int, float*)": {
      "shape": ["n", "m"],
      "settings": ["sigma=1.5", "fast=0"],
      "tolerance": "2.5%",
      "peak": "8*n*m + max(4*n, 4*m)",
      "total": null,
      "output": "0",
      "allocations": "2",
      "where": {"m": [1, 40], "n": [2, 2000]},
      "depends_on": ["$HOME", "l2"],
      "at": [
        {"shape": {"n": 7, "m": 5}, "peak": 308, "total": 400, "output": 0, "allocations": 2},
        {"shape": {"n": 60, "m": 40}, "peak": 19440, "total": 20000, "output": 0, "allocations": 2, "spaces": {"device": 64}, "lower": 9600, "upper": null}
      ],
      "sites": [
        {"function": "smooth", "code": "std::vector<double> all(n * m);", "from": ["smooth(n, \"x\");"], "allocator": "operator new", "peak": "8*n*m", "held": [280, 19200], "requested": [280, 19200], "times": [1, 1], "kept": [0, 8]}
      ],
      "decisions": [
        {"function": "smooth", "condition": "x <= 0", "kind": "branch"}
      ]
    }
  }
}
)lock";

static std::string without(std::string Text, const std::string &Part, const std::string &Instead = "") {
  const std::size_t At = Text.find(Part);
  EXPECT_NE(At, std::string::npos) << Part;
  return Text.replace(At, Part.size(), Instead);
}

static std::string refusal(const std::string &Text) {
  Result<BaselineFile> Read = parseBaseline(Text);
  if (Read)
    return "accepted";
  EXPECT_EQ(Read.failure().Message.find('\n'), std::string::npos);
  return Read.failure().Message;
}

TEST(BaselineFile, IsWrittenAsItWasRead) {
  ASSERT_GIVES(BaselineFile Read, parseBaseline(Small));
  EXPECT_EQ(baselineText(Read), Small);
  const BaselineOperator *Op = Read.find("ns::smooth(int, float*)");
  ASSERT_NE(Op, nullptr);
  EXPECT_EQ(Op->Rows[1].Figures[PeakIndex], 19440u);
  EXPECT_FALSE(Op->Rows[1].Exact);
  EXPECT_FALSE(Op->Rows[1].Upper);
  EXPECT_EQ(Op->Where.at("n"), (Range{2, 2000}));
  EXPECT_EQ(Op->Settings[0], (std::pair<std::string, double>("sigma", 1.5)));
}

TEST(BaselineFile, OfNothingIsALock) {
  BaselineFile Empty;
  Empty.Machine = referenceMachine();
  ASSERT_GIVES(BaselineFile Read, parseBaseline(baselineText(Empty)));
  EXPECT_TRUE(Read.Operators.empty());
}

TEST(BaselineFile, RefusesWhatItCannotRead) {
  EXPECT_THAT(refusal(""), HasSubstr("is not a baseline"));
  EXPECT_THAT(refusal("[]"), HasSubstr("is not a baseline"));
  EXPECT_THAT(refusal("{}"), HasSubstr("is not a baseline"));
  EXPECT_THAT(refusal(std::string(Small).substr(0, 700)), HasSubstr("is not a baseline"));
  EXPECT_THAT(refusal(without(Small, "lock/1", "lock/2")), HasSubstr("another memshape (memshape.lock/2"));
  EXPECT_THAT(refusal(without(Small, "lock/1", "lock/0")), HasSubstr("another memshape (memshape.lock/0"));
  EXPECT_THAT(refusal(without(Small, "\"machine\"", "\"machines\"")), HasSubstr("no object 'machine'"));
  EXPECT_THAT(refusal(without(Small, "\"l1d\": 32768", "\"l1d\": -3")),
              HasSubstr("'l1d' of 'machine' is unknown or not a natural number"));
  EXPECT_THAT(refusal(without(Small, "2.5%", "lots")), HasSubstr("'lots' is not a tolerance"));
  EXPECT_THAT(refusal(without(Small, "8*n*m + max", "8*n*m + mix")), HasSubstr("is no formula"));
  EXPECT_THAT(refusal(without(Small, "\"held\": [280, 19200]", "\"held\": [280]")), HasSubstr("one figure for each"));
  EXPECT_THAT(refusal(without(Small, "\"n\": 7, ", "")), HasSubstr("no value for 'n'"));
  EXPECT_THAT(refusal(without(Small, "\"peak\": 308", "\"peak\": \"308\"")), HasSubstr("'peak'"));
  EXPECT_THAT(refusal(without(Small, "sigma=1.5", "sigma")), HasSubstr("'sigma' is no setting"));
  for (const char *Wrong : {"[40, 1]", "[0, 1]", "[1]", "[1, 2.5]", "\"all\""})
    EXPECT_THAT(refusal(without(Small, "[1, 40]", Wrong)), HasSubstr("'where' gives no range of 'm'"));
  EXPECT_THAT(refusal(without(Small, "\"m\": [1", "\"k\": [1")), HasSubstr("'where' gives no range of 'k'"));
}

TEST(BaselineFile, RefusesAMergeThatWasNotFinished) {
  EXPECT_THAT(
      refusal(without(Small, "  \"tolerance\": \"0%\",\n",
                      "<<<<<<< HEAD\n  \"tolerance\": \"0%\",\n=======\n  \"tolerance\": \"1%\",\n>>>>>>> topic\n")),
      HasSubstr("unfinished merge"));
}

TEST(BaselineFile, RefusesAnOperatorThatIsThereTwice) {
  std::string Text = Small;
  const std::size_t Start = Text.find("    \"ns::smooth"), End = Text.find("    }\n  }\n}");
  const std::string Op = Text.substr(Start, End + 5 - Start);
  EXPECT_THAT(refusal(Text.insert(Start, Op + ",\n")),
              HasSubstr("describes the operator 'ns::smooth(int, float*)' twice"));
}

TEST(BaselineFile, ToleranceIsAShareOfHundred) {
  EXPECT_EQ(*readTolerance("5%"), 0.05);
  EXPECT_EQ(*readTolerance("0%"), 0);
  for (const char *Wrong : {"", "5", "%", "-1%", "5%%", "5 %", "nan%", "inf%", "1001%"})
    EXPECT_FALSE(readTolerance(Wrong)) << Wrong;
}
