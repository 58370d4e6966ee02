/* Cosine taper at both ends of each trace. */
#include <math.h>
#include <stdlib.h>

int taper_traces(float *traces, int count, int samples, int ramp) {
  double *weight = malloc((size_t)samples * sizeof *weight);
  if (!weight)
    return -1;
  for (int s = 0; s < samples; ++s) {
    int edge = s < samples - 1 - s ? s : samples - 1 - s;
    weight[s] = edge < ramp ? 0.5 - 0.5 * cos(3.14159265358979 * edge / ramp) : 1.0;
  }
  for (int t = 0; t < count; ++t)
    for (int s = 0; s < samples; ++s)
      traces[(size_t)t * samples + s] *= (float)weight[s];
  free(weight);
  return 0;
}
