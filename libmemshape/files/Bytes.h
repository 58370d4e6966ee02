// A view of foreign bytes that cannot be overrun.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace memshape {

/// Every read is checked against the end; no alignment is assumed.
class Bytes {
public:
  Bytes() = default;
  Bytes(const std::uint8_t *Data, std::uint64_t Size) : Begin(Data), Count(Size) {}
  explicit Bytes(std::string_view Text)
      : Begin(reinterpret_cast<const std::uint8_t *>(Text.data())), Count(Text.size()) {}

  const std::uint8_t *data() const { return Begin; }
  std::uint64_t size() const { return Count; }
  std::string_view text() const { return {reinterpret_cast<const char *>(Begin), Count}; }

  /// Size bytes from Offset on; nothing if they exceed the end.
  std::optional<Bytes> slice(std::uint64_t Offset, std::uint64_t Size) const {
    if (Offset > Count || Size > Count - Offset)
      return std::nullopt;
    return Bytes(Begin + Offset, Size);
  }

  /// A plain value in the machine's byte order, which is little endian on every system that memshape runs on.
  template <class T> std::optional<T> read(std::uint64_t Offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(std::endian::native == std::endian::little);
    if (Offset > Count || sizeof(T) > Count - Offset)
      return std::nullopt;
    T Value;
    std::memcpy(&Value, Begin + Offset, sizeof(T));
    return Value;
  }

  /// The zero-terminated string at Offset; nothing if it does not end.
  std::optional<std::string_view> string(std::uint64_t Offset) const {
    if (Offset >= Count)
      return std::nullopt;
    const void *End = std::memchr(Begin + Offset, 0, Count - Offset);
    if (!End)
      return std::nullopt;
    const std::uint8_t *From = Begin + Offset;
    return std::string_view(reinterpret_cast<const char *>(From),
                            static_cast<std::size_t>(static_cast<const std::uint8_t *>(End) - From));
  }

private:
  const std::uint8_t *Begin = nullptr;
  std::uint64_t Count = 0;
};

} // namespace memshape
