// Operators on zfp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "zfp.h"
#include <stdlib.h>
static size_t run(zfp_field *field, int precision) {
  zfp_stream *zfp = zfp_stream_open(NULL);
  zfp_stream_set_precision(zfp, precision);
  size_t bytes = zfp_stream_maximum_size(zfp, field);
  void *buffer = malloc(bytes);
  bitstream *stream = stream_open(buffer, bytes);
  zfp_stream_set_bit_stream(zfp, stream);
  zfp_stream_rewind(zfp);
  size_t size = zfp_compress(zfp, field);
  zfp_field_free(field);
  zfp_stream_close(zfp);
  stream_close(stream);
  free(buffer);
  return size;
}
//@ n=100,precision=16 | n=3000000,precision=24
long zfp_1d(float *x, int n, int precision) { return run(zfp_field_1d(x, zfp_type_float, n), precision); }
//@ nx=30,ny=20,precision=16 | nx=2000,ny=1500,precision=20
long zfp_2d(double *x, int nx, int ny, int precision) {
  return run(zfp_field_2d(x, zfp_type_double, nx, ny), precision);
}
//@ nx=30,ny=20,nz=10,precision=16 | nx=200,ny=150,nz=101,precision=20
long zfp_3d(float *x, int nx, int ny, int nz, int precision) {
  return run(zfp_field_3d(x, zfp_type_float, nx, ny, nz), precision);
}
//@ nx=9,ny=8,nz=7,nw=6,precision=16 | nx=50,ny=40,nz=31,nw=20,precision=20
long zfp_4d(double *x, int nx, int ny, int nz, int nw, int precision) {
  return run(zfp_field_4d(x, zfp_type_double, nx, ny, nz, nw), precision);
}
//@ nx=33,ny=20 | nx=1500,ny=1100
void zfp_round_trip(float *x, int nx, int ny, float *out) {
  zfp_field *field = zfp_field_2d(x, zfp_type_float, nx, ny);
  zfp_stream *zfp = zfp_stream_open(NULL);
  zfp_stream_set_rate(zfp, 8, zfp_type_float, 2, zfp_false);
  size_t bytes = zfp_stream_maximum_size(zfp, field);
  void *buffer = malloc(bytes);
  bitstream *stream = stream_open(buffer, bytes);
  zfp_stream_set_bit_stream(zfp, stream);
  zfp_compress(zfp, field);
  zfp_field_set_pointer(field, out);
  zfp_stream_rewind(zfp);
  zfp_decompress(zfp, field);
  zfp_field_free(field);
  zfp_stream_close(zfp);
  stream_close(stream);
  free(buffer);
}
//@ nx=30,ny=20 | nx=3000,ny=2000
long zfp_strided(float *x, int nx, int ny) {
  zfp_field *field = zfp_field_2d(x, zfp_type_float, nx, ny);
  zfp_field_set_stride_2d(field, ny, 1);
  return run(field, 10);
}
