/* What a store tells others.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   While it works, a store keeps one StoreRecord in the file `statistics` of its
   own folder, for other processes to read: numbers only. It is written whole,
   at most every 100 ms while tasks run and whenever nothing more is to move.
   A reader may come in the middle of that: then the checksum is wrong, and it
   reads again. */

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace memshape::out_of_core {

inline constexpr char folder_prefix[] = "memshape-ooc-"; ///< of the folders that belong to one store each
inline constexpr char record_name[] = "statistics";      ///< of the file in it

inline constexpr char record_magic[8] = {'M', 'S', 'H', 'P', 'O', 'O', 'C', '\n'};
inline constexpr std::uint64_t record_version = 1;

/// In the byte order of the machine. Bytes of blocks are multiples of 4096.
struct StoreRecord {
  char magic[8] = {};
  std::uint64_t version = 0;
  std::uint64_t pid = 0;                  ///< of the store's process
  std::uint64_t started = 0, updated = 0; ///< Unix time, ns
  std::uint64_t ended = 0;                ///< 1: the store is gone, and these are its last figures
  std::uint64_t budget_bytes = 0;         ///< 2^64-1: unlimited
  std::uint64_t executors = 0, executor_bytes = 0;
  std::uint64_t resident = 0, resident_bytes = 0; ///< in memory
  std::uint64_t peak_bytes = 0;
  std::uint64_t evictions = 0;
  std::uint64_t reads = 0, read_bytes = 0;
  std::uint64_t writes = 0, written_bytes = 0;
  std::uint64_t uses = 0, hits = 0; ///< of executors by tasks and handles; those that found theirs in memory
  std::uint64_t checksum = 0;       ///< of all that stands before it
};
static_assert(sizeof(StoreRecord) == 20 * sizeof(std::uint64_t));

/// FNV-1a, 64 bits.
inline std::uint64_t checksum_of(const StoreRecord &record) {
  unsigned char bytes[offsetof(StoreRecord, checksum)];
  std::memcpy(bytes, &record, sizeof bytes);
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const unsigned char each : bytes)
    sum = (sum ^ each) * 0x100000001b3;
  return sum;
}

enum class RecordState {
  whole,
  foreign,       ///< not the record of a store
  other_version, ///< of another release; into.version says which
  damaged ///< cut short, with a wrong checksum, or with figures that cannot be; or in the middle of being written
};

/// Reads the bytes of a file. `into` holds what was there, also where it is not whole.
inline RecordState parse_record(const void *data, std::size_t bytes, StoreRecord &into) {
  into = {};
  if (bytes)
    std::memcpy(static_cast<void *>(&into), data, bytes < sizeof into ? bytes : sizeof into);
  if (bytes < sizeof into.magic || std::memcmp(into.magic, record_magic, sizeof into.magic) != 0)
    return RecordState::foreign;
  if (bytes >= 2 * sizeof(std::uint64_t) && into.version != record_version)
    return RecordState::other_version;
  if (bytes < sizeof into || into.checksum != checksum_of(into) || into.resident > into.executors ||
      into.hits > into.uses || into.ended > 1 || into.pid > INT32_MAX)
    return RecordState::damaged;
  return RecordState::whole;
}

} // namespace memshape::out_of_core
