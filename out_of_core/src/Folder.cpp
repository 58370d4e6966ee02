// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

constexpr int FolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

[[noreturn]] static void refused(const std::string &What, const std::filesystem::path &Path) {
  throw Error(ErrorCode::io, What + " " + Path.string() + ": " + std::strerror(errno));
}

static bool isOurs(const char *Name) {
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

/// Takes the file over.
static DIR *listing(int File) {
  DIR *Opened = File < 0 ? nullptr : ::fdopendir(File);
  if (!Opened && File >= 0)
    ::close(File);
  return Opened;
}

static std::vector<std::string> entries(int Folder) {
  std::vector<std::string> Found;
  const std::unique_ptr<DIR, int (*)(DIR *)> Of(listing(::openat(Folder, ".", FolderFlags)), ::closedir);
  while (const dirent *Each = Of ? ::readdir(Of.get()) : nullptr)
    Found.emplace_back(Each->d_name);
  return Found;
}

/// Closes Opened at the end. Opens nothing and takes little memory: there may be none left. A folder that holds anything
/// else stays.
static void removeWhole(int Parent, const char *Name, int Opened) {
  DIR *Of = listing(Opened);
  if (!Of)
    return;
  for (bool Again = true; Again; ::rewinddir(Of)) { // what is removed meanwhile may hide other entries
    Again = false;
    while (const dirent *Each = ::readdir(Of))
      Again |= isOurs(Each->d_name) && ::unlinkat(::dirfd(Of), Each->d_name, 0) == 0;
  }
  ::unlinkat(Parent, Name, AT_REMOVEDIR);
  ::closedir(Of); // and the lock with it
}

/// Of this user, private, and of a process that is gone.
static void removeLeftOver(int Parent) {
  for (const std::string &Name : entries(Parent)) {
    if (!Name.starts_with(folder_prefix))
      continue;
    OwnFolder Opened(Parent, Name.c_str(), false);
    struct stat Is;
    if (Opened.file() >= 0 && ::fstat(Opened.file(), &Is) == 0 && Is.st_uid == ::geteuid() && (Is.st_mode & 077) == 0 &&
        ::flock(Opened.file(), LOCK_EX | LOCK_NB) == 0)
      removeWhole(Parent, Name.c_str(), Opened.release());
  }
}

static bool isStill(int Parent, const std::string &Name, int Opened) {
  struct stat Named, Is;
  return ::fstatat(Parent, Name.c_str(), &Named, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(Opened, &Is) == 0 &&
         Named.st_dev == Is.st_dev && Named.st_ino == Is.st_ino;
}

static std::unique_ptr<OwnFolder> openParent(const std::filesystem::path &Path) {
  std::error_code Ignored; // what is wrong is said when it is opened
  std::filesystem::create_directories(Path, Ignored);
  auto Opened = std::make_unique<OwnFolder>(AT_FDCWD, Path.c_str(), true);
  if (Opened->file() < 0)
    refused("cannot open the folder", Path);
  return Opened;
}

/// Makes a folder and locks it. Between the two another store may take it for left over: then there is another try.
static std::unique_ptr<OwnFolder> make(int Parent, const std::filesystem::path &In, std::filesystem::path &Path) {
  for (int Try = 0; Try < 100; ++Try) {
    std::string Template = (In / (std::string(folder_prefix) + "XXXXXX")).string();
    if (!::mkdtemp(Template.data()))
      refused("cannot make a folder in", In);
    Path = Template;
    const std::string Name = Path.filename().string();
    auto Opened = std::make_unique<OwnFolder>(Parent, Name.c_str(), false);
    const bool IsLocked = Opened->file() >= 0 && ::flock(Opened->file(), LOCK_EX | LOCK_NB) == 0;
    if (IsLocked && isStill(Parent, Name, Opened->file()))
      return Opened;
    if (IsLocked || errno == ENOENT || errno == EWOULDBLOCK)
      continue;
    const int Reason = std::exchange(errno, 0);
    ::unlinkat(Parent, Name.c_str(), AT_REMOVEDIR);
    errno = Reason;
    refused("cannot lock a folder in", In);
  }
  throw Error(ErrorCode::io, "cannot lock a folder in " + In.string());
}

Folder::Folder(const std::filesystem::path &In)
    : Parent(openParent(In)), Own((removeLeftOver(Parent->file()), make(Parent->file(), In, Path))),
      NameInParent(Path.filename().string()) {}

Folder::~Folder() {
  if (Here.isHere())
    removeWhole(Parent->file(), NameInParent.c_str(), Own->release());
}

void Folder::remove(const std::string &Name) const { ::unlinkat(file(), Name.c_str(), 0); }

} // namespace memshape::out_of_core
