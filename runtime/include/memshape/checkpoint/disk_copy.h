/* A copy of a state on disk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For store() and restore() of <memshape/checkpoint.h>, where states are plain
   bytes. POSIX. */

#pragma once

#include <memshape/checkpoint/nameless_file.h>

namespace memshape::checkpoint {

/// A file without a name: its space is free again when the object, or the process, ends. What the system refuses is
/// thrown as std::system_error. A process may have some thousand files open, often 1,024: a DiskPool has one for all.
class DiskCopy {
public:
  /// In a folder of a disk; the folder for temporary files may be memory.
  DiskCopy(const std::string &folder, const void *data, std::size_t bytes) : file_(folder) { file_.write(data, bytes); }

  /// Its first bytes.
  void read(void *data, std::size_t bytes) const { file_.read(data, bytes); }

private:
  NamelessFile file_;
};

} // namespace memshape::checkpoint
