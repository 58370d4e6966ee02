/* Profiles for the tools that show them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include "names.h"

namespace memshape::v1 {

/// What is counted of a call stack: bytes that are live at the peak, bytes requested in all, how often.
enum class Sample { peak, total, allocations };

/// folded: one line `a;b;c bytes` a stack, for flame graphs. pprof: profile.proto, gzipped. perfetto: a trace. The last
/// two hold all that is counted.
enum class ProfileFormat { folded, pprof, perfetto };

} // namespace memshape::v1
