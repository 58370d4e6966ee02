// A cubic spline through every trace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=GSL smallest=80,3000 link=-lgsl,-lgslcblas tensors=traces*samples,traces*samples

#include "job.h"

#include <gsl/gsl_spline.h>

ACCURACY_OPERATOR void gsl_curves(const double *In, int traces, int samples, double *Out) {
  gsl_interp_accel *Place = gsl_interp_accel_alloc();
  double *Times = static_cast<double *>(std::malloc(sizeof(double) * static_cast<std::size_t>(samples)));
  for (int S = 0; S < samples; ++S)
    Times[S] = S;
  for (int T = 0; T < traces; ++T) {
    gsl_spline *Spline = gsl_spline_alloc(gsl_interp_cspline, samples);
    gsl_spline_init(Spline, Times, In + static_cast<long>(T) * samples, samples);
    for (int S = 0; S + 1 < samples; ++S)
      Out[static_cast<long>(T) * samples + S] = gsl_spline_eval(Spline, S + 0.5, Place);
    gsl_spline_free(Spline);
  }
  std::free(Times);
  gsl_interp_accel_free(Place);
}
