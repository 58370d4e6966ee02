/* A value, or why there is none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Errors of <memshape/memshape.h> are values. Nothing throws but value(), which
   is for programs that end when there is no answer:

     auto program = memshape::open("smooth.o");
     if (!program)
       return complain(program.error().message); */

#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#if defined(__GNUC__)
#define MEMSHAPE_API __attribute__((visibility("default")))
#else
#define MEMSHAPE_API
#endif

namespace memshape::v1 {

/// What kind of thing went wrong. The numbers stay as they are; more may follow.
enum class ErrorCode {
  file = 1,       ///< a file cannot be read, or was not compiled with memshape
  operator_name,  ///< there is no such operator, or several are meant
  arguments,      ///< a shape symbol or a setting is missing, unknown, or cannot have this value
  options,        ///< a library, a fact of a machine or a file with summaries cannot be used
  history,        ///< the store of past runs or the generic prior cannot be read
  installation,   ///< parts of memshape are missing
  too_large,      ///< sizes at this shape leave 63 bits
  calls_left_out, ///< the operator calls functions that are in none of the files
  no_answer,      ///< the operator does not return at this shape, or it cannot be executed or sliced
  no_formula,     ///< no closed form was found
  outside_domain  ///< the formula was not verified there
};

struct Error {
  ErrorCode code = ErrorCode::no_answer;
  /// One line for a person, without a newline: what is wrong, and what to do. Never empty.
  std::string message;
};

/// A T, or an Error. The interface is a part of that of std::expected of C++23.
template <class T> class [[nodiscard]] Expected {
public:
  Expected(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return content.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value, which has to be there.
  T &operator*() & { return *std::get_if<0>(&content); }
  const T &operator*() const & { return *std::get_if<0>(&content); }
  T &&operator*() && { return std::move(*std::get_if<0>(&content)); }
  T *operator->() { return std::get_if<0>(&content); }
  const T *operator->() const { return std::get_if<0>(&content); }

  /// The value. Throws std::runtime_error with the message where there is none; ends the program where it is compiled
  /// without exceptions.
  T &value() & { return check(), **this; }
  const T &value() const & { return check(), **this; }
  T &&value() && { return check(), std::move(**this); }

  template <class U> T value_or(U &&other) const & {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }

  /// The error, which has to be there.
  const Error &error() const { return *std::get_if<1>(&content); }

private:
  void check() const {
    if (has_value())
      return;
#if defined(__cpp_exceptions)
    throw std::runtime_error(error().message);
#else
    std::abort();
#endif
  }

  std::variant<T, Error> content;
};
} // namespace memshape::v1
