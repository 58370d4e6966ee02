// Profiles in the formats of other tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/PredictedProfile.h"
#include "libmemshape/profile/Protobuf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

using namespace memshape;
using testing::HasSubstr;

namespace {

std::string unpacked(const std::string &Packed) {
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
Skeleton madeUp() {
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

Footprint figures() {
  Footprint Heap;
  Heap.Peak = 300, Heap.Total = 700, Heap.Allocations = 6, Heap.Reallocations = 1;
  Heap.SiteBytes = {{0, 200}, {1, 50}, {2, 999}, {LibrarySite, 40}};
  Heap.SiteBlocks = {{0, 2}, {1, 1}, {LibrarySite, 1}};
  Heap.Requested = {{0, {400, 3, 0, 1}}, {1, {50, 1, 0}}, {2, {999, 1, 0}}, {LibrarySite, {240, 2, 0}}};
  return Heap;
}

Profile hostProfile() {
  Profile P;
  addCall(P, madeUp(), figures(), "host");
  return P;
}

} // namespace

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
      HasSubstr(ProtobufMessage()
                    .message(2, ProtobufMessage().number(1, 4).number(2, 400).number(3, 200).number(5, 3).number(6, 1))
                    .encoded()));
}
