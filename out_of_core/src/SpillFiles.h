// Executors on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Past the page cache, whose pages would count against the limit that the
// store is there to keep: O_DIRECT, or where the file system refuses that,
// written through and dropped. Of each piece of 1 MiB a checksum stays in
// memory (XXH3, 64 bits).

#pragma once

#include "Folder.h"

#include <fcntl.h>
#include <memory>
#include <memshape/out_of_core.h>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace memshape::out_of_core {

class FileLayer {
public:
  virtual ~FileLayer() = default;
  virtual int open(int Folder, const char *Name, int Flags, mode_t Mode) { return ::openat(Folder, Name, Flags, Mode); }
  virtual ssize_t write(int File, const void *Data, size_t Bytes, off_t At) { return ::pwrite(File, Data, Bytes, At); }
  virtual ssize_t read(int File, void *Data, size_t Bytes, off_t At) { return ::pread(File, Data, Bytes, At); }
};

/// Of memory, offsets and sizes: what O_DIRECT asks for.
inline constexpr std::uint64_t Alignment = 4096;
constexpr std::uint64_t aligned(std::uint64_t Bytes) { return (Bytes + Alignment - 1) / Alignment * Alignment; }

/// What is on disk of an executor.
struct Spill {
  std::string Name; ///< of the file; empty: nothing is
  std::uint64_t Bytes = 0;
  std::vector<std::uint64_t> Checksums; ///< of each piece
};

/// All functions may be called by several threads. What goes wrong is thrown as an Error that names the file.
class SpillFiles {
public:
  SpillFiles(const std::filesystem::path &Parent, std::shared_ptr<FileLayer> Layer);

  /// Aligned memory of aligned size. There is no file of that name.
  Spill writeBlock(const std::string &Name, const void *Data, std::uint64_t Bytes);
  void readBlock(const Spill &From, void *Data);

  Spill writeObject(const std::string &Name, const void *Of, const detail::Object &Type);
  std::shared_ptr<void> readObject(const Spill &From, const detail::Object &Type);

  void remove(const Spill &Which) const;
  const Folder &folder() const { return Where; }

private:
  friend class PieceWriter;
  friend class PieceReader;

  Descriptor opened(const char *What, const std::string &Name, int Flags) const;
  Descriptor create(const std::string &Name) const;
  Descriptor open(const std::string &Name) const;
  std::uint64_t goesOn(std::uint64_t Done, std::uint64_t Bytes) const;
  void write(int File, const std::string &Name, const void *Data, std::uint64_t Bytes, std::uint64_t At) const;
  void read(int File, const std::string &Name, void *Data, std::uint64_t Bytes, std::uint64_t At) const;
  /// The file leaves the page cache.
  void drop(int File, const std::string &Name, bool Written) const;
  [[noreturn]] void refused(const char *What, const std::string &Name, int Number) const;
  std::string path(const std::string &Name) const { return (Where.path() / Name).string(); }
  bool takesDirect();

  std::shared_ptr<FileLayer> Layer;
  Folder Where;
  bool Direct = false;
};

} // namespace memshape::out_of_core
