// What a store says of itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include <memshape/checkpoint/descriptor.h>

#include <memshape/out_of_core/record.h>

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace memshape {

using StoreRecord = out_of_core::StoreRecord;

/// The figures in these bytes; Name says what they are from where they are refused.
Result<StoreRecord> readStoreRecord(std::string_view Bytes, const std::string &Name);

/// The file of a store's record, open: it can be read when its store is gone too.
class StoreFile {
public:
  /// Folder: the store's, which stands in messages.
  static Result<StoreFile> open(const std::string &Path, const std::string &Folder);
  /// Again where the store is writing it.
  Result<StoreRecord> read() const;
  const std::string &folder() const { return Folder; }
  bool isSameAs(const StoreFile &Other) const { return Device == Other.Device && Inode == Other.Inode; }

private:
  StoreFile(int Number, std::string Folder) : Opened(Number), Folder(std::move(Folder)) {}
  checkpoint::Descriptor Opened;
  std::string Folder;
  dev_t Device = 0;
  ino_t Inode = 0;
};

/// What was found, and why something else could not be read.
struct FoundStores {
  std::vector<StoreFile> Files;
  std::vector<Failure> Unreadable;
};

/// Those whose folders the process holds open.
FoundStores storesOfProcess(int Pid);

/// That of a store's own folder, or those of the stores that have theirs in this one.
FoundStores storesInFolder(const std::string &Folder);

} // namespace memshape
