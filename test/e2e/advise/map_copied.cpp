// halide/Halide#4684: a map is copied for a reader.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <map>

using Schedule = std::map<long, double>;
static double sum_of(Schedule schedule) {
  double sum = 0;
  for (const auto &[key, value] : schedule)
    sum += double(key) * value;
  return sum;
}
static double sum_of_reference(const Schedule &schedule) {
  double sum = 0;
  for (const auto &[key, value] : schedule)
    sum += double(key) * value;
  return sum;
}
OPERATOR double regressed(const double *in, long n, long m) {
  Schedule schedule;
  for (long i = 0; i < n; ++i)
    schedule[i * m] = in[i];
  return sum_of(schedule) + schedule[0]; // advice: without
}
OPERATOR double fixed(const double *in, long n, long m) {
  Schedule schedule;
  for (long i = 0; i < n; ++i)
    schedule[i * m] = in[i];
  return sum_of_reference(schedule) + schedule[0];
}
