// Sections and libraries of an ELF file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/ElfFile.h"
#include "libmemshape/text/Try.h"
#include "memshape/Section.h"

#include <elf.h>
#include <unordered_set>

namespace memshape {

namespace {

/// More sections than any compiler writes; limits the work on hostile headers.
constexpr std::uint64_t MaxSections = std::uint64_t(1) << 24;

class ElfReader {
public:
  explicit ElfReader(Bytes File) : File(File) {}

  Result<ElfFile> read() {
    MEMSHAPE_CHECK(readHeader());
    readProgram();
    for (std::uint64_t I = 0; I < SectionCount; ++I) {
      std::optional<Elf64_Shdr> Section = header(I);
      if (!Section)
        return Failure{"is truncated: its section table runs past the end"};
      if (Section->sh_type == SHT_NOBITS || Section->sh_type == SHT_NULL)
        continue;
      if (Section->sh_type == SHT_DYNAMIC) {
        MEMSHAPE_CHECK(readDynamic(*Section));
        continue;
      }
      // A linked file's own table may be stripped, and repeats what the dynamic one says.
      if (Section->sh_type == (IsLinked ? SHT_DYNSYM : SHT_SYMTAB))
        readImports(*Section);
      std::optional<std::string_view> Name = Names.string(Section->sh_name);
      if (!Name || *Name != SectionName)
        continue;
      if (Section->sh_flags & SHF_COMPRESSED)
        return Failure{"has a section .memshape that another tool compressed; decompress it with objcopy first"};
      std::optional<Bytes> Content = File.slice(Section->sh_offset, Section->sh_size);
      if (!Content)
        return Failure{"is truncated: its section .memshape runs past the end"};
      Out.Sections.push_back(*Content);
    }
    return std::move(Out);
  }

  /// The names of functions that a linked file defines.
  std::unordered_set<std::string_view> definitions() {
    std::unordered_set<std::string_view> Defined;
    if (readHeader())
      return Defined;
    for (std::uint64_t I = 0; I < SectionCount; ++I)
      if (std::optional<Elf64_Shdr> Section = header(I);
          Section && (Section->sh_type == SHT_DYNSYM || Section->sh_type == SHT_SYMTAB))
        forEachSymbol(*Section, [&](const Elf64_Sym &Symbol, std::string_view Name) {
          if (Symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(Symbol.st_info) == STT_FUNC &&
              ELF64_ST_BIND(Symbol.st_info) != STB_LOCAL)
            Defined.insert(Name);
        });
    return Defined;
  }

private:
  std::optional<Elf64_Shdr> header(std::uint64_t Index) const {
    return Table.read<Elf64_Shdr>(Index * sizeof(Elf64_Shdr));
  }

  std::optional<Failure> readHeader() {
    std::optional<Elf64_Ehdr> Head = File.read<Elf64_Ehdr>(0);
    if (File.size() > EI_DATA) {
      if (File.data()[EI_CLASS] == ELFCLASS32)
        return Failure{"is a 32-bit file; memshape reads 64-bit ones"};
      if (File.data()[EI_DATA] == ELFDATA2MSB)
        return Failure{"is a big-endian file; memshape reads little-endian ones"};
    }
    if (!Head)
      return Failure{"is truncated: its ELF header is not complete"};
    if (Head->e_type != ET_REL && Head->e_type != ET_EXEC && Head->e_type != ET_DYN)
      return Failure{"is an ELF file, but neither an object, an executable nor a shared library"};
    if (Head->e_shoff == 0)
      return Failure{
          "has no section table, so its section .memshape cannot be found; use the file from before it was stripped"};
    if (Head->e_shentsize != sizeof(Elf64_Shdr))
      return Failure{"is damaged: its section headers have a wrong size"};
    // With 65,280 sections or more, count and name table are written in section 0.
    std::optional<Elf64_Shdr> First = File.read<Elf64_Shdr>(Head->e_shoff);
    if (!First)
      return Failure{"is truncated: its section table runs past the end"};
    SectionCount = Head->e_shnum ? Head->e_shnum : First->sh_size;
    std::uint64_t NameIndex = Head->e_shstrndx == SHN_XINDEX ? First->sh_link : Head->e_shstrndx;
    std::optional<Bytes> Whole;
    if (SectionCount <= MaxSections)
      Whole = File.slice(Head->e_shoff, SectionCount * sizeof(Elf64_Shdr));
    if (!Whole)
      return Failure{"is truncated: its section table runs past the end"};
    Table = *Whole;
    if (NameIndex >= SectionCount)
      return Failure{"is damaged: it has no table of section names"};
    std::optional<Bytes> NameBytes = content(NameIndex);
    if (!NameBytes)
      return Failure{"is truncated: its table of section names runs past the end"};
    Names = *NameBytes;
    return std::nullopt;
  }

  /// Segments that are loaded, of a file that names its loader.
  void readProgram() {
    std::optional<Elf64_Ehdr> Head = File.read<Elf64_Ehdr>(0);
    IsLinked = Head->e_type != ET_REL;
    std::uint64_t Loaded = 0;
    bool NamesLoader = false;
    for (std::uint64_t I = 0; I < Head->e_phnum; ++I) {
      std::optional<Elf64_Phdr> Segment = File.read<Elf64_Phdr>(Head->e_phoff + I * sizeof(Elf64_Phdr));
      if (!Segment)
        return;
      NamesLoader |= Segment->p_type == PT_INTERP;
      if (Segment->p_type == PT_LOAD && Segment->p_filesz <= File.size())
        Loaded += Segment->p_filesz;
    }
    Out.ProgramBytes = NamesLoader ? Loaded : 0;
  }

  template <class Function> void forEachSymbol(const Elf64_Shdr &Section, Function Found) {
    std::optional<Bytes> Symbols = File.slice(Section.sh_offset, Section.sh_size);
    std::optional<Bytes> Strings = content(Section.sh_link);
    if (!Symbols || !Strings)
      return;
    for (std::uint64_t Offset = sizeof(Elf64_Sym);; Offset += sizeof(Elf64_Sym)) {
      std::optional<Elf64_Sym> Symbol = Symbols->read<Elf64_Sym>(Offset);
      if (!Symbol)
        return;
      if (std::optional<std::string_view> Name = Strings->string(Symbol->st_name); Name && !Name->empty())
        Found(*Symbol, *Name);
    }
  }

  void readImports(const Elf64_Shdr &Section) {
    forEachSymbol(Section, [&](const Elf64_Sym &Symbol, std::string_view Name) {
      if (Symbol.st_shndx == SHN_UNDEF)
        Out.Imports.emplace_back(Name);
    });
  }

  std::optional<Bytes> content(std::uint64_t Index) const {
    std::optional<Elf64_Shdr> Section = Index < SectionCount ? header(Index) : std::nullopt;
    if (!Section || Section->sh_type == SHT_NOBITS)
      return std::nullopt;
    return File.slice(Section->sh_offset, Section->sh_size);
  }

  std::optional<Failure> readDynamic(const Elf64_Shdr &Section) {
    std::optional<Bytes> Entries = File.slice(Section.sh_offset, Section.sh_size);
    std::optional<Bytes> Strings = content(Section.sh_link);
    if (!Entries || !Strings)
      return Failure{"is truncated: its dynamic section runs past the end"};
    for (std::uint64_t Offset = 0;; Offset += sizeof(Elf64_Dyn)) {
      std::optional<Elf64_Dyn> Entry = Entries->read<Elf64_Dyn>(Offset);
      if (!Entry || Entry->d_tag == DT_NULL)
        return std::nullopt;
      if (Entry->d_tag != DT_NEEDED && Entry->d_tag != DT_RUNPATH && Entry->d_tag != DT_RPATH)
        continue;
      std::optional<std::string_view> Text = Strings->string(Entry->d_un.d_val);
      if (!Text)
        return Failure{"is damaged: a name in its dynamic section lies outside the string table"};
      if (Entry->d_tag == DT_NEEDED) {
        Out.Needed.emplace_back(*Text);
        continue;
      }
      for (std::string_view Rest = *Text; !Rest.empty();) {
        std::size_t Colon = Rest.find(':');
        if (Colon != 0)
          Out.RunPaths.emplace_back(Rest.substr(0, Colon));
        Rest = Colon == std::string_view::npos ? std::string_view() : Rest.substr(Colon + 1);
      }
    }
  }

  Bytes File, Table, Names;
  std::uint64_t SectionCount = 0;
  bool IsLinked = false;
  ElfFile Out;
};

} // namespace

bool isElf(Bytes File) { return File.size() >= SELFMAG && std::memcmp(File.data(), ELFMAG, SELFMAG) == 0; }

Result<ElfFile> readElf(Bytes File) { return ElfReader(File).read(); }

std::optional<std::string> ownDefinition(Bytes File, const std::function<bool(const std::string &)> &Meant) {
  Result<ElfFile> Linked = isElf(File) ? readElf(File) : Result<ElfFile>(Failure{});
  if (!Linked || Linked->Needed.empty())
    return std::nullopt;
  const std::unordered_set<std::string_view> Defined = ElfReader(File).definitions();
  // The runtime hands on what it is asked; a C++ library that is linked statically is what it would be elsewhere.
  if (Defined.contains("memshape_attach"))
    return std::nullopt;
  const bool HasCxxLibrary = Defined.contains("__cxa_allocate_exception");
  std::optional<std::string> First;
  for (const std::string_view Each : Defined)
    if (std::string Name(Each); Meant(Name) && !(HasCxxLibrary && Name.starts_with("_Z")) && (!First || Name < *First))
      First = std::move(Name);
  return First;
}

} // namespace memshape
