// Images of ITK, and pointers to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factory makes an image; a plain or smart pointer to one has its symbols. That no factory which the program registers
// replaces the class is taken for granted; the answer says so.
//
// REQUIRES: itk
// RUN: %python %inputs/repaired_headers.py %t.d
// RUN: %clangxx -std=c++17 -O2 -w -fgnuc-version=10.2 -fplugin=%plugin -I%include -I/usr/include/ITK-5.2 -c %s -o %t.o \
// RUN:   -ivfsoverlay %t.d/overlay.yaml -fplugin-arg-memshape-operator=weighted
// RUN: %clangxx %t.o -o %t -lITKCommon-5.2 -litkvnl_algo-5.2 -litkvnl-5.2 -litksys-5.2
// RUN: %compare %t --shape in.shape[0]=30,in.shape[1]=41,weights.shape[0]=30,weights.shape[1]=41 -- 30 41 | FileCheck %s
// CHECK: peak_bytes {{ *}}predicted {{ *}}[[PEAK:[0-9]+]] measured {{ *}}[[PEAK]]
// CHECK: total_bytes {{ *}}predicted {{ *}}[[PEAK]] measured {{ *}}[[PEAK]]
// CHECK: output_bytes {{ *}}predicted {{ *}}[[PEAK]] measured {{ *}}[[PEAK]]

#include "../Inputs/twice.h"
#include <itkImage.h>

using Image = itk::Image<float, 2>;
Image::Pointer weighted(const Image *in, Image::Pointer weights) {
  Image::Pointer out = Image::New();
  out->SetRegions(in->GetLargestPossibleRegion());
  out->Allocate();
  const float *from = in->GetBufferPointer(), *by = weights->GetBufferPointer();
  float *to = out->GetBufferPointer();
  const itk::SizeValueType all = in->GetLargestPossibleRegion().GetNumberOfPixels();
  for (itk::SizeValueType i = 0; i < all; ++i)
    to[i] = from[i] * by[i];
  return out;
}

static Image::Pointer image(itk::SizeValueType width, itk::SizeValueType height) {
  Image::Pointer made = Image::New();
  made->SetRegions(Image::SizeType{{width, height}});
  made->Allocate(true);
  return made;
}

static double once(itk::SizeValueType width, itk::SizeValueType height) {
  static Image::Pointer in = image(width, height), weights = image(width, height);
  return weighted(in, weights)->GetBufferPointer()[0];
}

TWICE(sink = once(number(1), number(2)))
