// Skeleton records and the choice of an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Skeleton.h"
#include "MadeUpFiles.h"

#include "memshape/OperatorName.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

const char Json[] =
    R"({"schema": "memshape.skeleton/2", "operator": "imaging::smooth", "symbol": "_Z6smooth", "status": "sliced",
  "parameters": [{"name": "n", "role": "shape", "bits": 32, "signed": true}, {"name": "sigma", "role": "setting", "bits": 64},
                 {"name": "cube", "role": "tensor"}],
  "sites": [{"id": 0, "file": "a.cpp", "line": 4, "column": 2, "function": "smooth", "space": "host", "chain": []}],
  "decisions": [{"id": 0, "file": "a.cpp", "line": 9, "kind": "value", "effect": "size", "in_loop": true}],
  "unknown": [{"symbol": "f", "treatment": "called", "reason": "executed"},
              {"symbol": "g", "treatment": "dropped", "reason": "no_body"}],
  "size": {"flattened": 10, "kept": 3}, "later": {"added": true}})";

static std::string refusal(const std::string &Text, const std::string &Bitcode = "BC") {
  Result<Skeleton> S = parseSkeleton(skeletonPayload(Text, Bitcode));
  return S ? "accepted" : S.failure().Message;
}

static std::vector<Skeleton> named(const std::vector<std::string> &Names) {
  std::vector<Skeleton> Skeletons;
  for (const std::string &Name : Names) {
    Skeletons.emplace_back();
    Skeletons.back().Operator = Name;
    Skeletons.back().Symbol = "_Z" + std::to_string(Skeletons.size());
  }
  return Skeletons;
}

TEST(SkeletonRecord, IsRead) {
  ASSERT_GIVES(Skeleton S, parseSkeleton(skeletonPayload(Json, "bitcode")));
  EXPECT_TRUE(S.Available);
  EXPECT_EQ(S.Bitcode, "bitcode");
  EXPECT_THAT(S.shapeSymbols(), testing::ElementsAre("n"));
  EXPECT_EQ(S.Sites[0].Place.Line, 4u);
  EXPECT_TRUE(S.Decisions[0].IsValue);
  EXPECT_FALSE(S.Unknown[0].Dropped);
  EXPECT_TRUE(S.Unknown[1].Dropped);
  EXPECT_EQ(S.Flattened, 10u);
}

TEST(SkeletonRecord, RefusesForeignContent) {
  EXPECT_THAT(refusal("{"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("damaged"));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/1"})"), HasSubstr("compile it again"));
  EXPECT_THAT(refusal(R"({"schema": "other"})"), HasSubstr("not a memshape.skeleton/2"));
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/2"})"), HasSubstr("names no operator"));
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/2", "operator": 3})"), HasSubstr("'operator' is not a string"));
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/2", "operator": "f", "sites": [{"id": 4}]})"),
              HasSubstr("ids do not count from 0"));
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/2", "operator": "f", "parameters": [{"role": "shape"}]})"),
              HasSubstr("0 bits"));
  // None of its values is positive.
  EXPECT_THAT(refusal(R"({"schema": "memshape.skeleton/2", "operator": "f",
                          "parameters": [{"role": "shape", "bits": 1, "signed": true}]})"),
              HasSubstr("1 bits"));
  EXPECT_THAT(refusal(Json, ""), HasSubstr("no bitcode"));
  EXPECT_FALSE(parseSkeleton("short"));
}

TEST(OperatorChoice, OneOperatorNeedsNoName) {
  std::vector<Skeleton> One = named({"gst3d"});
  ASSERT_TRUE(chooseOperator(One, "", "a.o"));
  EXPECT_THAT(chooseOperator(named({}), "", "a.o").failure().Message, HasSubstr("MEMSHAPE_OPERATOR"));
}

TEST(OperatorChoice, SeveralAreListed) {
  EXPECT_THAT(chooseOperator(named({"gst3d", "envelope"}), "", "a.o").failure().Message,
              HasSubstr("--operator: 'gst3d', 'envelope'"));
}

TEST(OperatorChoice, FindsByNameLastComponentAndSymbol) {
  std::vector<Skeleton> Skeletons = named({"imaging::smooth", "gst3d", "filters::smooth"});
  EXPECT_EQ((*chooseOperator(Skeletons, "gst3d", "a.o"))->Operator, "gst3d");
  EXPECT_EQ((*chooseOperator(Skeletons, "imaging::smooth", "a.o"))->Operator, "imaging::smooth");
  EXPECT_EQ((*chooseOperator(Skeletons, "_Z3", "a.o"))->Operator, "filters::smooth");
  EXPECT_THAT(chooseOperator(Skeletons, "smooth", "a.o").failure().Message,
              HasSubstr("give one of 'imaging::smooth', 'filters::smooth'"));
}

TEST(OperatorChoice, NamesMayLeaveOutScopesAndArguments) {
  EXPECT_EQ(fitOf("lib::grid<float, 3>::fill<int>", "lib::grid<float,3>::fill<int>"), NameFit::Whole);
  EXPECT_EQ(fitOf("lib::grid<float, 3>::fill<int>", "::lib::grid::fill"), NameFit::Whole);
  EXPECT_EQ(fitOf("lib::grid<float, 3>::fill<int>", "grid::fill"), NameFit::Last);
  EXPECT_EQ(fitOf("lib::grid<float, 3>::fill<int>", "fill<int>"), NameFit::Last);
  EXPECT_EQ(fitOf("lib::grid<float, 3>::fill<int>", "ill"), NameFit::None);
  EXPECT_EQ(fitOf("view<std::vector<a::b>>::operator<", "view::operator<"), NameFit::Whole);
  EXPECT_EQ(fitOf("f", ""), NameFit::None);
}

TEST(OperatorChoice, TellsOverloadsApartByTheirParameters) {
  std::vector<Skeleton> Skeletons = named({"smooth", "smooth"});
  Skeletons[0].Symbol = "_Z6smoothPKfi";
  Skeletons[1].Symbol = "_Z6smoothPKdi";
  EXPECT_THAT(chooseOperator(Skeletons, "smooth", "a.o").failure().Message,
              HasSubstr("give one of 'smooth(float const*, int)', 'smooth(double const*, int)'"));
  EXPECT_EQ(*chooseOperator(Skeletons, "smooth(double const*,int)", "a.o"), &Skeletons[1]);
}

TEST(OperatorChoice, SuggestsTheNearestName) {
  EXPECT_THAT(chooseOperator(named({"envelope", "gst3d"}), "gts3d", "a.o").failure().Message,
              HasSubstr("did you mean 'gst3d'?"));
  EXPECT_THAT(chooseOperator(named({"envelope", "gst3d"}), "plan::plan", "a.o").failure().Message,
              HasSubstr("compiled with -fplugin-arg-memshape-operator=plan::plan"));
}
