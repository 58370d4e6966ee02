//===- OutputFile.cpp - A file that appears whole or not at all -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/measurement/process/OutputFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {
namespace {

Failure cannotWrite(const std::string &Path, int Error) {
  return Failure{"cannot write " + Path + ": " + std::strerror(Error)};
}

bool writeAll(int Descriptor, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = write(Descriptor, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Text.remove_prefix(static_cast<std::size_t>(Written));
  }
  return true;
}

std::string folderOf(const std::string &Path) {
  std::size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? "." : Slash == 0 ? "/" : Path.substr(0, Slash);
}

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::open(const std::string &Path) {
  struct stat Status;
  bool Exists = stat(Path.c_str(), &Status) == 0;
  if (Exists && S_ISDIR(Status.st_mode))
    return cannotWrite(Path, EISDIR);
  if (Exists && access(Path.c_str(), W_OK) != 0)
    return cannotWrite(Path, errno);
  std::string Draft;
  int Descriptor = -1;
  if (Exists && !S_ISREG(Status.st_mode)) {
    Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    Draft = Path + ".XXXXXX";
    Descriptor = mkostemp(Draft.data(), O_CLOEXEC);
  }
  if (Descriptor < 0)
    return cannotWrite(Path, errno);
  if (!Draft.empty()) { // mkostemp makes private files; ours is as shared as any other
    mode_t Mask = umask(0);
    umask(Mask);
    fchmod(Descriptor, Exists ? Status.st_mode & 0777 : 0666 & ~Mask);
  }
  return std::unique_ptr<OutputFile>(new OutputFile(Path, Draft, Descriptor));
}

OutputFile::~OutputFile() {
  if (Descriptor >= 0)
    close(Descriptor);
  if (!Draft.empty())
    unlink(Draft.c_str());
}

Result<bool> OutputFile::commit(std::string_view Text) {
  bool Written = writeAll(Descriptor, Text);
  int Error = errno;
  if (close(Descriptor) != 0 && Written) {
    Written = false;
    Error = errno;
  }
  Descriptor = -1;
  if (!Written)
    return cannotWrite(Path, Error);
  if (!Draft.empty() && rename(Draft.c_str(), Path.c_str()) != 0)
    return cannotWrite(Path, errno);
  Draft.clear();
  return true;
}

Result<bool> checkAppendable(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode))
    return cannotWrite(Path, EISDIR);
  if (access(Path.c_str(), W_OK) != 0 && (errno != ENOENT || access(folderOf(Path).c_str(), W_OK | X_OK) != 0))
    return cannotWrite(Path, errno);
  return true;
}

Result<bool> appendLine(const std::string &Path, std::string_view Line) {
  int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (Descriptor < 0)
    return cannotWrite(Path, errno);
  bool Written = writeAll(Descriptor, std::string(Line) + "\n");
  int Error = errno;
  close(Descriptor);
  if (!Written)
    return cannotWrite(Path, Error);
  return true;
}

} // namespace memshape
