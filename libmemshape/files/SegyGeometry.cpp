// The shape of a SEG-Y cube.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/SegyGeometry.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/text/Try.h"

#include <unordered_set>

namespace memshape {

// Offsets from the start of the file or of the trace, from 0; the standard counts from 1.
constexpr std::uint64_t BinaryHeader = 3200, HeadersSize = 3600, TextHeaderSize = 3200, TraceHeaderSize = 240;
constexpr std::uint64_t SamplesField = 3220, FormatField = 3224, ExtendedSamplesField = 3268, RevisionField = 3500,
                        ExtendedHeadersField = 3504;
constexpr std::uint64_t InlineField = 188, CrosslineField = 192;

/// Most distinct line numbers of a cube; a file with more is no cube.
constexpr std::size_t MaxLines = std::size_t(1) << 24;

template <class T> static T bigEndian(Bytes From, std::uint64_t Offset) {
  T Value = 0;
  for (std::size_t I = 0; I < sizeof(T); ++I)
    Value = static_cast<T>(Value << 8 | From.data()[Offset + I]);
  return Value;
}

/// Bytes of one sample by format code; 0 for codes that the standard does not have.
static unsigned sampleSize(unsigned Format) {
  switch (Format) {
  case 1: // IBM float
  case 2:
  case 4:
  case 5: // IEEE float
  case 10: return 4;
  case 3:
  case 11: return 2;
  case 6: // IEEE double
  case 9:
  case 12: return 8;
  case 7:
  case 15: return 3;
  case 8:
  case 16: return 1;
  default: return 0;
  }
}

Result<SegyGeometry> segyGeometryOf(Bytes File) {
  static_assert(BinaryHeader + 400 == HeadersSize);
  if (File.size() < HeadersSize)
    return Failure{"is not a SEG-Y file: it is shorter than the headers"};
  unsigned Format = bigEndian<std::uint16_t>(File, FormatField);
  std::uint64_t SampleSize = sampleSize(Format);
  if (SampleSize == 0)
    return Failure{"is not a SEG-Y file: its sample format code " + std::to_string(Format) + " does not exist"};
  std::uint64_t Samples = bigEndian<std::uint16_t>(File, SamplesField);
  unsigned Revision = File.data()[RevisionField];
  if (std::uint64_t Extended = bigEndian<std::uint32_t>(File, ExtendedSamplesField); Revision >= 2 && Extended != 0)
    Samples = Extended;
  if (Samples == 0)
    return Failure{"has no samples per trace in its binary header"};
  std::uint64_t TextHeaders = Revision >= 1 ? bigEndian<std::uint16_t>(File, ExtendedHeadersField) : 0;
  if (TextHeaders > INT16_MAX)
    return Failure{"has a variable number of extended text headers, which memshape does not read"};

  std::uint64_t First = HeadersSize + TextHeaders * TextHeaderSize, TraceSize = TraceHeaderSize + Samples * SampleSize;
  if (File.size() <= First)
    return Failure{"has no traces"};
  std::uint64_t Traces = (File.size() - First) / TraceSize;
  if (Traces * TraceSize != File.size() - First)
    return Failure{"is truncated: it ends inside a trace of " + std::to_string(Samples) + " samples"};

  std::unordered_set<std::int32_t> Inlines, Crosslines;
  for (std::uint64_t I = 0; I < Traces; ++I) {
    Bytes Trace = *File.slice(First + I * TraceSize, TraceHeaderSize);
    Inlines.insert(bigEndian<std::int32_t>(Trace, InlineField));
    Crosslines.insert(bigEndian<std::int32_t>(Trace, CrosslineField));
    if (Inlines.size() > MaxLines || Crosslines.size() > MaxLines)
      return Failure{"has more lines than a cube can have"};
  }
  if (Inlines.size() * Crosslines.size() != Traces)
    return Failure{"is not a regular cube: " + std::to_string(Inlines.size()) + " inlines by " +
                   std::to_string(Crosslines.size()) + " crosslines, but " + std::to_string(Traces) + " traces"};
  return SegyGeometry{static_cast<std::int64_t>(Inlines.size()), static_cast<std::int64_t>(Crosslines.size()),
                      static_cast<std::int64_t>(Samples)};
}

Result<SegyGeometry> readSegyGeometry(const std::string &Path) {
  MEMSHAPE_TRY(MappedFile File, MappedFile::open(Path));
  Result<SegyGeometry> Geometry = segyGeometryOf(File.bytes());
  MEMSHAPE_CHECK(File.cut());
  if (!Geometry)
    return Failure{"'" + Path + "' " + Geometry.failure().Message};
  return Geometry;
}

} // namespace memshape
