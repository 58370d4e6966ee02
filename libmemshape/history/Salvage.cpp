// Recovers the records of a damaged store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Salvage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <map>
#include <optional>
#include <vector>

namespace memshape {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t DefaultPage = 4096, LeastPage = 512, MostPage = 65536;
constexpr std::size_t FileHeader = 100, LogHeader = 32, FrameHeader = 24, LeafHeader = 8;
constexpr unsigned char TableLeaf = 0x0d;
/// Limits visits per page, so that cycles of pages end.
constexpr std::uint64_t MostVisits = 8;
/// Columns of a record: number, operator, peak, checksum, document and what later versions added.
constexpr std::size_t ChecksumColumn = 3, DocumentColumn = 4, MostColumns = 16;

std::uint64_t bigEndian(const unsigned char *At, std::size_t Count) {
  std::uint64_t Value = 0;
  for (std::size_t I = 0; I < Count; ++I)
    Value = Value << 8 | At[I];
  return Value;
}

bool isPageSize(std::uint64_t Size) { return Size >= LeastPage && Size <= MostPage && std::has_single_bit(Size); }

/// Reads a varint: seven bits per byte, highest first, nine bytes at most; false beyond the end.
bool readVarint(const unsigned char *&At, const unsigned char *End, std::uint64_t &Value) {
  Value = 0;
  for (int I = 0; I < 9; ++I) {
    if (At == End)
      return false;
    unsigned char Here = *At++;
    if (I == 8) {
      Value = Value << 8 | Here;
      return true;
    }
    Value = Value << 7 | (Here & 0x7f);
    if (!(Here & 0x80))
      return true;
  }
  return true;
}

/// Bytes that a value of a serial type takes.
std::uint64_t sizeOf(std::uint64_t Type) {
  constexpr std::array<std::uint64_t, 12> Sizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return Type < Sizes.size() ? Sizes[Type] : (Type - 12) / 2;
}

std::optional<std::int64_t> integerOf(std::uint64_t Type, const unsigned char *At) {
  if (Type == 8 || Type == 9)
    return static_cast<std::int64_t>(Type - 8);
  if (Type < 1 || Type > 6)
    return std::nullopt;
  std::size_t Count = sizeOf(Type);
  auto Value = static_cast<std::int64_t>(bigEndian(At, Count) << (64 - 8 * Count));
  return Value >> (64 - 8 * Count); // keeps the sign
}

/// The pages of a store: those of its file, replaced by those that were committed to its log.
class Pages {
public:
  explicit Pages(const std::string &Path) : File(Path, std::ios::binary), Log(Path + "-wal", std::ios::binary) {
    Bytes Head = read(File, 0, FileHeader);
    constexpr std::string_view Magic("SQLite format 3\0", 16);
    if (Head.size() == FileHeader && std::equal(Magic.begin(), Magic.end(), Head.begin())) {
      std::uint64_t Told = bigEndian(Head.data() + 16, 2);
      Told = Told == 1 ? MostPage : Told;
      if (isPageSize(Told))
        Size = Told;
      if (Head[20] < Size - 480)
        Usable = Size - Head[20];
    }
    Usable = std::min(Usable, Size);
    File.clear();
    File.seekg(0, std::ios::end);
    auto End = static_cast<std::int64_t>(File.tellg());
    Count = End > 0 ? (static_cast<std::uint64_t>(End) + Size - 1) / Size : 0;
    readLog();
  }

  std::uint64_t count() const { return Count; }
  std::size_t usable() const { return Usable; }
  std::uint64_t bytes() const { return Count * Size; }
  /// Counts a page of a long record; false if there were too many.
  bool visit() { return ++Visits <= MostVisits * Count; }

  /// Page Number, from 1, or its existing part; the last one is cached.
  const Bytes &page(std::uint64_t Number) {
    if (Number == Last)
      return Kept;
    auto Logged = InLog.find(Number);
    Kept = Logged != InLog.end() ? read(Log, Logged->second, Size) : read(File, (Number - 1) * Size, Size);
    Last = Number;
    return Kept;
  }

private:
  static Bytes read(std::ifstream &From, std::uint64_t At, std::size_t Count) {
    Bytes Found(Count);
    From.clear();
    From.seekg(static_cast<std::streamoff>(At));
    From.read(reinterpret_cast<char *>(Found.data()), static_cast<std::streamsize>(Count));
    Found.resize(From.gcount() > 0 ? static_cast<std::size_t>(From.gcount()) : 0);
    return Found;
  }

  /// Frames are valid up to the last commit, as long as their checksums are consecutive.
  void readLog() {
    Bytes Head = read(Log, 0, LogHeader);
    if (Head.size() < LogHeader || (bigEndian(Head.data(), 4) & ~std::uint64_t(1)) != 0x377f0682 ||
        bigEndian(Head.data() + 8, 4) != Size)
      return;
    bool Big = bigEndian(Head.data(), 4) & 1;
    std::uint32_t A = 0, B = 0;
    auto Sum = [&](const unsigned char *At, std::size_t Length) {
      auto Word = [&](const unsigned char *From) {
        auto Value = static_cast<std::uint32_t>(bigEndian(From, 4));
        return Big ? Value : __builtin_bswap32(Value);
      };
      for (std::size_t I = 0; I + 8 <= Length; I += 8) {
        A += Word(At + I) + B;
        B += Word(At + I + 4) + A;
      }
    };
    auto Right = [&](const unsigned char *At) { return bigEndian(At, 4) == A && bigEndian(At + 4, 4) == B; };
    Sum(Head.data(), LogHeader - 8);
    if (!Right(Head.data() + 24))
      return;
    std::map<std::uint64_t, std::uint64_t> Open;
    for (std::uint64_t At = LogHeader;; At += FrameHeader + Size) {
      Bytes Frame = read(Log, At, FrameHeader + Size);
      if (Frame.size() < FrameHeader + Size || !std::equal(Frame.begin() + 8, Frame.begin() + 16, Head.begin() + 16))
        return;
      Sum(Frame.data(), 8);
      Sum(Frame.data() + FrameHeader, Size);
      if (!Right(Frame.data() + 16))
        return;
      Open[bigEndian(Frame.data(), 4)] = At + FrameHeader;
      if (std::uint64_t Whole = bigEndian(Frame.data() + 4, 4)) {
        Count = std::max(Count, Whole);
        for (auto [Number, Place] : Open)
          InLog[Number] = Place;
        Open.clear();
      }
    }
  }

  std::ifstream File, Log;
  std::size_t Size = DefaultPage, Usable = MostPage;
  std::uint64_t Count = 0, Last = 0, Visits = 0;
  std::map<std::uint64_t, std::uint64_t> InLog; ///< page number to its place in the log
  Bytes Kept;
};

/// A row of a table.
struct Row {
  std::int64_t Number = 0;
  Bytes Payload;
};

/// Cell Index of a leaf, including its overflow pages; nothing if it is incomplete.
std::optional<Row> readRow(Pages &From, std::uint64_t Leaf, std::size_t Index) {
  const Bytes &Page = From.page(Leaf);
  std::size_t Head = Leaf == 1 ? FileHeader : 0, Pointer = Head + LeafHeader + 2 * Index;
  if (Pointer + 2 > Page.size())
    return std::nullopt;
  std::size_t Start = bigEndian(Page.data() + Pointer, 2);
  if (Start >= Page.size())
    return std::nullopt;
  const unsigned char *At = Page.data() + Start, *End = Page.data() + std::min(Page.size(), From.usable());
  std::uint64_t Length = 0, Number = 0;
  if (At >= End || !readVarint(At, End, Length) || !readVarint(At, End, Number) || Length > From.bytes())
    return std::nullopt;
  std::size_t Usable = From.usable(), Most = Usable - 35, Least = (Usable - 12) * 32 / 255 - 23, Local = Length;
  if (Length > Most) {
    Local = Least + (Length - Least) % (Usable - 4);
    Local = Local <= Most ? Local : Least;
  }
  if (static_cast<std::size_t>(End - At) < Local + (Local < Length ? 4 : 0))
    return std::nullopt;
  Row Found{static_cast<std::int64_t>(Number), Bytes(At, At + Local)};
  std::uint64_t Next = Local < Length ? bigEndian(At + Local, 4) : 0;
  while (Found.Payload.size() < Length) {
    if (Next == 0 || Next > From.count() || !From.visit())
      return std::nullopt;
    const Bytes &Further = From.page(Next);
    std::size_t Wanted = std::min<std::size_t>(Length - Found.Payload.size(), Usable - 4);
    if (Further.size() < 4 + Wanted)
      return std::nullopt;
    Found.Payload.insert(Found.Payload.end(), Further.begin() + 4,
                         Further.begin() + 4 + static_cast<std::ptrdiff_t>(Wanted));
    Next = bigEndian(Further.data(), 4);
  }
  return Found;
}

/// The document of a row with its checksum; nothing if the row belongs to another table.
std::optional<std::pair<std::string_view, std::int64_t>> documentOf(const Bytes &Payload) {
  const unsigned char *At = Payload.data(), *End = At + Payload.size();
  std::uint64_t Head = 0;
  if (!readVarint(At, End, Head) || Head > Payload.size())
    return std::nullopt;
  const unsigned char *Value = Payload.data() + Head, *HeadEnd = Value;
  std::optional<std::int64_t> Checksum;
  for (std::size_t Column = 0; Column < MostColumns && At < HeadEnd; ++Column) {
    std::uint64_t Type = 0;
    if (!readVarint(At, HeadEnd, Type) || sizeOf(Type) > static_cast<std::uint64_t>(End - Value))
      return std::nullopt;
    if (Column == ChecksumColumn)
      Checksum = integerOf(Type, Value);
    if (Column == DocumentColumn) {
      if (!Checksum || Type < 13 || Type % 2 == 0)
        return std::nullopt;
      return std::pair(std::string_view(reinterpret_cast<const char *>(Value), sizeOf(Type)), *Checksum);
    }
    Value += sizeOf(Type);
  }
  return std::nullopt;
}

} // namespace

Salvaged salvage(const std::string &Path, const std::function<bool(std::string_view, std::int64_t)> &IsRecord,
                 const std::function<bool(std::string_view)> &Take) {
  Pages From(Path);
  struct Place {
    std::uint64_t Leaf;
    std::size_t Index;
  };
  std::map<std::int64_t, Place> Places; // by the number of the record
  for (std::uint64_t Leaf = 1; Leaf <= From.count(); ++Leaf) {
    std::size_t Head = Leaf == 1 ? FileHeader : 0, Cells = 0;
    if (const Bytes &Page = From.page(Leaf); Page.size() >= Head + LeafHeader && Page[Head] == TableLeaf)
      Cells = bigEndian(Page.data() + Head + 3, 2);
    for (std::size_t Index = 0; Index < Cells; ++Index)
      if (std::optional<Row> Found = readRow(From, Leaf, Index))
        if (auto Document = documentOf(Found->Payload); Document && IsRecord(Document->first, Document->second))
          Places.try_emplace(Found->Number, Place{Leaf, Index});
  }
  Salvaged Done;
  for (auto [Number, At] : Places) {
    std::optional<Row> Found = readRow(From, At.Leaf, At.Index);
    std::optional<std::pair<std::string_view, std::int64_t>> Document;
    if (Found)
      Document = documentOf(Found->Payload);
    if (!Document || !Take(Document->first))
      break;
    ++Done.Records;
  }
  if (!Places.empty() && Places.rbegin()->first > 0)
    Done.Missing = static_cast<std::uint64_t>(Places.rbegin()->first) -
                   std::min<std::uint64_t>(Places.size(), static_cast<std::uint64_t>(Places.rbegin()->first));
  return Done;
}

} // namespace memshape
