// Profiles in the formats of other tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/profile/Comparison.h"
#include "libmemshape/profile/Protobuf.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <gmock/gmock.h>
#include <zlib.h>

using namespace memshape;
using testing::HasSubstr;

static std::string unpacked(const std::string &Packed) {
  std::string Text(1 << 16, '\0');
  z_stream Stream = {};
  EXPECT_EQ(inflateInit2(&Stream, 16 + MAX_WBITS), Z_OK);
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Packed.data()));
  Stream.avail_in = static_cast<uInt>(Packed.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Text.data());
  Stream.avail_out = static_cast<uInt>(Text.size());
  EXPECT_EQ(inflate(&Stream, Z_FINISH), Z_STREAM_END);
  Text.resize(Stream.total_out);
  inflateEnd(&Stream);
  return Text;
}

/// An operator in a namespace, with a site behind a call, one without any, and one on a device.
static Skeleton madeUp() {
  Skeleton S;
  S.Operator = "lib::smooth";
  S.Place = {"smooth.cpp", "smooth", 3, 1};
  S.Directory = "/src";
  SkeletonSite Called, Plain, There;
  Called.Chain = {{"grid.h", "allocate", 40, 1}, {"smooth.cpp", "smooth", 7, 1}};
  Called.Place = Called.Chain.front();
  Plain.Place = {"part;two.cpp", "helper", 9, 1};
  There.Place = {"smooth.cpp", "smooth", 8, 1};
  There.Space = "device";
  S.Sites = {Called, Plain, There};
  return S;
}

static Footprint figures() {
  Footprint Heap;
  Heap.Peak = 300, Heap.Total = 700, Heap.Allocations = 6, Heap.Reallocations = 1;
  Heap.SiteBytes = {{0, 200}, {1, 50}, {2, 999}, {LibrarySite, 40}};
  Heap.SiteBlocks = {{0, 2}, {1, 1}, {LibrarySite, 1}};
  Heap.Requested = {{0, {400, 3, 0, 1}}, {1, {50, 1, 0}}, {2, {999, 1, 0}}, {LibrarySite, {240, 2, 0}}};
  return Heap;
}

static Profile hostProfile() {
  Profile P;
  addCall(P, madeUp(), figures(), "host");
  return P;
}

TEST(Protobuf, EncodesVarintsAndLengths) {
  EXPECT_EQ(ProtobufMessage().number(1, 300).encoded(), "\x08\xac\x02");
  EXPECT_EQ(ProtobufMessage().number(2, -1).encoded().size(), 11u) << "64 bits, 7 in a byte";
  EXPECT_EQ(ProtobufMessage().number(1, 0).text(2, "").encoded(), "") << "defaults";
  EXPECT_EQ(ProtobufMessage().text(2, "ab").encoded(), "\x12\x02"
                                                       "ab");
  EXPECT_EQ(ProtobufMessage().numbers(3, std::vector<int>{0, 5}).encoded(), std::string("\x1a\x02\x00\x05", 4));
  EXPECT_EQ(ProtobufMessage().message(4, ProtobufMessage()).encoded(), std::string("\x22\x00", 2)) << "it is there";
}

TEST(Profile, AddsUpToTheCallWithWhatNoSiteHas) {
  EXPECT_EQ(foldedStacks(hostProfile(), v1::Sample::peak), "lib::smooth;(libraries) 40\n"
                                                           "lib::smooth;(not by site) 10\n"
                                                           "lib::smooth;allocate 200\n"
                                                           "lib::smooth;helper 50\n");
  EXPECT_EQ(foldedStacks(hostProfile(), v1::Sample::total), "lib::smooth;(libraries) 240\n"
                                                            "lib::smooth;(not by site) 10\n"
                                                            "lib::smooth;allocate 400\n"
                                                            "lib::smooth;helper 50\n");
  EXPECT_EQ(foldedStacks(hostProfile(), v1::Sample::allocations), "lib::smooth;(libraries) 2\n"
                                                                  "lib::smooth;(not by site) 1\n"
                                                                  "lib::smooth;allocate 2\n"
                                                                  "lib::smooth;helper 1\n");
}

TEST(Profile, CallsFunctionsAsSitesDo) {
  EXPECT_EQ(functionName("_Z3parPfii.omp_outlined"), "par");
  EXPECT_EQ(functionName("std::vector<float, std::allocator<float> > lib::column<float>(int)"), "lib::column<float>");
  EXPECT_EQ(functionName("(anonymous namespace)::grid<(anonymous namespace)::cell>::fill() const"), "grid<cell>::fill");
  EXPECT_EQ(functionName("bool std::less<int>::operator()(int const&) const"), "std::less<int>::operator()");
  EXPECT_EQ(functionName("operator<<(grid&, int)"), "operator<<");
  EXPECT_EQ(functionName("grid::operator bool() const"), "grid::operator bool");
  EXPECT_EQ(functionName("void* operator new[](unsigned long)"), "operator new[]");
  EXPECT_EQ(functionName("a::f(int)::{lambda(int)#1}::operator()(int) const"),
            "a::f(int)::{lambda(int)#1}::operator()");
  EXPECT_EQ(functionName("my_operators(int)"), "my_operators");
  EXPECT_EQ(functionName("main"), "main");
  EXPECT_EQ(functionName("_Zbroken"), "_Zbroken");
}

TEST(Profile, IsOfOneMemorySpace) {
  Footprint There = figures();
  There.Peak = There.Total = 999, There.Allocations = 1, There.Reallocations = 0;
  Profile P;
  addCall(P, madeUp(), There, "device");
  EXPECT_EQ(foldedStacks(P, v1::Sample::peak), "lib::smooth 999\n") << "it allocates itself";
}

TEST(Profile, NamesFramesOnOneLineWithoutSeparators) {
  Profile P;
  P.Stacks[{{"a;b", "", 0}, {"", "/x/y.cpp", 4}, {"c\nd", "", 0}, {"", "", 0}}].LiveBytes = 5;
  EXPECT_EQ(foldedStacks(P, v1::Sample::peak), "a:b;y.cpp:4;c d;(unknown) 5\n");
}

TEST(Profile, OfPprofHasAllFourSamplesAndAbsolutePaths) {
  const std::string Text = unpacked(pprofProfile(hostProfile(), v1::Sample::total));
  for (const char *Word :
       {"inuse_space", "inuse_objects", "alloc_space", "alloc_objects", "/src/grid.h", "(libraries)"})
    EXPECT_THAT(Text, HasSubstr(Word));
  // A sample of two locations, leaf first, and its values.
  EXPECT_THAT(
      Text,
      HasSubstr(
          ProtobufMessage()
              .message(
                  2, ProtobufMessage().numbers(1, std::vector<int>{5, 6}).numbers(2, std::vector<int>{200, 2, 400, 2}))
              .encoded()));
  EXPECT_EQ(pprofProfile(hostProfile(), v1::Sample::peak), pprofProfile(hostProfile(), v1::Sample::peak));
}

TEST(Profile, OfPerfettoFreesWhatIsNotLive) {
  // Stack 4: 400 bytes, 200 of them freed; three blocks, one of which took the place of another.
  EXPECT_THAT(
      perfettoTrace(hostProfile()),
      HasSubstr(
          ProtobufMessage()
              .message(2, ProtobufMessage().number(1, 4).number(2, 400).number(3, 200).number(4, 1).number(5, 3).number(
                              6, 1))
              .encoded()));
}

/// A function's lines, each of which holds bytes through a function of the system's headers.
static Profile lines(const char *Function, std::initializer_list<std::tuple<int, const char *, int>> Of) {
  Profile P;
  for (const auto &[Line, Below, Bytes] : Of)
    P.Stacks[{{"op", "a.cpp", 1}, {Function, "a.cpp", std::uint32_t(Line)}, {Below, "/usr/include/c++/v", 9}}]
        .LiveBytes = Bytes;
  return P;
}

using Row = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

static std::vector<Row> rowsOf(const Profile &Before, const Profile &After) {
  std::vector<Row> Rows;
  for (const SiteGrowth &Each : compared(Before, After, v1::Sample::peak).Sites)
    Rows.emplace_back(Each.Shown.back().Line, Each.Before, Each.After);
  return Rows;
}

TEST(Comparison, FindsLinesAgainThatMovedOrChangedTheirType) {
  using Rows = std::vector<Row>;
  EXPECT_EQ(rowsOf(lines("f", {{4, "v<float>", 40}}), lines("f", {{4, "v<double>", 80}})), (Rows{{4, 40, 80}}));
  EXPECT_EQ(rowsOf(lines("f", {{4, "v<float>", 40}}), lines("f", {{9, "v<float>", 50}, {8, "v<int>", 5}})),
            (Rows{{9, 40, 50}, {8, 0, 5}}));
  EXPECT_EQ(rowsOf(lines("f", {{4, "v<float>", 40}}), lines("g", {{4, "v<float>", 30}})),
            (Rows{{4, 0, 30}, {4, 40, 0}}));
  EXPECT_TRUE(rowsOf(lines("f", {{4, "v<float>", 40}}), lines("f", {{7, "v<float>", 40}})).empty());
}

TEST(Comparison, LeavesChainsOutWhereOneSideHasNone) {
  Profile Run = lines("f", {{4, "v", 40}}), Predicted;
  Run.HasChains = false;
  Predicted.Stacks[{{"op", "a.cpp", 1}, {"g", "a.cpp", 2}, {"f", "a.cpp", 4}, {"v", "/usr/include/c++/v", 9}}]
      .LiveBytes = 30;
  EXPECT_EQ(rowsOf(Predicted, Run), (std::vector<Row>{{4, 30, 40}}));
  Run.HasChains = true;
  EXPECT_EQ(rowsOf(Predicted, Run), (std::vector<Row>{{4, 0, 40}, {4, 30, 0}}));
}

TEST(Comparison, WritesStacksWithOneFigureOrBoth) {
  const Profile Before = lines("f", {{4, "v", 40}, {5, "w", 1}}), After = lines("f", {{4, "v", 30}, {5, "w", 1}});
  EXPECT_EQ(foldedDifference(Before, After, v1::Sample::peak), "op;f;v -10\n");
  EXPECT_EQ(differentialStacks(Before, After, v1::Sample::peak), "op;f;v 40 30\nop;f;w 1 1\n");
}

static const char *const PredictionOfF = R"json(
  {"schema": "memshape.prediction/1", "operator": "lib::f", "heap": {"peak_bytes": 50}, "sites": [
    {"file": "a.cpp", "line": 4, "function": "g", "space": "host", "bytes_at_peak": 40,
     "chain": [{"file": "a.cpp", "line": 4, "function": "g"}, {"file": "a.cpp", "line": 9, "function": "f"}]},
    {"file": null, "line": null, "function": "(libraries)", "space": "host", "bytes_at_peak": 3, "chain": []},
    {"file": "a.cpp", "line": 5, "function": "f", "space": "device", "bytes_at_peak": 99, "chain": []}]})json";

/// Of two calls the second one held more.
static const char *const RunOfF = R"json(
  {"schema": "memshape.run/1", "program": "p", "calls": [
    {"operator": "f", "heap": {"peak_bytes": 4}, "sites": []},
    {"operator": "f", "heap": {"peak_bytes": 9}, "sites": [
      {"file": null, "function": "unattributed", "library": "/lib/x.so", "space": "host", "bytes_at_peak": 9}]}]})json";

TEST(ProfileReader, TakesDocumentsAndFoldedStacks) {
  const auto folded = [](const char *Text, v1::Sample What = v1::Sample::peak) {
    const auto Read = readProfile(Text, What);
    return !Read ? "none" : *Read ? foldedStacks(**Read, What) : (*Read).failure().Message;
  };
  EXPECT_EQ(folded(PredictionOfF), "lib::f;(libraries) 3\nlib::f;(not by site) 7\nlib::f;g 40\n");
  EXPECT_EQ(folded(RunOfF), "f;x.so 9\n");
  EXPECT_EQ(folded("a;b 4\na;c -1\n"), "a;b 4\na;c -1\n");
  EXPECT_EQ(folded("a;b 4\n", v1::Sample::total), "a;b 4\n");
  EXPECT_EQ(folded("no number\n"), "none");
  EXPECT_EQ(folded("\x7f"
                   "ELF"),
            "none");
  EXPECT_THAT(folded("{"), HasSubstr("is no JSON"));
  EXPECT_THAT(folded("{}"), HasSubstr("is neither memshape.prediction/1 nor memshape.run/1"));
  EXPECT_THAT(folded(R"({"schema": "memshape.run/1", "calls": [4]})"), HasSubstr("a call is no object"));
  EXPECT_THAT(folded(R"({"schema": "memshape.run/1"})", v1::Sample::total), HasSubstr("--sample total"));
  EXPECT_THAT(folded(R"({"schema": "memshape.prediction/1", "sites": 4})"), HasSubstr("'sites'"));
}
