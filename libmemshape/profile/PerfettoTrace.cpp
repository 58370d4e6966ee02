// Traces of Perfetto.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A heap profile as heapprofd writes it: names and stacks with numbers, then what was allocated and freed of each stack.
// https://perfetto.dev/docs/reference/trace-packet-proto. Numbers of fields are those of that page.

#include "libmemshape/profile/Profile.h"
#include "libmemshape/profile/Protobuf.h"
#include "libmemshape/text/Escapes.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr std::int64_t Process = 1; ///< the only one, as Sequence is of packets
constexpr std::int64_t Sequence = 1;

/// The message InternedData as it grows.
class InternedStacks {
public:
  explicit InternedStacks(const std::string &Program) {
    const auto Path = static_cast<std::int64_t>(text(17, MappingPaths, oneLine(Program)));
    Data.message(19, ProtobufMessage().number(1, Mapping).eachNumber(7, std::vector{Path}));
  }

  std::uint64_t stack(const Stack &Of) {
    std::vector<std::uint64_t> Path;
    for (const StackFrame &Frame : Of)
      Path.push_back(frame(Frame));
    return Stacks(Path, [&](std::uint64_t Id) {
      Data.message(7, ProtobufMessage().number(1, std::int64_t(Id)).eachNumber(2, Path));
    });
  }
  const ProtobufMessage &data() const { return Data; }

private:
  static constexpr std::int64_t Mapping = 1;

  std::uint64_t text(unsigned Field, Numbered<std::string> &Table, const std::string &Of) {
    return Table(
        Of, [&](std::uint64_t Id) { Data.message(Field, ProtobufMessage().number(1, std::int64_t(Id)).text(2, Of)); });
  }
  std::uint64_t frame(const StackFrame &Of) {
    return Frames(Of, [&](std::uint64_t Id) {
      ProtobufMessage Message;
      Message.number(1, std::int64_t(Id)).number(2, std::int64_t(text(5, Functions, frameName(Of))));
      // There is no code: each place gets an address of its own.
      Message.number(3, Mapping).number(4, std::int64_t(Id));
      if (!Of.File.empty())
        Message.number(5, std::int64_t(text(18, Files, oneLine(Of.File)))).number(6, Of.Line);
      Data.message(6, Message);
    });
  }

  ProtobufMessage Data;
  Numbered<std::string> Functions, Files, MappingPaths;
  Numbered<StackFrame> Frames;
  Numbered<std::vector<std::uint64_t>> Stacks;
};

} // namespace

std::string perfettoTrace(const Profile &P) {
  const auto Time = std::max<std::int64_t>(1, static_cast<std::int64_t>(P.Started));
  InternedStacks Known(P.Program);
  ProtobufMessage Heap;
  Heap.number(1, Process).number(3, 1).text(11, "memshape").number(12, 1).number(9, Time);
  for (const auto &[Where, Figures] : P.Stacks) {
    // A block that is resized is freed, and allocated where that happens.
    const std::int64_t Blocks = Figures.Allocations + Figures.Reallocations;
    Heap.message(2, ProtobufMessage()
                        .number(1, std::int64_t(Known.stack(Where)))
                        .number(2, std::max(Figures.TotalBytes, Figures.LiveBytes))
                        .number(3, std::max<std::int64_t>(0, Figures.TotalBytes - Figures.LiveBytes))
                        .number(4, Time)
                        .number(5, std::max(Blocks, Figures.LiveBlocks))
                        .number(6, std::max<std::int64_t>(0, Blocks - Figures.LiveBlocks)));
  }
  const auto Named = ProtobufMessage().number(1, Process).text(3, oneLine(P.Program));
  constexpr std::int64_t Cleared = 1, Needed = 2; // enum TracePacket.SequenceFlags
  // Times of a heap profile are those of a coarse monotonic clock; without one they mean nothing, and are refused.
  enum Clock : std::int64_t { Realtime = 1, Monotonic = 3, MonotonicCoarse = 4, Boottime = 6 };
  ProtobufMessage Clocks;
  for (const std::int64_t Each : {Realtime, Monotonic, MonotonicCoarse, Boottime})
    Clocks.message(1, ProtobufMessage().number(1, Each).number(2, Time));
  Clocks.number(2, Boottime);
  const auto Packet = [&] { return ProtobufMessage().number(8, Time).number(10, Sequence); };
  return ProtobufMessage()
      .message(1, Packet().message(6, Clocks))
      .message(1, Packet().message(2, ProtobufMessage().message(1, Named)))
      .message(1, Packet()
                      .number(13, Cleared | Needed)
                      .number(41, 1)
                      .message(12, Known.data())
                      .message(37, ProtobufMessage().message(5, Heap)))
      .encoded();
}

} // namespace memshape
