//===- ReportHistory.h - Past runs beside what a report derives ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_REPORTHISTORY_H
#define MEMSHAPE_TOOLS_MEMSHAPE_REPORTHISTORY_H

#include "libmemshape/report/Report.h"
#include "tools/memshape/Commands.h"

namespace memshape {

/// Fills the History of every operator from the store that Options names; does nothing where it names none.
std::optional<Failure> addHistory(std::vector<FileReport> &Reports, const ReportOptions &Options,
                                  const Installation &Installed);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_REPORTHISTORY_H
