// Work of making a skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work is counted, not timed, so that the same source gives the same file on a busy machine. Its unit is the cost of
// copying an instruction, about a microsecond.

#pragma once

#include <algorithm>
#include <cstdint>

namespace memshape {

class Effort {
public:
  explicit Effort(uint64_t Allowance = UINT64_MAX) : Allowance(Allowance) {}

  /// Cost of a stage per instruction, and steps of points-to analysis per unit.
  enum Cost : uint64_t { Copying = 1, Quick = 4, Thorough = 8, Loops = 4, Marking = 2, Slicing = 4, Emitting = 16 };
  static constexpr uint64_t StepsOfPointers = 100;
  /// Least cost of most operators, per instruction that they reach.
  static constexpr uint64_t Least = 12;

  /// Adds to the work done. False if it exceeds the limit; then nothing more should be begun.
  bool spend(Cost Each, uint64_t Instructions) {
    Spent += Each * Instructions;
    return !isExhausted();
  }
  /// Lifts the limit, for an operator that is nearly finished.
  void allowAll() { Allowance = UINT64_MAX; }
  bool isExhausted() const { return Spent > Allowance; }
  uint64_t spent() const { return Spent; }
  uint64_t left() const { return Allowance - std::min(Spent, Allowance); }

private:
  uint64_t Allowance, Spent = 0;
};

} // namespace memshape
