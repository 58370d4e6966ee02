// Arrays, views and images of VIGRA.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view is built over an array that the caller owns.
//
// REQUIRES: vigra
// RUN: %python %inputs/repaired_headers.py %t.d
// RUN: %held -std=c++14 -O2 -DNDEBUG -ivfsoverlay %t.d/overlay.yaml
// HELD -DARRAY -fplugin-arg-memshape-operator=smoothed in.shape[0]=50,in.shape[1]=61
// HELD -DVIEW -fplugin-arg-memshape-operator=gradients in.shape[0]=50,in.shape[1]=61
// HELD -DMATRIX -fplugin-arg-memshape-operator=gram x.rowCount=50,x.columnCount=7
// HELD -DIMAGE -fplugin-arg-memshape-operator=difference in.width=50,in.height=61

#include "../Inputs/twice.h"

#if defined(ARRAY)
#include <vigra/multi_array.hxx>
#include <vigra/multi_convolution.hxx>
using Image = vigra::MultiArray<2, float>;
Image smoothed(const Image &in) {
  Image out(in.shape());
  vigra::Kernel1D<double> kernel;
  kernel.initGaussian(1.5);
  vigra::separableConvolveMultiArray(in, out, kernel);
  return out;
}
static double once(long width, long height) { return smoothed(Image(vigra::Shape2(width, height), 1.0f))(0, 0); }
#elif defined(VIEW)
#include <vigra/multi_array.hxx>
#include <vigra/multi_convolution.hxx>
#include <vigra/multi_pointoperators.hxx>
using View = vigra::MultiArrayView<2, float>;
vigra::MultiArray<2, float> gradients(const View &in) {
  vigra::MultiArray<2, vigra::TinyVector<float, 2>> both(in.shape());
  vigra::symmetricGradientMultiArray(in, both);
  vigra::MultiArray<2, float> out(in.shape());
  vigra::transformMultiArray(both, out, [](const vigra::TinyVector<float, 2> &g) { return g.squaredMagnitude(); });
  return out;
}
static double once(long width, long height) {
  vigra::MultiArray<2, float> in(vigra::Shape2(width, height), 1.0f);
  return gradients(in)(0, 0);
}
#elif defined(MATRIX)
#include <vigra/matrix.hxx>
using Matrix = vigra::Matrix<double>;
Matrix gram(const Matrix &x) { return vigra::transpose(x) * x; }
static double once(long rows, long cols) { return gram(Matrix(rows, cols, 1.0))(0, 0); }
#else
#include <vigra/convolution.hxx>
#include <vigra/stdimage.hxx>
vigra::FImage difference(const vigra::FImage &in) {
  vigra::FImage narrow(in.size()), wide(in.size());
  vigra::gaussianSmoothing(vigra::srcImageRange(in), vigra::destImage(narrow), 1.0);
  vigra::gaussianSmoothing(vigra::srcImageRange(in), vigra::destImage(wide), 1.6);
  vigra::combineTwoImages(vigra::srcImageRange(narrow), vigra::srcImage(wide), vigra::destImage(narrow),
                          std::minus<float>());
  return narrow;
}
static double once(long width, long height) { return difference(vigra::FImage(width, height, 1.0f))(0, 0); }
#endif
