//===- OutputFile.h - A file that appears whole or not at all -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_OUTPUTFILE_H
#define MEMSHAPE_RUN_OUTPUTFILE_H

#include "libmemshape/text/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace memshape {

/// Opened early, so that an unwritable place is found before the work is done; nothing is seen there before commit.
class OutputFile {
public:
  /// A new file at Path, or the device or pipe that is there already.
  static Result<std::unique_ptr<OutputFile>> open(const std::string &Path);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Writes Text and moves the file to its place; a failure leaves what was there before.
  Result<bool> commit(std::string_view Text);

private:
  OutputFile(std::string Path, std::string Draft, int Descriptor)
      : Path(std::move(Path)), Draft(std::move(Draft)), Descriptor(Descriptor) {}
  std::string Path;
  std::string Draft; ///< the file that becomes Path; "" when Path itself is written
  int Descriptor;
};

/// Whether lines can be appended to Path; makes nothing.
Result<bool> checkAppendable(const std::string &Path);

/// Appends Line and a newline in one write, so that lines of concurrent runs do not mix.
Result<bool> appendLine(const std::string &Path, std::string_view Line);

} // namespace memshape

#endif // MEMSHAPE_RUN_OUTPUTFILE_H
