// Recovers the records of a damaged store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SQLite reads a table from its root: it loses what is below a damaged page, and of a truncated file it reads nothing.
// But leaf pages are recognisable, and each record has a checksum. So this reads every page of the file by itself
// (https://sqlite.org/fileformat2.html).

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace memshape {

struct Salvaged {
  std::uint64_t Records = 0; ///< complete ones, with a correct checksum
  std::uint64_t Missing = 0; ///< records before the last complete one that were not found
};

/// Reads the store at Path, and what was committed to its log. Passes the document of each record to Take, in the order
/// in which they were added, until Take returns false. IsRecord checks a document and its checksum. Changes nothing,
/// and ends for any contents of the file.
Salvaged salvage(const std::string &Path, const std::function<bool(std::string_view, std::int64_t)> &IsRecord,
                 const std::function<bool(std::string_view)> &Take);

} // namespace memshape
