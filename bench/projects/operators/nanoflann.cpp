// Operators on nanoflann.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nanoflann.hpp"
#include <vector>
struct Cloud {
  const float *p;
  size_t n;
  size_t kdtree_get_point_count() const { return n; }
  float kdtree_get_pt(size_t i, size_t d) const { return p[3 * i + d]; }
  template <class B> bool kdtree_get_bbox(B &) const { return false; }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3>;
//@ n=100 | n=200000
void nano_build(const float *points, int n) {
  Cloud c{points, size_t(n)};
  Tree t(3, c, nanoflann::KDTreeSingleIndexAdaptorParams(10));
}
//@ n=100,queries=10,k=5 | n=20000,queries=5000,k=10
void nano_search(const float *points, int n, int queries, int k, float *out) {
  Cloud c{points, size_t(n)};
  Tree t(3, c, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  std::vector<uint32_t> index(k);
  for (int q = 0; q < queries; ++q)
    t.knnSearch(points + 3 * q, k, index.data(), out + q * k);
}
//@ n=100,k=5 | n=20000,k=100
void nano_results(int n, int k) {
  std::vector<size_t> i(k);
  std::vector<double> d(k);
  nanoflann::KNNResultSet<double> r(k);
  r.init(i.data(), d.data());
  for (int j = 0; j < n; ++j)
    r.addPoint(1.0 / (j + 1), j);
}
