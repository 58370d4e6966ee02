// The parts of a text, taken apart and put together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace memshape {

/// The parts between separators: one more than there are separators, each may be empty.
inline std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  for (std::size_t Begin = 0; Begin <= Text.size();) {
    const std::size_t End = std::min(Text.find(Separator, Begin), Text.size());
    Parts.push_back(Text.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Parts;
}

/// The number that the whole text is; nothing where it is none, or does not fit.
template <class Number> std::optional<Number> numberIn(std::string_view Text) {
  Number Value{};
  const auto [End, Wrong] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Wrong == std::errc() && End == Text.data() + Text.size() ? std::optional(Value) : std::nullopt;
}

/// What Of says of each.
template <class Parts, class Saying> auto mapped(const Parts &All, Saying Of) {
  std::vector<std::decay_t<decltype(std::invoke(Of, *std::begin(All)))>> Found;
  for (const auto &Each : All)
    Found.push_back(std::invoke(Of, Each));
  return Found;
}

/// "ni, nx": what Of says of each part.
template <class Parts, class Saying = std::identity>
std::string joined(const Parts &All, std::string_view Between = ", ", Saying Of = {}) {
  std::string Text;
  for (const auto &Each : All)
    Text.append(Text.empty() ? "" : Between).append(std::invoke(Of, Each));
  return Text;
}

/// "ni=400, nx=300"
template <class Values>
std::string assigned(const std::vector<std::string> &Names, const Values &Of, const char *Between = ", ") {
  std::string Text;
  for (std::size_t I = 0; I < Names.size() && I < Of.size(); ++I)
    Text += (I ? Between : "") + Names[I] + "=" + std::to_string(Of[I]);
  return Text;
}

} // namespace memshape
