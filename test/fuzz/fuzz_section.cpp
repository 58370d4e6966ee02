//===- fuzz_section.cpp - Instrumented files of foreign origin ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/Skeleton.h"
#include "tools/report/FeaturesDocument.h"

using namespace memshape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  Result<InstrumentedFile> File = readInstrumentedBytes(Bytes(Data, Size), "fuzzed");
  if (!File)
    return 0;
  if (Result<std::vector<Skeleton>> Skeletons = skeletonsOf(*File))
    (void)chooseOperator(*Skeletons, "smooth", "fuzzed");
  for (const Record &R : File->Records)
    if (R.Kind == RecordKind::Features)
      (void)parseFeatures(R.Payload);
  return 0;
}
