//===- Folder.cpp ---------------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folder.h"

#include <memshape/out_of_core/error.h>
#include <memshape/out_of_core/record.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace memshape::out_of_core {

namespace {

constexpr int FolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

[[noreturn]] void refused(const std::string &What, const std::filesystem::path &Path) {
  throw Error(ErrorCode::io, What + " " + Path.string() + ": " + std::strerror(errno));
}

bool isOurs(const char *Name) {
  if (!std::strcmp(Name, record_name))
    return true;
  const char *End = Name;
  const auto Digits = [&] {
    const char *Begin = End;
    while (*End >= '0' && *End <= '9')
      ++End;
    return End != Begin;
  };
  return Digits() && *End++ == '-' && Digits() && !*End;
}

std::vector<std::string> entries(int Of) {
  std::vector<std::string> Found;
  const int Again = ::openat(Of, ".", FolderFlags);
  DIR *Opened = Again < 0 ? nullptr : ::fdopendir(Again);
  if (!Opened) {
    if (Again >= 0)
      ::close(Again);
    return Found;
  }
  while (const dirent *Each = ::readdir(Opened))
    Found.emplace_back(Each->d_name);
  ::closedir(Opened);
  return Found;
}

/// A folder that holds anything else stays.
void removeWhole(int Parent, const std::string &Name, int Opened) {
  for (const std::string &Each : entries(Opened))
    if (isOurs(Each.c_str()))
      ::unlinkat(Opened, Each.c_str(), 0);
  ::unlinkat(Parent, Name.c_str(), AT_REMOVEDIR);
}

/// Of this user, private, and of a process that is gone.
void removeLeftOver(int Parent) {
  for (const std::string &Name : entries(Parent)) {
    if (!Name.starts_with(folder_prefix))
      continue;
    const OpenFile Opened(::openat(Parent, Name.c_str(), FolderFlags));
    struct stat Is;
    if (Opened >= 0 && ::fstat(Opened, &Is) == 0 && Is.st_uid == ::geteuid() && (Is.st_mode & 077) == 0 &&
        ::flock(Opened, LOCK_EX | LOCK_NB) == 0)
      removeWhole(Parent, Name, Opened);
  }
}

bool isStill(int Parent, const std::string &Name, int Opened) {
  struct stat Named, Is;
  return ::fstatat(Parent, Name.c_str(), &Named, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(Opened, &Is) == 0 &&
         Named.st_dev == Is.st_dev && Named.st_ino == Is.st_ino;
}

int openParent(const std::filesystem::path &Path) {
  std::error_code Ignored; // what is wrong is said when it is opened
  std::filesystem::create_directories(Path, Ignored);
  const int Opened = ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Opened < 0)
    refused("cannot open the folder", Path);
  return Opened;
}

/// Makes a folder and locks it. Between the two another store may take it for left over: then there is another try.
int make(int Parent, const std::filesystem::path &In, std::filesystem::path &Path) {
  for (int Try = 0; Try < 100; ++Try) {
    std::string Template = (In / (std::string(folder_prefix) + "XXXXXX")).string();
    if (!::mkdtemp(Template.data()))
      refused("cannot make a folder in", In);
    Path = Template;
    const std::string Name = Path.filename().string();
    OpenFile Opened(::openat(Parent, Name.c_str(), FolderFlags));
    if (Opened >= 0 && ::flock(Opened, LOCK_EX | LOCK_NB) == 0 && isStill(Parent, Name, Opened))
      return ::fcntl(Opened, F_DUPFD_CLOEXEC, 0);
  }
  throw Error(ErrorCode::io, "cannot lock a folder in " + In.string());
}

} // namespace

OpenFile::OpenFile(OpenFile &&Other) noexcept : File(std::exchange(Other.File, -1)) {}
OpenFile &OpenFile::operator=(OpenFile &&Other) noexcept {
  std::swap(File, Other.File);
  return *this;
}
OpenFile::~OpenFile() {
  if (File >= 0)
    ::close(File);
}

Folder::Folder(const std::filesystem::path &In)
    : Parent(openParent(In)), Own((removeLeftOver(Parent), make(Parent, In, Path))), Process(::getpid()) {}

Folder::~Folder() {
  if (Process == ::getpid())
    removeWhole(Parent, Path.filename().string(), Own);
}

void Folder::remove(const std::string &Name) const { ::unlinkat(Own, Name.c_str(), 0); }

} // namespace memshape::out_of_core
