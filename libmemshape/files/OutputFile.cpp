// Output that is there as a whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/OutputFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace memshape {

static Failure cannotWrite(const std::string &Path, int Reason) {
  return Failure{"cannot write '" + Path + "': " + std::strerror(Reason)};
}

/// Path itself where there is nothing yet.
static std::string withoutLinks(const std::string &Path) {
  char *Real = ::realpath(Path.c_str(), nullptr);
  std::string Target = Real ? Real : Path;
  std::free(Real);
  return Target;
}

static std::string folderOf(const std::string &Path) {
  std::size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? "." : Slash == 0 ? "/" : Path.substr(0, Slash);
}

int writeAndClose(int Descriptor, std::string_view Text) {
  int Reason = 0;
  while (!Text.empty() && !Reason) {
    const ssize_t Written = ::write(Descriptor, Text.data(), Text.size());
    if (Written >= 0)
      Text.remove_prefix(static_cast<std::size_t>(Written));
    else if (errno != EINTR)
      Reason = errno;
  }
  if (::close(Descriptor) != 0 && !Reason)
    Reason = errno;
  return Reason;
}

OutputFile::OutputFile(OutputFile &&Other) noexcept
    : Path(std::move(Other.Path)), Target(std::move(Other.Target)), Draft(std::exchange(Other.Draft, {})),
      Opened(std::move(Other.Opened)) {}

OutputFile::~OutputFile() {
  if (!Draft.empty())
    ::unlink(Draft.c_str());
}

Result<OutputFile> OutputFile::open(const std::string &Path) {
  struct stat Status;
  const bool Exists = ::stat(Path.c_str(), &Status) == 0;
  if (Exists && S_ISDIR(Status.st_mode))
    return cannotWrite(Path, EISDIR);
  if (Exists && !S_ISREG(Status.st_mode)) {
    const int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
    if (Descriptor < 0)
      return cannotWrite(Path, errno);
    return OutputFile(Path, Path, {}, Descriptor);
  }
  // Renaming would get around the file's own protection.
  if (Exists && ::access(Path.c_str(), W_OK) != 0)
    return cannotWrite(Path, errno);
  std::string Target = withoutLinks(Path), Draft = Target + ".XXXXXX";
  const int Descriptor = ::mkostemp(Draft.data(), O_CLOEXEC);
  if (Descriptor < 0)
    return cannotWrite(Path, errno);
  OutputFile Opened(Path, std::move(Target), std::move(Draft), Descriptor);
  // mkostemp makes private files; this one is as shared as the one before it, or as any other.
  const mode_t Mask = ::umask(0);
  ::umask(Mask);
  if (::fchmod(Descriptor, Exists ? Status.st_mode & 0777 : 0666 & ~Mask) != 0)
    return cannotWrite(Path, errno);
  return Opened;
}

std::optional<Failure> OutputFile::commit(std::string_view Text) {
  int Reason = writeAndClose(Opened.release(), Text);
  if (!Reason && !Draft.empty() && ::rename(Draft.c_str(), Target.c_str()) != 0)
    Reason = errno;
  if (Reason)
    return cannotWrite(Path, Reason);
  Draft.clear();
  return std::nullopt;
}

std::optional<Failure> writeOutput(const std::string &Path, std::string_view Text) {
  Result<OutputFile> Opened = OutputFile::open(Path);
  return Opened ? Opened->commit(Text) : Opened.failure();
}

void makePrivateFolder(const std::filesystem::path &Path) {
  std::error_code Ignored;
  if (Path.empty() || std::filesystem::exists(Path, Ignored))
    return;
  makePrivateFolder(Path.parent_path());
  ::mkdir(Path.c_str(), 0700);
}

std::optional<Failure> checkAppendable(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode))
    return cannotWrite(Path, EISDIR);
  if (::access(Path.c_str(), W_OK) != 0 && (errno != ENOENT || ::access(folderOf(Path).c_str(), W_OK | X_OK) != 0))
    return cannotWrite(Path, errno);
  return std::nullopt;
}

std::optional<Failure> appendLine(const std::string &Path, std::string_view Line) {
  const int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int Reason = Descriptor < 0 ? errno : writeAndClose(Descriptor, std::string(Line) + "\n");
  return Reason ? std::optional(cannotWrite(Path, Reason)) : std::nullopt;
}

} // namespace memshape
