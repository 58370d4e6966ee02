// Documents and answers of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte says what the rest is: a skeleton document, a features document or an answer of the runner.

#include "libmemshape/report/Report.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

using namespace memshape;

static void readSkeleton(std::string_view Json) {
  std::uint64_t Length = Json.size();
  std::string Payload(reinterpret_cast<const char *>(&Length), sizeof Length);
  Payload += Json;
  (void)parseSkeleton(Payload + "bitcode");
}

static void readFeatures(std::string_view Json) {
  Result<nlohmann::ordered_json> Document = parseFeatures(Json);
  if (!Document)
    return;
  auto Operators = Document->find("operators");
  if (Operators != Document->end())
    for (const nlohmann::ordered_json &Operator : *Operators)
      (void)featuresPage(Operator);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  if (Size == 0)
    return 0;
  std::string_view Json(reinterpret_cast<const char *>(Data + 1), Size - 1);
  switch (Data[0]) {
  case 's': readSkeleton(Json); break;
  case 'f': readFeatures(Json); break;
  default: (void)parseFootprint(Json); break;
  }
  return 0;
}
