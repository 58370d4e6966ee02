// Which states are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/states/StateTable.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace memshape;

static StateHash::Value hashOf(const std::string &Bytes) {
  StateHash Hash;
  Hash.add(Bytes.data(), Bytes.size());
  return Hash.value();
}

TEST(StateTable, KeepsANumberForEachStateWhileItGrows) {
  StateTable Known;
  constexpr std::uint64_t Many = 20'000;
  for (std::uint64_t Number = 0; Number < Many; ++Number) {
    // Places that are taken by others, and fingerprints that differ in one half only.
    const auto [Kept, New] = Known.find({Number % 100, Number});
    ASSERT_TRUE(New);
    *Kept = std::uint32_t(Number);
  }
  EXPECT_EQ(Known.size(), Many);
  for (std::uint64_t Number = 0; Number < Many; ++Number) {
    const auto [Kept, New] = Known.find({Number % 100, Number});
    ASSERT_FALSE(New);
    ASSERT_EQ(*Kept, Number);
  }
}

TEST(StateHash, TellsEachByteAndEachLengthApart) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> Seen;
  std::size_t Added = 0;
  for (std::size_t Length : {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 200}) {
    const std::string Zeros(Length, '\0');
    const StateHash::Value Same = hashOf(Zeros);
    EXPECT_EQ(hashOf(Zeros), Same);
    Seen.insert({Same.First, Same.Second}), ++Added;
    for (std::size_t At = 0; At < Length; ++At)
      for (const char Value : {'\1', '\x80'}) {
        std::string Changed = Zeros;
        Changed[At] = Value;
        const StateHash::Value Other = hashOf(Changed);
        Seen.insert({Other.First, Other.Second}), ++Added;
      }
  }
  EXPECT_EQ(Seen.size(), Added);
}

TEST(StateHash, TellsTheOrderApart) {
  StateHash A, B;
  A.add(1), A.add(2);
  B.add(2), B.add(1);
  EXPECT_FALSE(A.value() == B.value());
  std::string Forwards(128, '\0'), Backwards(128, '\0');
  Forwards[0] = Backwards[64] = 1; // the same lane
  EXPECT_FALSE(hashOf(Forwards) == hashOf(Backwards));
}
