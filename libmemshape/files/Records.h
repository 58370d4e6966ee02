// The records of one .memshape section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"
#include "memshape/Section.h"

#include <vector>

namespace memshape {

/// One record of docs/formats.md section 1.
struct Record {
  RecordKind Kind = RecordKind::Features;
  /// Decompressed and checked, except for modules, which are large and seldom needed.
  std::string Payload;
  bool Compressed = false; ///< Payload is as it was stored
  std::uint64_t RawSize = 0;
  std::uint32_t Checksum = 0;
};

/// The failure of a damaged record of a kind ("module", or "" where that is not known); continues a sentence that starts
/// with the file's name.
Failure damagedRecord(std::string_view Kind, std::string_view Why);

/// The payload of a module record, decompressed and checked.
Result<std::string> unpacked(const Record &R);

/// Its first bytes, at most as many as asked for; not checked.
Result<std::string> unpackedStart(const Record &R, std::uint64_t Bytes);

/// All records of a section, unknown kinds left out. Messages continue a sentence that starts with the file's name.
Result<std::vector<Record>> readRecords(Bytes Section);

/// The two parts of a skeleton record.
struct SkeletonPayload {
  std::string_view Json;
  std::string_view Bitcode; ///< followed by machine code; empty if the skeleton is unavailable
};
Result<SkeletonPayload> splitSkeleton(std::string_view Payload);

} // namespace memshape
