// The record of a running process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/record/RunRecord.h"
#include "model/residency/Remaining.h"
#include <memshape/checkpoint/descriptor.h>

namespace memshape {

/// The figures that can be read in microseconds. Threads go on counting meanwhile: live is the sum of what each had
/// counted when it was read. The peak is as exact as in a finished record.
struct LiveFigures {
  std::uint64_t State = 0; ///< enum memshape_record_state
  std::int64_t Live = 0;
  std::int64_t Peak = 0;
  std::int64_t Mapped = 0, MappedPeak = 0; ///< the program's own mappings, beside the heap
};

/// Reads with system calls rather than a mapping: a truncated file gives an error instead of a signal.
class LiveRecord {
public:
  static Result<LiveRecord> open(const std::string &Path);
  /// The record that the process writes or, if it writes none, that of a process it started.
  static Result<LiveRecord> ofProcess(int Pid);
  int pid() const { return Pid; }
  std::uint64_t started() const { return Started; } ///< Unix time, ns

  LiveFigures figures() const;
  Result<RunRecord> read() const;

private:
  LiveRecord(int Number, std::string Path) : Opened(Number), Path(std::move(Path)) {}
  checkpoint::Descriptor Opened;
  std::string Path;
  int Pid = 0;
  std::uint64_t Started = 0;
};

/// Whether a process with this id runs; a zombie does not.
bool isAlive(int Pid);

/// Resident memory of a process; all 0 if it has ended.
struct ResidentFigures {
  std::uint64_t Bytes = 0;
  std::uint64_t Peak = 0;  ///< VmHWM
  std::uint64_t Files = 0; ///< of Bytes: pages of files, and shared ones
};
ResidentFigures residentFigures(int Pid);

/// Both figures in the form that the model reads.
Look lookOf(const LiveFigures &Counted, const ResidentFigures &Resident);

/// Ids of running child processes of Pid.
std::vector<int> childrenOf(int Pid);

/// The current Unix time, ns.
std::uint64_t unixTime();

} // namespace memshape
