// Operators on CImg's images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define cimg_display 0
#include <CImg.h>

using Image = cimg_library::CImg<float>;
using Images = cimg_library::CImgList<float>;

//@ operator structure_tensor
//@ shapes v.width=20,v.height=15,v.depth=1,v.spectrum=1 | v.width=61,v.height=101,v.depth=3,v.spectrum=2 | v.width=3001,v.height=3000,v.depth=1,v.spectrum=3
//@ let v = Image($v.width, $v.height, $v.depth, $v.spectrum)
//@ set sigma=1.5
//@ call structure_tensor(v, 1.5f)
Image structure_tensor(const Image &v, float sigma) {
  Images g = v.get_gradient("xy", 0);
  Image out(v.width(), v.height(), v.depth(), 3, 0);
  cimg_forXYZC(v, x, y, z, c) {
    const float gx = g[0](x, y, z, c), gy = g[1](x, y, z, c);
    out(x, y, z, 0) += gx * gx;
    out(x, y, z, 1) += gx * gy;
    out(x, y, z, 2) += gy * gy;
  }
  return out.blur(sigma);
}

//@ operator halved
//@ shapes v.width=20,v.height=16,v.depth=1,v.spectrum=1 | v.width=61,v.height=101,v.depth=3,v.spectrum=2 | v.width=6001,v.height=6000,v.depth=1,v.spectrum=3
//@ let v = Image($v.width, $v.height, $v.depth, $v.spectrum)
//@ call halved(v)
Image halved(const Image &v) { return v.get_blur(0.8f).resize(-50, -50, -100, -100, 3); }

//@ operator opened
//@ shapes v.width=20,v.height=16,v.depth=1,v.spectrum=1,n=3 | v.width=61,v.height=101,v.depth=1,v.spectrum=2,n=5 | v.width=4001,v.height=4000,v.depth=1,v.spectrum=3,n=3
//@ let v = Image($v.width, $v.height, $v.depth, $v.spectrum)
//@ call opened(v, $n)
Image opened(Image v, int n) { return v.erode(n, n).dilate(n, n); }

//@ operator spectrum
//@ shapes v.width=16,v.height=8,v.depth=1,v.spectrum=1 | v.width=64,v.height=128,v.depth=1,v.spectrum=2 | v.width=4096,v.height=2048,v.depth=1,v.spectrum=2
//@ let v = Image($v.width, $v.height, $v.depth, $v.spectrum)
//@ call spectrum(v)
Image spectrum(const Image &v) {
  Images f = v.get_FFT();
  return (f[0].sqr() += f[1].sqr()).sqrt();
}

//@ operator rotated
//@ shapes v.width=20,v.height=16,v.depth=1,v.spectrum=1 | v.width=61,v.height=101,v.depth=1,v.spectrum=2 | v.width=4001,v.height=4000,v.depth=1,v.spectrum=3
//@ let v = Image($v.width, $v.height, $v.depth, $v.spectrum)
//@ set angle=30
//@ call rotated(v, 30)
Image rotated(const Image &v, float angle) { return v.get_rotate(angle, 1, 1); }
