//===- world.cpp - Operators of World on its options and plans ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
    out[i] = strcmp(kind, "zero") ? 150 + i % 50 : 0;
  return out;
}
static double *times(int count) {
  double *out = (double *)malloc(sizeof(double) * count);
  for (int i = 0; i < count; ++i)
    out[i] = 0.005 * i;
  return out;
}

//@ CheapTrick x_length=16000,fs=16000,f0_length=201,option.fft_size=1024; option.q1=-0.15,option.f0_floor=71 | x_length=96000,fs=48000,f0_length=401,option.fft_size=4096; option.q1=-0.15,option.f0_floor=71
OPERATOR(CheapTrick) {
  CheapTrickOption o = {NUMBER(4), NUMBER(5), INTEGER(3)};
  COUNTED(CheapTrick(numbersOf(NUMBER(0)), INTEGER(0), INTEGER(1), times(INTEGER(2)), pitches(INTEGER(2)), INTEGER(2),
                     &o, rows(INTEGER(2), INTEGER(3) / 2 + 1)));
}
