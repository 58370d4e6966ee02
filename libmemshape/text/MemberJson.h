// Values that say their members, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written as text: a tree of values for a million nodes, or chunks, would take longer than to find them.
// docs/design-decisions.md, "One list of members for each answer".

#pragma once

#include "libmemshape/include/memshape/names.h"
#include "libmemshape/text/Escapes.h"

#include <nlohmann/json.hpp>

#include <type_traits>

namespace memshape {

/// Appends to Into. Between and Colon are what stands between members or elements, and behind a name.
struct JsonWriter {
  std::string &Into;
  const char *Between = ",", *Colon = ":";

  /// A member of the object that was begun.
  template <class Value> void operator()(const std::string &Name, const Value &Of) const {
    if (Into.back() != '{')
      Into += Between;
    value(Name);
    Into += Colon;
    value(Of);
  }

  /// Numbers, texts, enumerators, what may be absent (null), lists, maps, and what has members or, a function, gives
  /// them to whom it is called with.
  template <class Value> void value(const Value &Of) const {
    if constexpr (std::is_enum_v<Value>)
      value(std::string(v1::name_of(Of)));
    else if constexpr (requires { Of.members(*this); })
      object([&] { Of.members(*this); });
    else if constexpr (requires { Of(*this); })
      object([&] { Of(*this); });
    else if constexpr (requires { Of.has_value(); }) {
      if (Of)
        value(*Of);
      else
        Into += "null";
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
      Into += std::to_string(Of);
    else if constexpr (requires {
                         typename Value::value_type;
                         Of.begin();
                       } && !std::is_convertible_v<Value, std::string_view>) {
      Into += '[';
      for (const auto &Each : Of) {
        if (Into.back() != '[')
          Into += Between;
        value(Each);
      }
      Into += ']';
    } else
      Into += jsonText(nlohmann::json(Of));
  }

private:
  template <class Members> void object(Members Write) const {
    Into += '{';
    Write();
    Into += '}';
  }
};

} // namespace memshape
