// A folder of one store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   PARENT/memshape-ooc-XXXXXX/     0700; locked with flock() for as long as its process lives
//     17-1                          0600; executor 17 as it was written the first time
//     statistics                    0600; what the store has done: <memshape/out_of_core/record.h>
//
// The system gives the lock back when a process ends, however it ends: a folder
// that can be locked belongs to nobody any more.

#pragma once

#include "Forks.h"

#include <filesystem>
#include <memory>
#include <memshape/checkpoint/descriptor.h>
#include <string>

namespace memshape::out_of_core {

using checkpoint::Descriptor;

class Folder {
public:
  /// Makes a folder in Parent, which is made where it is missing, and removes those that are left over there.
  explicit Folder(const std::filesystem::path &Parent);
  /// Removes it with its files; not in a process that was forked from the one that made it.
  ~Folder();
  Folder(const Folder &) = delete;

  int file() const { return Own->file(); }
  const std::filesystem::path &path() const { return Path; }
  void remove(const std::string &Name) const;

private:
  std::filesystem::path Path;
  Origin Here;
  std::unique_ptr<OwnFolder> Parent, Own;
  std::string NameInParent;
};

} // namespace memshape::out_of_core
