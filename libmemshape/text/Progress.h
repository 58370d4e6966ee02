// A progress line on the terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written to standard error if that is a terminal, and only for work of more than a second. The line is erased before
// anything else is printed. Nothing is written to a file or a pipe.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace memshape {

class Progress {
public:
  /// What: a name of the work, such as "report". The line ends with the object.
  explicit Progress(std::string What);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What is being done now; Done of All parts are finished. All = 0: no count.
  void at(const std::string &Part, std::size_t Done = 0, std::size_t All = 0);

private:
  struct Line;
  std::unique_ptr<Line> Shown; ///< null if the line is not shown
};

} // namespace memshape
