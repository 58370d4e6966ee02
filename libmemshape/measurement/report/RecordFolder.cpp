// Where the processes of a run count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RecordFolder.h"

#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/measurement/report/RunReport.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace memshape {
namespace {

namespace fs = std::filesystem;

constexpr char Prefix[] = "memshape-run-";

/// The folder itself, locked; -1 and errno where that fails, EWOULDBLOCK where another process has locked it.
int locked(const fs::path &Folder) {
  const int Opened = open(Folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Opened < 0 || flock(Opened, LOCK_EX | LOCK_NB) == 0)
    return Opened;
  const int Reason = errno;
  close(Opened);
  errno = Reason;
  return -1;
}

/// A program goes on counting when its memshape run was killed.
bool isCountedIn(const fs::path &Folder) {
  std::error_code Error;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder, Error))
    if (Entry.path().filename().string().starts_with(RecordName))
      if (Result<LiveRecord> Record = LiveRecord::open(Entry.path()); Record && isAlive(Record->pid()))
        return true;
  return false;
}

/// Of this user, private, and of a run that is gone.
void removeLeftOver(const fs::path &Parent) {
  std::error_code Error;
  fs::directory_iterator At(Parent, fs::directory_options::skip_permission_denied, Error);
  for (; !Error && At != fs::directory_iterator(); At.increment(Error)) {
    if (!At->path().filename().string().starts_with(Prefix))
      continue;
    const int Opened = locked(At->path());
    struct stat Is;
    std::error_code Ignored;
    if (Opened >= 0 && fstat(Opened, &Is) == 0 && Is.st_uid == geteuid() && (Is.st_mode & 077) == 0 &&
        !isCountedIn(At->path()))
      fs::remove_all(At->path(), Ignored);
    if (Opened >= 0)
      close(Opened);
  }
}

} // namespace

RecordFolder::RecordFolder() {
  const char *Chosen = std::getenv("TMPDIR");
  for (const std::string &Parent :
       {std::string("/dev/shm"), std::string(Chosen ? Chosen : "/tmp"), std::string("/tmp")}) {
    removeLeftOver(Parent);
    // Between the two steps another run may take the folder for left over: then there is another try.
    for (int Try = 0; Try != 100; ++Try) {
      std::string Name = Parent + "/" + Prefix + "XXXXXX";
      if (!mkdtemp(Name.data()))
        break;
      Lock = locked(Name);
      const bool IsTaken = Lock < 0 && errno == EWOULDBLOCK; // without locks no run removes any
      std::error_code Gone;
      if (!IsTaken && fs::exists(Name, Gone)) {
        Path = fs::absolute(Name);
        return;
      }
      if (Lock >= 0)
        close(std::exchange(Lock, -1));
    }
  }
}

RecordFolder::~RecordFolder() {
  std::error_code Ignored;
  if (!Path.empty())
    fs::remove_all(Path, Ignored);
  if (Lock >= 0)
    close(Lock);
}

} // namespace memshape
