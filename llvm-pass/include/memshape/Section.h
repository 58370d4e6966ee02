// The records inside the section .memshape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by llvm-pass, read by tools; described in docs/formats.md, section 1. Plain data, no LLVM.

#pragma once

#include <cstdint>

namespace memshape {

inline constexpr char SectionName[] = ".memshape";
inline constexpr char RecordMagic[8] = {'M', 'E', 'M', 'S', 'H', 'A', 'P', 'E'};
inline constexpr std::uint16_t RecordVersion = 1;
inline constexpr std::uint64_t RecordAlignment = 8;
/// A record that claims a larger payload after decompression is refused.
inline constexpr std::uint64_t MaxRawSize = std::uint64_t(1) << 30;

enum class RecordKind : std::uint16_t { Features = 1, Skeleton = 2, Module = 3 };

enum RecordFlags : std::uint32_t { RecordCompressed = 1 };

/// Head of one record; all members are little endian, the payload follows directly.
struct RecordHeader {
  char magic[8];
  std::uint16_t version;
  std::uint16_t kind;
  std::uint32_t flags;
  std::uint64_t stored_size; ///< bytes of payload in the file
  std::uint64_t raw_size;    ///< bytes of payload after decompression
  std::uint32_t checksum;    ///< CRC-32 of the stored payload
  std::uint32_t reserved;    ///< 0
};
static_assert(sizeof(RecordHeader) == 40);

} // namespace memshape
