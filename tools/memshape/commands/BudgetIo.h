// What a budget of memory will cost in I/O.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/memshape.h"

#include <nlohmann/json_fwd.hpp>

namespace memshape {

/// What a call writes where less memory than its heap is there. That each byte of it is written before it leaves, and
/// used again, is assumed: bytes that never were cost nothing.
struct BudgetIo {
  struct Range {
    std::uint64_t Lower = 0;
    std::optional<std::uint64_t> Upper; ///< nothing where no bound exists
  };
  std::uint64_t Budget = 0, Peak = 0; ///< of the heap, expected
  bool Exact = false;                 ///< the heap
  Range Beyond;                       ///< the budget at the peak: elsewhere then, whatever is chosen
  std::uint64_t BeyondExpected = 0;
  Range Displaced; ///< by allocations alone, over the call
  Range Written;   ///< and read back; what is used again while the memory is full comes on top of Displaced
};

BudgetIo ioOf(const v1::Heap &Heap, std::uint64_t Budget);

/// The member `io` of memshape.prediction/1.
nlohmann::ordered_json budgetJson(const BudgetIo &Io);

/// What follows on the page.
std::string budgetText(const BudgetIo &Io);

} // namespace memshape
