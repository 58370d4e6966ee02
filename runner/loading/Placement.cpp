// An object file becomes code in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocations as in the x86-64 ABI, section 4.4.1: S symbol, A addend, P place, G entry in the table of addresses,
// L stub.

#include "runner/loading/Loading.h"

#include <charconv>
#include <cstring>
#include <elf.h>
#include <map>
#include <memshape/SkeletonAbi.h>
#include <sys/mman.h>

using namespace memshape;

namespace {

constexpr std::string_view ConstructorPrefix = MEMSHAPE_SK_CONSTRUCTOR;

class Placing {
public:
  Placing(std::string_view Object, const NameSearch &Names, PlacedCode &Result, std::string &Problem)
      : Object(Object), Names(Names), Result(Result), Problem(Problem) {}

  Placement run() {
    if (!readSections() || !layOut())
      return Placement::Unusual;
    if (const Placement Found = resolveSymbols(); Found != Placement::Done)
      return Found;
    return fill() && relocate() && protect() && findEntries() ? Placement::Done : Placement::Unusual;
  }

private:
  static constexpr std::uint64_t PageBytes = 4096, SlotBytes = 8;
  enum Part : unsigned { Code, Constants, Data, Parts };

  template <class T> const T *at(std::uint64_t Offset, std::uint64_t Count = 1) const {
    if (Offset > Object.size() || Count > (Object.size() - Offset) / sizeof(T) || Offset % alignof(T))
      return nullptr;
    return reinterpret_cast<const T *>(Object.data() + Offset);
  }

  /// A string of a string table; empty where it exceeds the object.
  std::string_view text(const Elf64_Shdr &Table, std::uint64_t Offset) const {
    if (!at<char>(Table.sh_offset, Table.sh_size) || Offset >= Table.sh_size)
      return {};
    const std::string_view Rest = Object.substr(Table.sh_offset + Offset, Table.sh_size - Offset);
    return Rest.substr(0, Rest.find('\0'));
  }

  bool readSections() {
    const auto *Head = at<Elf64_Ehdr>(0);
    if (!Head || std::memcmp(Head->e_ident, ELFMAG, SELFMAG) != 0 || Head->e_ident[EI_CLASS] != ELFCLASS64 ||
        Head->e_ident[EI_DATA] != ELFDATA2LSB || Head->e_type != ET_REL || Head->e_machine != EM_X86_64 ||
        Head->e_shentsize != sizeof(Elf64_Shdr))
      return false;
    Sections = at<Elf64_Shdr>(Head->e_shoff, Head->e_shnum);
    SectionCount = Head->e_shnum;
    if (!Sections || Head->e_shstrndx >= SectionCount)
      return false;
    for (std::size_t I = 0; I < SectionCount; ++I)
      if (Sections[I].sh_type == SHT_SYMTAB) {
        const Elf64_Shdr &Table = Sections[I];
        SymbolCount = Table.sh_size / sizeof(Elf64_Sym);
        Symbols = at<Elf64_Sym>(Table.sh_offset, SymbolCount);
        if (!Symbols || Table.sh_link >= SectionCount)
          return false;
        SymbolNames = &Sections[Table.sh_link];
      }
    SectionNames = &Sections[Head->e_shstrndx];
    return Symbols;
  }

  /// Chooses a place for each section that is part of the memory image.
  bool layOut() {
    Offsets.assign(SectionCount, Absent);
    std::uint64_t Used[Parts] = {SymbolCount * SlotBytes, SymbolCount * SlotBytes, 0};
    std::vector<unsigned> PartOf(SectionCount);
    for (std::size_t I = 0; I < SectionCount; ++I) {
      const Elf64_Shdr &S = Sections[I];
      if (!(S.sh_flags & SHF_ALLOC) || !S.sh_size || S.sh_type == SHT_NOTE)
        continue;
      const std::string_view Name = text(*SectionNames, S.sh_name);
      if (Name == ".eh_frame")
        continue; // skeletons do not unwind
      const bool Empty = S.sh_type == SHT_NOBITS;
      if ((!Empty && S.sh_type != SHT_PROGBITS) || (S.sh_flags & SHF_TLS) || S.sh_addralign > PageBytes ||
          S.sh_size > MaxImage || (!Empty && !at<char>(S.sh_offset, S.sh_size)))
        return false;
      // Constants that hold addresses are writable until these are resolved.
      const bool Fixed = !(S.sh_flags & SHF_WRITE) || Name.substr(0, 12) == ".data.rel.ro";
      const Part Where = S.sh_flags & SHF_EXECINSTR ? Code : Fixed ? Constants : Data;
      const std::uint64_t Alignment = S.sh_addralign ? S.sh_addralign : 1;
      Offsets[I] = (Used[Where] + Alignment - 1) / Alignment * Alignment;
      PartOf[I] = Where;
      Used[Where] = Offsets[I] + S.sh_size;
      if (Used[Where] > MaxImage)
        return false;
    }
    for (unsigned Where = 0; Where < Parts; ++Where) {
      Starts[Where + 1] = Starts[Where] + (Used[Where] + PageBytes - 1) / PageBytes * PageBytes;
      if (Starts[Where + 1] > MaxImage)
        return false;
    }
    for (std::size_t I = 0; I < SectionCount; ++I)
      if (Offsets[I] != Absent)
        Offsets[I] += Starts[PartOf[I]];
    DataBytes = Used[Data];
    void *Pages =
        mmap(nullptr, Starts[Parts], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Image = Pages == MAP_FAILED ? nullptr : static_cast<char *>(Pages);
    return Image;
  }

  Placement resolveSymbols() {
    Values.assign(SymbolCount, 0);
    for (std::size_t I = 1; I < SymbolCount; ++I) {
      const Elf64_Sym &S = Symbols[I];
      const unsigned Type = ELF64_ST_TYPE(S.st_info);
      if (Type == STT_TLS || Type == STT_GNU_IFUNC)
        return Placement::Unusual;
      if (S.st_shndx == SHN_ABS) {
        Values[I] = S.st_value;
      } else if (S.st_shndx != SHN_UNDEF) {
        if (S.st_shndx >= SectionCount)
          return Placement::Unusual;
        if (Offsets[S.st_shndx] != Absent)
          Values[I] = reinterpret_cast<std::uintptr_t>(Image) + Offsets[S.st_shndx] + S.st_value;
      } else {
        const std::string Name(text(*SymbolNames, S.st_name));
        std::string Why;
        const Symbols::Found Found = Names(Name, Why);
        if (!Found.Address && ELF64_ST_BIND(S.st_info) != STB_WEAK) {
          Problem = Why;
          return Placement::Failed;
        }
        Result.NeedsChild |= Found.Address && Found.KeepsState;
        Values[I] = reinterpret_cast<std::uintptr_t>(Found.Address);
      }
    }
    return Placement::Done;
  }

  /// Contents of sections, table of addresses, stubs.
  bool fill() {
    for (std::size_t I = 0; I < SectionCount; ++I)
      if (Offsets[I] != Absent && Sections[I].sh_type != SHT_NOBITS)
        std::memcpy(Image + Offsets[I], Object.data() + Sections[I].sh_offset, Sections[I].sh_size);
    for (std::size_t I = 0; I < SymbolCount; ++I) {
      std::memcpy(slot(I), &Values[I], sizeof(Values[I]));
      const unsigned char Jump[] = {0xff, 0x25}; // jmp *(rip + distance)
      const auto Distance = std::int32_t(slot(I) - (stub(I) + 6));
      std::memcpy(stub(I), Jump, sizeof(Jump));
      std::memcpy(stub(I) + sizeof(Jump), &Distance, sizeof(Distance));
    }
    return true;
  }

  bool relocate() {
    for (std::size_t I = 0; I < SectionCount; ++I) {
      const Elf64_Shdr &Table = Sections[I];
      if (Table.sh_type != SHT_RELA && Table.sh_type != SHT_REL)
        continue;
      if (Table.sh_info >= SectionCount)
        return false;
      if (Offsets[Table.sh_info] == Absent)
        continue;
      const std::uint64_t Count = Table.sh_size / sizeof(Elf64_Rela);
      const auto *Entries = at<Elf64_Rela>(Table.sh_offset, Count);
      if (Table.sh_type == SHT_REL || !Entries)
        return false;
      for (std::uint64_t K = 0; K < Count; ++K)
        if (!relocate(Entries[K], Table.sh_info))
          return false;
    }
    return true;
  }

  bool relocate(const Elf64_Rela &Entry, std::size_t Section) {
    const std::size_t Symbol = ELF64_R_SYM(Entry.r_info);
    const std::uint64_t Type = ELF64_R_TYPE(Entry.r_info);
    const bool Wide = Type == R_X86_64_64 || Type == R_X86_64_PC64;
    const std::uint64_t Bytes = Wide ? 8 : 4, Room = Sections[Section].sh_size;
    if (Symbol >= SymbolCount || Room < Bytes || Entry.r_offset > Room - Bytes)
      return Type == R_X86_64_NONE;
    char *Place = Image + Offsets[Section] + Entry.r_offset;
    const auto Address = [](const char *Where) { return reinterpret_cast<std::uintptr_t>(Where); };
    std::uint64_t Target = Values[Symbol];
    switch (Type) {
    case R_X86_64_NONE: return true;
    case R_X86_64_64: return store(Place, Target + std::uint64_t(Entry.r_addend));
    case R_X86_64_PC64:
    case R_X86_64_PC32: break;
    case R_X86_64_PLT32:
      if (Symbols[Symbol].st_shndx == SHN_UNDEF)
        Target = Address(stub(Symbol));
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: Target = Address(slot(Symbol)); break;
    default: return false;
    }
    const std::uint64_t Value = Target + std::uint64_t(Entry.r_addend) - Address(Place);
    if (Wide)
      return store(Place, Value);
    const auto Narrow = std::int32_t(Value);
    return std::uint64_t(std::int64_t(Narrow)) == Value && store(Place, Narrow);
  }

  template <class T> static bool store(char *Place, T Value) {
    std::memcpy(Place, &Value, sizeof(Value));
    return true;
  }

  bool protect() {
    const auto Set = [&](Part Which, int Access) {
      const std::uint64_t Bytes = Starts[Which + 1] - Starts[Which];
      return !Bytes || mprotect(Image + Starts[Which], Bytes, Access) == 0;
    };
    if (DataBytes)
      Result.Writable.push_back({Image + Starts[Data], DataBytes});
    return Set(Code, PROT_READ | PROT_EXEC) && Set(Constants, PROT_READ);
  }

  bool findEntries() {
    std::map<unsigned, void (*)()> Ordered;
    for (std::size_t I = 1; I < SymbolCount; ++I) {
      if (Symbols[I].st_shndx == SHN_UNDEF || ELF64_ST_BIND(Symbols[I].st_info) == STB_LOCAL)
        continue;
      std::string_view Name = text(*SymbolNames, Symbols[I].st_name);
      if (Name == MEMSHAPE_SK_ENTRY)
        Result.Run = reinterpret_cast<LoadedSkeleton::Function>(Values[I]);
      if (Name.substr(0, ConstructorPrefix.size()) != ConstructorPrefix)
        continue;
      Name.remove_prefix(ConstructorPrefix.size());
      unsigned Number = 0;
      if (std::from_chars(Name.data(), Name.data() + Name.size(), Number).ec != std::errc())
        return false;
      Ordered[Number] = reinterpret_cast<void (*)()>(Values[I]);
    }
    for (const auto &[Number, Constructor] : Ordered)
      Result.Constructors.push_back(Constructor);
    return Result.Run;
  }

  char *stub(std::size_t Symbol) const { return Image + Starts[Code] + Symbol * SlotBytes; }
  char *slot(std::size_t Symbol) const { return Image + Starts[Constants] + Symbol * SlotBytes; }

  /// All distances in an image of this size fit 32 bits.
  static constexpr std::uint64_t MaxImage = std::uint64_t(1) << 30;
  static constexpr std::uint64_t Absent = UINT64_MAX;

  std::string_view Object;
  const NameSearch &Names;
  PlacedCode &Result;
  std::string &Problem;
  const Elf64_Shdr *Sections = nullptr, *SectionNames = nullptr, *SymbolNames = nullptr;
  const Elf64_Sym *Symbols = nullptr;
  std::size_t SectionCount = 0, SymbolCount = 0;
  std::vector<std::uint64_t> Offsets; ///< of sections in the image
  std::vector<std::uint64_t> Values;  ///< of symbols
  std::uint64_t Starts[Parts + 1] = {};
  std::uint64_t DataBytes = 0;
  char *Image = nullptr;
};

} // namespace

Placement memshape::placeObject(std::string_view Object, const NameSearch &Names, PlacedCode &Result,
                                std::string &Problem) {
  // The views into the object are aligned as the structures are.
  std::vector<Elf64_Xword> Aligned((Object.size() + sizeof(Elf64_Xword) - 1) / sizeof(Elf64_Xword));
  std::memcpy(Aligned.data(), Object.data(), Object.size());
  const std::string_view Copy(reinterpret_cast<const char *>(Aligned.data()), Object.size());
  return Placing(Copy, Names, Result, Problem).run();
}
