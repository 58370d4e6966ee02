// Members of a foreign JSON object, checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace memshape {

/// Parses without exceptions. A document that nests deeper than any of memshape's is refused: copying and printing one
/// uses stack for every level.
Result<nlohmann::json> parseJson(std::string_view Text);
Result<nlohmann::ordered_json> parseOrderedJson(std::string_view Text);

/// Reads members of one object. An absent member gives its default. A member of the wrong type does so too, and the
/// first one is remembered: call failed() once at the end.
class JsonFields {
public:
  explicit JsonFields(const nlohmann::json &Object);

  std::string string(const char *Key);
  bool boolean(const char *Key);
  std::int64_t integer(const char *Key, std::int64_t Default = 0);
  std::uint64_t natural(const char *Key, std::uint64_t Default = 0);
  double number(const char *Key);
  std::vector<std::string> strings(const char *Key);
  /// An empty array where there is none.
  const nlohmann::json &array(const char *Key);

  /// "'line' is not a number", or nothing.
  const std::optional<std::string> &failed() const { return Wrong; }

private:
  using IsOfType = bool (nlohmann::json::*)() const noexcept;
  template <class T> T read(const char *Key, T Default, IsOfType Is, const char *Expected);
  const nlohmann::json *find(const char *Key) const;
  void refuse(const char *Key, const char *Expected);

  const nlohmann::json &Object;
  std::optional<std::string> Wrong;
};

} // namespace memshape
