// Live bytes over one call, for terminals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Terminal.h"

namespace memshape {

struct OperatorReport;

/// Live bytes in the order of allocations and frees, in all and by place, as sparklines. At: the shape, for the title.
/// Empty if steps were not asked for.
std::string timelinePage(const OperatorReport &Report, const std::string &At, const Terminal &Screen);

} // namespace memshape
