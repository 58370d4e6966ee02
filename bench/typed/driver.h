// One call of an operator under a counter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// measure.py writes the functions that call operators. What they need lies here: arguments that know what they took
// from the heap, values for what they hold, and the line that says what a call requested.

#pragma once

#include "counting.h"

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace typed {

inline bool zeros = false; ///< tensors hold zeros instead of noise

/// From 0 to 1, the same in each run.
inline double noise() {
  static std::uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return double(state >> 11) * 0x1p-53;
}

template <class T> void fill(T &object);

template <class T> void fillAll(T *values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    fill(values[i]);
}

/// Whether an expression of Use, its result, can be formed of a T.
template <class T, class Use> constexpr bool has(Use) { return std::is_invocable_v<Use, T &>; }

/// Numbers become noise, of integers from 0 to 99; objects that hold numbers are filled where they say what they hold.
template <class T> void fill(T &object) {
  if constexpr (std::is_integral_v<T>)
    object = zeros ? T() : T(noise() * 100);
  else if constexpr (std::is_floating_point_v<T>)
    object = zeros ? T() : T(noise() - 0.5);
  else if constexpr (has<T>([](auto &x) -> decltype(x.memptr()) { return nullptr; }))
    fillAll(object.memptr(), object.n_elem);
  else if constexpr (has<T>([](auto &x) -> decltype(x.total() * x.elemSize1()) { return 0; })) // numbers of OpenCV
    fillAll(reinterpret_cast<float *>(object.data), object.total() * object.elemSize() / sizeof(float));
  else if constexpr (has<T>([](auto &x) -> decltype(x.num_elements()) { return 0; }))
    fillAll(object.data(), object.num_elements());
  else if constexpr (has<T>([](auto &x) -> decltype(x.data() + std::size_t(x.size())) { return nullptr; }))
    fillAll(object.data(), std::size_t(object.size()));
  else if constexpr (has<T>([](auto &x) -> decltype(std::begin(x) != std::end(x)) { return false; }))
    for (auto &each : object)
      fill(each);
}

/// Calls an operator and prints what it requested. What it returns lives until that is counted.
template <class Call> void counted(Call call) {
  auto show = [](const requested &all) {
    std::printf("counted %ld %ld %ld %ld %ld\n", all.peak, all.total, all.requests, all.reallocations, all.left);
  };
  counting_begin();
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    show(counting_end());
  } else {
    [[maybe_unused]] auto &&result = call();
    show(counting_end());
  }
}

} // namespace typed

/// Declares an argument of an operator, prints what its value took from the heap, and fills it.
#define TYPED_ARGUMENT(NAME, ...)                                                                                      \
  counting_begin();                                                                                                    \
  auto NAME = __VA_ARGS__;                                                                                             \
  std::printf("tensor %s %ld\n", #NAME, counting_end().left);                                                          \
  typed::fill(NAME)
