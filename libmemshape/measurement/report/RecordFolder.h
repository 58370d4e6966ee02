// Where the processes of a run count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

namespace memshape {

/// A temporary folder for the records of one run. In memory rather than on disk if possible: the kernel would write the
/// pages of a file on disk back while the program counts in them. Locked as long as this object lives: folders of runs
/// that were killed are not, and the next run removes those that no process counts in any more.
class RecordFolder {
public:
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder &) = delete;
  RecordFolder &operator=(const RecordFolder &) = delete;

  /// Empty when none could be made.
  const std::filesystem::path &path() const { return Path; }

private:
  std::filesystem::path Path;
  int Lock = -1;
};

} // namespace memshape
