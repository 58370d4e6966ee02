// Values that say their members, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/design-decisions.md, "One list of members for each answer".

#pragma once

#include "libmemshape/include/memshape/names.h"

#include <nlohmann/json.hpp>

#include <type_traits>

namespace memshape {

template <class Value> nlohmann::ordered_json jsonOf(const Value &Of);

/// Takes the members of an object.
struct JsonObject {
  nlohmann::ordered_json &Into;
  template <class Value> void operator()(const std::string &Name, const Value &Of) const { Into[Name] = jsonOf(Of); }
};

/// Of numbers, texts, enumerators, what may be absent (null), lists, maps, and what has members or, a function, gives
/// them to whom it is called with.
template <class Value> nlohmann::ordered_json jsonOf(const Value &Of) {
  nlohmann::ordered_json Out;
  if constexpr (std::is_enum_v<Value>)
    Out = v1::name_of(Of);
  else if constexpr (requires { Of.members(JsonObject{Out}); })
    Of.members(JsonObject{Out = nlohmann::ordered_json::object()});
  else if constexpr (requires { Of(JsonObject{Out}); })
    Of(JsonObject{Out = nlohmann::ordered_json::object()});
  else if constexpr (requires { Of.has_value(); })
    Out = Of ? jsonOf(*Of) : nlohmann::ordered_json();
  else if constexpr (requires { typename Value::mapped_type; }) {
    Out = nlohmann::ordered_json::object();
    for (const auto &[Name, Each] : Of)
      Out[Name] = jsonOf(Each);
  } else if constexpr (requires {
                         typename Value::value_type;
                         Of.begin();
                       } && !std::is_same_v<Value, std::string>) {
    Out = nlohmann::ordered_json::array();
    for (const auto &Each : Of)
      Out.push_back(jsonOf(Each));
  } else
    Out = Of;
  return Out;
}

} // namespace memshape
