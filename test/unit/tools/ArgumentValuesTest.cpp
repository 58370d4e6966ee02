// Shapes and settings as users write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/ArgumentValues.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using testing::HasSubstr;

static Skeleton example() {
  Skeleton S;
  S.Operator = "gst3d";
  S.Parameters = {{"cube", Role::Tensor, 0, false},
                  {"ni", Role::Shape, 32, true},
                  {"nx", Role::Shape, 64, false},
                  {"sigma", Role::Setting, 64, false},
                  {"fast", Role::Setting, 1, false}};
  return S;
}

static std::string refusal(const std::vector<std::string> &Shapes,
                           const std::vector<std::string> &Settings = {"sigma=1.5,fast=true"}) {
  Result<ArgumentValues> Values = readArguments(example(), {}, Shapes, Settings);
  return Values ? "accepted" : Values.failure().Message;
}

TEST(ArgumentValues, AreTakenInSourceOrder) {
  ASSERT_GIVES(ArgumentValues Values, readArguments(example(), {}, {"nx=7", "ni=5"}, {"fast=0", "sigma=1.5"}));
  EXPECT_THAT(Values.Shape, testing::ElementsAre(5, 7));
  EXPECT_THAT(Values.Settings, testing::ElementsAre(1.5, 0));
}

TEST(ArgumentValues, ATensorCanBeAbsent) {
  ASSERT_GIVES(ArgumentValues Values,
               readArguments(example(), {}, {"ni=5,nx=7"}, {"fast=0,sigma=1.5", "cube.present=0"}));
  EXPECT_THAT(Values.Settings, testing::ElementsAre(1.5, 0));
  EXPECT_THAT(Values.Presence, testing::ElementsAre(testing::Pair(0, false)));
  EXPECT_THAT(refusal({"ni=5,nx=7"}, {"sigma=1,fast=1,cube.present=3"}), HasSubstr("neither true nor false"));
  EXPECT_THAT(refusal({"ni=5,nx=7"}, {"sigma=1,fast=1,sky.present=0"}), HasSubstr("no setting 'sky.present'"));
}

TEST(ArgumentValues, ShapeOverridesTheCube) {
  ASSERT_GIVES(ArgumentValues Values,
               readArguments(example(), {{"ni", "3"}, {"nx", "4"}}, {"nx=7"}, {"fast=false,sigma=2"}));
  EXPECT_THAT(Values.Shape, testing::ElementsAre(3, 7));
}

TEST(ArgumentValues, MissingAndStrangeNamesAreNamed) {
  EXPECT_THAT(refusal({"ni=5"}), HasSubstr("shape symbol missing for operator 'gst3d': nx (--shape nx=...)"));
  EXPECT_THAT(refusal({}), HasSubstr("ni, nx"));
  EXPECT_THAT(refusal({"ni=5"}, {"fast=1"}), HasSubstr("; settings missing, too: sigma (--set sigma=...)"));
  EXPECT_THAT(refusal({"ni=5,nx=7,nz=1"}), HasSubstr("no shape symbol 'nz'; it has ni, nx"));
  EXPECT_THAT(refusal({"ni=5,nx=7", "ni=6"}), HasSubstr("'ni' twice"));
  EXPECT_THAT(refusal({"ni=5,nx=7"}, {"fast=1"}), HasSubstr("setting missing for operator 'gst3d': sigma"));
  EXPECT_THAT(refusal({"ni=5,nx=7"}, {"sigma=1,fast=1,speed=3"}), HasSubstr("no setting 'speed'"));
}

TEST(ArgumentValues, AnArgumentIsAskedForByItsType) {
  Skeleton S;
  S.Operator = "product";
  S.Parameters = {
      {"a.rows", Role::Shape, 64, true}, {"a.cols", Role::Shape, 64, true}, {"n", Role::Shape, 32, true, "3"}};
  S.Sites.push_back({{"product.cpp", "Eigen::MatrixXf", 7}, "arguments", "a", {}});
  auto Asked = [&](const std::string &Shape) {
    Result<ArgumentValues> Values = readArguments(S, {}, {Shape}, {});
    return Values ? "accepted" : Values.failure().Message;
  };
  EXPECT_THAT(Asked("a.rows=5"), HasSubstr("'a' is of type 'Eigen::MatrixXf': give a.rows and a.cols"));
  EXPECT_THAT(Asked("a.rows=5,a.cols=6,a.size=7"),
              HasSubstr("no shape symbol 'a.size'; it has a.rows, a.cols, n; 'a' is"));
  EXPECT_EQ(Asked("a.rows=5,a.cols=6"), "accepted");
}

TEST(ArgumentValues, AnOperatorThatCannotBeBuiltSaysWhy) {
  Skeleton S;
  S.Operator = "pulled";
  S.Parameters = {{"s", Role::Object, 0, false}};
  S.Reason = "parameter 's': its type 'Source' is abstract";
  Result<ArgumentValues> Values = readArguments(S, {}, {"s=5"}, {});
  ASSERT_FALSE(Values);
  EXPECT_EQ(Values.failure().Message,
            "operator 'pulled' has no skeleton: parameter 's': its type 'Source' is abstract");
}

TEST(ArgumentValues, OnlyIntegersThatFitAreShapes) {
  EXPECT_EQ(refusal({"ni=2147483647,nx=9223372036854775807"}), "accepted");
  EXPECT_EQ(refusal({"ni=0,nx=+1"}), "accepted");
  EXPECT_THAT(refusal({"ni=2147483648,nx=1"}), HasSubstr("does not fit: 'ni' is an integer of 32 bits"));
  EXPECT_THAT(refusal({"ni=1,nx=9223372036854775808"}), HasSubstr("does not fit"));
  EXPECT_THAT(refusal({"ni=1,nx=99999999999999999999999"}), HasSubstr("does not fit"));
  EXPECT_THAT(refusal({"ni=-3,nx=1"}), HasSubstr("ni=-3 is negative"));
  for (const char *Text : {"3.5", "1e3", "0x10", "many", "5 ", "--1", "+"})
    EXPECT_THAT(refusal({std::string("nx=1,ni=") + Text}), HasSubstr("is not an integer")) << Text;
  for (const char *Text : {"ni", "ni=", "=5", "ni=5,", ",", ""})
    EXPECT_THAT(refusal({Text}), HasSubstr("wants NAME=VALUE")) << Text;
}

TEST(ArgumentValues, SettingsAreFiniteNumbers) {
  EXPECT_EQ(refusal({"ni=1,nx=1"}, {"sigma=-1e-3,fast=true"}), "accepted");
  for (const char *Text : {"big", "1.5x", "inf", "nan", "1e999"})
    EXPECT_THAT(refusal({"ni=1,nx=1"}, {std::string("fast=1,sigma=") + Text}), HasSubstr("not a finite number"))
        << Text;
  EXPECT_THAT(refusal({"ni=1,nx=1"}, {"sigma=1,fast=2"}), HasSubstr("neither true nor false"));
}

TEST(ArgumentValues, CubesNeedAFileAndThreeSymbols) {
  EXPECT_THAT(shapeFromCube(example(), "c.segy").failure().Message, HasSubstr("fewer than three shape symbols"));
  EXPECT_THAT(shapeFromCube(example(), "/nowhere/c.segy:ni=samples").failure().Message, HasSubstr("'/nowhere/c.segy'"));
  EXPECT_THAT(shapeFromCube(example(), "c.segy:ni=traces").failure().Message, HasSubstr("not 'traces'"));
}
