// Blocks without memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block that a skeleton never reads or writes needs an address only. These addresses lie above all that the kernel
// gives without being asked (2^47 on x86-64; 2^48 on aarch64, whose tag byte is left alone too), so that a dereference
// faults. Blocks do not overlap as long as there is room, so that comparisons of pointers mean what they mean in the
// program.
//
// region   slot      base     slots
// small    4 KiB     1<<52    2^32     (also takes what no longer fits in the others)
// medium   1 GiB     2<<52    2^22
// large    2^48 B    8<<52    2^7

#pragma once

#include "runner/protocol/Places.h"

#include <algorithm>
#include <cstdint>

namespace memshape {

class PhantomBlocks {
public:
  struct Entry {
    std::uint64_t Bytes;
    std::int32_t Site;
    std::uint32_t Next; ///< LiveMark, or the next free slot
  };

  static bool owns(const void *Block) {
    const auto Address = reinterpret_cast<std::uintptr_t>(Block);
    return (Address >> 52) - 1 < 15;
  }

  /// Null where the table of blocks cannot grow.
  void *allocate(std::uint64_t Bytes, std::uint64_t Alignment, std::int32_t Site) {
    const std::uint64_t Span = Bytes > Alignment ? Bytes : Alignment;
    for (unsigned R = Span <= Shapes[0].slotBytes() ? 0 : Span <= Shapes[1].slotBytes() ? 1 : 2;; --R) {
      Region &To = Regions[R];
      std::uint32_t Slot = !Order.upwards() && To.Used < UsedOnce ? NoSlot : To.FirstFree;
      if (Slot != NoSlot)
        To.FirstFree = To.Entries[Slot].Next;
      else if (To.Used < To.Capacity || extend(R))
        Slot = To.Used++;
      else if (R == 0)
        return nullptr;
      else
        continue;
      To.Entries[Slot] = {Bytes, Site, LiveMark};
      return reinterpret_cast<void *>(Shapes[R].Base + placeOf(R, Slot));
    }
  }

  /// The live block that starts at Block, or null.
  Entry *find(const void *Block) {
    unsigned R;
    std::uint32_t Slot;
    return locate(Block, R, Slot);
  }

  /// The live block that Address lies in, or at whose end, and where it begins; or null.
  Entry *around(const void *Address, const void *&Begin) {
    const auto At = reinterpret_cast<std::uintptr_t>(Address);
    const unsigned R = regionOf(At);
    const std::uint64_t Offset = At - Shapes[R].Base, Number = Offset >> Shapes[R].SlotBits;
    for (std::uint64_t Back = 0; Back <= std::min<std::uint64_t>(Number, 1); ++Back) {
      const std::uint64_t Slot = slotAt(R, Number - Back);
      if (Slot >= Regions[R].Used || Regions[R].Entries[Slot].Next != LiveMark)
        continue;
      const std::uint64_t From = placeOf(R, std::uint32_t(Slot));
      if (From > Offset || Offset - From > Regions[R].Entries[Slot].Bytes)
        continue;
      Begin = reinterpret_cast<const void *>(Shapes[R].Base + From);
      return Regions[R].Entries + Slot;
    }
    return nullptr;
  }

  /// Frees a block that find() has found.
  void release(const void *Block) {
    unsigned R;
    std::uint32_t Slot;
    Entry *Found = locate(Block, R, Slot);
    Found->Next = Regions[R].FirstFree;
    Regions[R].FirstFree = Slot;
  }

  /// Forgets all blocks; addresses start over.
  void reset();

  /// Sets the order in which blocks lie. Only while there are none.
  void place(const Places &Wanted) { Order = Wanted; }

private:
  static constexpr std::uint32_t NoSlot = UINT32_MAX, LiveMark = UINT32_MAX - 1;
  /// So many slots of a region are not used again in orders other than upwards.
  static constexpr std::uint32_t UsedOnce = 1 << 14;

  struct RegionShape {
    std::uint64_t Base;
    unsigned SlotBits;
    std::uint32_t MaxSlots;
    constexpr std::uint64_t slotBytes() const { return std::uint64_t(1) << SlotBits; }
  };
  static constexpr RegionShape Shapes[3] = {{std::uint64_t(1) << 52, 12, UINT32_MAX - 2},
                                            {std::uint64_t(2) << 52, 30, 1u << 22},
                                            {std::uint64_t(8) << 52, 48, 1u << 7}};
  struct Region {
    Entry *Entries = nullptr;
    std::uint32_t Used = 0, Capacity = 0, FirstFree = NoSlot;
  };

  static unsigned regionOf(std::uintptr_t Address) {
    return Address >= Shapes[2].Base ? 2 : Address >= Shapes[1].Base ? 1 : 0;
  }

  Entry *locate(const void *Block, unsigned &R, std::uint32_t &Slot) {
    const auto Address = reinterpret_cast<std::uintptr_t>(Block);
    R = regionOf(Address);
    const std::uint64_t Offset = Address - Shapes[R].Base;
    const std::uint64_t Index = slotAt(R, Offset >> Shapes[R].SlotBits);
    if (Index >= Regions[R].Used || placeOf(R, std::uint32_t(Index)) != Offset)
      return nullptr;
    Slot = std::uint32_t(Index);
    Entry *Found = Regions[R].Entries + Index;
    return Found->Next == LiveMark ? Found : nullptr;
  }

  bool extend(unsigned R);

  static std::uint64_t lastSlot(unsigned R) { return Shapes[R].MaxSlots - 1; }
  /// Every second slot stays empty where blocks begin inside their slots.
  static std::uint64_t spread(unsigned R) { return R == 2 ? 1 : 2; }

  /// Where the slot's block begins, from the start of the region on.
  std::uint64_t placeOf(unsigned R, std::uint32_t Slot) const {
    if (Order.upwards())
      return std::uint64_t(Slot) << Shapes[R].SlotBits;
    const std::uint64_t Jitter = (Slot * 0x9e3779b97f4a7c15 >> 57) * 16; // 0 to 2032 bytes
    return (mirrored(R, Slot) * spread(R) << Shapes[R].SlotBits) + Jitter;
  }

  /// Slots counted from the other end. In mixed order some are, as long as half of the slots suffice.
  std::uint64_t mirrored(unsigned R, std::uint64_t Slot) const {
    return isFromEnd(R, Slot) ? lastSlot(R) - Slot : Slot;
  }

  /// The slot that may begin in the Number-th part of the region.
  std::uint64_t slotAt(unsigned R, std::uint64_t Number) const {
    if (Order.upwards())
      return Number;
    const std::uint64_t Own = Number / spread(R);
    if (Own > lastSlot(R))
      return UINT64_MAX;
    const std::uint64_t Other = lastSlot(R) - Own;
    return Own > lastSlot(R) / 2 && isFromEnd(R, Other) ? Other : Own;
  }

  bool isFromEnd(unsigned R, std::uint64_t Slot) const { return Slot <= lastSlot(R) / 2 && Order.liesBelow(Slot + 1); }

  Region Regions[3];
  Places Order;
};

} // namespace memshape
