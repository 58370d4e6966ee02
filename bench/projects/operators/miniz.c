// Operators on miniz.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "miniz.h"
#include <stdlib.h>
#include <string.h>
//@ n=1000 | n=8000000
long mz_bound(const unsigned char *in, int n) {
  mz_ulong size = mz_compressBound(n);
  unsigned char *out = malloc(size);
  mz_compress(out, &size, in, n);
  free(out);
  return size;
}
//@ n=1000,level=1 | n=8000000,level=9
long mz_level(const unsigned char *in, int n, int level) {
  mz_ulong size = mz_compressBound(n);
  unsigned char *out = malloc(size);
  mz_compress2(out, &size, in, n, level);
  free(out);
  return size;
}
//@ n=1000 | n=4000000
int mz_round_trip(const unsigned char *in, int n, unsigned char *out) {
  mz_ulong size = mz_compressBound(n), back = n;
  unsigned char *packed = malloc(size);
  mz_compress(packed, &size, in, n);
  int r = mz_uncompress(out, &back, packed, size);
  free(packed);
  return r;
}
//@ n=1000 | n=4000000
void *mz_to_heap(const unsigned char *in, int n) {
  size_t size = 0;
  return tdefl_compress_mem_to_heap(in, n, &size, TDEFL_DEFAULT_MAX_PROBES);
}
//@ w=30,h=20,channels=3 | w=1920,h=1080,channels=3
void *mz_png(const unsigned char *in, int w, int h, int channels) {
  size_t size = 0;
  return tdefl_write_image_to_png_file_in_memory(in, w, h, channels, &size);
}
//@ n=1000 | n=4000000
unsigned mz_checks(const unsigned char *in, int n) { return mz_crc32(0, in, n) ^ mz_adler32(1, in, n); }
