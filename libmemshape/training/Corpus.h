// Runs and sources of many operators, and what they teach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/residency/Importance.h"

#include <map>
#include <optional>

namespace memshape {

/// What files say together: runs of operators (memshape.run/1) and their sources (memshape.source/1), as JSON lines.
class CorpusReader {
public:
  /// Adds the records of a file. A Failure names the file and the line.
  std::optional<Failure> read(const std::string &Path);

  /// Operators with runs in alphabetical order, each operator's smallest run first.
  std::vector<StudiedOperator> corpus() const;

  unsigned long checksum() const { return Checksum; } ///< CRC-32 of the lines about runs
  std::size_t count() const { return Count; }         ///< of runs

private:
  std::optional<Failure> take(const std::string &Line);

  std::map<std::string, StudiedOperator> ByName;
  unsigned long Checksum = 0; ///< as crc32() of zlib begins
  std::size_t Count = 0;
};

/// The page of `memshape train --explain`.
std::string importancePage(const Importance &Found, const Prior &Trained);

} // namespace memshape
