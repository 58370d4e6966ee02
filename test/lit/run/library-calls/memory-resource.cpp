// Containers on a buffer that only grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resource's code is in the C++ library, behind virtual functions whose summaries its table names. They run for real,
// and the memory that they hand out is the caller's. Where a program may have set another default resource, there is no
// bound.
//
// RUN: %held -std=c++20 -O2
// HELD n=100 n=5000
// HELD -DUPSTREAM= n=100 --bounds 0..none --because no_skeleton
// HELD -DPOOL -DUPSTREAM= n=100 --bounds 0..none --because unproven_call
// HELD -DPOOL n=100
//
// Setting another one gives back what others have set.
// HELD -DSETS n=100 --bounds 400..800

#include "../Inputs/twice.h"
#include <map>
#include <memory_resource>
#include <vector>

#ifndef UPSTREAM
#define UPSTREAM {std::pmr::new_delete_resource()}
#endif

#ifdef SETS

MEMSHAPE_OPERATOR
float twin(const float *in, int n) {
  std::pmr::memory_resource *before = std::pmr::set_default_resource(std::pmr::new_delete_resource());
  std::vector<float> copy(before == std::pmr::new_delete_resource() ? n : 2 * n, in[0]);
  return copy[n / 9];
}
#elif defined(POOL)

MEMSHAPE_OPERATOR
float twin(const float *in, int n) {
  std::pmr::synchronized_pool_resource pool UPSTREAM;
  std::pmr::vector<float> copy(in, in + n, &pool);
  return copy[n / 9];
}
#else

MEMSHAPE_OPERATOR
float twin(const float *in, int n) {
  std::pmr::monotonic_buffer_resource buffer UPSTREAM;
  std::pmr::vector<float> copy(in, in + n, &buffer), other(copy, &buffer);
  std::pmr::unsynchronized_pool_resource pool UPSTREAM;
  std::pmr::map<int, std::pmr::vector<float>> groups(&pool);
  for (int i = 0; i < n; ++i)
    groups[i % 5].push_back(other[i]);
  return groups[n % 5][n / 9];
}
#endif
