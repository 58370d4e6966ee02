// Past runs beside what a report derives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/report/Report.h"

namespace memshape {

/// Where the past runs of a report come from.
struct HistoryRequest {
  std::string Store; ///< of past runs
  std::string Model; ///< the generic prior; empty: the one of this build
  double Confidence = 0.99;
};

/// Fills the History of every operator. Request is that of the report.
std::optional<Failure> addHistory(std::vector<FileReport> &Reports, const ReportRequest &Request,
                                  const HistoryRequest &History);

} // namespace memshape
