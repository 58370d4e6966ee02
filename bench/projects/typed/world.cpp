// Operators of World on its options and plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"
#include "world/cheaptrick.h"
#include "world/common.h"
#include "world/d4c.h"
#include "world/dio.h"
#include "world/harvest.h"
#include "world/matlabfunctions.h"
#include "world/synthesisrealtime.h"

static double *numbersOf(double elements) { return (double *)filled(elements, 'd'); }
static double **rows(int count, int length) {
  double **out = (double **)malloc(sizeof(double *) * count);
  for (int i = 0; i < count; ++i)
    out[i] = (double *)calloc(length, sizeof(double));
  return out;
}
static double *pitches(int count) {
  double *out = (double *)malloc(sizeof(double) * count);
  for (int i = 0; i < count; ++i)
    out[i] = strcmp(kind, "zeros") ? 150 + i % 50 : 0;
  return out;
}
static double *times(int count) {
  double *out = (double *)malloc(sizeof(double) * count);
  for (int i = 0; i < count; ++i)
    out[i] = 0.005 * i;
  return out;
}

//@ CheapTrick x_length=16000,fs=16000,f0_length=201,option.fft_size=1024; option.q1=-0.15,option.f0_floor=71 | x_length=96000,fs=48000,f0_length=401,option.fft_size=4096; option.q1=-0.15,option.f0_floor=71
OPERATOR(cheap_trick) {
  CheapTrickOption o = {NUMBER(4), NUMBER(5), INTEGER(3)};
  const int frames = INTEGER(2);
  double *x = numbersOf(NUMBER(0)), *at = times(frames), *f0 = pitches(frames),
         **out = rows(frames, o.fft_size / 2 + 1);
  COUNTED(CheapTrick(x, INTEGER(0), INTEGER(1), at, f0, frames, &o, out));
}
//@ Dio x_length=16000,fs=16000,option.speed=1; option.f0_floor=71,option.f0_ceil=800,option.channels_in_octave=2,option.frame_period=5,option.allowed_range=0.1 | x_length=96000,fs=48000,option.speed=4; option.f0_floor=71,option.f0_ceil=800,option.channels_in_octave=2,option.frame_period=5,option.allowed_range=0.1
OPERATOR(dio) {
  DioOption o = {NUMBER(3), NUMBER(4), NUMBER(5), NUMBER(6), INTEGER(2), NUMBER(7)};
  double *x = numbersOf(NUMBER(0)), *at = times(100000), *f0 = times(100000);
  COUNTED(Dio(x, INTEGER(0), INTEGER(1), &o, at, f0));
}
//@ Harvest x_length=16000,fs=16000; option.f0_floor=71,option.f0_ceil=800,option.frame_period=5 | x_length=96000,fs=48000; option.f0_floor=71,option.f0_ceil=800,option.frame_period=5
OPERATOR(harvest) {
  HarvestOption o;
  InitializeHarvestOption(&o);
  double *x = numbersOf(NUMBER(0)), *at = times(100000), *f0 = times(100000);
  COUNTED(Harvest(x, INTEGER(0), INTEGER(1), &o, at, f0));
}
//@ GetFFTSizeForCheapTrick fs=16000,option.fft_size=1024; option.q1=-0.15,option.f0_floor=71
OPERATOR(fft_size) {
  CheapTrickOption o = {NUMBER(2), NUMBER(3), INTEGER(1)};
  COUNTED(GetFFTSizeForCheapTrick(INTEGER(0), &o));
}
//@ InitializeForwardRealFFT fft_size=1024,OTHERS=0 | fft_size=65536,OTHERS=0
OPERATOR(forward_real) {
  ForwardRealFFT plan;
  COUNTED(InitializeForwardRealFFT(INTEGER(0), &plan));
}
//@ InitializeSynthesizer fs=16000,fft_size=1024,buffer_size=64,number_of_pointers=100,OTHERS=0; frame_period=5 | fs=48000,fft_size=4096,buffer_size=256,number_of_pointers=10,OTHERS=0; frame_period=5
OPERATOR(synthesizer) {
  WorldSynthesizer synth;
  COUNTED(InitializeSynthesizer(INTEGER(0), 5, INTEGER(1), INTEGER(2), INTEGER(3), &synth));
}
//@ fft_plan_dft_r2c_1d n=1024,flags=3 | n=65536,flags=3
OPERATOR(real_plan) {
  double *in = numbersOf(NUMBER(0));
  fft_complex *out = (fft_complex *)numbersOf(2 * NUMBER(0));
  COUNTED(fft_plan_dft_r2c_1d(INTEGER(0), in, out, INTEGER(1)));
}
//@ LinearSmoothing fs=16000,fft_size=1024; width=300 | fs=48000,fft_size=4096; width=150
OPERATOR(smoothing) {
  double *in = numbersOf(NUMBER(1)), *out = numbersOf(NUMBER(1));
  COUNTED(LinearSmoothing(in, NUMBER(2), INTEGER(0), INTEGER(1), out));
}
