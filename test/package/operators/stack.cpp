// Mean of the traces of each gather, with the usual normalisation by fold.
#include <memshape/operator.h>

#include <cstddef>
#include <vector>

MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("4*gathers*samples + 8*samples") extern "C" void stack_gathers(const float *traces,
                                                                                                  int gathers, int fold,
                                                                                                  int samples,
                                                                                                  float *out) {
  std::vector<double> sum(samples);
  std::vector<float> stacked(static_cast<std::size_t>(gathers) * samples);
  for (int g = 0; g < gathers; ++g) {
    sum.assign(samples, 0.0);
    for (int f = 0; f < fold; ++f)
      for (int s = 0; s < samples; ++s)
        sum[s] += traces[(static_cast<std::size_t>(g) * fold + f) * samples + s];
    for (int s = 0; s < samples; ++s)
      stacked[static_cast<std::size_t>(g) * samples + s] = static_cast<float>(sum[s] / fold);
  }
  for (std::size_t i = 0; i < stacked.size(); ++i)
    out[i] = stacked[i];
}
