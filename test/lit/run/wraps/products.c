// Products and sums of sizes that do not fit their types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %wraps %t.0.o %s
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.2.o
// RUN: %wraps %t.2.o %s

#include <memshape/operator.h>
#include <stdint.h>
#include <stdlib.h>

// WRAPS product 4*w*h*2 32 signed w=16384,h=16384
MEMSHAPE_OPERATOR
void *product(int w, int h) { return malloc(4 * w * h * 2); }

// WRAPS positive w*h*4 32 unsigned w=32768,h=32768
MEMSHAPE_OPERATOR
void *positive(unsigned w, unsigned h) { return malloc(w * h * 4); }

// The product is an int; only then it becomes a size.
// WRAPS widened_late n*channels*seconds 32 signed n=1291,channels=1291,seconds=1291
MEMSHAPE_OPERATOR
void *widened_late(int n, int channels, int seconds) {
  size_t samples = n * channels * seconds;
  return malloc(samples * sizeof(short));
}

// SILENT widened_early n=100000,channels=1000
MEMSHAPE_OPERATOR
void *widened_early(int n, int channels) { return malloc((size_t)n * channels * sizeof(short)); }

// WRAPS of_bits w*h+7 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
void *of_bits(int w, int h) { return malloc((w * h + 7) / 8); }

// WRAPS summed bytes+=h 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
void *summed(int w, int h) {
  int bytes = 0;
  for (int i = 0; i < w; ++i) bytes += h;
  return malloc(bytes);
}

// WRAPS cleared w*h 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
void *cleared(int w, int h) { return calloc(w * h, 4); }

// A function that allocates for others.
static void *rows(int bytes) { return malloc(bytes); }
// WRAPS handed_over w*h 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
void *handed_over(int w, int h) { return rows(w * h); }

// WRAPS proper w*h*8 64 unsigned w=1518500250,h=1518500250
MEMSHAPE_OPERATOR
void *proper(size_t w, size_t h) { return malloc(w * h * 8); }

// SILENT one_extent n=1000000000
MEMSHAPE_OPERATOR
void *one_extent(int n) { return malloc(n * sizeof(double)); }

// A number that wraps on purpose and reaches no size.
// SILENT hashed w=100000,h=100000
MEMSHAPE_OPERATOR
float *hashed(int w, int h, unsigned *where) {
  unsigned hash = 17;
  for (int i = 0; i < 8; ++i)
    hash = (hash ^ (unsigned)(w + i)) * 16777619u + (unsigned)h;
  float *table = malloc(4 * (size_t)w);
  where[hash % (unsigned)w] = (unsigned)(w * 2654435761u >> 7);
  return table;
}

// SILENT aligned n=100000
MEMSHAPE_OPERATOR
void *aligned(size_t n) { return malloc(((n + 63) & ~(size_t)63) + (n & -n)); }

// SILENT rounded n=100000
MEMSHAPE_OPERATOR
void *rounded(unsigned n) { return malloc((n - 1) / 16 * 16 + 16); }

// SILENT asked w=100000,h=100000
MEMSHAPE_OPERATOR
void *asked(size_t w, size_t h) {
  if (w && h > SIZE_MAX / w)
    return NULL;
  return malloc(w * h);
}

// SILENT asked_by_builtin w=100000,h=100000
MEMSHAPE_OPERATOR
void *asked_by_builtin(int w, int h) {
  int bytes;
  if (__builtin_mul_overflow(w, h, &bytes))
    return NULL;
  return malloc(bytes);
}

// A test behind the product does not see all products that wrap: here the first one that it lets through.
// WRAPS asked_too_late w*h 32 signed w=65537,h=65537
MEMSHAPE_OPERATOR
void *asked_too_late(int w, int h) {
  int n = w * h;
  if (n < w)
    return NULL;
  return malloc(n);
}
