// Operators on structures of C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cube {
  int ni, nx, ns;
  const float *samples;
};

struct window {
  int half_i, half_x, half_s;
};

typedef struct {
  int rows, cols;
  unsigned char *pixels;
} image;

/* A sparse matrix by rows. */
struct csr {
  int rows, cols, entries;
  const int *begin, *column;
  const double *value;
};

//@ operator semblance
//@ shapes c.ni=5,c.nx=6,c.ns=20,w.half_i=1,w.half_x=1,w.half_s=2 | c.ni=11,c.nx=13,c.ns=101,w.half_i=2,w.half_x=1,w.half_s=5 | c.ni=101,c.nx=200,c.ns=301,w.half_i=1,w.half_x=1,w.half_s=3
//@ let samples = std::vector<float>($c.ni * $c.nx * $c.ns)
//@ let out = std::vector<float>($c.ni * $c.nx * $c.ns)
//@ do cube c{(int)$c.ni, (int)$c.nx, (int)$c.ns, samples.data()};
//@ do window w{(int)$w.half_i, (int)$w.half_x, (int)$w.half_s};
//@ call semblance(&c, w, out.data())
// Energy of the stack over the energy of the traces, around each sample.
int semblance(const struct cube *c, struct window w, float *out) {
  const size_t traces = (size_t)(2 * w.half_i + 1) * (2 * w.half_x + 1), count = (size_t)c->ni * c->nx * c->ns;
  double *stack = malloc((c->ns + 2 * (size_t)w.half_s) * sizeof *stack);
  double *energy = malloc((c->ns + 2 * (size_t)w.half_s) * sizeof *energy);
  if (!stack || !energy) {
    free(stack);
    free(energy);
    return -1;
  }
  memset(out, 0, count * sizeof *out);
  for (int i = w.half_i; i < c->ni - w.half_i; ++i)
    for (int x = w.half_x; x < c->nx - w.half_x; ++x) {
      memset(stack, 0, (c->ns + 2 * (size_t)w.half_s) * sizeof *stack);
      memset(energy, 0, (c->ns + 2 * (size_t)w.half_s) * sizeof *energy);
      for (int di = -w.half_i; di <= w.half_i; ++di)
        for (int dx = -w.half_x; dx <= w.half_x; ++dx) {
          const float *trace = c->samples + ((size_t)(i + di) * c->nx + x + dx) * c->ns;
          for (int s = 0; s < c->ns; ++s) {
            stack[s + w.half_s] += trace[s];
            energy[s + w.half_s] += trace[s] * trace[s];
          }
        }
      for (int s = 0; s < c->ns; ++s) {
        double above = 0, below = 0;
        for (int d = 0; d <= 2 * w.half_s; ++d) {
          above += stack[s + d] * stack[s + d];
          below += energy[s + d];
        }
        out[((size_t)i * c->nx + x) * c->ns + s] = below > 0 ? (float)(above / (below * traces)) : 0;
      }
    }
  free(stack);
  free(energy);
  return 0;
}

//@ operator csr_column_norms
//@ shapes a.rows=20,a.cols=15,a.entries=60 | a.rows=1001,a.cols=700,a.entries=5005 | a.rows=1000000,a.cols=900001,a.entries=9000000
//@ do std::vector<int> begin($a.rows + 1), column($a.entries);
//@ do for (long r = 0; r <= $a.rows; ++r) begin[r] = int(r * $a.entries / $a.rows);
//@ do for (long k = 0; k < $a.entries; ++k) column[k] = int(k * 7919 % $a.cols);
//@ let value = std::vector<double>($a.entries)
//@ do csr a{(int)$a.rows, (int)$a.cols, (int)$a.entries, begin.data(), column.data(), value.data()};
//@ let out = std::vector<double>($a.cols)
//@ call csr_column_norms(&a, out.data())
// By way of the transposed matrix.
int csr_column_norms(const struct csr *a, double *out) {
  int *begin = calloc((size_t)a->cols + 1, sizeof *begin);
  double *value = malloc((size_t)a->entries * sizeof *value);
  int *next = malloc((size_t)a->cols * sizeof *next);
  if (!begin || !value || !next) {
    free(begin), free(value), free(next);
    return -1;
  }
  for (int k = 0; k < a->entries; ++k)
    ++begin[a->column[k] + 1];
  for (int c = 0; c < a->cols; ++c) {
    next[c] = begin[c];
    begin[c + 1] += begin[c];
  }
  for (int r = 0; r < a->rows; ++r)
    for (int k = a->begin[r]; k < a->begin[r + 1]; ++k)
      value[next[a->column[k]]++] = a->value[k];
  for (int c = 0; c < a->cols; ++c) {
    double sum = 0;
    for (int k = begin[c]; k < begin[c + 1]; ++k)
      sum += value[k] * value[k];
    out[c] = sqrt(sum);
  }
  free(begin), free(value), free(next);
  return 0;
}
