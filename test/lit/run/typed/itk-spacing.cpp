// Images whose spacing or direction changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image that takes over spacing and direction computes no matrices where they are the same; one that changes them
// inverts matrices of VNL, whose library allocates for a decomposition. The direction is read back for a size.
//
// REQUIRES: itk
// RUN: %python %inputs/repaired_headers.py %t.d
// RUN: %clangxx -std=c++17 -O2 -w -fgnuc-version=10.2 -fplugin=%plugin -I%include -I/usr/include/ITK-5.2 -c %s -o %t.o \
// RUN:   -ivfsoverlay %t.d/overlay.yaml -fplugin-arg-memshape-operator=finer
// RUN: %clangxx %t.o -o %t -lITKCommon-5.2 -litkvnl_algo-5.2 -litkvnl-5.2 -litksys-5.2
// RUN: %compare %t --shape in.shape[0]=30,in.shape[1]=41 -- 30 41 | FileCheck %s
// CHECK: peak_bytes {{ *}}predicted {{ *}}[[PEAK:[0-9]+]] measured {{ *}}[[PEAK]]
// CHECK: total_bytes {{ *}}predicted {{ *}}[[TOTAL:[0-9]+]] measured {{ *}}[[TOTAL]]
// CHECK: output_bytes {{ *}}predicted {{ *}}[[LEFT:[0-9]+]] measured {{ *}}[[LEFT]]

#include "../Inputs/twice.h"
#include <itkImage.h>
#include <vector>

using Image = itk::Image<float, 2>;
static Image::Pointer copied(const Image *in) {
  Image::Pointer out = Image::New();
  out->CopyInformation(in);
  out->SetRegions(in->GetLargestPossibleRegion());
  out->Allocate();
  return out;
}

Image::Pointer finer(const Image *in) {
  Image::Pointer out = copied(in);
  Image::SpacingType spacing = in->GetSpacing();
  spacing[0] *= 0.5;
  out->SetSpacing(spacing);
  Image::DirectionType turned;
  turned[0][1] = 1;
  turned[1][0] = -1;
  out->SetDirection(turned);
  std::vector<float> row(out->GetDirection()[0][1] > 0 ? 3000 : 10);
  out->GetBufferPointer()[0] = row[in->GetBufferPointer()[0] > 0];
  return out;
}

static Image::Pointer image(itk::SizeValueType width, itk::SizeValueType height) {
  Image::Pointer made = Image::New();
  made->SetRegions(Image::SizeType{{width, height}});
  made->Allocate(true);
  return made;
}

static double once(itk::SizeValueType width, itk::SizeValueType height) {
  static Image::Pointer in = image(width, height);
  return finer(in)->GetBufferPointer()[0];
}

TWICE(sink = once(number(1), number(2)))
