// What a store says of itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/stores/StoreFile.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace memshape {
namespace {

namespace fs = std::filesystem;
using out_of_core::RecordState;

/// A store writes for microseconds: what is damaged after all of these stays so.
constexpr int MostTries = 50;
constexpr std::chrono::milliseconds BetweenTries{1};

bool isStoreFolder(const fs::path &Path) { return Path.filename().string().starts_with(out_of_core::folder_prefix); }

std::string recordIn(const fs::path &Folder) { return (Folder / out_of_core::record_name).string(); }

void add(FoundStores &To, const std::string &Path, const std::string &Folder) {
  Result<StoreFile> Opened = StoreFile::open(Path, Folder);
  if (Opened)
    To.Files.push_back(std::move(*Opened));
  else
    To.Unreadable.push_back(Opened.failure());
}

} // namespace

Result<StoreRecord> readStoreRecord(std::string_view Bytes, const std::string &Name) {
  StoreRecord Found;
  switch (out_of_core::parse_record(Bytes.data(), Bytes.size(), Found)) {
  case RecordState::whole: return Found;
  case RecordState::foreign: return Failure{Name + " is not the record of a store"};
  case RecordState::other_version:
    return Failure{Name + ": record of a store, of version " + std::to_string(Found.version) +
                   "; this memshape reads version " + std::to_string(out_of_core::record_version)};
  default: return Failure{Name + ": damaged record of a store"};
  }
}

Result<StoreFile> StoreFile::open(const std::string &Path, const std::string &Folder) {
  const std::string Name = Folder + "/" + out_of_core::record_name;
  StoreFile File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), Folder);
  if (File.Opened < 0)
    return Failure{"cannot read " + Name + ": " + std::strerror(errno) +
                   (errno == EACCES ? ": a store is watched by its own user or by root" : "")};
  struct stat Status;
  if (fstat(File.Opened, &Status) != 0 || !S_ISREG(Status.st_mode))
    return Failure{Name + " is not the record of a store"};
  File.Device = Status.st_dev;
  File.Inode = Status.st_ino;
  return File;
}

Result<StoreRecord> StoreFile::read() const {
  for (int Try = 1;; ++Try) {
    char Bytes[sizeof(StoreRecord)];
    const ssize_t Count = pread(Opened, Bytes, sizeof Bytes, 0);
    if (Count < 0 && errno != EINTR)
      return Failure{"cannot read " + Folder + "/" + out_of_core::record_name + ": " + std::strerror(errno)};
    Result<StoreRecord> Found = readStoreRecord({Bytes, Count < 0 ? 0 : static_cast<std::size_t>(Count)},
                                                Folder + "/" + out_of_core::record_name);
    if (Found || Try == MostTries)
      return Found;
    std::this_thread::sleep_for(BetweenTries);
  }
}

FoundStores storesOfProcess(int Pid) {
  FoundStores Found;
  std::error_code Error;
  const fs::directory_iterator Open("/proc/" + std::to_string(Pid) + "/fd", Error);
  for (auto Each = begin(Open); !Error && Each != end(Open); Each.increment(Error)) {
    std::error_code Gone; // closed meanwhile
    const fs::path Target = fs::read_symlink(Each->path(), Gone);
    // The open folder leads to the file, also where its path means another one here. None: it is removed, or just made.
    if (!Gone && isStoreFolder(Target) && fs::exists(fs::symlink_status(recordIn(Each->path()), Gone)))
      add(Found, recordIn(Each->path()), Target.string());
  }
  return Found;
}

FoundStores storesInFolder(const std::string &Folder) {
  FoundStores Found;
  std::error_code Error;
  if (fs::exists(fs::symlink_status(recordIn(Folder), Error))) {
    add(Found, recordIn(Folder), Folder);
    return Found;
  }
  const fs::directory_iterator Entries(Folder, Error);
  if (Error)
    Found.Unreadable.push_back(
        {"cannot read " + Folder + ": " + Error.message() +
         (Error == std::errc::permission_denied ? ": a store is watched by its own user or by root" : "")});
  for (auto Each = begin(Entries); !Error && Each != end(Entries); Each.increment(Error))
    if (std::error_code Ignored;
        isStoreFolder(Each->path()) && fs::symlink_status(Each->path(), Ignored).type() == fs::file_type::directory)
      add(Found, recordIn(Each->path()), Each->path().string());
  return Found;
}

} // namespace memshape
