// What an operator's types tell of its tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/TensorTypes.h"
#include "libmemshape/text/JsonFields.h"

namespace memshape {

using Json = nlohmann::json;

static TensorTypes typesOf(const Json &Parameters) {
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
                       (*Element)["bytes"].is_number_unsigned();
    const auto ReadOnly = Each.find("read_only");
    const bool Written = ReadOnly == Each.end() || !ReadOnly->is_boolean() || !ReadOnly->get<bool>();
    Out.Pointers.push_back({Name, Known ? (*Element)["bytes"].get<std::uint64_t>() : 0, Written});
  }
  return Out;
}

std::optional<TensorTypes> tensorTypesOf(std::string_view Payload, const std::string &Operator) {
  const Result<Json> Document = parseJson(Payload);
  if (!Document)
    return std::nullopt;
  for (const Json &Each : JsonFields(*Document).array("operators"))
    if (Each.is_object() && Each.contains("symbol") && Each["symbol"] == Operator && Each.contains("parameters") &&
        Each["parameters"].is_array())
      return typesOf(Each["parameters"]);
  return std::nullopt;
}

} // namespace memshape
