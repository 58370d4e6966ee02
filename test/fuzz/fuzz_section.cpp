// Instrumented files of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Report.h"
#include "libmemshape/skeletons/Modules.h"
#include "libmemshape/skeletons/Skeleton.h"

using namespace memshape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  Result<InstrumentedFile> File = readInstrumentedBytes(Bytes(Data, Size), "fuzzed");
  if (!File)
    return 0;
  std::vector<InstrumentedFile> Files;
  Files.push_back(std::move(*File));
  std::vector<std::string> Notes;
  std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
  (void)unitsOf(Heads, "smooth", {"helper"});
  for (const ModuleHead &Head : Heads)
    (void)bitcodeOf(Head);
  if (Result<std::vector<Skeleton>> Skeletons = skeletonsOf(Files.front()))
    (void)chooseOperator(*Skeletons, "smooth", "fuzzed");
  for (const Record &R : Files.front().Records)
    if (R.Kind == RecordKind::Features)
      (void)parseFeatures(R.Payload);
  return 0;
}
