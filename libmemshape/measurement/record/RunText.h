// Texts about runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/record/RunRecord.h"

#include <cstdio>

namespace memshape {

/// snprintf as a string, cut at 511 bytes.
std::string format(const char *Form, auto... Values) {
  char Text[512];
  std::snprintf(Text, sizeof Text, Form, Values...);
  return Text;
}

/// 1234567 -> "1,234,567"
std::string grouped(std::int64_t Number);

/// 1572864 -> "1.50 MiB"; below 1 KiB the bytes.
std::string scaled(std::int64_t Bytes);

/// A line of a page: label, bytes scaled and exact.
std::string bytesLine(const char *Label, std::int64_t Bytes);

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
