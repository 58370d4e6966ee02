// What of the requested memory is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/TouchedMemory.h"

#include <algorithm>

using namespace memshape;

/// Bytes: size of the block; rows beyond it are cut off.
void TouchedMemory::Extent::add(std::uint64_t Offset, const Rows &Written, std::uint64_t Bytes) {
  if (Written.Bytes == Whole) {
    Low = 0, High = Sum = Bytes;
    return;
  }
  // A loop without iterations reports a length of zero or below.
  if (std::int64_t(Written.Bytes) <= 0 || !Written.Count || Offset >= Bytes)
    return;
  if (Written.Count == 1) {
    // One row: its end cannot overflow, for both numbers are below 2^63.
    const std::uint64_t End = std::min(Offset + Written.Bytes, Bytes);
    Low = Sum ? std::min(Low, Offset) : Offset;
    High = std::max(High, End);
    if (__builtin_add_overflow(Sum, End - Offset, &Sum))
      Sum = UINT64_MAX;
    return;
  }
  using Wide = unsigned __int128;
  const Wide Span = Wide(Written.Count - 1) * Written.Stride + Written.Bytes;
  const std::uint64_t End = std::uint64_t(std::min<Wide>(Offset + Span, Bytes));
  const bool Apart = Written.Stride >= Written.Bytes && Written.Stride - Written.Bytes >= PageBytes;
  // A row that starts inside a page occupies up to one page more than its length.
  const Wide Pages = Apart ? Wide(Written.Count) * (Wide(Written.Bytes) + PageBytes) : Wide(End - Offset);
  Low = Sum ? std::min(Low, Offset) : Offset;
  High = std::max(High, End);
  Sum = std::uint64_t(std::min<Wide>(Sum + std::min<Wide>(Pages, End - Offset), UINT64_MAX));
}

void TouchedMemory::begin() {
  Tensors = {};
  Live = TensorBytes = BlockPeak = Peak = Beneath = ResidentBlockPeak = ResidentPeak = 0;
  for (Block &Before : Blocks)
    Before.There = 0;
  Kept.begin();
  TensorsTold = false;
  Ordered = true;
}

/// Index of the first block that lies behind At.
std::size_t TouchedMemory::position(std::uintptr_t At) const {
  const auto Behind = std::upper_bound(Blocks.begin(), Blocks.begin() + std::ptrdiff_t(Used), At,
                                       [](std::uintptr_t Address, const Block &B) { return Address < B.At; });
  return std::size_t(Behind - Blocks.begin());
}

bool TouchedMemory::insert(const Block &New) {
  if (Used == MostBlocks)
    return false;
  const auto Place = Blocks.begin() + std::ptrdiff_t(position(New.At)), End = Blocks.begin() + std::ptrdiff_t(Used);
  std::copy_backward(Place, End, End + 1);
  *Place = New;
  ++Used;
  return true;
}

bool TouchedMemory::take(std::uintptr_t At, Block &Taken) {
  const std::size_t Behind = position(At);
  if (!Behind || Blocks[Behind - 1].At != At)
    return false;
  Taken = Blocks[Behind - 1];
  std::copy(Blocks.begin() + std::ptrdiff_t(Behind), Blocks.begin() + std::ptrdiff_t(Used),
            Blocks.begin() + std::ptrdiff_t(Behind - 1));
  --Used;
  return true;
}

void TouchedMemory::reallocate(std::uintptr_t Old, std::uint64_t OldBytes, std::uintptr_t At, std::uint64_t Bytes,
                               bool Announced, bool Counted) {
  Block Gone = {Old, OldBytes, {0, OldBytes, OldBytes}, 0};
  if (OldBytes >= LargeBytes)
    take(Old, Gone);
  const std::uint64_t Before = Gone.Known.written();
  Extent Moved = Gone.Known;
  Moved.Low = std::min(Moved.Low, Bytes), Moved.High = std::min(Moved.High, Bytes);
  std::uint64_t There = 0;
  if (Counted && OldBytes >= LargeBytes)
    There = Kept.reallocate(Old, Before + Gone.beneath(), At, Bytes);
  else if (Counted && Bytes >= LargeBytes)
    There = Kept.allocate(At, Bytes);
  const Block New = {At, Bytes, Moved, There};
  const bool Known = Announced && Bytes >= LargeBytes && insert(New);
  if (Counted) {
    Live += std::int64_t(Known ? Moved.written() : Bytes) - std::int64_t(Before);
    Beneath += std::int64_t(Known ? New.beneath() : 0) - std::int64_t(Gone.beneath());
  }
  raise();
}

void TouchedMemory::add(std::uintptr_t At, const Rows &Written) {
  const bool UpTo = Written.Bytes == Below;
  At -= UpTo; // what ends there belongs to the block in front
  // Mostly the block of the previous write.
  if (Last >= Used || At - Blocks[Last].At >= Blocks[Last].Bytes || (Last + 1 < Used && Blocks[Last + 1].At <= At)) {
    const std::size_t Behind = position(At);
    if (!Behind || At - Blocks[Behind - 1].At >= Blocks[Behind - 1].Bytes)
      return; // a block that counts whole
    Last = Behind - 1;
  }
  Block &Of = Blocks[Last];
  const std::uint64_t Before = Of.Known.written(), BeneathBefore = Of.beneath();
  if (UpTo)
    Of.Known.add(0, {At - Of.At + PageBytes, 0, 1}, Of.Bytes);
  else
    Of.Known.add(At - Of.At, Written, Of.Bytes);
  Live += std::int64_t(Of.Known.written() - Before);
  Beneath += std::int64_t(Of.beneath() - BeneathBefore);
  raise();
}

void TouchedMemory::touchTensor(std::uint32_t Number, std::uint64_t Offset, const Rows &Written) {
  if (Number >= MostTensors || Written.Bytes == Whole || Written.Bytes == Below) {
    TensorsTold = false; // its length is unknown
    return;
  }
  Extent &Of = Tensors[Number];
  const std::uint64_t Before = Of.written();
  Of.add(Offset, Written, std::uint64_t(1) << 47);
  TensorBytes += std::int64_t(Of.written() - Before);
  raise();
}

std::optional<std::int64_t> TouchedMemory::blocks() const {
  if (!Ordered)
    return std::nullopt;
  return BlockPeak;
}

std::optional<std::int64_t> TouchedMemory::blocksAndTensors() const {
  if (!Ordered || !TensorsTold)
    return std::nullopt;
  return Peak;
}

std::optional<std::int64_t> TouchedMemory::kept() const {
  if (!Ordered)
    return std::nullopt;
  return TensorsTold ? ResidentPeak - Peak : ResidentBlockPeak - BlockPeak;
}
