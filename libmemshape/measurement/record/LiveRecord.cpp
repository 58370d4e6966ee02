// The record of a running process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/LiveRecord.h"

#include "record/record.h"
#include <memshape/hooks.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {
namespace {

namespace fs = std::filesystem;

bool readAt(int Descriptor, void *To, std::size_t Bytes, std::size_t Offset) {
  char *At = static_cast<char *>(To);
  while (Bytes) {
    ssize_t Count = pread(Descriptor, At, Bytes, static_cast<off_t>(Offset));
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    At += Count;
    Offset += static_cast<std::size_t>(Count);
    Bytes -= static_cast<std::size_t>(Count);
  }
  return true;
}

/// The writable shared mappings of a process: its record is one of them.
std::set<std::string> sharedFiles(int Pid) {
  std::set<std::string> Found;
  std::ifstream Maps("/proc/" + std::to_string(Pid) + "/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    std::istringstream Words(Line);
    std::string Range, Rights, Offset, Device, Inode, Path;
    Words >> Range >> Rights >> Offset >> Device >> Inode >> std::ws;
    std::getline(Words, Path);
    if (Rights == "rw-s" && Path.starts_with("/"))
      Found.insert(Path);
  }
  return Found;
}

std::optional<LiveRecord> recordWrittenBy(int Pid) {
  std::string Root = "/proc/" + std::to_string(Pid) + "/root"; // in a container, paths differ
  for (const std::string &Path : sharedFiles(Pid))
    for (const std::string &Seen : {Path, Root + Path})
      if (Result<LiveRecord> Record = LiveRecord::open(Seen))
        return std::move(*Record);
  return std::nullopt;
}

std::optional<LiveRecord> recordBelow(int Pid, int Depth) {
  if (std::optional<LiveRecord> Record = recordWrittenBy(Pid))
    return Record;
  for (int Child : Depth ? childrenOf(Pid) : std::vector<int>())
    if (std::optional<LiveRecord> Record = recordBelow(Child, Depth - 1))
      return Record;
  return std::nullopt;
}

} // namespace

Result<LiveRecord> LiveRecord::open(const std::string &Path) {
  struct stat Status;
  LiveRecord Record(::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), Path);
  if (Record.Opened < 0)
    return Failure{"cannot read " + Path + ": " + std::strerror(errno)};
  if (fstat(Record.Opened, &Status) != 0 || !S_ISREG(Status.st_mode))
    return Failure{Path + " is not a run record"};
  const auto Header = std::make_unique<memshape_record_header>(); // too large for a small stack
  constexpr std::size_t Start = offsetof(memshape_record_header, used);
  if (!readAt(Record.Opened, Header.get(), Start, 0) ||
      std::memcmp(Header->magic, MEMSHAPE_RECORD_MAGIC, sizeof Header->magic) != 0)
    return Failure{Path + " is not a run record"};
  if (Header->version != MEMSHAPE_RECORD_VERSION)
    return Failure{Path + ": run record of version " + std::to_string(Header->version) +
                   "; this memshape reads version " + std::to_string(MEMSHAPE_RECORD_VERSION)};
  if (static_cast<std::uint64_t>(Status.st_size) < MEMSHAPE_RECORD_ITEMS)
    return Failure{Path + ": damaged run record: the file has been cut short"};
  Record.Pid = static_cast<int>(Header->pid);
  Record.Started = Header->started;
  return Record;
}

Result<LiveRecord> LiveRecord::ofProcess(int Pid) {
  if (!isAlive(Pid))
    return Failure{"there is no process " + std::to_string(Pid)};
  if (std::optional<LiveRecord> Record = recordBelow(Pid, 3))
    return std::move(*Record);
  if (access(("/proc/" + std::to_string(Pid) + "/fd").c_str(), R_OK) != 0)
    return Failure{"process " + std::to_string(Pid) + " belongs to another user: watch it as that user or as root"};
  return Failure{"process " + std::to_string(Pid) + " is not counted, and has no store: start it with memshape run"};
}

LiveFigures LiveRecord::figures() const {
  LiveFigures Now;
  std::int64_t Peak[4] = {}; // peak, peak_most, limit, slack
  // Unused lines follow the used ones; they are read a page at a time.
  constexpr std::size_t Lines = 64;
  memshape_record_thread Threads[Lines];
  readAt(Opened, &Now.State, sizeof Now.State, offsetof(memshape_record_header, state));
  for (std::size_t First = 0; First < MEMSHAPE_RECORD_THREADS; First += Lines) {
    std::size_t Count = std::min<std::size_t>(Lines, MEMSHAPE_RECORD_THREADS - First);
    if (!readAt(Opened, Threads, Count * sizeof *Threads,
                offsetof(memshape_record_header, threads) + First * sizeof *Threads))
      break;
    bool Used = false;
    for (std::size_t I = 0; I != Count; ++I) {
      Now.Live += static_cast<std::int64_t>(Threads[I].counts.total - Threads[I].freed);
      Used |= Threads[I].counts.total || Threads[I].freed;
    }
    if (!Used && First)
      break;
  }
  // Read after the sum, so that the peak is at least the sum.
  if (readAt(Opened, Peak, sizeof Peak, offsetof(memshape_record_header, peak)))
    Now.Peak = RunPeak(Peak[0], Peak[1], Peak[2], Peak[3]).Peak;
  memshape_record_space Mapped;
  if (readAt(Opened, &Mapped, sizeof Mapped,
             offsetof(memshape_record_header, spaces) + MEMSHAPE_SPACE_MAPPED * sizeof Mapped)) {
    Now.Mapped = Mapped.live;
    Now.MappedPeak = Mapped.peak;
  }
  return Now;
}

Result<RunRecord> LiveRecord::read() const {
  std::uint64_t Used = 0;
  struct stat Status;
  if (fstat(Opened, &Status) != 0 || !readAt(Opened, &Used, sizeof Used, offsetof(memshape_record_header, used)))
    return Failure{Path + ": damaged run record: the file has been cut short"};
  std::string Bytes(std::min<std::uint64_t>(Used, static_cast<std::uint64_t>(Status.st_size)), '\0');
  if (!readAt(Opened, Bytes.data(), Bytes.size(), 0))
    return Failure{Path + ": damaged run record: the file has been cut short"};
  // Later items are not in these bytes.
  if (Bytes.size() >= sizeof(memshape_record_header))
    std::memcpy(Bytes.data() + offsetof(memshape_record_header, used), &Used, sizeof Used);
  return readRunRecord(Bytes);
}

bool isAlive(int Pid) {
  std::ifstream Stat("/proc/" + std::to_string(Pid) + "/stat");
  std::string Line;
  std::getline(Stat, Line);
  std::size_t Name = Line.rfind(')');
  return Name != std::string::npos && Name + 2 < Line.size() && Line[Name + 2] != 'Z' && Line[Name + 2] != 'X';
}

ResidentFigures residentFigures(int Pid) {
  std::ifstream Status("/proc/" + std::to_string(Pid) + "/status");
  ResidentFigures Found;
  for (std::string Line; std::getline(Status, Line);) {
    std::size_t Colon = Line.find(':');
    std::string_view Name = std::string_view(Line).substr(0, Colon);
    if (Colon == std::string::npos || !(Name.starts_with("Vm") || Name.starts_with("Rss")))
      continue;
    std::uint64_t Bytes = 1024 * std::strtoull(Line.c_str() + Colon + 1, nullptr, 10);
    if (Name == "VmRSS")
      Found.Bytes = Bytes;
    else if (Name == "VmHWM")
      Found.Peak = Bytes;
    else if (Name == "RssFile" || Name == "RssShmem")
      Found.Files += Bytes;
  }
  return Found;
}

Look lookOf(const LiveFigures &Counted, const ResidentFigures &Resident) {
  auto Bytes = [](auto Count) { return static_cast<double>(Count); };
  return {Bytes(Resident.Bytes), Bytes(Resident.Peak), Bytes(Resident.Files), Bytes(Counted.Live + Counted.Mapped),
          Bytes(Counted.Peak + Counted.MappedPeak)};
}

std::vector<int> childrenOf(int Pid) {
  std::vector<int> Found;
  std::error_code Error;
  for (const fs::directory_entry &Thread : fs::directory_iterator("/proc/" + std::to_string(Pid) + "/task", Error)) {
    std::ifstream Children(Thread.path() / "children");
    for (int Child; Children >> Child;)
      Found.push_back(Child);
  }
  return Found;
}

std::uint64_t unixTime() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return static_cast<std::uint64_t>(Now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(Now.tv_nsec);
}

} // namespace memshape
