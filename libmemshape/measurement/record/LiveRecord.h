//===- LiveRecord.h - The record of a process that still writes it -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_LIVERECORD_H
#define MEMSHAPE_RUN_LIVERECORD_H

#include "libmemshape/measurement/record/RunRecord.h"
#include "model/residency/Remaining.h"

namespace memshape {

/// The few figures that can be had in microseconds. Threads go on counting while they are read: live is the sum of what
/// each had counted when it was looked at; the peak is as exact as a finished record's.
struct LiveFigures {
  std::uint64_t State = 0; ///< enum memshape_record_state
  std::int64_t Live = 0;
  std::int64_t Peak = 0;
  std::int64_t Mapped = 0, MappedPeak = 0; ///< what the program has mapped itself, beside the heap
};

/// Reads with system calls rather than through a mapping: a file that someone cuts short gives an error, no signal.
class LiveRecord {
public:
  static Result<LiveRecord> open(const std::string &Path);
  /// The record that the process writes or, where it writes none, a process that it started.
  static Result<LiveRecord> ofProcess(int Pid);
  ~LiveRecord();
  LiveRecord(LiveRecord &&Other) noexcept;
  LiveRecord &operator=(LiveRecord &&) = delete;

  int pid() const { return Pid; }
  std::uint64_t started() const { return Started; } ///< Unix time, ns

  LiveFigures figures() const;
  Result<RunRecord> read() const;

private:
  LiveRecord(int Descriptor, std::string Path) : Descriptor(Descriptor), Path(std::move(Path)) {}
  int Descriptor;
  std::string Path;
  int Pid = 0;
  std::uint64_t Started = 0;
};

/// Whether a process of that id is there; a zombie is not.
bool isAlive(int Pid);

/// Resident memory of a process; all 0 when it is gone.
struct ResidentFigures {
  std::uint64_t Bytes = 0;
  std::uint64_t Peak = 0;  ///< VmHWM
  std::uint64_t Files = 0; ///< of Bytes: pages of files, and shared ones
};
ResidentFigures residentFigures(int Pid);

/// Both, as the model looks at a process.
Look lookOf(const LiveFigures &Counted, const ResidentFigures &Resident);

/// Ids of the processes that Pid has started and that still run.
std::vector<int> childrenOf(int Pid);

/// Now as Unix time, ns.
std::uint64_t unixTime();

} // namespace memshape

#endif // MEMSHAPE_RUN_LIVERECORD_H
