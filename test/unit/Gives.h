// A value that a test cannot go on without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <utility>

namespace memshape::test {

/// Why there is none, where Of tells.
template <class T> std::string reasonIn(const T &Of) {
  if constexpr (requires { Of.failure(); })
    return Of ? "" : Of.failure().Message;
  else if constexpr (requires { Of.error(); })
    return Of ? "" : Of.error().message;
  return "";
}

} // namespace memshape::test

#define ASSERT_GIVES_AS(Outcome, Declaration, ...)                                                                     \
  auto Outcome = __VA_ARGS__;                                                                                          \
  ASSERT_TRUE(Outcome) << memshape::test::reasonIn(Outcome);                                                           \
  Declaration = std::move(*Outcome)
#define ASSERT_GIVES_AT(Line, ...) ASSERT_GIVES_AS(OutcomeAt##Line, __VA_ARGS__)
#define ASSERT_GIVES_IN(Line, ...) ASSERT_GIVES_AT(Line, __VA_ARGS__)

/// ASSERT_GIVES(T Value, Outcome): declares what a Result, an Expected or an optional holds.
#define ASSERT_GIVES(...) ASSERT_GIVES_IN(__LINE__, __VA_ARGS__)
