//===- Processes.h - The records that a run has left ---------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_PROCESSES_H
#define MEMSHAPE_RUN_PROCESSES_H

#include "libmemshape/measurement/report/RunReport.h"

#include <filesystem>

namespace memshape {

/// Files whose names begin so hold the records of a run's processes.
constexpr char RecordName[] = "record";

/// Reads the records of all processes, the program's own first, then in the order of their start. What kept a process
/// from being counted becomes a note.
void readRecords(const std::filesystem::path &Folder, Run &R);

/// What is known not to be in the figures, and, where the program's own process left no record, why: Program is its
/// file.
void addNotes(const std::string &Program, Run &R);

} // namespace memshape

#endif // MEMSHAPE_RUN_PROCESSES_H
