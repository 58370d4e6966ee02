// Colours and width of the terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

struct Terminal {
  bool Colours = false;
  bool Unicode = false;
  std::size_t Width = 0; ///< columns; 0: no limit

  /// The capabilities of a file descriptor. Files and pipes have neither colours nor a width. There are no colours if
  /// the variable NO_COLOR is not empty (no-color.org) or TERM is "dumb".
  static Terminal of(int Descriptor);
};

enum class Ink { Strong, Quiet, Accent, Warning };

/// Text in an ink, if the terminal has colours.
std::string inked(const std::string &Text, Ink How, const Terminal &Screen);

/// Columns that a line takes: UTF-8 characters, without escape sequences of colours.
std::size_t columnsOf(const std::string &Text);

/// Breaks lines that are wider than the terminal at blanks; continuations are aligned with the last column of text.
std::string fitted(const std::string &Page, const Terminal &Screen);

/// One character for each of Values, from low to high; at most Columns, each the highest of its range.
std::string sparkline(const std::vector<std::int64_t> &Values, std::int64_t Highest, std::size_t Columns,
                      const Terminal &Screen);

} // namespace memshape
