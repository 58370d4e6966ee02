//===- Store.h - Runs of the past, in one file ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SQLite database: several processes may write at the same time, and what was committed survives a kill or a power
// cut (write-ahead log, synchronised). Every record carries a checksum.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_HISTORY_STORE_H
#define MEMSHAPE_TOOLS_HISTORY_STORE_H

#include "libmemshape/history/RunLine.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

struct sqlite3;

namespace memshape {

/// Where the store lies unless the user says otherwise: $XDG_DATA_HOME/memshape/history.sqlite, or the same below
/// $HOME/.local/share.
Result<std::string> defaultStorePath();
/// Chosen, or the default where it is empty.
Result<std::string> storePath(const std::string &Chosen);

class Store {
public:
  enum class Purpose { Read, Write };

  /// Opens a store; to write, one that is not there is made, folders included. Refused, with nothing changed: a file
  /// that is no store, one that a newer memshape made, a damaged one.
  static Result<Store> open(const std::string &Path, Purpose For);

  Store(Store &&) noexcept;
  Store &operator=(Store &&) noexcept;
  ~Store();

  /// Adds records, all or none: Next gives one after the other, nothing at the end, or a Failure. Returns their number.
  Result<std::uint64_t> add(const std::function<Result<std::optional<RunEntry>>()> &Next);
  Result<std::uint64_t> add(const std::vector<RunEntry> &Entries);

  /// Records of an operator in the order in which they came: the newest, and among the older ones those with the
  /// largest peaks, Most in all. Of one function alone where Like is given: see areAlike.
  Result<std::vector<RunEntry>> runsOf(const std::string &Operator, std::size_t Most,
                                       const RunEntry *Like = nullptr) const;

  /// One record of each function of an operator's name, that of the newest first: see areAlike.
  Result<std::vector<RunEntry>> functionsOf(const std::string &Operator) const;

  /// Names of the operators that came last, newest first, Most in all.
  Result<std::vector<std::string>> newestOperators(std::size_t Most) const;

  /// Names with the count of their records, in alphabetical order.
  Result<std::vector<std::pair<std::string, std::uint64_t>>> operators() const;

  /// The document of every record, in the order in which they came. Each is checked. Ends where Take says so.
  Result<std::uint64_t> forEach(const std::function<bool(std::string_view)> &Take) const;

  /// The same of a store that may be damaged: those that are whole, and then a failure that says so.
  static Result<std::uint64_t> forEachWhole(const std::string &Path, const std::function<bool(std::string_view)> &Take);

private:
  Store(sqlite3 *Database, std::string Path) : Database(Database), Path(std::move(Path)) {}
  Failure failure() const;
  Result<std::vector<std::int64_t>> functionIds(const std::string &Operator) const;
  /// The newest and the largest records of an operator, of one function where it is given.
  std::optional<Failure> readSome(const std::string &Operator, std::optional<std::int64_t> Function, std::size_t Most,
                                  std::map<std::int64_t, RunEntry> &Into) const;

  sqlite3 *Database;
  std::string Path;
  bool HasFunctions = false; ///< records say which function they are of, since version 3 of the schema
};

} // namespace memshape

#endif // MEMSHAPE_TOOLS_HISTORY_STORE_H
