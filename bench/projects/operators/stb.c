// Operators on stb.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Above each operator the shapes at which measure.py asks for it; behind a semicolon the kind of data that it needs.

#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include "stb_image_resize2.h"
#define STB_RECT_PACK_IMPLEMENTATION
#include "stb_rect_pack.h"
#define STB_DXT_IMPLEMENTATION
#include "stb_dxt.h"
#define STB_DS_IMPLEMENTATION
#include "stb_ds.h"
#include <stdlib.h>
#include <string.h>
//@ w=30,h=20,channels=3 | w=1500,h=1200,channels=4
void *stb_png(const unsigned char *in, int w, int h, int channels) {
  int size;
  return stbi_write_png_to_mem(in, w * channels, w, h, channels, &size);
}
static void count(void *context, void *data, int size) {
  (void)data;
  *(long *)context += size;
}
//@ w=30,h=20 | w=1500,h=1200
long stb_jpg(const unsigned char *in, int w, int h) {
  long all = 0;
  stbi_write_jpg_to_func(count, &all, w, h, 3, in, 90);
  return all;
}
//@ w=30,h=20 | w=3000,h=2000
long stb_bmp(const unsigned char *in, int w, int h) {
  long all = 0;
  stbi_write_bmp_to_func(count, &all, w, h, 3, in);
  return all;
}
//@ w=30,h=20 | w=1000,h=800
long stb_tga(const unsigned char *in, int w, int h) {
  long all = 0;
  stbi_write_tga_to_func(count, &all, w, h, 4, in);
  return all;
}
//@ w=30,h=20 | w=1000,h=800
long stb_hdr(const float *in, int w, int h) {
  long all = 0;
  stbi_write_hdr_to_func(count, &all, w, h, 3, in);
  return all;
}
//@ w=30,h=20,ow=15,oh=17 | w=1920,h=1080,ow=640,oh=360
void *stb_resize(const unsigned char *in, int w, int h, int ow, int oh) {
  return stbir_resize_uint8_linear(in, w, h, 0, NULL, ow, oh, 0, STBIR_RGBA);
}
//@ w=30,h=20,ow=55,oh=47 | w=800,h=600,ow=1600,oh=1300
void stb_resize_float(const float *in, int w, int h, int ow, int oh) {
  float *out = malloc(sizeof(float) * ow * oh);
  stbir_resize_float_linear(in, w, h, 0, out, ow, oh, 0, STBIR_1CHANNEL);
  free(out);
}
//@ n=10,width=64 | n=5000,width=2048
int stb_pack(const int *sizes, int n, int width) {
  stbrp_context c;
  stbrp_node *nodes = malloc(sizeof(stbrp_node) * width);
  stbrp_rect *rects = malloc(sizeof(stbrp_rect) * n);
  for (int i = 0; i < n; ++i) {
    rects[i].id = i;
    rects[i].w = sizes[i] & 15;
    rects[i].h = sizes[i] & 31;
  }
  stbrp_init_target(&c, width, width, nodes, width);
  int r = stbrp_pack_rects(&c, rects, n);
  free(nodes);
  free(rects);
  return r;
}
//@ w=32,h=16 | w=2048,h=1024
void *stb_dxt_blocks(const unsigned char *in, int w, int h) {
  unsigned char *out = malloc(w * h / 2);
  for (int y = 0; y < h / 4; ++y)
    for (int x = 0; x < w / 4; ++x) {
      unsigned char block[64];
      for (int r = 0; r < 4; ++r)
        memcpy(block + 16 * r, in + 4 * ((long)(4 * y + r) * w + 4 * x), 16);
      stb_compress_dxt_block(out + 8 * ((long)y * (w / 4) + x), block, 0, STB_DXT_NORMAL);
    }
  return out;
}
//@ n=10 | n=1000000
void stb_array(const int *in, int n) {
  int *a = NULL;
  for (int i = 0; i < n; ++i)
    arrput(a, in[i]);
  arrfree(a);
}
//@ n=10 | n=100000
void stb_map(const int *in, int n) {
  struct {
    int key;
    int value;
  } *map = NULL;
  for (int i = 0; i < n; ++i)
    hmput(map, i, in[i]);
  hmfree(map);
}
//@ n=10 | n=20000
void stb_keys(const int *in, int n) {
  struct {
    int key;
    int value;
  } *map = NULL;
  for (int i = 0; i < n; ++i)
    hmput(map, in[i], i);
  hmfree(map);
}
