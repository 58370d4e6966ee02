// Functions that emitted code brings with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string_view>

namespace memshape {

/// Texts of a language, made from libmemshape/emit/prelude.
struct Prelude {
  std::string_view Numbers, Rounding, Spans, RoundedSpans;
};

extern const Prelude PreludeOfC, PreludeOfPython;

} // namespace memshape
