// The lines of source that a report speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/SourceText.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace memshape {

/// Collects places, then reads their files, if these still exist.
class SourceExcerpts {
public:
  SourceFolders Shown; ///< what may be read

  /// Returns a number for the file. If the line is not 0, the excerpt contains it and some lines around it.
  std::size_t add(const std::string &File, std::uint32_t Line);

  /// One object per file: {"path", "name", "parts": [[first line, text of the lines], ...], "whole"} or, if the file
  /// cannot be read, {"path", "name", "missing": reason}.
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
