// Operators on LodePNG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lodepng.h"
#include <cstdlib>
#include <vector>
//@ w=30,h=20 | w=800,h=600
unsigned long lode_encode32(const unsigned char *in, int w, int h) {
  unsigned char *out = nullptr;
  size_t size = 0;
  lodepng_encode32(&out, &size, in, w, h);
  free(out);
  return size;
}
//@ w=30,h=20 | w=800,h=600
unsigned lode_vector(const unsigned char *in, int w, int h) {
  std::vector<unsigned char> png;
  return lodepng::encode(png, in, w, h, LCT_RGB);
}
//@ n=1000 | n=500000
unsigned long lode_deflate(const unsigned char *in, int n) {
  unsigned char *out = nullptr;
  size_t size = 0;
  LodePNGCompressSettings s;
  lodepng_compress_settings_init(&s);
  s.btype = 0;
  lodepng_zlib_compress(&out, &size, in, n, &s);
  free(out);
  return size;
}
//@ colours=4 | colours=250
void lode_palette(int colours) {
  LodePNGColorMode m;
  lodepng_color_mode_init(&m);
  for (int i = 0; i < colours; ++i)
    lodepng_palette_add(&m, i & 255, 0, 0, 255);
  lodepng_color_mode_cleanup(&m);
}
