// Sort, reduction and scan of Thrust.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

//@ n=1000 | n=2000003
extern "C" void thrust_sort(const float *in, int n, float *out) {
  thrust::device_vector<float> values(in, in + n);
  thrust::sort(values.begin(), values.end());
  thrust::copy(values.begin(), values.end(), out);
}

//@ n=1000 | n=2000003
extern "C" void thrust_reduce(const float *in, int n, float *out) {
  thrust::device_vector<float> values(in, in + n);
  *out = thrust::reduce(values.begin(), values.end(), 0.0f, thrust::plus<float>());
}

//@ n=1000 | n=2000003
extern "C" void thrust_scan(const float *in, int n, float *out) {
  thrust::host_vector<float> staged(in, in + n);
  thrust::device_vector<float> values = staged, sums(n);
  thrust::inclusive_scan(values.begin(), values.end(), sums.begin());
  thrust::copy(sums.begin(), sums.end(), out);
}
