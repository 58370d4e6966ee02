// One SQL statement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <sqlite3.h>
#include <string_view>

namespace memshape {

class Statement {
public:
  Statement(sqlite3 *Database, const char *Text) {
    Status = sqlite3_prepare_v2(Database, Text, -1, &Prepared, nullptr);
  }
  ~Statement() { sqlite3_finalize(Prepared); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  /// Parameters count from 1. The text must live until the next step.
  void bind(int Index, std::int64_t Value) { sqlite3_bind_int64(Prepared, Index, Value); }
  void bind(int Index, double Value) { sqlite3_bind_double(Prepared, Index, Value); }
  void bind(int Index, std::string_view Text) {
    sqlite3_bind_text(Prepared, Index, Text.data(), static_cast<int>(Text.size()), SQLITE_STATIC);
  }

  /// True with a row; false at the end or at an error: status() tells.
  bool step() {
    if (Status != SQLITE_OK && Status != SQLITE_ROW)
      return false;
    Status = sqlite3_step(Prepared);
    return Status == SQLITE_ROW;
  }
  /// Resets the statement for new values and another execution.
  void again() {
    sqlite3_reset(Prepared);
    Status = SQLITE_OK;
  }
  /// SQLITE_OK, _ROW and _DONE mean success.
  int status() const { return Status; }
  bool well() const { return Status == SQLITE_OK || Status == SQLITE_ROW || Status == SQLITE_DONE; }

  /// Columns count from 0.
  std::int64_t integer(int Column) const { return sqlite3_column_int64(Prepared, Column); }
  std::string_view text(int Column) const {
    const auto *Bytes = reinterpret_cast<const char *>(sqlite3_column_text(Prepared, Column));
    return Bytes ? std::string_view(Bytes, static_cast<std::size_t>(sqlite3_column_bytes(Prepared, Column)))
                 : std::string_view();
  }

private:
  sqlite3_stmt *Prepared = nullptr;
  int Status;
};

} // namespace memshape
