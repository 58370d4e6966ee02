//===- TimelinePage.h - Live bytes over one call, for terminals -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_REPORT_TIMELINEPAGE_H
#define MEMSHAPE_TOOLS_REPORT_TIMELINEPAGE_H

#include "libmemshape/text/Terminal.h"

namespace memshape {

struct OperatorReport;

/// Live bytes in the order of allocations and frees, in all and by place, as sparklines. At: the shape, for the title.
/// Empty if steps were not asked for.
std::string timelinePage(const OperatorReport &Report, const std::string &At, const Terminal &Screen);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_REPORT_TIMELINEPAGE_H
