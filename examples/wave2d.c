/* Acoustic modelling in two dimensions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   One shot over a velocity model: second order in time, fourth in space, a damping layer of 20 points on all sides,
   receivers along the top. Plain C, as such kernels are written.

   Memory: two padded wave fields (the older is overwritten), the padded velocities, one damping profile per axis, and
   the seismogram of one shot. */

#include "driver.h"

#include <math.h>
#include <memshape/operator.h>
#include <string.h>

enum { Layer = 20, Reach = 2, Pad = Layer + Reach };

static float *zeros(size_t count) { return calloc(count, sizeof(float)); }

static float *damping(int points) {
  float *profile = malloc((size_t)points * sizeof(float));
  if (!profile)
    return NULL;
  for (int p = 0; p < points; ++p) {
    const int inner = p < points - 1 - p ? p : points - 1 - p;
    const float depth = inner < Pad ? (float)(Pad - inner) / Pad : 0.0f;
    profile[p] = expf(-0.09f * depth * depth);
  }
  return profile;
}

/* Velocities of the model, continued outwards; already times the time step over the grid step, squared. */
static float *padded_model(const float *velocity, int nz, int nx) {
  const int rows = nz + 2 * Pad, columns = nx + 2 * Pad;
  float *model = malloc((size_t)rows * (size_t)columns * sizeof(float));
  if (!model)
    return NULL;
  for (int z = 0; z < rows; ++z) {
    const int from_z = z < Pad ? 0 : z >= nz + Pad ? nz - 1 : z - Pad;
    for (int x = 0; x < columns; ++x) {
      const int from_x = x < Pad ? 0 : x >= nx + Pad ? nx - 1 : x - Pad;
      const float v = 0.4f + 0.05f * velocity[(size_t)from_z * (size_t)nx + (size_t)from_x];
      model[(size_t)z * (size_t)columns + (size_t)x] = v * v;
    }
  }
  return model;
}

static void step(const float *now, float *next, const float *model, const float *damp_z, const float *damp_x, int rows,
                 int columns) {
  for (int z = Reach; z < rows - Reach; ++z)
    for (int x = Reach; x < columns - Reach; ++x) {
      const size_t at = (size_t)z * (size_t)columns + (size_t)x, row = (size_t)columns;
      const float laplacian = -5.0f * now[at] +
                              (4.0f / 3) * (now[at - 1] + now[at + 1] + now[at - row] + now[at + row]) -
                              (1.0f / 12) * (now[at - 2] + now[at + 2] + now[at - 2 * row] + now[at + 2 * row]);
      const float damp = damp_z[z] * damp_x[x];
      next[at] = damp * (2 * now[at] - damp * next[at] + model[at] * laplacian);
    }
}

MEMSHAPE_OPERATOR
int wave2d(const float *velocity, int nz, int nx, int nt, float *section) {
  const int rows = nz + 2 * Pad, columns = nx + 2 * Pad;
  const size_t points = (size_t)rows * (size_t)columns;
  float *now = zeros(points), *next = zeros(points);
  float *model = padded_model(velocity, nz, nx);
  float *damp_z = damping(rows), *damp_x = damping(columns);
  float *seismogram = malloc((size_t)nt * (size_t)nx * sizeof(float));
  const int good = now && next && model && damp_z && damp_x && seismogram;
  if (good) {
    for (int t = 0; t < nt; ++t) {
      const float phase = 0.35f * (float)t - 3.0f;
      now[(size_t)(Pad + 1) * (size_t)columns + (size_t)(columns / 2)] +=
          (1 - 2 * phase * phase) * expf(-phase * phase);
      step(now, next, model, damp_z, damp_x, rows, columns);
      float *older = now;
      now = next;
      next = older;
      memcpy(seismogram + (size_t)t * (size_t)nx, now + (size_t)(Pad + 1) * (size_t)columns + Pad,
             (size_t)nx * sizeof(float));
    }
    for (size_t n = 0; n < (size_t)nt * (size_t)nx; ++n)
      section[n] = seismogram[n];
  }
  free(seismogram);
  free(damp_x);
  free(damp_z);
  free(model);
  free(next);
  free(now);
  return good;
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "nz nx nt", 3, shape);
  const size_t count = (size_t)shape[2] * (size_t)shape[1];
  float *velocity = driver_make_input((size_t)shape[0] * (size_t)shape[1]), *section = driver_make(count);
  for (int call = 0; call < DriverCalls; ++call)
    if (!wave2d(velocity, shape[0], shape[1], shape[2], section))
      return 1;
  printf("wave2d %.6e\n", driver_checksum(section, count));
  free(velocity);
  free(section);
  return 0;
}
