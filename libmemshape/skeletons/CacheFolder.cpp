// What was worked out before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/CacheFolder.h"

#include "libmemshape/files/InputFile.h"
#include "libmemshape/files/OutputFile.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace memshape {

namespace fs = std::filesystem;

/// In the folder; a write beyond either drops until a quarter of it is free again.
constexpr std::size_t MaxFiles = 1024;
constexpr std::uintmax_t MaxBytesInAll = 256 << 20;

constexpr std::string_view Temporary = "new.";

/// 32 digits and the end of the line.
constexpr std::size_t ChecksumBytes = 33;

/// The folder may be one that holds other files, too.
static bool isOurs(const std::string &Name) {
  return (Name.starts_with(Temporary) && Name.size() == Temporary.size() + 6) ||
         (Name.size() == 32 && Name.find_first_not_of("0123456789abcdef") == std::string::npos);
}

/// The first line of a file.
static std::string checksumOf(const std::string &Key, std::string_view Text) {
  CacheKey Sum("checksum");
  Sum.add(Key);
  Sum.add(Text);
  return Sum.text() + "\n";
}

CacheKey::CacheKey(std::string_view Kind) {
  add(Kind);
  add(MEMSHAPE_VERSION);
  addIdentityOf("/proc/self/exe");
}

void CacheKey::add(std::string_view Text) {
  addNumber(Text.size());
  for (unsigned char C : Text)
    step(C);
}

void CacheKey::addNumber(std::uint64_t Number) {
  for (unsigned I = 0; I < 8; ++I)
    step(static_cast<unsigned char>(Number >> (8 * I)));
}

void CacheKey::addIdentityOf(const char *File) {
  struct stat Known;
  if (::stat(File, &Known) != 0)
    return;
  addNumber(static_cast<std::uint64_t>(Known.st_size));
  addNumber(static_cast<std::uint64_t>(Known.st_mtim.tv_sec));
  addNumber(static_cast<std::uint64_t>(Known.st_mtim.tv_nsec));
}

std::string CacheKey::text() const {
  std::string Digits;
  for (std::uint64_t State : States)
    for (int Shift = 60; Shift >= 0; Shift -= 4)
      Digits += "0123456789abcdef"[State >> Shift & 15];
  return Digits;
}

void CacheKey::step(unsigned char C) {
  States[0] = (States[0] ^ C) * 0x100000001b3;
  States[1] = (States[1] ^ C) * 0x9e3779b97f4a7c15;
  States[1] ^= States[1] >> 29;
}

CacheFolder CacheFolder::ofUser() {
  auto Variable = [](const char *Name) {
    const char *Value = std::getenv(Name);
    return std::string(Value ? Value : "");
  };
  if (std::string Chosen = Variable("MEMSHAPE_CACHE"); !Chosen.empty())
    return Chosen == "off" ? CacheFolder() : CacheFolder(Chosen);
  // Relative paths in these variables are to be ignored (XDG Base Directory Specification).
  if (std::string Base = Variable("XDG_CACHE_HOME"); Base.starts_with("/"))
    return CacheFolder(fs::path(Base) / "memshape");
  if (std::string Home = Variable("HOME"); Home.starts_with("/"))
    return CacheFolder(fs::path(Home) / ".cache" / "memshape");
  return CacheFolder();
}

std::optional<std::string> CacheFolder::read(const std::string &Key, std::uintmax_t MaxBytes) const {
  std::error_code Error;
  if (!keeps() || !isOwn())
    return std::nullopt;
  Result<std::string> Kept = readFile(Folder / Key, MaxBytes);
  if (!Kept || Kept->size() < ChecksumBytes)
    return std::nullopt;
  std::string Text = Kept->substr(ChecksumBytes);
  if (Kept->compare(0, ChecksumBytes, checksumOf(Key, Text)) != 0)
    return std::nullopt;
  fs::last_write_time(Folder / Key, fs::file_time_type::clock::now(), Error); // it is in use
  return Text;
}

void CacheFolder::write(const std::string &Key, std::string_view Text) const {
  std::error_code Error;
  if (!keeps() || (makePrivateFolder(Folder), !isOwn()))
    return;
  std::string Fresh = (Folder / (std::string(Temporary) + "XXXXXX")).string();
  int Descriptor = ::mkostemp(Fresh.data(), O_CLOEXEC);
  if (Descriptor < 0)
    return;
  const bool Written = writeAndClose(Descriptor, checksumOf(Key, Text) + std::string(Text)) == 0;
  if (Written)
    fs::rename(Fresh, Folder / Key, Error);
  if (!Written || Error)
    ::unlink(Fresh.c_str());
  dropOldest();
}

bool CacheFolder::isOwn() const {
  struct stat Status;
  if (::stat(Folder.c_str(), &Status) != 0 || (Status.st_uid != ::geteuid() && Status.st_uid != 0))
    return false;
  // A user's own group has no other members.
  return !(Status.st_mode & S_IWOTH) && !(Status.st_mode & S_IWGRP && Status.st_gid != ::getegid());
}

void CacheFolder::dropOldest() const {
  struct Kept {
    fs::file_time_type Used;
    std::uintmax_t Bytes;
    fs::path Path;
  };
  std::error_code Error;
  std::vector<Kept> Files;
  std::uintmax_t Bytes = 0;
  for (fs::directory_iterator At(Folder, Error), End; !Error && At != End; At.increment(Error)) {
    if (!isOurs(At->path().filename().string()))
      continue;
    std::error_code Gone; // by another process
    Kept Each{At->last_write_time(Gone), At->file_size(Gone), At->path()};
    if (Gone)
      continue;
    Bytes += Each.Bytes;
    Files.push_back(std::move(Each));
  }
  std::size_t Count = Files.size();
  if (Count <= MaxFiles && Bytes <= MaxBytesInAll)
    return;
  std::sort(Files.begin(), Files.end(), [](const Kept &A, const Kept &B) { return A.Used < B.Used; });
  for (const Kept &Each : Files) {
    if (Count <= MaxFiles / 4 * 3 && Bytes <= MaxBytesInAll / 4 * 3)
      break;
    fs::remove(Each.Path, Error);
    --Count;
    Bytes -= Each.Bytes;
  }
}

} // namespace memshape
