// SEG-Y cubes of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/SegyGeometry.h"

using namespace memshape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  (void)segyGeometryOf(Bytes(Data, Size));
  return 0;
}
