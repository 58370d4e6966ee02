// Operators of sep on its images and backgrounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"

#include "sep.h"

static sep_bkg background(void) {
  sep_bkg b = {INTEGER(0), INTEGER(1), INTEGER(2), INTEGER(3), INTEGER(4), INTEGER(5), INTEGER(6), 1, 1, 0, 0, 0, 0};
  b.back = (float *)filled(b.n, 'f');
  b.dback = (float *)filled(b.n, 'f');
  b.sigma = (float *)filled(b.n, 'f');
  b.dsigma = (float *)filled(b.n, 'f');
  return b;
}

//@ sep_bkg_array bkg.w=300,bkg.h=200,bkg.bw=64,bkg.bh=64,bkg.nx=5,bkg.ny=4,bkg.n=20,dtype=42; bkg.global=1,bkg.globalrms=1 | bkg.w=2000,bkg.h=3000,bkg.bw=64,bkg.bh=64,bkg.nx=32,bkg.ny=47,bkg.n=1504,dtype=42; bkg.global=1,bkg.globalrms=1
OPERATOR(sep_bkg_array) {
  sep_bkg b = background();
  void *to = filled((double)b.w * b.h, 'f');
  COUNTED(sep_bkg_array(&b, to, INTEGER(7)));
}
//@ sep_bkg_subarray bkg.w=300,bkg.h=200,bkg.bw=64,bkg.bh=64,bkg.nx=5,bkg.ny=4,bkg.n=20,dtype=42; bkg.global=1,bkg.globalrms=1 | bkg.w=2000,bkg.h=3000,bkg.bw=64,bkg.bh=64,bkg.nx=32,bkg.ny=47,bkg.n=1504,dtype=42; bkg.global=1,bkg.globalrms=1
OPERATOR(sep_bkg_subarray) {
  sep_bkg b = background();
  void *to = filled((double)b.w * b.h, 'f');
  COUNTED(sep_bkg_subarray(&b, to, INTEGER(7)));
}
//@ sep_bkg_line bkg.w=300,bkg.h=200,bkg.bw=64,bkg.bh=64,bkg.nx=5,bkg.ny=4,bkg.n=20,y=7,dtype=42; bkg.global=1,bkg.globalrms=1 | bkg.w=2000,bkg.h=3000,bkg.bw=64,bkg.bh=64,bkg.nx=32,bkg.ny=47,bkg.n=1504,y=77,dtype=42; bkg.global=1,bkg.globalrms=1
OPERATOR(sep_bkg_line) {
  sep_bkg b = background();
  void *to = filled((double)b.w, 'f');
  COUNTED(sep_bkg_line(&b, INTEGER(7), to, INTEGER(8)));
}
//@ sep_bkg_pix bkg.w=300,bkg.h=200,bkg.bw=64,bkg.bh=64,bkg.nx=5,bkg.ny=4,bkg.n=20,x=3,y=7; bkg.global=1,bkg.globalrms=1
OPERATOR(sep_bkg_pix) {
  sep_bkg b = background();
  COUNTED(sep_bkg_pix(&b, INTEGER(7), INTEGER(8)));
}
//@ sep_background image.dtype=42,image.w=300,image.h=200,bw=64,bh=64,fw=3,fh=3,image.mdtype=42,OTHERS=0 | image.dtype=42,image.w=2000,image.h=3000,bw=64,bh=64,fw=3,fh=3,image.mdtype=42,OTHERS=0
OPERATOR(sep_background) {
  sep_image in = {0};
  sep_bkg *made = 0;
  in.dtype = INTEGER(0);
  in.w = INTEGER(1);
  in.h = INTEGER(2);
  in.data = filled((double)in.w * in.h, 'f');
  in.mdtype = INTEGER(7);
  in.mask = filled((double)in.w * in.h, 'f');
  in.noise = in.segmap = 0;
  COUNTED(sep_background(&in, INTEGER(3), INTEGER(4), INTEGER(5), INTEGER(6), 0, &made));
}
