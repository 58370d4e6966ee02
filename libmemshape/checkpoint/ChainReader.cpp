//===- ChainReader.cpp - Chains of steps that differ ------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/checkpoint/ChainReader.h"

#include <nlohmann/json.hpp>

namespace memshape {

using checkpointing::Step;
using nlohmann::json;

namespace {

constexpr const char *Schema = "memshape.chain/1";

bool readBytes(const json &Value, std::int64_t &Into) {
  if (!Value.is_number_integer() || (Value.is_number_unsigned() && Value.get<std::uint64_t>() > INT64_MAX) ||
      Value.get<std::int64_t>() < 0)
    return false;
  Into = Value.get<std::int64_t>();
  return true;
}

bool readTime(const json &Value, double &Into) {
  if (!Value.is_number())
    return false;
  Into = Value.get<double>();
  return Into >= 0 && Into < 0x1p50;
}

Result<Step> readStep(const json &Each) {
  if (!Each.is_object())
    return Failure{"is no object"};
  Step S;
  for (const auto &[Name, Value] : Each.items()) {
    const bool IsBytes = Name == "state_bytes" || Name == "forward_bytes" || Name == "backward_bytes";
    if (!IsBytes && Name != "forward" && Name != "backward")
      return Failure{"has a member " + json(Name).dump(-1, ' ', true, json::error_handler_t::replace) +
                     "; there are state_bytes, forward_bytes, backward_bytes, forward and backward"};
    if (!(Name == "state_bytes"      ? readBytes(Value, S.StateBytes)
          : Name == "forward_bytes"  ? readBytes(Value, S.ForwardBytes)
          : Name == "backward_bytes" ? readBytes(Value, S.BackwardBytes)
          : Name == "forward"        ? readTime(Value, S.Forward)
                                     : readTime(Value, S.Backward)))
      return Failure{"has " + Name +
                     (IsBytes ? " that is no whole number from 0 to 2^63 - 1" : " that is no time from 0")};
  }
  if (!Each.contains("state_bytes"))
    return Failure{"has no state_bytes"};
  return S;
}

} // namespace

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
    const Result<Step> Read = readStep(Each);
    if (!Read)
      return Failure{"step " + std::to_string(Steps.size()) + " " + Read.failure().Message};
    Steps.push_back(*Read);
  }
  return Steps;
}

} // namespace memshape
