/* What enumerators are called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   An enumeration of memshape is its own table: commands, JSON, messages and
   Python call an enumerator as it is written; where it has several words, they
   have hyphens between them.

     memshape::name_of(memshape::Sink::store);            // "store"
     memshape::named<memshape::Sink>("store");            // Sink::store
     memshape::names_of<memshape::Sink>;                  // store, persist, gather
     memshape::word_of(memshape::Mapping::all_to_all);    // "all-to-all" */

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace memshape::v1 {

namespace names {

/// Empty where no enumerator has this value. Compilers end the name of this function with "[with auto Value =
/// memshape::v1::Sink::store; ...]", or "Value = (memshape::v1::Sink)3" where there is none.
template <auto Value> constexpr std::string_view written() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("Value = "));
  text = text.substr(0, text.find_first_of(";]"));
  text.remove_prefix(text.find_last_of(":)") + 1);
  return text.find_first_of("-0123456789") == 0 ? std::string_view() : text;
}

/// The first enumerator has the value 0 or 1, each further one the next.
template <class E> inline constexpr std::size_t first = written<E(0)>().empty();

template <class E, std::size_t Count = 0> constexpr std::size_t count() {
  if constexpr (written<E(first<E> + Count)>().empty())
    return Count;
  else
    return count<E, Count + 1>();
}

template <class E, std::size_t... At> constexpr auto all(std::index_sequence<At...>) {
  return std::array<std::string_view, sizeof...(At)>{written<E(first<E> + At)>()...};
}

} // namespace names

/// Of all enumerators, in order.
template <class E> inline constexpr auto names_of = names::all<E>(std::make_index_sequence<names::count<E>()>());

template <class E> constexpr std::string_view name_of(E value) {
  return names_of<E>[static_cast<std::size_t>(value) - names::first<E>];
}

/// The name with hyphens.
template <class E> std::string word_of(E value) {
  std::string text(name_of(value));
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

/// The enumerator of this name, or of this name with hyphens.
template <class E> constexpr std::optional<E> named(std::string_view name) {
  const auto same = [](char of, char given) { return of == given || (of == '_' && given == '-'); };
  for (std::size_t at = 0; at < names_of<E>.size(); ++at)
    if (std::equal(names_of<E>[at].begin(), names_of<E>[at].end(), name.begin(), name.end(), same))
      return E(names::first<E> + at);
  return std::nullopt;
}

/// "store|persist|gather", or with other words between them; names with hyphens.
template <class E> std::string joined_names(std::string_view between = "|", std::string_view last = "") {
  std::string text;
  const std::size_t count = names_of<E>.size();
  for (std::size_t at = 0; at < count; ++at)
    text.append(at == 0                            ? ""
                : at + 1 == count && !last.empty() ? last
                                                   : between)
        .append(word_of(E(names::first<E> + at)));
  return text;
}

} // namespace memshape::v1
