// Operators on ITK's images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cmath>
#include <itkImage.h>
#include <itkImageRegionConstIterator.h>
#include <itkImageRegionIterator.h>
#include <itkMedianImageFilter.h>

using Volume = itk::Image<float, 3>;

static Volume::Pointer like(const Volume *in) {
  Volume::Pointer out = Volume::New();
  out->CopyInformation(in);
  out->SetRegions(in->GetLargestPossibleRegion());
  out->Allocate();
  return out;
}

static Volume::Pointer made(long ni, long nx, long ns) {
  Volume::Pointer out = Volume::New();
  out->SetRegions(Volume::SizeType{{(unsigned long)ni, (unsigned long)nx, (unsigned long)ns}});
  out->Allocate();
  return out;
}

//@ operator normalised
//@ shapes in.shape[0]=12,in.shape[1]=13,in.shape[2]=14 | in.shape[0]=33,in.shape[1]=41,in.shape[2]=29 | in.shape[0]=301,in.shape[1]=200,in.shape[2]=301
//@ let in = made($in.shape[0], $in.shape[1], $in.shape[2])
//@ do typed::fillAll(in->GetBufferPointer(), $in.shape[0] * $in.shape[1] * $in.shape[2]);
//@ call normalised(in)
Volume::Pointer normalised(const Volume *in) {
  const auto region = in->GetLargestPossibleRegion();
  double sum = 0, squares = 0;
  for (itk::ImageRegionConstIterator<Volume> at(in, region); !at.IsAtEnd(); ++at) {
    sum += at.Get();
    squares += double(at.Get()) * at.Get();
  }
  const double n = double(region.GetNumberOfPixels()), mean = sum / n,
               scale = 1 / std::sqrt(squares / n - mean * mean + 1e-9);
  Volume::Pointer out = like(in);
  itk::ImageRegionConstIterator<Volume> from(in, region);
  for (itk::ImageRegionIterator<Volume> to(out, region); !to.IsAtEnd(); ++to, ++from)
    to.Set(float((from.Get() - mean) * scale));
  return out;
}

//@ operator median
//@ shapes in.shape[0]=12,in.shape[1]=13,in.shape[2]=14,radius=1 | in.shape[0]=33,in.shape[1]=41,in.shape[2]=29,radius=1 | in.shape[0]=101,in.shape[1]=100,in.shape[2]=91,radius=1
//@ let in = made($in.shape[0], $in.shape[1], $in.shape[2])
//@ do typed::fillAll(in->GetBufferPointer(), $in.shape[0] * $in.shape[1] * $in.shape[2]);
//@ call median(in, $radius)
Volume::Pointer median(const Volume *in, int radius) {
  using Filter = itk::MedianImageFilter<Volume, Volume>;
  Filter::Pointer filter = Filter::New();
  Filter::RadiusType extent;
  extent.Fill(radius);
  filter->SetRadius(extent);
  filter->SetInput(in);
  filter->SetNumberOfWorkUnits(1);
  filter->Update();
  return filter->GetOutput();
}
