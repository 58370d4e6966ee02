/* Bytes on disk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For programs that decide themselves what leaves the memory, and when: the
   files of a Store without the Store. Past the page cache, with checksums, in a
   private folder that goes with its process.

     ooc::Files files("/var/tmp");
     const std::uint64_t number = files.write({{header, body}});
     Pages memory(ooc::Files::padded(files.bytes(number)));
     files.read(number, memory);                         // header and body, one behind the other */

#pragma once

#include <memshape/out_of_core/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace memshape::out_of_core {

/// All functions may be called by several threads. Errors are thrown: <memshape/out_of_core/error.h>.
class Files {
public:
  static constexpr std::size_t page = 4096; ///< bytes

  /// Makes a folder of its own in `folder`, which has to be on a disk, and removes what processes that are gone have left
  /// there. Error: io.
  explicit Files(const std::filesystem::path &folder);
  ~Files(); ///< removes the folder
  Files(const Files &) = delete;
  Files &operator=(const Files &) = delete;

  /// Writes parts one behind the other into a new file and returns its number. Error: full, io; there is no file then.
  std::uint64_t write(std::span<const std::span<const std::byte>> parts);

  /// The bytes that were written to a file. Error: usage, where there is no such file.
  std::uint64_t bytes(std::uint64_t number) const;
  /// The memory that read() asks for.
  static constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + page - 1) / page * page; }

  /// Reads a whole file, and compares it with its checksums. `to` begins at a page and has padded(bytes) bytes; those
  /// behind the file's own become zero. Error: usage, io, lost, corrupt; `to` may have been written to then.
  void read(std::uint64_t number, std::span<std::byte> to) const;

  /// What is read meanwhile is read to its end. Error: usage.
  void remove(std::uint64_t number);

  /// The folder of its own.
  std::filesystem::path folder() const;

private:
  class State;
  std::unique_ptr<State> state_;
};

} // namespace memshape::out_of_core
