// Operators of darknet on its images and matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "darknet.h"
#include "call.h"
#include "image.h"
#include "matrix.h"

image blend_image(image fore, image back, float alpha); // in no header

static image picture(int w, int h, int c) {
  image out = {w, h, c, (float *)filled((double)w * h * c, 'f')};
  return out;
}

static matrix table(int rows, int cols) {
  matrix out = {rows, cols, (float **)malloc(sizeof(float *) * rows)};
  for (int i = 0; i < rows; ++i)
    out.vals[i] = (float *)calloc(cols, sizeof(float));
  return out;
}

//@ copy_image p.w=64,p.h=48,p.c=3 | p.w=1200,p.h=900,p.c=3
OPERATOR(copy_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(copy_image(p));
}
//@ resize_image im.w=64,im.h=48,im.c=3,w=32,h=100 | im.w=1200,im.h=900,im.c=3,w=416,h=416
OPERATOR(resize_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(resize_image(p, INTEGER(3), INTEGER(4)));
}
//@ crop_image im.w=64,im.h=48,im.c=3,dx=3,dy=5,w=32,h=20 | im.w=1200,im.h=900,im.c=3,dx=0,dy=100,w=500,h=700
OPERATOR(crop_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(crop_image(p, INTEGER(3), INTEGER(4), INTEGER(5), INTEGER(6)));
}
//@ rotate_image im.w=64,im.h=48,im.c=3; rad=0.5 | im.w=1200,im.h=900,im.c=3; rad=1.5
OPERATOR(rotate_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(rotate_image(p, (float)NUMBER(3)));
}
//@ random_augment_image im.w=64,im.h=48,im.c=3,low=40,high=60,w=32,h=20; angle=7,aspect=0.75 | im.w=1200,im.h=900,im.c=3,low=300,high=500,w=416,h=416; angle=7,aspect=0.75
OPERATOR(random_augment_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(random_augment_image(p, (float)NUMBER(7), (float)NUMBER(8), INTEGER(3), INTEGER(4), INTEGER(5), INTEGER(6)));
}
//@ blend_image fore.w=64,fore.h=48,fore.c=3,back.w=64,back.h=48,back.c=3; alpha=0.5 | fore.w=1200,fore.h=900,fore.c=3,back.w=1200,back.h=900,back.c=3; alpha=0.25
OPERATOR(blend_image) {
  image p = picture(INTEGER(0), INTEGER(1), INTEGER(2)), q = picture(INTEGER(3), INTEGER(4), INTEGER(5));
  COUNTED(blend_image(p, q, (float)NUMBER(6)));
}
//@ collapse_images_vert ims.w=64,ims.h=48,ims.c=3,ims.count=4,n=4 | ims.w=640,ims.h=480,ims.c=3,ims.count=9,n=9
OPERATOR(collapse_images_vert) {
  image all[16];
  for (int i = 0; i < 16; ++i)
    all[i] = picture(INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(collapse_images_vert(all, INTEGER(4)));
}
//@ copy_matrix m.rows=20,m.cols=30 | m.rows=2000,m.cols=300
OPERATOR(copy_matrix) {
  matrix m = table(INTEGER(0), INTEGER(1));
  COUNTED(copy_matrix(m));
}
//@ resize_matrix m.rows=20,m.cols=30,size=50 | m.rows=2000,m.cols=300,size=2500
OPERATOR(resize_matrix) {
  matrix m = table(INTEGER(0), INTEGER(1));
  COUNTED(resize_matrix(m, INTEGER(2)));
}
