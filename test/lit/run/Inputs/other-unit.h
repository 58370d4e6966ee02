// What other-unit.cpp and .c offer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

extern const int margin;
std::vector<float> neighbours(int n);

extern "C" double *plain_buffer(long n);
extern "C" void plain_release(double *buffer);
