// Operators on dlib's matrices and images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <dlib/array2d.h>
#include <dlib/image_transforms.h>
#include <dlib/matrix.h>
#include <vector>

using Matrix = dlib::matrix<double>;
using Column = dlib::matrix<double, 0, 1>;
using Picture = dlib::array2d<float>;

//@ operator gram
//@ shapes x.nr=30,x.nc=4 | x.nr=333,x.nc=41 | x.nr=2000,x.nc=300
//@ let x = Matrix($x.nr, $x.nc)
//@ call gram(x)
Matrix gram(const Matrix &x) {
  Matrix centred = x;
  for (long c = 0; c < x.nc(); ++c)
    dlib::set_colm(centred, c) = dlib::colm(x, c) - dlib::mean(dlib::colm(x, c));
  return dlib::trans(centred) * centred;
}

//@ operator sobel_energy
//@ shapes in.nr=20,in.nc=31 | in.nr=333,in.nc=241 | in.nr=6000,in.nc=5001
//@ let in = Picture($in.nr, $in.nc)
//@ call sobel_energy(in)
double sobel_energy(const Picture &in) {
  Picture horizontal, vertical;
  dlib::sobel_edge_detector(in, horizontal, vertical);
  double sum = 0;
  for (long r = 0; r < in.nr(); ++r)
    for (long c = 0; c < in.nc(); ++c)
      sum += horizontal[r][c] * horizontal[r][c] + vertical[r][c] * vertical[r][c];
  return sum;
}

//@ operator blurred
//@ shapes in.nr=20,in.nc=31,out.nr=20,out.nc=31 | in.nr=333,in.nc=241,out.nr=10,out.nc=20 | in.nr=6000,in.nc=5001,out.nr=1,out.nc=1
//@ set sigma=1.5
//@ let in = Picture($in.nr, $in.nc)
//@ let out = Picture($out.nr, $out.nc)
//@ call blurred(in, out, 1.5)
void blurred(const Picture &in, Picture &out, double sigma) { dlib::gaussian_blur(in, out, sigma); }
