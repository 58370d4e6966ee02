// The records of memshape in a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/Records.h"

namespace memshape {

/// An executable, shared library, object file or archive that was compiled with the flag.
struct InstrumentedFile {
  std::string Path;
  std::vector<Record> Records;
  std::vector<std::string> Libraries; ///< DT_NEEDED; a path if the file's run path leads to it
  std::vector<std::string> Imports{}; ///< symbols that others have to define
  std::uint64_t ProgramBytes = 0;     ///< of an executable, what of it is loaded from the file; 0 of others
};

/// Reads a file; a Failure names it.
Result<InstrumentedFile> readInstrumentedFile(const std::string &Path);

/// The same for bytes in memory, called Path in messages.
Result<InstrumentedFile> readInstrumentedBytes(Bytes File, const std::string &Path);

} // namespace memshape
