// Operators on VIGRA's arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <vigra/multi_array.hxx>
#include <vigra/multi_convolution.hxx>
#include <vigra/multi_distance.hxx>

using Plane = vigra::MultiArray<2, float>;
using Volume = vigra::MultiArray<3, float>;

//@ operator smoothed
//@ shapes in.shape[0]=20,in.shape[1]=31 | in.shape[0]=333,in.shape[1]=241 | in.shape[0]=4000,in.shape[1]=5001
//@ set sigma=1.5
//@ let in = Plane(vigra::Shape2($in.shape[0], $in.shape[1]))
//@ call smoothed(in, 1.5)
Plane smoothed(const Plane &in, double sigma) {
  Plane out(in.shape());
  vigra::gaussianSmoothMultiArray(in, out, sigma);
  return out;
}

//@ operator distances
//@ shapes in.shape[0]=20,in.shape[1]=31 | in.shape[0]=333,in.shape[1]=241 | in.shape[0]=2000,in.shape[1]=3001
//@ let in = Plane(vigra::Shape2($in.shape[0], $in.shape[1]))
//@ call distances(in)
Plane distances(const Plane &in) {
  vigra::MultiArray<2, unsigned char> mask(in.shape());
  for (vigra::MultiArrayIndex y = 0; y < in.shape(1); ++y)
    for (vigra::MultiArrayIndex x = 0; x < in.shape(0); ++x)
      mask(x, y) = in(x, y) > 0.25f;
  Plane out(in.shape());
  vigra::separableMultiDistance(mask, out, true);
  return out;
}

//@ operator standard_volume
//@ shapes in.shape[0]=12,in.shape[1]=13,in.shape[2]=14 | in.shape[0]=33,in.shape[1]=41,in.shape[2]=29 | in.shape[0]=301,in.shape[1]=400,in.shape[2]=201
//@ let in = Volume(vigra::Shape3($in.shape[0], $in.shape[1], $in.shape[2]))
//@ call standard_volume(in)
Volume standard_volume(Volume in) {
  vigra::MultiArray<1, double> means(vigra::Shape1(in.shape(2)));
  for (vigra::MultiArrayIndex z = 0; z < in.shape(2); ++z)
    means(z) = in.bindOuter(z).sum<double>() / (double(in.shape(0)) * in.shape(1));
  for (vigra::MultiArrayIndex z = 0; z < in.shape(2); ++z)
    in.bindOuter(z) -= float(means(z));
  return in;
}
