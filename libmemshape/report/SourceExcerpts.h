//===- SourceExcerpts.h - The lines of source that a report speaks of -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_REPORT_SOURCEEXCERPTS_H
#define MEMSHAPE_TOOLS_REPORT_SOURCEEXCERPTS_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace memshape {

/// Collects places, then reads the files they are in, as far as they are still there.
class SourceExcerpts {
public:
  /// A number for the file; the line, if it is not 0, and some around it will be in the excerpt.
  std::size_t add(const std::string &File, std::uint32_t Line);

  /// One object per file: {"path", "name", "parts": [[first line, text of the lines], ...], "whole"} or, where it
  /// cannot be read, {"path", "name", "missing": why}.
  nlohmann::ordered_json json() const;

private:
  struct File {
    std::string Path;
    std::set<std::uint32_t> Lines;
  };
  std::vector<File> Files;
  std::map<std::string, std::size_t> Numbers;
};

} // namespace memshape

#endif // MEMSHAPE_TOOLS_REPORT_SOURCEEXCERPTS_H
