// Files that a user names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Try.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

constexpr std::size_t LongestLine = std::size_t(1) << 28;

static Failure cannotRead(const std::string &Path, const std::string &Why) {
  return Failure{"cannot read '" + Path + "': " + Why};
}

Result<InputFile> InputFile::open(const std::string &Path) {
  // Without O_NONBLOCK a named pipe would wait for its writer.
  InputFile File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat Status;
  if (File.Opened < 0 || ::fstat(File.Opened, &Status) != 0)
    return cannotRead(Path, std::strerror(errno));
  if (!S_ISREG(Status.st_mode))
    return cannotRead(Path, S_ISDIR(Status.st_mode) ? "it is a directory" : "it is not a regular file");
  File.Size = static_cast<std::uint64_t>(Status.st_size);
  return File;
}

Result<std::string> readFile(const std::string &Path, std::uint64_t Most) {
  MEMSHAPE_TRY(InputFile File, InputFile::open(Path));
  std::string Text;
  // To its end, not to its size: files of /proc have none.
  while (Text.size() <= Most) {
    char Part[4096];
    const ssize_t Count = ::read(File.descriptor(), Part, sizeof Part);
    if (Count == 0)
      return Text;
    if (Count > 0)
      Text.append(Part, static_cast<std::size_t>(Count));
    else if (errno != EINTR)
      return cannotRead(Path, std::strerror(errno));
  }
  return cannotRead(Path, "it is too large: at most " + std::to_string(Most) + " bytes are read");
}

std::optional<Failure> checkInput(const std::string &Path) {
  const Result<InputFile> File = InputFile::open(Path);
  return File ? std::nullopt : std::optional(File.failure());
}

bool nextLine(std::istream &From, std::string &Line) {
  Line.clear();
  for (int C = From.get(); C != std::istream::traits_type::eof(); C = From.get()) {
    if (C == '\n')
      return true;
    if (Line.size() == LongestLine) {
      From.setstate(std::ios::badbit);
      return false;
    }
    Line.push_back(static_cast<char>(C));
  }
  return !Line.empty();
}

} // namespace memshape
