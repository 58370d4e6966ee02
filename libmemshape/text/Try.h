// A value, or an early return with the reason for its absence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/expected.h"
#include "libmemshape/text/Result.h"

namespace memshape {

template <class T> const Failure &reasonIn(const Result<T> &Of) { return Of.failure(); }
template <class T> const v1::Error &reasonIn(const v1::Expected<T> &Of) { return Of.error(); }

/// Of an answer of the public interface.
template <class T> Result<T> resultOf(v1::Expected<T> Of) {
  return Of ? Result<T>(*std::move(Of)) : Failure{Of.error().message};
}

/// The same, or the reason with Where in front of it.
template <class T> Result<T> inContext(const std::string &Where, Result<T> Of) {
  return Of ? std::move(Of) : Failure{Where + Of.failure().Message};
}

} // namespace memshape

#define MEMSHAPE_TRY_AS(Outcome, Declaration, ...)                                                                     \
  auto Outcome = __VA_ARGS__;                                                                                          \
  if (!Outcome)                                                                                                        \
    return reasonIn(Outcome);                                                                                          \
  Declaration = std::move(*Outcome)
#define MEMSHAPE_TRY_AT(Line, ...) MEMSHAPE_TRY_AS(OutcomeAt##Line, __VA_ARGS__)
#define MEMSHAPE_TRY_IN(Line, ...) MEMSHAPE_TRY_AT(Line, __VA_ARGS__)

/// MEMSHAPE_TRY(T Value, Outcome): declares what a Result or an Expected holds; where it holds none, returns the reason to
/// the caller.
#define MEMSHAPE_TRY(...) MEMSHAPE_TRY_IN(__LINE__, __VA_ARGS__)

/// MEMSHAPE_CHECK(Wrong): returns a Failure or an Error to the caller, where there is one.
#define MEMSHAPE_CHECK(...)                                                                                            \
  do {                                                                                                                 \
    if (auto Wrong_ = __VA_ARGS__)                                                                                     \
      return *std::move(Wrong_);                                                                                       \
  } while (false)
