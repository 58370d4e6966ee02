// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpillFiles.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

namespace memshape::out_of_core {

namespace {

constexpr std::uint64_t PieceBytes = 1 << 20;
constexpr std::uint64_t MostAtOnce = 1 << 30; // the system writes and reads less than 2^31 bytes in one call

struct Free {
  void operator()(void *At) const { std::free(At); }
};
using Buffer = std::unique_ptr<std::byte, Free>;

Buffer newBuffer(std::uint64_t Bytes) {
  Buffer Made(static_cast<std::byte *>(std::aligned_alloc(Alignment, Bytes)));
  if (!Made)
    throw std::bad_alloc();
  return Made;
}

std::vector<std::uint64_t> checksums(const void *Data, std::uint64_t Bytes) {
  std::vector<std::uint64_t> Found;
  for (std::uint64_t At = 0; At < Bytes; At += PieceBytes)
    Found.push_back(XXH3_64bits(static_cast<const std::byte *>(Data) + At, std::min(PieceBytes, Bytes - At)));
  return Found;
}

[[noreturn]] void isCorrupt(const std::string &Path) {
  throw Error(ErrorCode::corrupt, Path + " has other bytes than were written");
}

} // namespace

/// Passes an object on by one piece.
class PieceWriter final : public Writer {
public:
  PieceWriter(SpillFiles &Files, const std::string &Name)
      : Files(Files), Made{Name, 0, {}}, Piece(newBuffer(PieceBytes)), File(Files.create(Name)) {}

  void write(const void *Data, std::size_t Bytes) override {
    for (auto *From = static_cast<const std::byte *>(Data); Bytes;) {
      const std::size_t Now = std::min<std::size_t>(Bytes, PieceBytes - Filled);
      std::memcpy(Piece.get() + Filled, From, Now);
      Filled += Now, From += Now, Bytes -= Now;
      if (Filled == PieceBytes)
        flush();
    }
  }

  Spill end() {
    flush();
    Files.drop(File, Made.Name, true);
    return std::move(Made);
  }

private:
  void flush() {
    if (!Filled)
      return;
    const std::uint64_t Padded = aligned(Filled);
    std::memset(Piece.get() + Filled, 0, Padded - Filled);
    Made.Checksums.push_back(XXH3_64bits(Piece.get(), Padded));
    Files.write(File, Made.Name, Piece.get(), Padded, Made.Bytes);
    Made.Bytes += std::exchange(Filled, 0);
  }

  SpillFiles &Files;
  Spill Made;
  Buffer Piece;
  std::size_t Filled = 0;
  Descriptor File; // the last: nothing is made where there is no memory
};

/// Hands out no byte of a piece before its checksum has been compared.
class PieceReader final : public Reader {
public:
  PieceReader(const SpillFiles &Files, const Spill &From)
      : Files(Files), From(From), File(Files.open(From.Name)), Piece(newBuffer(PieceBytes)) {}

  void read(void *Data, std::size_t Bytes) override {
    for (auto *To = static_cast<std::byte *>(Data); Bytes;) {
      if (Taken == Filled)
        fill();
      const std::size_t Now = std::min<std::size_t>(Bytes, Filled - Taken);
      std::memcpy(To, Piece.get() + Taken, Now);
      Taken += Now, To += Now, Bytes -= Now;
    }
  }

  void end() { Files.drop(File, From.Name, false); }

private:
  void fill() {
    if (At == From.Bytes)
      throw Error(ErrorCode::usage, "load() reads more than save() has written to " + Files.path(From.Name));
    Taken = 0;
    Filled = std::min(PieceBytes, From.Bytes - At);
    const std::uint64_t Padded = aligned(Filled);
    Files.read(File, From.Name, Piece.get(), Padded, At);
    if (XXH3_64bits(Piece.get(), Padded) != From.Checksums[At / PieceBytes])
      isCorrupt(Files.path(From.Name));
    At += Filled;
  }

  const SpillFiles &Files;
  const Spill &From;
  Descriptor File;
  Buffer Piece;
  std::uint64_t At = 0;
  std::size_t Filled = 0, Taken = 0;
};

SpillFiles::SpillFiles(const std::filesystem::path &Parent, std::shared_ptr<FileLayer> TheLayer)
    : Layer(std::move(TheLayer)), Where(Parent) {
  Direct = takesDirect();
}

/// Some file systems refuse O_DIRECT when a file is opened, others when it is written.
bool SpillFiles::takesDirect() {
  const std::string Name = "0-0";
  const Buffer Page = newBuffer(Alignment);
  std::memset(Page.get(), 0, Alignment);
  Direct = true;
  const Descriptor File(
      Layer->open(Where.file(), Name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_DIRECT, 0600));
  const bool Takes = File >= 0 && Layer->write(File, Page.get(), Alignment, 0) == ssize_t(Alignment) &&
                     Layer->read(File, Page.get(), Alignment, 0) == ssize_t(Alignment);
  Where.remove(Name);
  return Takes;
}

/// On some file systems this can be interrupted too.
Descriptor SpillFiles::opened(const char *What, const std::string &Name, int Flags) const {
  int File;
  do
    File = Layer->open(Where.file(), Name.c_str(), Flags | O_NOFOLLOW | O_CLOEXEC | (Direct ? O_DIRECT : 0), 0600);
  while (File < 0 && errno == EINTR);
  if (File < 0)
    refused(What, Name, errno);
  return Descriptor(File);
}

Descriptor SpillFiles::create(const std::string &Name) const {
  return opened("cannot make", Name, O_WRONLY | O_CREAT | O_EXCL);
}

Descriptor SpillFiles::open(const std::string &Name) const { return opened("cannot open", Name, O_RDONLY); }

void SpillFiles::refused(const char *What, const std::string &Name, int Number) const {
  const ErrorCode Code = Number == ENOSPC || Number == EDQUOT ? ErrorCode::full
                         : Number == ENOENT                   ? ErrorCode::lost
                                                              : ErrorCode::io;
  throw Error(Code, std::string(What) + " " + path(Name) + ": " + std::strerror(Number));
}

/// Where the next call begins. Past the page cache it may not begin within a page, where a file that has become shorter
/// ends: then the page is taken once more.
std::uint64_t SpillFiles::goesOn(std::uint64_t Done, std::uint64_t Bytes) const {
  return Direct && Done < Bytes ? Done / Alignment * Alignment : Done;
}

void SpillFiles::write(int File, const std::string &Name, const void *Data, std::uint64_t Bytes,
                       std::uint64_t At) const {
  for (std::uint64_t Done = 0; Done < Bytes;) {
    const ssize_t Now = Layer->write(File, static_cast<const std::byte *>(Data) + Done,
                                     std::min(MostAtOnce, Bytes - Done), off_t(At + Done));
    if (const std::uint64_t Next = Now > 0 ? goesOn(Done + std::uint64_t(Now), Bytes) : 0; Next > Done)
      Done = Next;
    else if (Now >= 0 || errno != EINTR)
      refused("cannot write", Name, Now >= 0 ? ENOSPC : errno);
  }
}

void SpillFiles::read(int File, const std::string &Name, void *Data, std::uint64_t Bytes, std::uint64_t At) const {
  for (std::uint64_t Done = 0; Done < Bytes;) {
    const ssize_t Now =
        Layer->read(File, static_cast<std::byte *>(Data) + Done, std::min(MostAtOnce, Bytes - Done), off_t(At + Done));
    if (const std::uint64_t Next = Now > 0 ? goesOn(Done + std::uint64_t(Now), Bytes) : 0; Next > Done)
      Done = Next;
    else if (Now >= 0)
      throw Error(ErrorCode::lost, path(Name) + " ends after " + std::to_string(At + Done + std::uint64_t(Now)) +
                                       " bytes; " + std::to_string(At + Bytes) + " were written");
    else if (errno != EINTR)
      refused("cannot read", Name, errno);
  }
}

void SpillFiles::drop(int File, const std::string &Name, bool Written) const {
  if (Direct)
    return;
  while (Written && ::fdatasync(File) != 0) // pages are dropped only once they are on disk
    if (errno != EINTR)
      refused("cannot write", Name, errno);
  ::posix_fadvise(File, 0, 0, POSIX_FADV_DONTNEED);
}

Spill SpillFiles::writeBlock(const std::string &Name, const void *Data, std::uint64_t Bytes) {
  Spill Made{Name, Bytes, checksums(Data, Bytes)};
  const Descriptor File = create(Name);
  try {
    write(File, Name, Data, Bytes, 0);
    drop(File, Name, true);
  } catch (...) {
    remove(Made);
    throw;
  }
  return Made;
}

void SpillFiles::readBlock(const Spill &From, void *Data) {
  const Descriptor File = open(From.Name);
  read(File, From.Name, Data, From.Bytes, 0);
  drop(File, From.Name, false);
  if (checksums(Data, From.Bytes) != From.Checksums)
    isCorrupt(path(From.Name));
}

Spill SpillFiles::writeObject(const std::string &Name, const void *Of, const detail::Object &Type) {
  PieceWriter To(*this, Name);
  try {
    Type.save(Of, To);
    return To.end();
  } catch (...) {
    Where.remove(Name);
    throw;
  }
}

std::shared_ptr<void> SpillFiles::readObject(const Spill &From, const detail::Object &Type) {
  PieceReader Reader(*this, From);
  std::shared_ptr<void> Made = Type.load(Reader);
  Reader.end();
  return Made;
}

void SpillFiles::remove(const Spill &Which) const {
  if (!Which.Name.empty())
    Where.remove(Which.Name);
}

} // namespace memshape::out_of_core
