// The records of one .memshape section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/Records.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <zlib.h>

namespace memshape {

/// zlib's limit: no stream expands by more than about 1032 (zlib, "Maximum Compression Factor").
constexpr std::uint64_t MaxExpansion = 1040;

static Result<std::string> inflateAll(Bytes Stored, std::uint64_t RawSize) {
  if (RawSize > (Stored.size() + 64) * MaxExpansion)
    return damagedRecord("", "it cannot expand to the size it claims");
  std::string Raw(RawSize, '\0');
  uLongf Written = RawSize;
  if (::uncompress(reinterpret_cast<Bytef *>(Raw.data()), &Written, Stored.data(), Stored.size()) != Z_OK ||
      Written != RawSize)
    return damagedRecord("", "its compressed payload cannot be read");
  return Raw;
}

static Result<std::string> payloadOf(Bytes Stored, bool Compressed, std::uint64_t RawSize, std::uint32_t Checksum) {
  if (::crc32_z(::crc32_z(0, nullptr, 0), Stored.data(), Stored.size()) != Checksum)
    return damagedRecord("", "wrong checksum");
  if (Compressed)
    return inflateAll(Stored, RawSize);
  if (RawSize != Stored.size())
    return damagedRecord("", "its sizes contradict each other");
  return std::string(Stored.text());
}

Failure damagedRecord(std::string_view Kind, std::string_view Why) {
  std::string Message = "has a damaged ";
  Message.append(Kind).append(Kind.empty() ? "record: " : " record: ").append(Why);
  return Failure{Message + "; compile it again"};
}

Result<std::string> unpacked(const Record &R) {
  return payloadOf(Bytes(R.Payload), R.Compressed, R.RawSize, R.Checksum);
}

Result<std::string> unpackedStart(const Record &R, std::uint64_t Wanted) {
  if (!R.Compressed)
    return R.Payload.substr(0, Wanted);
  Wanted = std::min(Wanted, R.RawSize);
  if (Wanted > (R.Payload.size() + 64) * MaxExpansion)
    return damagedRecord("", "it cannot expand to the size it claims");
  std::string Raw(Wanted, '\0');
  z_stream Stream = {};
  if (::inflateInit(&Stream) != Z_OK)
    return Failure{"has a record that cannot be decompressed"};
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(R.Payload.data()));
  Stream.avail_in = static_cast<uInt>(R.Payload.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Raw.data());
  Stream.avail_out = static_cast<uInt>(Raw.size());
  int Status = ::inflate(&Stream, Z_SYNC_FLUSH);
  bool Complete = Stream.avail_out == 0;
  ::inflateEnd(&Stream);
  if ((Status != Z_OK && Status != Z_STREAM_END && Status != Z_BUF_ERROR) || !Complete)
    return damagedRecord("", "its compressed payload cannot be read");
  return Raw;
}

Result<std::vector<Record>> readRecords(Bytes Section) {
  std::uint64_t Left = MaxRawSize;
  std::vector<Record> Records;
  for (std::uint64_t Offset = 0; Offset < Section.size();) {
    // Linkers pad between the sections of two objects.
    std::uint64_t Word = std::min(RecordAlignment, Section.size() - Offset);
    std::string_view Padding = Section.slice(Offset, Word)->text();
    if (std::all_of(Padding.begin(), Padding.end(), [](char C) { return C == 0; })) {
      Offset += Word;
      continue;
    }
    std::optional<RecordHeader> Head = Section.read<RecordHeader>(Offset);
    if (!Head || std::memcmp(Head->magic, RecordMagic, sizeof RecordMagic) != 0)
      return Failure{"has a damaged section .memshape: no record where one should start"};
    if (Head->version > RecordVersion)
      return Failure{"was made by a newer memshape (record version " + std::to_string(Head->version) +
                     "; this one reads up to " + std::to_string(RecordVersion) + ")"};
    if (Head->version == 0 || (Head->flags & ~std::uint32_t(RecordCompressed)) != 0)
      return damagedRecord("", "its header is invalid");
    if (Head->raw_size > MaxRawSize)
      return damagedRecord("", "it claims more than 1 GiB");
    std::optional<Bytes> Stored = Section.slice(Offset + sizeof(RecordHeader), Head->stored_size);
    if (!Stored)
      return Failure{"is truncated: a record runs past its section"};
    if (Head->kind == static_cast<std::uint16_t>(RecordKind::Features) ||
        Head->kind == static_cast<std::uint16_t>(RecordKind::Skeleton)) {
      if (Head->raw_size > Left)
        return Failure{"has records that together expand to more than " + std::to_string(MaxRawSize >> 20) + " MiB"};
      Left -= Head->raw_size;
      MEMSHAPE_TRY(std::string Payload,
                   payloadOf(*Stored, Head->flags & RecordCompressed, Head->raw_size, Head->checksum));
      Records.push_back({static_cast<RecordKind>(Head->kind), std::move(Payload)});
    } else if (Head->kind == static_cast<std::uint16_t>(RecordKind::Module)) {
      Records.push_back({RecordKind::Module, std::string(Stored->text()), (Head->flags & RecordCompressed) != 0,
                         Head->raw_size, Head->checksum});
    }
    std::uint64_t Next = Offset + sizeof(RecordHeader) + Head->stored_size;
    Offset = (Next + RecordAlignment - 1) / RecordAlignment * RecordAlignment;
  }
  return Records;
}

Result<SkeletonPayload> splitSkeleton(std::string_view Payload) {
  Bytes All(Payload);
  std::optional<std::uint64_t> Length = All.read<std::uint64_t>(0);
  std::optional<Bytes> Json = Length ? All.slice(sizeof(std::uint64_t), *Length) : std::nullopt;
  if (!Json)
    return damagedRecord("skeleton", "its description runs past its end");
  return SkeletonPayload{Json->text(), Payload.substr(sizeof(std::uint64_t) + *Length)};
}

} // namespace memshape
