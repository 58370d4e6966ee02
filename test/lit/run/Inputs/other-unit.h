//===- other-unit.h - What other-unit.cpp and .c offer --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TEST_OTHER_UNIT_H
#define MEMSHAPE_TEST_OTHER_UNIT_H

#include <vector>

extern const int margin;
std::vector<float> neighbours(int n);

extern "C" double *plain_buffer(long n);
extern "C" void plain_release(double *buffer);

#endif // MEMSHAPE_TEST_OTHER_UNIT_H
