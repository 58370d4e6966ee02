//===- Progress.h - A line that says what takes so long -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On standard error, where that is a terminal, and only of what has taken more than a second. The line is gone before
// anything else is printed. Nothing is ever written to a file or a pipe.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_PROGRESS_H
#define MEMSHAPE_TOOLS_PROGRESS_H

#include <cstddef>
#include <memory>
#include <string>

namespace memshape {

class Progress {
public:
  /// What: a word for the work, as in "report". It ends with the object.
  explicit Progress(std::string What);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What is being done now; Done of All such parts are ready. All = 0: there is no count.
  void at(const std::string &Part, std::size_t Done = 0, std::size_t All = 0);

private:
  struct Line;
  std::unique_ptr<Line> Shown; ///< nothing where nobody would see it
};

} // namespace memshape

#endif // MEMSHAPE_TOOLS_PROGRESS_H
