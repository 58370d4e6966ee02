// The heap that a skeleton sees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects figures and memory. Every block of a skeleton, and every block that a library called for real makes
// meanwhile, passes through here. So blocks that one of them allocates and the other frees are counted right.
//
// A realloc changes live bytes by new minus old, adds the new size to the total and is counted as a reallocation;
// a realloc of null is an allocation, a realloc to 0 bytes frees.

#pragma once

#include "runner/accounting/Accounting.h"
#include "runner/heap/BackedBlocks.h"
#include "runner/heap/PhantomBlocks.h"
#include "runner/heap/TouchedMemory.h"
#include "runner/protocol/Places.h"

#include <algorithm>
#include <atomic>
#include <sched.h>
#include <sys/single_threaded.h>

namespace memshape {

/// Locked around each event once a library has started a thread; until then it costs one load.
class HeapLock {
public:
  explicit HeapLock(std::atomic_flag &Flag) : Flag(__libc_single_threaded ? nullptr : &Flag) {
    if (this->Flag)
      while (this->Flag->test_and_set(std::memory_order_acquire))
        sched_yield();
  }
  ~HeapLock() {
    if (Flag)
      Flag->clear(std::memory_order_release);
  }
  HeapLock(const HeapLock &) = delete;
  HeapLock &operator=(const HeapLock &) = delete;

private:
  std::atomic_flag *Flag;
};

class Heap {
public:
  enum class Fault {
    None,
    Overflow,    ///< a figure would leave 63 bits
    NoRoom,      ///< no memory is left for the block
    UnknownSite, ///< the skeleton names a site that was not announced
    NotABlock    ///< freed twice, or never allocated
  };

  struct Request {
    std::uint64_t Bytes = 0;
    std::uint64_t Alignment = 0;
    std::int32_t Site = LibrarySite;
    bool Untouched = false; ///< the block needs no memory, only an address
    bool Counted = true;    ///< false: the block was made before the entry of the call
    bool Announced = false; ///< writes to it are reported
  };

  bool open(std::uint64_t AddressSpaceBytes) { return Backed.open(AddressSpaceBytes); }

  void *allocate(const Request &Wanted, Fault &Problem) {
    HeapLock Held(Busy);
    if (Wanted.Counted) {
      if (!Figures.knows(Wanted.Site))
        return Problem = Fault::UnknownSite, nullptr;
      if (!Figures.allocate(Wanted.Site, Wanted.Bytes))
        return Problem = Fault::Overflow, nullptr;
    }
    void *Block = place(Wanted, Problem);
    Touched.allocate(addressOf(Block), Wanted.Bytes, Wanted.Announced, Wanted.Counted && isHost(Wanted.Site));
    return Block;
  }

  void release(void *Block, bool Counted, Fault &Problem) {
    HeapLock Held(Busy);
    drop(Block, Counted, Problem);
  }

  void *reallocate(void *Block, const Request &Wanted, Fault &Problem);

  bool owns(const void *Block) const { return PhantomBlocks::owns(Block) || Backed.owns(Block); }

  /// Requested bytes of a live block; NotABlock where there is none.
  std::uint64_t bytesOf(void *Block, Fault &Problem);

  struct Around {
    const void *Begin = nullptr; ///< null where there is no block
    std::uint64_t Bytes = 0;
    std::int32_t Site = 0;
    std::uint32_t Number = 0; ///< of those that have memory, from 1; 0: it has none
    bool Far = false;         ///< there may be one that begins far below
  };
  /// Blocks have come so far: other numbers in this heap's range, such as text, are no addresses.
  bool reaches(const void *Address) const { return PhantomBlocks::owns(Address) || Backed.reaches(Address); }

  /// Blocks with memory: see BackedBlocks.
  bool mayLeadTo(std::uintptr_t Number) const { return Backed.mayLeadTo(Number); }
  template <class Function> bool eachBlock(Function Tell) const { return Backed.eachBlock(Tell); }

  /// The live block that Address, which this heap reaches, lies in or ends.
  Around around(const void *Address) {
    Around Found;
    if (PhantomBlocks::owns(Address)) {
      if (const PhantomBlocks::Entry *Entry = Phantoms.around(Address, Found.Begin))
        Found.Bytes = Entry->Bytes, Found.Site = Entry->Site;
    } else if (const BackedBlocks::Header *Head = Backed.around(Address, Found.Begin, Found.Far)) {
      Found.Bytes = Head->Bytes, Found.Site = Head->Site, Found.Number = Head->Number;
    }
    return Found;
  }

  /// Both lie in one live block, or at its end. False where it begins too far below to be found.
  bool isInOneBlock(const void *One, const void *Other) {
    const std::uintptr_t Low = std::min(addressOf(One), addressOf(Other)),
                         High = std::max(addressOf(One), addressOf(Other));
    const auto Holds = [&](const Around &Block) {
      return addressOf(Block.Begin) <= Low && High - addressOf(Block.Begin) <= Block.Bytes;
    };
    HeapLock Held(Busy);
    if (!LastCompared.Begin || !Holds(LastCompared))
      LastCompared = around(reinterpret_cast<const void *>(Low));
    return LastCompared.Begin && Holds(LastCompared);
  }

  /// How many live.
  std::uint64_t blocks() const { return Blocks; }

  /// Rows from Block on, an address in some block, may be written.
  void touch(const void *Block, const TouchedMemory::Rows &Written) {
    HeapLock Held(Busy);
    Touched.touch(addressOf(Block), Written);
  }

  /// Sets the order in which later blocks lie. In orders other than upwards there are gaps between blocks, and freed
  /// memory is not reused soon.
  void place(const Places &Order) {
    AmongWritten = !Order.upwards();
    Phantoms.place(Order);
    Backed.place(Order);
  }

  /// Forgets every block.
  void reset() {
    Blocks = 0;
    Made = 0;
    LastCompared = {};
    Touched.forget();
    Phantoms.reset();
    Backed.reset();
  }

  /// Zeroed address space that is unused while no block lives; null where there is none.
  char *freeHalf(std::uint64_t &Bytes) const { return Backed.upperHalf(Bytes); }

  Accounting Figures;
  TouchedMemory Touched;

private:
  static std::uintptr_t addressOf(const void *Block) { return reinterpret_cast<std::uintptr_t>(Block); }
  bool isHost(std::int32_t Site) const { return Figures.spaceOf(Site) == 0; }

  void *place(const Request &Wanted, Fault &Problem) {
    const bool Backs = !Wanted.Untouched || (AmongWritten && std::max(Wanted.Bytes, Wanted.Alignment) <= MostBacked);
    void *Block = Backs ? Backed.allocate(Wanted.Bytes, Wanted.Alignment, Wanted.Site, ++Made) : nullptr;
    if (!Block && Wanted.Untouched)
      Block = Phantoms.allocate(Wanted.Bytes, Wanted.Alignment, Wanted.Site);
    if (!Block)
      Problem = Fault::NoRoom;
    else
      ++Blocks;
    return Block;
  }

  /// Moved: another block took its place.
  void drop(void *Block, bool Counted, Fault &Problem, bool Moved = false) {
    const auto DropFrom = [&](auto &Those) {
      const auto *Found = Those.find(Block);
      if (!Found) {
        Problem = Fault::NotABlock;
        return;
      }
      if (Counted)
        Figures.release(Found->Site, Found->Bytes);
      if (!Moved)
        Touched.release(addressOf(Block), Found->Bytes, Counted && isHost(Found->Site));
      Those.release(Block);
      LastCompared = {};
      --Blocks;
    };
    PhantomBlocks::owns(Block) ? DropFrom(Phantoms) : DropFrom(Backed);
  }

  PhantomBlocks Phantoms;
  BackedBlocks Backed;
  /// Addresses of phantoms are the highest. In orders other than upwards, untouched blocks up to this size have memory,
  /// so that they lie among the others.
  static constexpr std::uint64_t MostBacked = 1 << 20;
  bool AmongWritten = false;
  std::uint64_t Blocks = 0; ///< that live
  std::uint32_t Made = 0;   ///< with memory, so far
  Around LastCompared;      ///< while it lives
  std::atomic_flag Busy = ATOMIC_FLAG_INIT;
};

} // namespace memshape
