//===- Effort.h - How much work the making of a skeleton is -----*- C++ -*-===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is counted, not timed: the same source gives the same file on a loaded machine. Its unit is what it takes to
// copy an instruction, which is about a microsecond.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_EFFORT_H
#define MEMSHAPE_EFFORT_H

#include <algorithm>
#include <cstdint>

namespace memshape {

class Effort {
public:
  explicit Effort(uint64_t Allowance = UINT64_MAX) : Allowance(Allowance) {}

  /// What a stage costs for each instruction that it looks at, and how many steps of points-to analysis cost as much as
  /// a copy.
  enum Cost : uint64_t { Copying = 1, Quick = 4, Thorough = 8, Loops = 4, Marking = 2, Slicing = 4, Emitting = 16 };
  static constexpr uint64_t StepsOfPointers = 100;
  /// What an operator takes at least, in most cases, for each instruction that it reaches.
  static constexpr uint64_t Least = 12;

  /// False where it comes to more than is allowed: nothing should be begun any more.
  bool spend(Cost Each, uint64_t Instructions) {
    Spent += Each * Instructions;
    return !isExhausted();
  }
  /// For an operator of which so much is done that it had better be ended.
  void allowAll() { Allowance = UINT64_MAX; }
  bool isExhausted() const { return Spent > Allowance; }
  uint64_t spent() const { return Spent; }
  uint64_t left() const { return Allowance - std::min(Spent, Allowance); }

private:
  uint64_t Allowance, Spent = 0;
};

} // namespace memshape

#endif // MEMSHAPE_EFFORT_H
