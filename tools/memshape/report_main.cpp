// memshape-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/CommandLine.h"

int main(int Count, char **Arguments) { return memshape::memshapeReportMain(Count, Arguments); }
