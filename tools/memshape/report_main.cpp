//===- report_main.cpp - memshape-report ----------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/memshape/CommandLine.h"

int main(int Count, char **Arguments) { return memshape::memshapeReportMain(Count, Arguments); }
