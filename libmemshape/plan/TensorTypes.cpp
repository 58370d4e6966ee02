// Bytes per element, from an operator's types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/TensorTypes.h"
#include "libmemshape/text/JsonFields.h"

namespace memshape {

namespace {

using Json = nlohmann::json;

TensorTypes typesOf(const Json &Parameters) {
  TensorTypes Out;
  for (const Json &Each : Parameters) {
    JsonFields Fields(Each);
    const std::string Role = Fields.string("role"), Type = Fields.string("type");
    const std::string Name = Each.contains("name") ? Fields.string("name") : "?";
    if (Role == "object" && !Type.starts_with("const ") && (Type.ends_with('&') || Type.ends_with('*')))
      Out.Written.push_back(Name);
    if (Role != "tensor")
      continue;
    const auto Element = Each.find("element");
    const bool Known = Element != Each.end() && Element->is_object() && Element->contains("bytes") &&
                       (*Element)["bytes"].is_number_unsigned() && (*Element)["bytes"] != 0;
    if (!Known) {
      Out.Untyped.push_back(Name);
      continue;
    }
    Out.Counted.push_back(Name);
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
  const Result<Json> Document = parseJson(Payload);
  if (!Document)
    return std::nullopt;
  for (const Json &Each : JsonFields(*Document).array("operators"))
    if (Each.is_object() && Each.contains("symbol") && Each["symbol"] == Operator && Each.contains("parameters") &&
        Each["parameters"].is_array()) {
      TensorTypes Out = typesOf(Each["parameters"]);
      Out.Outputs = outputsOf(Each);
      return Out;
    }
  return std::nullopt;
}

} // namespace memshape
