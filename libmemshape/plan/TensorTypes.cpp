//===- TensorTypes.cpp - Bytes per element, from an operator's types -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/plan/TensorTypes.h"

#include <nlohmann/json.hpp>

namespace memshape {

namespace {

using Json = nlohmann::json;

TensorTypes typesOf(const Json &Parameters) {
  TensorTypes Out;
  for (const Json &Each : Parameters) {
    const std::string Type = Each.contains("type") && Each["type"].is_string() ? Each["type"].get<std::string>() : "";
    if (Each.value("role", "") == "object" && !Type.starts_with("const ") &&
        (Type.ends_with('&') || Type.ends_with('*')))
      Out.Written.push_back(Each.value("name", "?"));
    if (Each.value("role", "") != "tensor")
      continue;
    const auto Element = Each.find("element");
    const bool Known = Element != Each.end() && Element->is_object() && Element->contains("bytes") &&
                       (*Element)["bytes"].is_number_unsigned() && (*Element)["bytes"] != 0;
    if (!Known) {
      Out.Untyped.push_back(Each.value("name", "?"));
      continue;
    }
    Out.Counted.push_back(Each.value("name", "?"));
    const auto ReadOnly = Each.find("read_only");
    const bool Written = ReadOnly == Each.end() || !ReadOnly->is_boolean() || !ReadOnly->get<bool>();
    (Written ? Out.Out : Out.In) += (*Element)["bytes"].get<std::uint64_t>();
  }
  return Out;
}

std::vector<std::string> outputsOf(const Json &Operator) {
  std::vector<std::string> Counts;
  const auto Transformation = Operator.find("transformation");
  if (Transformation == Operator.end() || !Transformation->is_object() || !Transformation->contains("outputs"))
    return Counts;
  for (const Json &Each : (*Transformation)["outputs"])
    if (Each.is_object() && Each.contains("elements") && Each["elements"].is_string())
      Counts.push_back(Each["elements"].get<std::string>());
  return Counts;
}

} // namespace

std::optional<TensorTypes> tensorTypesOf(std::string_view Payload, const std::string &Operator) {
  const Json Document = Json::parse(Payload, nullptr, false);
  if (!Document.is_object() || !Document.contains("operators") || !Document["operators"].is_array())
    return std::nullopt;
  for (const Json &Each : Document["operators"])
    if (Each.is_object() && Each.contains("symbol") && Each["symbol"] == Operator && Each.contains("parameters") &&
        Each["parameters"].is_array()) {
      TensorTypes Out = typesOf(Each["parameters"]);
      Out.Outputs = outputsOf(Each);
      return Out;
    }
  return std::nullopt;
}

} // namespace memshape
