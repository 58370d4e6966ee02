// Decisions and machines as users name them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Assumptions.h"
#include "MadeUpOperators.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

static SkeletonDecision sizeFrom(const std::string &Line) {
  SkeletonDecision D = branchAt(12);
  D.IsValue = true;
  D.Condition = Line;
  return D;
}

static Skeleton picking(const std::vector<std::string> &Lines) {
  Skeleton S = withSymbols("pick", {"n"});
  for (const std::string &Line : Lines)
    S.Decisions.push_back(sizeFrom(Line));
  return S;
}

TEST(Assumptions, SizesAreCalledAsInTheSource) {
  EXPECT_THAT(decisionNames(picking({"std::vector<float> out(count)", "buffer = malloc(picks * sizeof(float))",
                                     "float *block = new float[events + 1];", "reserve(a + b)"})),
              ElementsAre("count", "k", "k2", "k3"));
  EXPECT_THAT(decisionNames(picking({"return malloc(picks * sizeof(float) * 4u);", "out.resize(picks)"})),
              ElementsAre("picks", "picks2"));
}

TEST(Assumptions, NamesThatAreMadeUpAreNoneOfTheSource) {
  Skeleton S = picking({"buffer = malloc(picks * sizeof(float))", "k = reserve(a + b)"});
  EXPECT_THAT(decisionNames(S), ElementsAre("k2", "k3"));
  S.Parameters.push_back({"k2", Role::Tensor, 0, false});
  S.Taken = {"k3"};
  EXPECT_THAT(decisionNames(S), ElementsAre("k4", "k5"));
}

TEST(Assumptions, PlacesInsideLibrariesAreKnown) {
  Skeleton S = picking({});
  S.Decisions.push_back(branchAt(12));
  S.Decisions.back().Place.File = "solve.cpp";
  S.Decisions.back().Inside = {"/usr/include/eigen3/Eigen/LLT.h", "unblocked", 323, 1};
  Question Asked;
  EXPECT_FALSE(readAssumptions(S, {"LLT.h:323=1"}, Asked));
  EXPECT_THAT(Asked.Branches, ElementsAre(Pair(0, 1)));
  Asked = {};
  EXPECT_FALSE(readAssumptions(S, {"solve.cpp:12=0"}, Asked));
  EXPECT_THAT(Asked.Branches, ElementsAre(Pair(0, 0)));
}

TEST(Assumptions, AreGivenByNumberNameOrPlace) {
  Skeleton S = picking({"out.resize(count)"});
  S.Decisions.push_back(branchAt(323));
  Question Asked;
  EXPECT_FALSE(readAssumptions(S, {"count=7,LLT.h:323=1"}, Asked));
  EXPECT_THAT(Asked.Values, ElementsAre(Pair(0, 7)));
  EXPECT_THAT(Asked.Branches, ElementsAre(Pair(1, 1)));
  EXPECT_FALSE(readAssumptions(S, {"0=9"}, Asked));
  EXPECT_THAT(Asked.Values, ElementsAre(Pair(0, 9)));
}

TEST(Assumptions, StrangersAreRefusedWithWhatThereIs) {
  Skeleton S = picking({"out.resize(count)"});
  Question Asked;
  EXPECT_EQ(readAssumptions(S, {"events=3"}, Asked)->Message,
            "operator 'pick' has no decision 'events'; it has 1, counted from 0: count");
  EXPECT_THAT(readAssumptions(S, {"count=-1"}, Asked)->Message, HasSubstr("a natural number was expected"));
}

TEST(Assumptions, WithoutDecisionsThereIsNothingToAssume) {
  Question Asked;
  ASSERT_GIVES(Failure Wrong, readAssumptions(picking({}), {"0=1"}, Asked));
  EXPECT_EQ(Wrong.Message, "operator 'pick' has no decisions: nothing is to be assumed");
}

TEST(Assumptions, MachinesAreGivenByTheirFacts) {
  std::map<std::string, std::int64_t> Facts;
  EXPECT_FALSE(readMachine({"l1d=32768", "processors=64"}, Facts));
  EXPECT_THAT(Facts, ElementsAre(Pair("l1d", 32768), Pair("processors", 64)));
  EXPECT_THAT(readMachine({"l4=1024"}, Facts)->Message, HasSubstr("not 'l4'"));
  EXPECT_THAT(readMachine({"l1d=1000"}, Facts)->Message, HasSubstr("a multiple of 1024"));
}
