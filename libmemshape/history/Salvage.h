//===- Salvage.h - The records that a damaged store still holds -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SQLite reads a table from its root: what hangs below a lost page is lost to it, and of a file that was cut off it
// reads nothing. The leaves of a table say what they are, though, and each record has a checksum: every page of the
// file is looked at by itself (https://sqlite.org/fileformat2.html).
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_HISTORY_SALVAGE_H
#define MEMSHAPE_TOOLS_HISTORY_SALVAGE_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace memshape {

struct Salvaged {
  std::uint64_t Records = 0; ///< whole ones, with a checksum that is right
  std::uint64_t Missing = 0; ///< records in front of the last whole one that are not among them
};

/// Reads the store at Path, and what was committed to the log beside it, and hands over the document of each record in
/// the order in which they came. IsRecord says of a document and its checksum whether they are a record. Ends where
/// Take says so. Changes nothing; whatever the file holds, it comes to an end.
Salvaged salvage(const std::string &Path, const std::function<bool(std::string_view, std::int64_t)> &IsRecord,
                 const std::function<bool(std::string_view)> &Take);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_HISTORY_SALVAGE_H
