// What a forked process must not share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fork has the files of its parent and none of its threads. A lock of flock()
// belongs to the open file: in a child that lives on, it would outlive the
// parent, and the folder would never be found. O_CLOEXEC helps only where the
// child calls exec().

#pragma once

#include <cstdint>
#include <sys/types.h>

namespace memshape::out_of_core {

/// The process that something was made in. Its number alone does not tell: a child in a namespace of its own may have
/// the same.
class Origin {
public:
  Origin();
  bool isHere() const;

private:
  pid_t Process;
  std::uint64_t Forks;
};

/// An open folder that forked processes close as they begin.
class OwnFolder {
public:
  /// Follows no link unless it is told to. File is negative where that fails, with errno set.
  OwnFolder(int Parent, const char *Name, bool FollowsLinks);
  OwnFolder(const OwnFolder &) = delete;
  ~OwnFolder();

  int file() const { return File; }
  /// Leaves it to the caller to close it.
  int release();

private:
  friend struct OwnFolders;
  int File;
  OwnFolder *Next, **Before;
};

} // namespace memshape::out_of_core
