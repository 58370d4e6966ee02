// The shape of SEG-Y cubes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/SegyGeometry.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using testing::HasSubstr;

static void put(std::string &File, std::size_t Offset, unsigned Size, std::uint64_t Value) {
  for (unsigned I = 0; I < Size; ++I)
    File[Offset + I] = static_cast<char>(Value >> 8 * (Size - 1 - I));
}

/// A cube of IEEE floats whose lines count from 100 and 200.
static std::string cube(unsigned Inlines, unsigned Crosslines, unsigned Samples, unsigned Format = 5,
                        unsigned SampleSize = 4) {
  std::string File(3600, '\0');
  put(File, 3220, 2, Samples);
  put(File, 3224, 2, Format);
  for (unsigned I = 0; I < Inlines; ++I)
    for (unsigned X = 0; X < Crosslines; ++X) {
      std::size_t Trace = File.size();
      File.resize(Trace + 240 + std::size_t(Samples) * SampleSize);
      put(File, Trace + 188, 4, 100 + I);
      put(File, Trace + 192, 4, 200 + X);
    }
  return File;
}

static std::string refusal(const std::string &File) {
  Result<SegyGeometry> Geometry = segyGeometryOf(Bytes(File));
  return Geometry ? "accepted" : Geometry.failure().Message;
}

TEST(Segy, ReadsTheExtents) {
  std::string File = cube(5, 7, 11);
  ASSERT_GIVES(SegyGeometry Geometry, segyGeometryOf(Bytes(File)));
  EXPECT_EQ(Geometry.Inlines, 5);
  EXPECT_EQ(Geometry.Crosslines, 7);
  EXPECT_EQ(Geometry.Samples, 11);
}

TEST(Segy, KnowsTheSizesOfSamples) {
  EXPECT_EQ(refusal(cube(2, 3, 4, 8, 1)), "accepted");
  EXPECT_EQ(refusal(cube(2, 3, 4, 3, 2)), "accepted");
  EXPECT_EQ(refusal(cube(2, 3, 4, 6, 8)), "accepted");
}

TEST(Segy, SkipsExtendedTextHeaders) {
  std::string File = cube(3, 2, 9);
  File.insert(3600, std::string(2 * 3200, ' '));
  File[3500] = 1;
  put(File, 3504, 2, 2);
  EXPECT_EQ(refusal(File), "accepted");
  put(File, 3504, 2, 0xFFFF);
  EXPECT_THAT(refusal(File), HasSubstr("variable number"));
}

TEST(Segy, ReadsLongTracesOfRevisionTwo) {
  std::string File = cube(1, 2, 70000 & 0xFFFF);
  File.resize(3600);
  File[3500] = 2;
  put(File, 3268, 4, 70000);
  for (unsigned X = 0; X < 2; ++X) {
    std::size_t Trace = File.size();
    File.resize(Trace + 240 + 70000 * 4);
    put(File, Trace + 192, 4, X);
  }
  ASSERT_GIVES(SegyGeometry Geometry, segyGeometryOf(Bytes(File)));
  EXPECT_EQ(Geometry.Samples, 70000);
}

TEST(Segy, RefusesWhatIsNoCube) {
  EXPECT_THAT(refusal(""), HasSubstr("not a SEG-Y file"));
  EXPECT_THAT(refusal(std::string(4000, 'x')), HasSubstr("format code"));
  EXPECT_THAT(refusal(cube(0, 0, 10)), HasSubstr("no traces"));
  std::string File = cube(4, 4, 10);
  EXPECT_THAT(refusal(File.substr(0, File.size() - 1)), HasSubstr("truncated"));
  EXPECT_THAT(refusal(File.substr(0, File.size() - 280)), HasSubstr("4 inlines by 4 crosslines, but 15 traces"));
  put(File, 3220, 2, 0);
  EXPECT_THAT(refusal(File), HasSubstr("no samples"));
}
