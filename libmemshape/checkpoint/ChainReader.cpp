// Chains of steps that differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/text/Try.h"

#include <nlohmann/json.hpp>

namespace memshape {

using checkpointing::Step;
using nlohmann::json;

constexpr const char *Schema = "memshape.chain/1";

static bool readBytes(const json &Value, std::int64_t &Into) {
  if (!Value.is_number_integer() || (Value.is_number_unsigned() && Value.get<std::uint64_t>() > INT64_MAX) ||
      Value.get<std::int64_t>() < 0)
    return false;
  Into = Value.get<std::int64_t>();
  return true;
}

static bool readTime(const json &Value, double &Into) {
  if (!Value.is_number())
    return false;
  Into = Value.get<double>();
  return Into >= 0 && Into < 0x1p50;
}

static Result<Step> readStep(const json &Each) {
  if (!Each.is_object())
    return Failure{"is no object"};
  if (!Each.contains("state_bytes"))
    return Failure{"has no state_bytes"};
  Step S;
  for (const auto &[Name, Into] : {std::pair("state_bytes", &S.StateBytes), std::pair("forward_bytes", &S.ForwardBytes),
                                   std::pair("backward_bytes", &S.BackwardBytes)})
    if (const auto Value = Each.find(Name); Value != Each.end() && !readBytes(*Value, *Into))
      return Failure{"has " + std::string(Name) + " that is no whole number from 0 to 2^63 - 1"};
  for (const auto &[Name, Into] : {std::pair("forward", &S.Forward), std::pair("backward", &S.Backward)})
    if (const auto Value = Each.find(Name); Value != Each.end() && !readTime(*Value, *Into))
      return Failure{"has " + std::string(Name) + " that is no time from 0"};
  return S;
}

Result<std::vector<Step>> readChain(std::string_view Text) {
  const json Document = json::parse(Text.begin(), Text.end(), nullptr, false);
  if (Document.is_discarded())
    return Failure{"it is not valid JSON"};
  if (!Document.is_object() || Document.value("schema", json()) != Schema)
    return Failure{std::string("it is no document with the schema ") + Schema};
  const auto Listed = Document.find("steps");
  if (Listed == Document.end() || !Listed->is_array() || Listed->empty())
    return Failure{"it has no list of steps"};
  std::vector<Step> Steps;
  for (const json &Each : *Listed) {
    MEMSHAPE_TRY(const Step Read, inContext("step " + std::to_string(Steps.size()) + " ", readStep(Each)));
    Steps.push_back(Read);
  }
  return Steps;
}

} // namespace memshape
