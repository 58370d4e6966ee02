// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Publication.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace memshape::out_of_core {

constexpr std::chrono::milliseconds Interval{100};
constexpr int FileFlags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC;

static std::uint64_t unixTime() {
  const auto Since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Since).count());
}

/// PARENT/store-PID-NUMBER beside the record of the run; empty where none is kept.
static std::string besideRun() {
  const char *Record = ::secure_getenv("MEMSHAPE_RUNTIME_RECORD");
  if (!Record || Record[0] != '/')
    return {};
  static std::atomic<unsigned> Number = 0;
  const std::string Name = "store-" + std::to_string(::getpid()) + "-" + std::to_string(Number.fetch_add(1));
  const std::filesystem::path Path = std::filesystem::path(Record).parent_path() / Name;
  const Descriptor Made(::open(Path.c_str(), FileFlags | O_EXCL, 0600));
  return Made >= 0 ? Path.string() : std::string();
}

Publication::Publication() : Started(unixTime()), OfRun(besideRun()) {}

void Publication::addTo(const Folder &Of) {
  const std::lock_guard Held(Writing);
  Own = &Of;
}

StoreRecord Publication::record(const Statistics &Now, std::uint64_t Budget, bool Ended) {
  StoreRecord Into;
  std::copy(std::begin(record_magic), std::end(record_magic), Into.magic);
  Into.version = record_version;
  Into.pid = static_cast<std::uint64_t>(::getpid());
  Into.started = Started;
  Into.updated = Made = std::max(unixTime(), Made + 1); // the system's clock may be set back
  Into.ended = Ended;
  Into.budget_bytes = Budget;
  Into.executors = Now.executors;
  Into.executor_bytes = Now.executor_bytes;
  Into.resident = Now.resident;
  Into.resident_bytes = Now.resident_bytes;
  Into.peak_bytes = Now.peak_bytes;
  Into.evictions = Now.evictions;
  Into.reads = Now.reads;
  Into.read_bytes = Now.read_bytes;
  Into.writes = Now.writes;
  Into.written_bytes = Now.written_bytes;
  Into.uses = Now.uses;
  Into.hits = Now.hits;
  Into.checksum = checksum_of(Into);
  Next = std::chrono::steady_clock::now() + Interval;
  return Into;
}

void Publication::write(const StoreRecord &What) {
  const std::lock_guard Held(Writing);
  if (What.updated <= Written)
    return;
  Written = What.updated;
  if (Own)
    writeTo(Own->file(), record_name, What);
  if (!OfRun.empty())
    writeTo(AT_FDCWD, OfRun.c_str(), What);
}

void Publication::writeTo(int Parent, const char *Name, const StoreRecord &What) {
  const Descriptor Opened(::openat(Parent, Name, FileFlags, 0600));
  while (Opened >= 0 && ::pwrite(Opened, &What, sizeof What, 0) < 0 && errno == EINTR)
    ;
}

} // namespace memshape::out_of_core
