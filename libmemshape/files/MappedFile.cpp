//===- MappedFile.cpp - A file as read-only memory ------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/files/MappedFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

Result<MappedFile> MappedFile::open(const std::string &Path) {
  auto Refuse = [&](const std::string &Why) { return Failure{"cannot read '" + Path + "': " + Why}; };
  // Without O_NONBLOCK a named pipe would wait for its writer.
  int Descriptor = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (Descriptor < 0)
    return Refuse(std::strerror(errno));
  struct stat Status;
  if (::fstat(Descriptor, &Status) != 0) {
    int Reason = errno;
    ::close(Descriptor);
    return Refuse(std::strerror(Reason));
  }
  if (!S_ISREG(Status.st_mode)) {
    ::close(Descriptor);
    return Refuse(S_ISDIR(Status.st_mode) ? "it is a directory" : "it is not a regular file");
  }
  if (Status.st_size == 0) {
    ::close(Descriptor);
    return MappedFile(Bytes());
  }
  auto Size = static_cast<std::uint64_t>(Status.st_size);
  void *Memory = ::mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, Descriptor, 0);
  int Reason = errno;
  ::close(Descriptor);
  if (Memory == MAP_FAILED)
    return Refuse(std::strerror(Reason));
  return MappedFile(Bytes(static_cast<const std::uint8_t *>(Memory), Size));
}

MappedFile::~MappedFile() {
  if (View.size())
    ::munmap(const_cast<std::uint8_t *>(View.data()), View.size());
}

} // namespace memshape
