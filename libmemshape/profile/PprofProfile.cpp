// Profiles of pprof.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// https://github.com/google/pprof/blob/main/proto/profile.proto. Numbers of fields are those of that file.

#include "libmemshape/profile/Profile.h"
#include "libmemshape/profile/Protobuf.h"
#include "libmemshape/text/Escapes.h"

#include <zlib.h>

namespace memshape {

namespace {

/// The message Profile as it grows.
class PprofWriter {
public:
  PprofWriter() { text(""); }

  std::int64_t text(const std::string &Of) {
    return static_cast<std::int64_t>(Texts(Of, [&](std::uint64_t) { Table.bytes(6, Of); }) - 1);
  }
  std::uint64_t location(const StackFrame &Frame) {
    return Locations(Frame, [&](std::uint64_t Id) {
      const auto Line = ProtobufMessage().number(1, std::int64_t(function(Frame))).number(2, Frame.Line);
      // There is no code: each place gets an address of its own in the one mapping.
      Whole.message(
          4, ProtobufMessage().number(1, std::int64_t(Id)).number(2, 1).number(3, std::int64_t(Id)).message(4, Line));
      Places = Id;
    });
  }
  void sampleType(const char *What, const char *Unit) { Whole.message(1, valueType(What, Unit)); }
  void sample(const Stack &Where, const StackFigures &Figures) {
    std::vector<std::uint64_t> Leaf; // first
    for (auto Frame = Where.rbegin(); Frame != Where.rend(); ++Frame)
      Leaf.push_back(location(*Frame));
    const std::vector<std::int64_t> Values = {Figures.LiveBytes, Figures.LiveBlocks, Figures.TotalBytes,
                                              Figures.Allocations};
    Whole.message(2, ProtobufMessage().numbers(1, Leaf).numbers(2, Values));
  }
  std::string finish(const Profile &P, const char *First) {
    ProtobufMessage Mapping;
    Mapping.number(1, 1).number(2, 1).number(3, std::int64_t(Places) + 1).number(5, text(oneLine(P.Program)));
    for (const unsigned Has : {7u, 8u, 9u, 10u}) // functions, file names, line numbers, inlined frames
      Mapping.number(Has, 1);
    Whole.message(3, Mapping).number(9, std::int64_t(P.Started));
    Whole.message(11, valueType("space", "bytes")).number(12, 1);
    for (const auto *Remarks : {&P.Remarks, &P.Omissions})
      for (const std::string &Remark : *Remarks)
        Whole.number(13, text(oneLine(Remark)));
    Whole.number(14, text(First));
    return Whole.encoded() + Table.encoded();
  }

private:
  ProtobufMessage valueType(const char *What, const char *Unit) {
    return ProtobufMessage().number(1, text(What)).number(2, text(Unit));
  }
  std::uint64_t function(const StackFrame &Frame) {
    const std::string Name = frameName(Frame);
    return Functions({Name, Frame.File}, [&](std::uint64_t Id) {
      Whole.message(5, ProtobufMessage()
                           .number(1, std::int64_t(Id))
                           .number(2, text(Name))
                           .number(3, text(Name))
                           .number(4, text(oneLine(Frame.File))));
    });
  }

  ProtobufMessage Whole, Table;
  Numbered<std::string> Texts;
  Numbered<std::pair<std::string, std::string>> Functions;
  Numbered<StackFrame> Locations;
  std::uint64_t Places = 0;
};

/// With no time in its head: the same profile is the same file.
std::string gzipped(const std::string &Text) {
  constexpr int Gzip = 16 + MAX_WBITS;
  z_stream Stream = {};
  if (deflateInit2(&Stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Gzip, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string Packed(deflateBound(&Stream, Text.size()), '\0');
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
  Stream.avail_in = static_cast<uInt>(Text.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Packed.data());
  Stream.avail_out = static_cast<uInt>(Packed.size());
  deflate(&Stream, Z_FINISH);
  Packed.resize(Stream.total_out);
  deflateEnd(&Stream);
  return Packed;
}

} // namespace

std::string pprofProfile(const Profile &P, v1::Sample What) {
  PprofWriter Writer;
  constexpr const char *Types[][2] = {
      {"inuse_space", "bytes"}, {"inuse_objects", "count"}, {"alloc_space", "bytes"}, {"alloc_objects", "count"}};
  for (const auto &[Type, Unit] : Types)
    Writer.sampleType(Type, Unit);
  for (const auto &[Where, Figures] : P.Stacks)
    Writer.sample(Where, Figures);
  return gzipped(Writer.finish(P, What == v1::Sample::peak    ? "inuse_space"
                                  : What == v1::Sample::total ? "alloc_space"
                                                              : "alloc_objects"));
}

} // namespace memshape
