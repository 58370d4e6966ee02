// Messages of protocol buffers, as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few kinds of fields that profiles consist of; https://protobuf.dev/programming-guides/encoding. The library
// would bring a compiler for .proto files, and a shared library to every installation, for these lines.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memshape {

class ProtobufMessage {
public:
  /// Fields that are 0 or empty are left out: that is their default.
  ProtobufMessage &number(unsigned Field, std::int64_t Value) {
    if (Value)
      varint(Field << 3), varint(static_cast<std::uint64_t>(Value));
    return *this;
  }
  ProtobufMessage &text(unsigned Field, const std::string &Value) {
    return Value.empty() ? *this : bytes(Field, Value);
  }
  ProtobufMessage &message(unsigned Field, const ProtobufMessage &Value) { return bytes(Field, Value.Encoded); }
  /// Packed, each one whatever it is.
  template <class Number> ProtobufMessage &numbers(unsigned Field, const std::vector<Number> &Values) {
    ProtobufMessage Packed;
    for (const Number Value : Values)
      Packed.varint(static_cast<std::uint64_t>(Value));
    return Values.empty() ? *this : message(Field, Packed);
  }
  /// The same one by one, as readers want it that know one form alone.
  template <class Number> ProtobufMessage &eachNumber(unsigned Field, const std::vector<Number> &Values) {
    for (const Number Value : Values)
      varint(Field << 3), varint(static_cast<std::uint64_t>(Value));
    return *this;
  }
  /// A string of a table whose position counts, be it empty.
  ProtobufMessage &bytes(unsigned Field, const std::string &Value) {
    constexpr unsigned Delimited = 2;
    varint(Field << 3 | Delimited), varint(Value.size());
    Encoded += Value;
    return *this;
  }

  const std::string &encoded() const { return Encoded; }

private:
  void varint(std::uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Encoded += static_cast<char>(Value | 0x80);
    Encoded += static_cast<char>(Value);
  }

  std::string Encoded;
};

/// Numbers values from 1, in the order in which they come, and tells of each new one.
template <class Value> class Numbered {
public:
  template <class Told> std::uint64_t operator()(const Value &Of, Told New) {
    const auto [At, IsNew] = Numbers.try_emplace(Of, Numbers.size() + 1);
    if (IsNew)
      New(At->second);
    return At->second;
  }

private:
  std::map<Value, std::uint64_t> Numbers;
};

} // namespace memshape
