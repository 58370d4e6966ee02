// Plans of a library in a map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans there and back, made when they are first asked for, extents in a vector.
//
// RUN: %clangxx -std=c++17 -O2 %operatorxx -lfftw3f
// RUN: %compare %t --shape ni=3,nt=10 -- 3 10
// RUN: %compare %t --shape ni=4,nt=1000 -- 4 1000
// RUN: %compare %t --shape ni=5,nt=997 -- 5 997

#include "../Inputs/twice.h"
#include <fftw3.h>
#include <map>
#include <utility>
#include <vector>

namespace {

class Transforms {
  std::map<std::pair<int, bool>, fftwf_plan> plans;

public:
  fftwf_plan plan(std::vector<int> &extents, bool back, float *line, fftwf_complex *spectrum) {
    const std::pair<int, bool> key(extents[0], back);
    auto known = plans.find(key);
    if (known != plans.end())
      return known->second;
    fftwf_plan made = back ? fftwf_plan_dft_c2r(1, extents.data(), spectrum, line, FFTW_ESTIMATE)
                           : fftwf_plan_dft_r2c(1, extents.data(), line, spectrum, FFTW_ESTIMATE);
    plans[key] = made;
    return made;
  }
  ~Transforms() {
    for (auto &each : plans)
      fftwf_destroy_plan(each.second);
  }
};

} // namespace

MEMSHAPE_OPERATOR
void smooth(const float *in, int ni, int nt, float *out) {
  Transforms known;
  std::vector<int> extents = {nt};
  std::vector<float> line(nt);
  fftwf_complex *spectrum = fftwf_alloc_complex(nt / 2 + 1);
  for (int i = 0; i < ni; ++i) {
    for (int k = 0; k < nt; ++k)
      line[k] = in[(i + k) % 1000];
    fftwf_execute(known.plan(extents, false, line.data(), spectrum));
    for (int k = 0; k <= nt / 2; ++k)
      spectrum[k][0] *= 0.5f;
    fftwf_execute(known.plan(extents, true, line.data(), spectrum));
    out[i % 1000] = line[0];
  }
  fftwf_free(spectrum);
}

TWICE(smooth(data, number(1), number(2), more))
