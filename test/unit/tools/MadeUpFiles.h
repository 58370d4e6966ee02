// Instrumented files written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Section.h"

#include <cstring>
#include <elf.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace memshape::test {

template <class T> void append(std::string &To, const T &Value) {
  To.append(reinterpret_cast<const char *>(&Value), sizeof Value);
}

/// One record as the pass writes it. Change may spoil its head.
template <class Change> std::string record(RecordKind Kind, const std::string &Payload, bool Compressed, Change Spoil) {
  std::string Stored = Payload;
  if (Compressed) {
    uLongf Size = ::compressBound(Payload.size());
    Stored.resize(Size);
    ::compress(reinterpret_cast<Bytef *>(Stored.data()), &Size, reinterpret_cast<const Bytef *>(Payload.data()),
               Payload.size());
    Stored.resize(Size);
  }
  RecordHeader Head{};
  std::memcpy(Head.magic, RecordMagic, sizeof RecordMagic);
  Head.version = RecordVersion;
  Head.kind = static_cast<std::uint16_t>(Kind);
  Head.flags = Compressed ? RecordCompressed : 0;
  Head.stored_size = Stored.size();
  Head.raw_size = Payload.size();
  Head.checksum = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef *>(Stored.data()), static_cast<uInt>(Stored.size())));
  Spoil(Head);
  std::string Bytes;
  append(Bytes, Head);
  Bytes += Stored;
  Bytes.resize((Bytes.size() + 7) / 8 * 8, '\0');
  return Bytes;
}

inline std::string record(RecordKind Kind, const std::string &Payload, bool Compressed = false) {
  return record(Kind, Payload, Compressed, [](RecordHeader &) {});
}

/// The payload of a skeleton record.
inline std::string skeletonPayload(const std::string &Json, const std::string &Bitcode = "BC") {
  std::string Payload;
  append(Payload, static_cast<std::uint64_t>(Json.size()));
  return Payload + Json + Bitcode;
}

struct MadeUpSection {
  std::string Name;
  std::string Content;
  std::uint32_t Type = SHT_PROGBITS;
  std::uint32_t Link = 0;
};

/// A 64-bit little-endian ELF file: header, contents, names, section table. Sections are numbered from 1 as given, the
/// table of names comes last.
inline std::string elf(std::vector<MadeUpSection> Sections, std::uint16_t Type = ET_REL) {
  std::string Names(1, '\0');
  std::vector<Elf64_Shdr> Headers(1);
  std::string File(sizeof(Elf64_Ehdr), '\0');
  Sections.push_back({".shstrtab", "", SHT_STRTAB});
  for (MadeUpSection &S : Sections) {
    Elf64_Shdr Header{};
    Header.sh_name = static_cast<std::uint32_t>(Names.size());
    Names += S.Name + '\0';
    Header.sh_type = S.Type;
    Header.sh_link = S.Link;
    Header.sh_offset = File.size();
    const std::string &Content = S.Name == ".shstrtab" ? Names : S.Content;
    Header.sh_size = Content.size();
    File += Content;
    Headers.push_back(Header);
  }
  Elf64_Ehdr Head{};
  std::memcpy(Head.e_ident, ELFMAG, SELFMAG);
  Head.e_ident[EI_CLASS] = ELFCLASS64;
  Head.e_ident[EI_DATA] = ELFDATA2LSB;
  Head.e_type = Type;
  Head.e_shoff = File.size();
  Head.e_shentsize = sizeof(Elf64_Shdr);
  Head.e_shnum = static_cast<std::uint16_t>(Headers.size());
  Head.e_shstrndx = static_cast<std::uint16_t>(Headers.size() - 1);
  std::memcpy(File.data(), &Head, sizeof Head);
  for (const Elf64_Shdr &Header : Headers)
    append(File, Header);
  return File;
}

inline std::string instrumented(const std::string &Section) { return elf({{".text", "code"}, {".memshape", Section}}); }

/// An ar archive of members with short names.
inline std::string archive(const std::vector<std::pair<std::string, std::string>> &Members) {
  std::string File = "!<arch>\n";
  for (const auto &[Name, Content] : Members) {
    std::string Head = Name;
    Head.resize(48, ' ');
    Head += std::to_string(Content.size());
    Head.resize(58, ' ');
    File += Head + "`\n" + Content;
    if (Content.size() % 2)
      File += '\n';
  }
  return File;
}

} // namespace memshape::test
