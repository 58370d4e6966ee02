//===- StateHash.h - A fingerprint of all that decides what follows ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 bits: among a million states two different ones have the same fingerprint with a probability below 2^-88.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_STATEHASH_H
#define MEMSHAPE_SKELETON_STATEHASH_H

#include <cstdint>
#include <cstring>

namespace memshape {

/// A bijection of 64-bit numbers in which each bit depends on all (the finalizer of SplitMix64).
inline std::uint64_t mixed(std::uint64_t V) {
  V = (V ^ (V >> 30)) * 0xbf58476d1ce4e5b9ull;
  V = (V ^ (V >> 27)) * 0x94d049bb133111ebull;
  return V ^ (V >> 31);
}

class StateHash {
public:
  void add(std::uint64_t V) {
    First = mixed(First ^ V) + 0x9e3779b97f4a7c15ull;
    Second = mixed(Second + V * 0xd6e8feb86659fd93ull) ^ First;
  }
  void add(const void *Bytes, std::uint64_t Count) {
    const char *At = static_cast<const char *>(Bytes);
    // Two words at a time, by products of 128 bits as in wyhash: variables are many, and states too.
    for (; Count >= 16; At += 16, Count -= 16) {
      std::uint64_t Words[2];
      std::memcpy(Words, At, 16);
      First = folded(First ^ Words[0], Words[1] ^ 0xa4093822299f31d0ull);
      Second = folded(Second + Words[1], (Words[0] + First) ^ 0x082efa98ec4e6c89ull);
    }
    if (Count >= 8) {
      std::uint64_t Word;
      std::memcpy(&Word, At, 8);
      add(Word);
      At += 8, Count -= 8;
    }
    std::uint64_t Rest = Count << 56;
    std::memcpy(&Rest, At, Count);
    add(Rest);
  }
  struct Value {
    std::uint64_t First, Second;
    bool operator==(const Value &) const = default;
  };
  Value value() const { return {mixed(First), mixed(Second)}; }

private:
  static std::uint64_t folded(std::uint64_t A, std::uint64_t B) {
    __extension__ typedef unsigned __int128 Wide;
    const auto Product = static_cast<Wide>(A) * B;
    return std::uint64_t(Product) ^ std::uint64_t(Product >> 64);
  }

  std::uint64_t First = 0x243f6a8885a308d3ull, Second = 0x13198a2e03707344ull; // digits of pi
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_STATEHASH_H
