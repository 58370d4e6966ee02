/*===- memshape/checkpoint/disk_copy.h - A copy of a state on disk -*- C++ -*-===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* For store() and restore() of <memshape/checkpoint.h>, where states are plain
|* bytes. POSIX.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_CHECKPOINT_DISK_COPY_H
#define MEMSHAPE_CHECKPOINT_DISK_COPY_H

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace memshape::checkpoint {

/// A file without a name: its space is free again when the object, or the process, ends. What the system refuses is
/// thrown as std::system_error.
class DiskCopy {
public:
  /// In a folder of a disk; the folder for temporary files may be memory.
  DiskCopy(const std::string &folder, const void *data, std::size_t bytes) {
    std::string name = folder + "/memshape-XXXXXX";
    file_ = ::mkstemp(name.data());
    if (file_ < 0)
      throw std::system_error(errno, std::generic_category(), "a file for a state cannot be made in " + folder);
    ::unlink(name.c_str());
    try {
      for (std::size_t done = 0; done != bytes;)
        done += moved(::pwrite(file_, static_cast<const char *>(data) + done, bytes - done, ::off_t(done)));
    } catch (...) {
      ::close(file_);
      throw;
    }
  }

  DiskCopy(DiskCopy &&other) noexcept : file_(std::exchange(other.file_, -1)) {}
  DiskCopy &operator=(DiskCopy &&other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~DiskCopy() {
    if (file_ >= 0)
      ::close(file_);
  }

  /// Its first bytes.
  void read(void *data, std::size_t bytes) const {
    for (std::size_t done = 0; done != bytes;)
      done += moved(::pread(file_, static_cast<char *>(data) + done, bytes - done, ::off_t(done)));
  }

private:
  /// Bytes that a call has written or read; a call that a signal interrupted is made again.
  static std::size_t moved(::ssize_t result) {
    if (result > 0)
      return std::size_t(result);
    if (result < 0 && errno == EINTR)
      return 0;
    throw std::system_error(result < 0 ? errno : EIO, std::generic_category(), "the copy of a state on disk");
  }

  int file_ = -1;
};

} // namespace memshape::checkpoint

#endif /* MEMSHAPE_CHECKPOINT_DISK_COPY_H */
