// Files that a user names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include <memshape/checkpoint/descriptor.h>

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace memshape {

/// A regular file, open for reading. What is none is refused: a pipe waits for its writer, and a device may never end.
/// Messages are whole: "cannot read 'a.json': it is a directory".
class InputFile {
public:
  static Result<InputFile> open(const std::string &Path);
  int descriptor() const { return Opened; }
  std::uint64_t size() const { return Size; }

private:
  explicit InputFile(int Number) : Opened(Number) {}

  checkpoint::Descriptor Opened;
  std::uint64_t Size = 0; ///< bytes, when it was opened
};

/// The file's bytes. Refuses a file of more than Most.
Result<std::string> readFile(const std::string &Path, std::uint64_t Most);

/// Why Path is no InputFile; for those who open it by its name.
std::optional<Failure> checkInput(const std::string &Path);

/// A line without its end, as std::getline, but a line of more than 256 MiB ends the stream as a bad one does.
bool nextLine(std::istream &From, std::string &Line);

} // namespace memshape
