// The records of memshape in a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InstrumentedFile.h"
#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/text/Try.h"

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"
#include <filesystem>
#include <iterator>
#include <vector>

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

static bool isArchive(Bytes File) { return startsWith(File, ArchiveMagic) || startsWith(File, ThinMagic); }

/// Contents of all members but the symbol and name tables, in order. Thin archives are refused: their members are other
/// files. Messages continue a sentence that starts with the file's name.
static Result<std::vector<Bytes>> readArchive(Bytes File) {
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

/// A needed library: its path if the file's run path leads to it, else its name.
static std::string locate(const std::string &Library, const std::vector<std::string> &RunPaths,
                          const std::string &Path) {
  std::error_code Ignored;
  std::string Origin = std::filesystem::absolute(Path, Ignored).parent_path().string();
  for (std::string Directory : RunPaths) {
    for (std::string_view Token : {"$ORIGIN", "${ORIGIN}"})
      if (std::size_t Place = Directory.find(Token); Place != std::string::npos)
        Directory.replace(Place, Token.size(), Origin);
    std::filesystem::path Candidate = std::filesystem::path(Directory) / Library;
    if (Candidate.is_absolute() && std::filesystem::is_regular_file(Candidate, Ignored))
      return Candidate.string();
  }
  return Library;
}

static bool isBitcode(Bytes File) { return File.text().starts_with("BC\xC0\xDE"); }

static constexpr const char *BitcodeHelp =
    "LLVM bitcode: memshape extract makes an object of it; of a build with -flto give the linked program";

Result<InstrumentedFile> readInstrumentedBytes(Bytes File, const std::string &Path) {
  auto Refuse = [&](const std::string &What) { return Failure{"'" + Path + "' " + What}; };
  std::vector<Bytes> Objects;
  bool HoldsBitcode = false;
  if (isElf(File))
    Objects.push_back(File);
  else if (isArchive(File)) {
    Result<std::vector<Bytes>> Members = readArchive(File);
    if (!Members)
      return Refuse(Members.failure().Message);
    for (Bytes Member : *Members) {
      HoldsBitcode |= isBitcode(Member);
      if (isElf(Member))
        Objects.push_back(Member);
    }
  } else if (File.size() == 0)
    return Refuse("is empty; an object, executable, shared library or archive was expected");
  else if (isBitcode(File))
    return Refuse(std::string("is ") + BitcodeHelp);
  else
    return Refuse("is not an ELF file or an archive");

  InstrumentedFile Out;
  Out.Path = Path;
  bool Found = false;
  std::uint64_t Expanded = 0;
  for (Bytes Object : Objects) {
    Result<ElfFile> Elf = readElf(Object);
    if (!Elf)
      return Refuse(Elf.failure().Message);
    for (Bytes Section : Elf->Sections) {
      Result<std::vector<Record>> Records = readRecords(Section);
      if (!Records)
        return Refuse(Records.failure().Message);
      Found = true;
      for (const Record &Each : *Records)
        Expanded += Each.Payload.size();
      if (Expanded > MaxRawSize)
        return Refuse("has members whose records together expand to more than 1 GiB");
      std::move(Records->begin(), Records->end(), std::back_inserter(Out.Records));
    }
    for (const std::string &Library : Elf->Needed)
      Out.Libraries.push_back(locate(Library, Elf->RunPaths, Path));
    Out.Imports.insert(Out.Imports.end(), Elf->Imports.begin(), Elf->Imports.end());
    Out.ProgramBytes += Elf->ProgramBytes;
  }
  if (!Found && HoldsBitcode)
    return Refuse(std::string("holds ") + BitcodeHelp);
  if (!Found)
    return Refuse("was not compiled with memshape: it has no section .memshape; compile it with "
                  "-fplugin=memshape, and without -save-temps");
  return Out;
}

Result<InstrumentedFile> readInstrumentedFile(const std::string &Path) {
  MEMSHAPE_TRY(MappedFile File, MappedFile::open(Path));
  Result<InstrumentedFile> Read = readInstrumentedBytes(File.bytes(), Path);
  MEMSHAPE_CHECK(File.cut());
  return Read;
}

} // namespace memshape
