//===- OutputFile.cpp - Output that is there as a whole or not at all -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/files/OutputFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

namespace {

/// False with errno set where not all was written.
bool writeAll(int Descriptor, const std::string &Text) {
  for (std::size_t Done = 0; Done < Text.size();) {
    ssize_t Count = ::write(Descriptor, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return false;
    Done += static_cast<std::size_t>(Count);
  }
  return true;
}

} // namespace

std::optional<Failure> writeOutput(const std::string &Path, const std::string &Text) {
  auto Refuse = [&](int Reason) { return Failure{"cannot write '" + Path + "': " + std::strerror(Reason)}; };
  struct stat Status;
  mode_t Mode = 0;
  if (::stat(Path.c_str(), &Status) == 0) {
    if (S_ISDIR(Status.st_mode))
      return Refuse(EISDIR);
    if (!S_ISREG(Status.st_mode)) {
      int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
      bool Written = Descriptor >= 0 && writeAll(Descriptor, Text);
      int Reason = errno;
      if (Descriptor >= 0)
        ::close(Descriptor);
      if (!Written)
        return Refuse(Reason);
      return std::nullopt;
    }
    // Renaming would get around the file's own protection.
    if (::access(Path.c_str(), W_OK) != 0)
      return Refuse(errno);
    Mode = Status.st_mode & 0777;
  } else {
    Mode = ::umask(0);
    ::umask(Mode);
    Mode = 0666 & ~Mode;
  }
  // Through a symbolic link, so that the link stays one.
  std::string Target = Path;
  if (char *Real = ::realpath(Path.c_str(), nullptr)) {
    Target = Real;
    std::free(Real);
  }
  std::string Temporary = Target + ".XXXXXX";
  int Descriptor = ::mkostemp(Temporary.data(), O_CLOEXEC);
  if (Descriptor < 0)
    return Refuse(errno);
  bool Written = writeAll(Descriptor, Text) && ::fchmod(Descriptor, Mode) == 0;
  int Reason = errno;
  if (::close(Descriptor) != 0 && Written) {
    Written = false;
    Reason = errno;
  }
  if (Written && ::rename(Temporary.c_str(), Target.c_str()) != 0) {
    Written = false;
    Reason = errno;
  }
  if (Written)
    return std::nullopt;
  ::unlink(Temporary.c_str());
  return Refuse(Reason);
}

} // namespace memshape
