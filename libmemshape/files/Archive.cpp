// The members of an ar archive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/Archive.h"

namespace memshape {

constexpr std::string_view ArchiveMagic = "!<arch>\n", ThinMagic = "!<thin>\n", MemberEnd = "`\n";
constexpr std::uint64_t MemberHeadSize = 60;

static bool startsWith(Bytes File, std::string_view Magic) { return File.text().starts_with(Magic); }

/// A decimal number padded with blanks.
static std::optional<std::uint64_t> decimal(std::string_view Field) {
  std::uint64_t Value = 0;
  std::size_t Digits = 0;
  while (Digits < Field.size() && Field[Digits] >= '0' && Field[Digits] <= '9')
    Value = Value * 10 + static_cast<std::uint64_t>(Field[Digits++] - '0'); // ten digits at most: no overflow
  if (Digits == 0 || Field.find_first_not_of(' ', Digits) != std::string_view::npos)
    return std::nullopt;
  return Value;
}

bool isArchive(Bytes File) { return startsWith(File, ArchiveMagic) || startsWith(File, ThinMagic); }

Result<std::vector<Bytes>> readArchive(Bytes File) {
  if (startsWith(File, ThinMagic))
    return Failure{"is a thin archive, which only points to other files; give those instead"};
  std::vector<Bytes> Members;
  for (std::uint64_t Offset = ArchiveMagic.size(); Offset < File.size();) {
    // Head: name 16, time 12, owner 6, group 6, mode 8, size 10, end 2 bytes.
    std::optional<Bytes> Head = File.slice(Offset, MemberHeadSize);
    if (!Head)
      return Failure{"is truncated: the header of an archive member is incomplete"};
    std::string_view Text = Head->text();
    std::optional<std::uint64_t> Size = decimal(Text.substr(48, 10));
    if (!Size || Text.substr(58) != MemberEnd)
      return Failure{"is damaged: the header of an archive member is invalid"};
    std::optional<Bytes> Content = File.slice(Offset + MemberHeadSize, *Size);
    if (!Content)
      return Failure{"is truncated: an archive member runs past the end"};
    std::string_view Name = Text.substr(0, 16);
    bool Table = Name.starts_with("/ ") || Name.starts_with("// ") || Name.starts_with("/SYM64/ ");
    if (!Table)
      Members.push_back(*Content);
    Offset += MemberHeadSize + *Size + (*Size & 1);
  }
  return Members;
}

} // namespace memshape
