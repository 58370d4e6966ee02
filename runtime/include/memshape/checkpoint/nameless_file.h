/* Bytes on disk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What copies of states on disk are made of. POSIX. */

#pragma once

#include <memshape/checkpoint/descriptor.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace memshape::checkpoint {

/// Its space is free again when the object, or the process, ends; programs that the process starts do not keep it. What
/// the system refuses is thrown as std::system_error.
class NamelessFile {
public:
  explicit NamelessFile(const std::string &folder) {
    std::string name = folder + "/memshape-XXXXXX";
    file_ = Descriptor(::mkstemp(name.data()));
    if (file_ < 0)
      throw std::system_error(errno, std::generic_category(), "a file for a state cannot be made in " + folder);
    ::unlink(name.c_str());
    ::fcntl(file_, F_SETFD, FD_CLOEXEC);
  }

  void write(const void *data, std::size_t bytes, std::uint64_t place = 0) const {
    for (std::size_t done = 0; done != bytes;)
      done += moved(::pwrite(file_, static_cast<const char *>(data) + done, bytes - done, ::off_t(place + done)));
  }

  void read(void *data, std::size_t bytes, std::uint64_t place = 0) const {
    for (std::size_t done = 0; done != bytes;)
      done += moved(::pread(file_, static_cast<char *>(data) + done, bytes - done, ::off_t(place + done)));
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

  Descriptor file_;
};

} // namespace memshape::checkpoint
