// A value, or an early return with the reason for its absence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#define MEMSHAPE_TRY_AS(Outcome, Declaration, ...)                                                                     \
  auto Outcome = __VA_ARGS__;                                                                                          \
  if (!Outcome)                                                                                                        \
    return Outcome.failure();                                                                                          \
  Declaration = std::move(*Outcome)
#define MEMSHAPE_TRY_AT(Line, ...) MEMSHAPE_TRY_AS(OutcomeAt##Line, __VA_ARGS__)
#define MEMSHAPE_TRY_IN(Line, ...) MEMSHAPE_TRY_AT(Line, __VA_ARGS__)

/// MEMSHAPE_TRY(T Value, Outcome): declares what a Result holds; where it holds a Failure, returns that to the caller.
#define MEMSHAPE_TRY(...) MEMSHAPE_TRY_IN(__LINE__, __VA_ARGS__)
