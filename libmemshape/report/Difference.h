// What changed between two builds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators are matched by their linker's names. Places are not compared by line, so moving code is no change.

#pragma once

#include "libmemshape/report/Report.h"

namespace memshape {

/// A figure or formula that differs; empty if there is none on that side.
struct ChangedLine {
  std::string What, Before, After;
};

/// Sites of one function and formula, or decisions of one function and condition.
struct ChangedPlace {
  std::string Where;                 ///< the newer place if it exists in both
  std::string Words;                 ///< function, and formula or condition
  std::size_t Before = 0, After = 0; ///< how many there are
};

struct OperatorDifference {
  std::string Operator;
  enum class Kind { New, Vanished, Changed } What = Kind::Changed;
  std::vector<ChangedLine> Lines;
  std::vector<ChangedPlace> Sites, Decisions;
};

/// Operators that differ, in the order of the newer build, those that vanished last.
std::vector<OperatorDifference> differences(const std::vector<FileReport> &Before,
                                            const std::vector<FileReport> &After);

std::string differencePage(const std::vector<OperatorDifference> &Changes, const Terminal &Screen = {});

/// memshape.difference/1 of docs/commands.md.
std::string differenceJson(const std::vector<OperatorDifference> &Changes);

} // namespace memshape
