// Operators on OpenJPEG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Above each operator the shapes at which measure.py asks for it; behind a semicolon the kind of data that it needs.

#include "opj_includes.h"
#include <stdlib.h>
#include <string.h>
static OPJ_SIZE_T sink(void *b, OPJ_SIZE_T n, void *u) {
  (void)b;
  *(OPJ_SIZE_T *)u += n;
  return n;
}
static OPJ_OFF_T skip(OPJ_OFF_T n, void *u) {
  *(OPJ_SIZE_T *)u += n;
  return n;
}
static OPJ_BOOL seek(OPJ_OFF_T n, void *u) {
  *(OPJ_SIZE_T *)u = n;
  return OPJ_TRUE;
}
//@ width=64,height=50,components=3 | width=3000,height=3000,components=3
int opj_encode_image(const int *samples, int width, int height, int components) {
  opj_image_cmptparm_t cmpt[4];
  memset(cmpt, 0, sizeof cmpt);
  for (int c = 0; c < components && c < 4; ++c) {
    cmpt[c].dx = cmpt[c].dy = 1;
    cmpt[c].w = width;
    cmpt[c].h = height;
    cmpt[c].prec = 8;
  }
  opj_image_t *image = opj_image_create(components, cmpt, components >= 3 ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_GRAY);
  if (!image)
    return 1;
  image->x1 = width;
  image->y1 = height;
  for (int c = 0; c < components; ++c)
    memcpy(image->comps[c].data, samples + (size_t)c * width * height, sizeof(int) * (size_t)width * height);
  opj_cparameters_t p;
  opj_set_default_encoder_parameters(&p);
  p.tcp_mct = components >= 3;
  opj_codec_t *codec = opj_create_compress(OPJ_CODEC_J2K);
  OPJ_SIZE_T at = 0;
  opj_stream_t *stream = opj_stream_default_create(OPJ_FALSE);
  opj_stream_set_user_data(stream, &at, 0);
  opj_stream_set_write_function(stream, sink);
  opj_stream_set_skip_function(stream, skip);
  opj_stream_set_seek_function(stream, seek);
  int ok = opj_setup_encoder(codec, &p, image) && opj_start_compress(codec, image, stream) &&
           opj_encode(codec, stream) && opj_end_compress(codec, stream);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  opj_image_destroy(image);
  return !ok;
}
//@ width=64,height=50,components=3 | width=5000,height=4000,components=4
void *opj_new_image(int width, int height, int components) {
  opj_image_cmptparm_t cmpt[4];
  memset(cmpt, 0, sizeof cmpt);
  for (int c = 0; c < components && c < 4; ++c) {
    cmpt[c].dx = cmpt[c].dy = 1;
    cmpt[c].w = width;
    cmpt[c].h = height;
    cmpt[c].prec = 8;
  }
  return opj_image_create(components, cmpt, OPJ_CLRSPC_SRGB);
}
//@ width=64,height=50 | width=5000,height=4000
void opj_tree(int width, int height) {
  opj_tgt_tree_t *tree = opj_tgt_create(width, height, NULL);
  opj_tgt_reset(tree);
  opj_tgt_destroy(tree);
}
//@ width=640,height=500,block=6 | width=5000,height=4000,block=9
int opj_sparse(const int *in, int width, int height, int block) {
  opj_sparse_array_int32_t *sa = opj_sparse_array_int32_create(width, height, 1u << block, 1u << block);
  if (!sa)
    return 1;
  int ok = opj_sparse_array_int32_write(sa, 0, 0, width, height / 2, in, 1, width, OPJ_TRUE);
  opj_sparse_array_int32_free(sa);
  return ok;
}
//@ bytes=64 | bytes=100000000
void *opj_aligned(int bytes) { return opj_aligned_malloc(bytes); }
//@ components=3 | components=2800
float opj_matrix(const float *in, int components) {
  float *m = opj_malloc(sizeof(float) * components * components);
  memcpy(m, in, sizeof(float) * components * components);
  float *inverse = opj_malloc(sizeof(float) * components * components);
  opj_matrix_inversion_f(m, inverse, components > 100 ? 100 : components);
  float r = inverse[0];
  opj_free(m);
  opj_free(inverse);
  return r;
}
//@ n=300 | n=3000000
void opj_colours(int *r, int *g, int *b, int n) {
  opj_mct_encode(r, g, b, n);
  opj_mct_decode(r, g, b, n);
}
//@ width=64,height=64 | width=1024,height=1024
void opj_block(int width, int height) {
  opj_t1_t *t1 = opj_t1_create(OPJ_TRUE);
  (void)width;
  (void)height;
  opj_t1_destroy(t1);
}
//@ bytes=64 | bytes=1048576
void opj_buffered(int bytes) {
  opj_stream_t *s = opj_stream_create(bytes, OPJ_FALSE);
  opj_stream_destroy(s);
}
//@ tiles=4 | tiles=65535
void *opj_components(int tiles) {
  opj_image_cmptparm_t *p = opj_calloc(tiles, sizeof *p);
  for (int t = 0; t < tiles; ++t) {
    p[t].dx = p[t].dy = 1;
    p[t].w = 4;
    p[t].h = 4;
    p[t].prec = 8;
  }
  opj_image_t *im = opj_image_tile_create(tiles, p, OPJ_CLRSPC_GRAY);
  opj_free(p);
  return im;
}
