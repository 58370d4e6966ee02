// Members of a foreign JSON object, checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/JsonFields.h"

namespace memshape {

constexpr unsigned MaxNesting = 64;
/// Each takes 16 bytes and more, beside its text. A prediction has some for each site and decision.
constexpr std::size_t MaxValues = std::size_t(1) << 22;

/// Why Text is not worth parsing; null where it is.
static const char *tooMuch(std::string_view Text) {
  unsigned Depth = 0;
  std::size_t Values = 0;
  bool InString = false;
  for (std::size_t I = 0; I < Text.size(); ++I)
    switch (Text[I]) {
    case '"': InString = !InString; break;
    case '\\': I += InString; break;
    case '[':
    case '{':
      if (!InString && ++Depth > MaxNesting)
        return "its values are nested too deeply";
      [[fallthrough]];
    case ',':
      if (!InString && ++Values > MaxValues)
        return "it has more than 4 million values";
      break;
    case ']':
    case '}':
      if (!InString && Depth > 0)
        --Depth;
      break;
    default: break;
    }
  return nullptr;
}

template <class Document> static Result<Document> parse(std::string_view Text) {
  if (const char *Why = tooMuch(Text))
    return Failure{Why};
  Document Parsed = Document::parse(Text.begin(), Text.end(), nullptr, /*allow_exceptions=*/false);
  if (Parsed.is_discarded())
    return Failure{"it is not valid JSON"};
  return Parsed;
}

Result<nlohmann::json> parseJson(std::string_view Text) { return parse<nlohmann::json>(Text); }

Result<nlohmann::ordered_json> parseOrderedJson(std::string_view Text) { return parse<nlohmann::ordered_json>(Text); }

JsonFields::JsonFields(const nlohmann::json &Object) : Object(Object) {
  if (!Object.is_object())
    Wrong = "an object was expected";
}

const nlohmann::json *JsonFields::find(const char *Key) const {
  if (!Object.is_object())
    return nullptr;
  auto Place = Object.find(Key);
  return Place == Object.end() || Place->is_null() ? nullptr : &*Place;
}

void JsonFields::refuse(const char *Key, const char *Expected) {
  if (!Wrong)
    Wrong = std::string("'") + Key + "' is not " + Expected;
}

template <class T> T JsonFields::read(const char *Key, T Default, IsOfType Is, const char *Expected) {
  const nlohmann::json *Member = find(Key);
  if (Member && (Member->*Is)())
    return Member->get<T>();
  if (Member)
    refuse(Key, Expected);
  return Default;
}

std::string JsonFields::string(const char *Key) {
  return oneLine(read(Key, std::string(), &nlohmann::json::is_string, "a string"));
}

bool JsonFields::boolean(const char *Key) { return read(Key, false, &nlohmann::json::is_boolean, "true or false"); }

std::int64_t JsonFields::integer(const char *Key, std::int64_t Default) {
  constexpr const char *Expected = "an integer of 64 bits";
  const nlohmann::json *Member = find(Key);
  if (!Member || !Member->is_number_unsigned() || Member->get<std::uint64_t>() <= INT64_MAX)
    return read(Key, Default, &nlohmann::json::is_number_integer, Expected);
  refuse(Key, Expected);
  return Default;
}

std::uint64_t JsonFields::natural(const char *Key, std::uint64_t Default) {
  return read(Key, Default, &nlohmann::json::is_number_unsigned, "a natural number");
}

double JsonFields::number(const char *Key) { return read(Key, 0.0, &nlohmann::json::is_number, "a number"); }

std::vector<std::string> JsonFields::strings(const char *Key) {
  std::vector<std::string> Found;
  for (const nlohmann::json &Element : array(Key))
    if (const auto *Text = Element.get_ptr<const std::string *>())
      Found.push_back(oneLine(*Text));
    else
      refuse(Key, "a list of strings");
  return Found;
}

const nlohmann::json &JsonFields::array(const char *Key) {
  static const nlohmann::json Empty = nlohmann::json::array();
  const nlohmann::json *Member = find(Key);
  if (!Member)
    return Empty;
  if (Member->is_array())
    return *Member;
  refuse(Key, "a list");
  return Empty;
}

} // namespace memshape
