// A value, or one line with the reason for its absence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <utility>
#include <variant>

namespace memshape {

/// Failures that callers distinguish.
enum class FailureCode {
  Other,
  TooLarge,     ///< sizes at this shape leave 63 bits
  CallsLeftOut, ///< functions that the operator calls are not available
  DamagedStore, ///< the store cannot be read to its end
  NotAStore     ///< the file is no store of memshape
};

struct Failure {
  /// One line for the user: what is wrong and what to do. Without "memshape:" and without a newline.
  std::string Message;
  FailureCode Code = FailureCode::Other;
};

/// The return type of functions that can fail.
template <class T> class [[nodiscard]] Result {
public:
  Result(T Value) : Content(std::in_place_index<0>, std::move(Value)) {}
  Result(Failure Why) : Content(std::in_place_index<1>, std::move(Why)) {}

  explicit operator bool() const { return Content.index() == 0; }
  T &operator*() { return *std::get_if<0>(&Content); }
  const T &operator*() const { return *std::get_if<0>(&Content); }
  T *operator->() { return std::get_if<0>(&Content); }
  const T *operator->() const { return std::get_if<0>(&Content); }
  const Failure &failure() const { return *std::get_if<1>(&Content); }

private:
  std::variant<T, Failure> Content;
};

} // namespace memshape
