// Operators on stb.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include "stb_image_resize2.h"
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
//@ w=30,h=20,ow=15,oh=17 | w=1920,h=1080,ow=640,oh=360
void *stb_resize(const unsigned char *in, int w, int h, int ow, int oh) {
  return stbir_resize_uint8_linear(in, w, h, 0, NULL, ow, oh, 0, STBIR_RGBA);
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
