// Reads the records of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunReport.h"

#include <filesystem>

namespace memshape {

/// Names of record files begin with this.
constexpr char RecordName[] = "record";

/// Reads the records of all processes, the program's own first, then in the order of their start. If a process was not
/// counted, a note gives the reason.
void readRecords(const std::filesystem::path &Folder, Run &R);

/// Adds notes about what the figures lack. If the program's own process left no record, a note gives the reason;
/// Program is its file.
void addNotes(const std::string &Program, Run &R);

} // namespace memshape
