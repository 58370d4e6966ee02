// Operators on Leptonica.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "allheaders.h"
#include <string.h>
static PIX *filled(const unsigned char *in, int w, int h, int d) {
  PIX *p = pixCreate(w, h, d);
  memcpy(pixGetData(p), in, 4L * pixGetWpl(p) * h);
  return p;
}
#define IMAGE(NAME, D, CALL)                                                                                           \
  void NAME(const unsigned char *in, int w, int h) {                                                                   \
    PIX *p = filled(in, w, h, D);                                                                                      \
    PIX *q = CALL;                                                                                                     \
    pixDestroy(&p);                                                                                                    \
    pixDestroy(&q);                                                                                                    \
  }
//@ w=30,h=20 | w=4000,h=3000
IMAGE(lept_copy, 8, pixCopy(NULL, p))
//@ w=30,h=20 | w=2000,h=1500
IMAGE(lept_invert, 1, pixInvert(NULL, p))
//@ w=64,h=48 | w=2000,h=1500
IMAGE(lept_scale_half, 8, pixScaleAreaMap2(p))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_scale_gray, 8, pixScaleGrayLI(p, 1.7f, 1.3f))
//@ w=64,h=48 | w=2000,h=1500
IMAGE(lept_scale_colour, 32, pixScaleBySampling(p, 0.5f, 0.5f))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_rotate90, 8, pixRotate90(p, 1))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_rotate180, 8, pixRotate180(NULL, p))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_rotate_am, 8, pixRotateAMGray(p, 0.2f, 255))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_dilate, 1, pixDilateBrick(NULL, p, 5, 3))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_open, 1, pixOpenBrick(NULL, p, 7, 7))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_gray_close, 8, pixCloseGray(p, 7, 5))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_blockconv, 8, pixBlockconv(p, 3, 4))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_sobel, 8, pixSobelEdgeFilter(p, L_ALL_EDGES))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_twosided, 8, pixTwoSidedEdgeFilter(p, L_HORIZONTAL_EDGES))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_threshold, 8, pixThresholdToBinary(p, 128))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_dither, 8, pixDitherToBinary(p))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_to_gray, 32, pixConvertRGBToGray(p, 0.3f, 0.5f, 0.2f))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_to_colour, 8, pixConvert8To32(p))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_expand, 1, pixExpandReplicate(p, 3))
//@ w=64,h=48 | w=1000,h=752
IMAGE(lept_reduce, 1, pixReduceRankBinary2(p, 2, NULL))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_border, 8, pixAddBorder(p, 16, 128))
//@ w=64,h=48 | w=400,h=300
IMAGE(lept_median, 8, pixMedianFilter(p, 5, 5))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_unsharp, 8, pixUnsharpMaskingGray(p, 3, 0.5f))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_gamma, 8, pixGammaTRC(NULL, p, 1.5f, 0, 255))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_equalise, 8, pixEqualizeTRC(NULL, p, 0.5f, 2))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_distance, 1, pixDistanceFunction(p, 4, 8, L_BOUNDARY_FG))
//@ w=64,h=48 | w=300,h=200
IMAGE(lept_components, 1, pixRemoveSeededComponents(NULL, p, p, 8, 2))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_otsu, 8, pixMaskedThreshOnBackgroundNorm(p, NULL, 10, 15, 50, 20, 2, 2, 0.1f, NULL))
//@ w=64,h=48 | w=1000,h=750
IMAGE(lept_sauvola, 8, pixWindowedMean(p, 5, 5, 0, 1))
//@ w=64,h=48,n=3 | w=500,h=400,n=9
void lept_kernel(const unsigned char *in, int w, int h, int n) {
  PIX *p = filled(in, w, h, 8);
  L_KERNEL *k = makeFlatKernel(n, n, n / 2, n / 2);
  PIX *q = pixConvolve(p, k, 8, 1);
  kernelDestroy(&k);
  pixDestroy(&p);
  pixDestroy(&q);
}
//@ n=10,w=20,h=30 | n=100,w=200,h=300
void lept_stack(const unsigned char *in, int n, int w, int h) {
  PIXA *a = pixaCreate(n);
  for (int i = 0; i < n; ++i)
    pixaAddPix(a, filled(in, w, h, 8), L_INSERT);
  PIX *sum = pixaGetPix(a, n / 2, L_COPY);
  pixDestroy(&sum);
  pixaDestroy(&a);
}
