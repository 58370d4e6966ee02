// Texts about runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/record/RunRecord.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

/// A line of a page: label, bytes in units and exact.
std::string bytesLine(const std::string &Label, std::integral auto Bytes) {
  return format("  %-13s%12s%18s B\n", Label.c_str(), inUnits(Bytes).c_str(), grouped(Bytes).c_str());
}

/// The line of a heap's peak and, if it may be too low by Error, a line that says so.
std::string peakLines(std::int64_t Peak, std::int64_t Error);

/// "127.7 ms"
std::string duration(double Nanoseconds);

/// Names in these texts are those of the measured program: each is on one line, see oneLine.
std::string baseName(const std::string &Path);

/// "gst3d.cpp:67  convolve", or the library whose code asked.
std::string siteName(const RunRecord &Process, const RunSite &Site);

/// "gst3d  ni=40 nx=50 ns=60  sigma=1.5"
std::string callName(const RunOperator &Operator, const RunGroup &Group);

/// Sites with their bytes and their share of Whole; one line sums up those beyond the first few. "" if there are none.
std::string sitesTable(const RunRecord &Process, const std::vector<RunSiteBytes> &Sites, std::int64_t Whole,
                       const char *Heading);

} // namespace memshape
