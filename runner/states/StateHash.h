// A fingerprint of a state.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128 bits: the probability that two of a million states collide is below 2^-88.

#pragma once

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
  void add(std::uint64_t V) { step(Lanes - 1, V, Single); }
  void add(const void *Bytes, std::uint64_t Count) {
    const char *At = static_cast<const char *>(Bytes);
    // 128-bit products as in wyhash, because variables and states are many. A product's latency is longer than its
    // throughput, so words go to several sums in parallel.
    for (; Count >= Lanes * Room; At += Lanes * Room, Count -= Lanes * Room)
      for (unsigned Lane = 0; Lane < Lanes; ++Lane)
        stepAt(Lane, At + Lane * Room);
    for (unsigned Lane = 0; Count >= Room; ++Lane, At += Room, Count -= Room)
      stepAt(Lane, At);
    std::uint64_t Words[2] = {0, Count << 56};
    if (Count >= 8) {
      std::memcpy(&Words[0], At, 8);
      std::memcpy(&Words[1], At + 8, Count - 8);
    } else {
      std::memcpy(&Words[0], At, Count);
    }
    step(Lanes - 1, Words[0], Words[1]);
  }
  struct Value {
    std::uint64_t First, Second;
    bool operator==(const Value &) const = default;
  };
  Value value() const {
    Value Sum = {0, 0};
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      Sum.First = mixed(Sum.First ^ First[Lane]) + 0x9e3779b97f4a7c15ull;
      Sum.Second = mixed(Sum.Second + Second[Lane] * 0xd6e8feb86659fd93ull) ^ Sum.First;
    }
    return {mixed(Sum.First), mixed(Sum.Second)};
  }

private:
  static constexpr unsigned Lanes = 4;
  static constexpr std::uint64_t Room = 16;                      ///< bytes that one step takes
  static constexpr std::uint64_t Single = 0x452821e638d01377ull; ///< multiplied with a single word

  static std::uint64_t folded(std::uint64_t A, std::uint64_t B) {
    __extension__ typedef unsigned __int128 Wide;
    const auto Product = static_cast<Wide>(A) * B;
    return std::uint64_t(Product) ^ std::uint64_t(Product >> 64);
  }
  void step(unsigned Lane, std::uint64_t A, std::uint64_t B) {
    First[Lane] = folded(First[Lane] ^ A, B ^ 0xa4093822299f31d0ull);
    Second[Lane] = folded(Second[Lane] + B, A ^ 0x082efa98ec4e6c89ull);
  }
  void stepAt(unsigned Lane, const char *At) {
    std::uint64_t Words[2];
    std::memcpy(Words, At, Room);
    step(Lane, Words[0], Words[1]);
  }

  // Digits of pi.
  std::uint64_t First[Lanes] = {0x243f6a8885a308d3ull, 0x13198a2e03707344ull, 0xbe5466cf34e90c6cull,
                                0xc0ac29b7c97c50ddull};
  std::uint64_t Second[Lanes] = {0x3f84d5b5b5470917ull, 0x9216d5d98979fb1bull, 0xd1310ba698dfb5acull,
                                 0x2ffd72dbd01adfb7ull};
};

} // namespace memshape
