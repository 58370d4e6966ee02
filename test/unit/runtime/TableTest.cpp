// Hash tables of entries that carry their own links.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" {
#include "tables/table.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

struct Number {
  memshape_entry Entry;
  int Value;
};

const Number *find(const memshape_table &Table, std::uint64_t Hash, int Value) {
  for (memshape_entry **Place = memshape_table_bucket(&Table, Hash); *Place; Place = &(*Place)->next)
    if (auto *Found = reinterpret_cast<const Number *>(*Place); Found->Value == Value)
      return Found;
  return nullptr;
}

TEST(Table, IsEmptyBeforeItsFirstEntry) {
  memshape_table Table = {};
  EXPECT_EQ(*memshape_table_bucket(&Table, 7), nullptr);
}

TEST(Table, KeepsEntriesWhereTheyAreWhileItGrows) {
  memshape_table Table = {};
  std::vector<Number> Numbers(5000);
  for (int I = 0; I < 5000; ++I) {
    Numbers[I] = {{nullptr, std::uint64_t(I % 1000)}, I}; // five of each hash
    ASSERT_TRUE(memshape_table_reserve(&Table));
    memshape_table_add(&Table, &Numbers[I].Entry);
  }
  EXPECT_EQ(Table.count, 5000u);
  EXPECT_GE(Table.bucket_count, Table.count);
  for (int I = 0; I < 5000; ++I)
    EXPECT_EQ(find(Table, I % 1000, I), &Numbers[I]);
}

TEST(Table, TakesOutTheEntryOfAPlace) {
  memshape_table Table = {};
  Number A = {{nullptr, 3}, 1}, B = {{nullptr, 3}, 2};
  ASSERT_TRUE(memshape_table_reserve(&Table));
  memshape_table_add(&Table, &A.Entry);
  ASSERT_TRUE(memshape_table_reserve(&Table));
  memshape_table_add(&Table, &B.Entry);
  memshape_entry **Place = memshape_table_bucket(&Table, 3);
  EXPECT_EQ(memshape_table_remove(&Table, Place), &B.Entry);
  EXPECT_EQ(find(Table, 3, 2), nullptr);
  EXPECT_EQ(find(Table, 3, 1), &A);
  EXPECT_EQ(Table.count, 1u);
}

} // namespace
