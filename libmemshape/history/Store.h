// The store of past runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An SQLite database: several processes may write at the same time, and committed data survive a kill or a power cut
// (write-ahead log, synchronised). Every record has a checksum.

#pragma once

#include "libmemshape/history/RunLine.h"

#include <functional>
#include <map>
#include <string>

struct sqlite3;

namespace memshape {

/// The default path of the store: $XDG_DATA_HOME/memshape/history.sqlite, or the same below $HOME/.local/share.
Result<std::string> defaultStorePath();
/// Chosen, or the default if it is empty.
Result<std::string> storePath(const std::string &Chosen);

class Store {
public:
  enum class Purpose { Read, Write };

  /// Opens a store. For writing, a missing one is created, folders included. Fails without changing anything for a file
  /// that is no store, a store of a newer memshape, or a damaged one.
  static Result<Store> open(const std::string &Path, Purpose For);

  Store(Store &&) noexcept;
  Store &operator=(Store &&) noexcept;
  ~Store();

  /// Adds records, all or none. Next returns one after the other, nothing at the end, or a Failure. Returns their
  /// number.
  Result<std::uint64_t> add(const std::function<Result<std::optional<RunEntry>>()> &Next);
  Result<std::uint64_t> add(const std::vector<RunEntry> &Entries);

  /// Records of an operator in the order in which they were added: the newest, and of the older ones those with the
  /// largest peaks, Most in all. Only those of one function if Like is given: see areAlike.
  Result<std::vector<RunEntry>> runsOf(const std::string &Operator, std::size_t Most,
                                       const RunEntry *Like = nullptr) const;

  /// The newest record of each function of an operator's name, newest first: see areAlike.
  Result<std::vector<RunEntry>> functionsOf(const std::string &Operator) const;

  /// Names of the operators with the newest records, newest first, Most in all.
  Result<std::vector<std::string>> newestOperators(std::size_t Most) const;

  /// Names with the count of their records, in alphabetical order.
  Result<std::vector<std::pair<std::string, std::uint64_t>>> operators() const;

  /// Passes the documents to Take, in the order in which they were added, until Take returns false. Of a damaged store
  /// it passes those that can be read and whose checksum holds, and then fails.
  Result<std::uint64_t> forEach(const std::function<bool(std::string_view)> &Take) const;

private:
  Store(sqlite3 *Database, std::string Path) : Database(Database), Path(std::move(Path)) {}
  Failure failure() const;
  Result<std::vector<std::int64_t>> functionIds(const std::string &Operator) const;
  /// The newest and the largest records of an operator, or of one function if given.
  std::optional<Failure> readSome(const std::string &Operator, std::optional<std::int64_t> Function, std::size_t Most,
                                  std::map<std::int64_t, RunEntry> &Into) const;

  sqlite3 *Database;
  std::string Path;
  bool HasFunctions = false; ///< records have the column `function`, since version 3 of the schema
};

} // namespace memshape
