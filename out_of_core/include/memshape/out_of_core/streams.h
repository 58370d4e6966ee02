/* Objects as bytes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What save() and load() of a user's type are given. Both pass the bytes on in
   pieces of 1 MiB: an object is never in memory twice. */

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace memshape::out_of_core {

/// Takes the bytes of an object. What cannot be written is thrown as an Error.
class Writer {
public:
  virtual ~Writer() = default;
  virtual void write(const void *data, std::size_t bytes) = 0;

  template <class T> void value(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>, "write the members of this type one by one");
    write(&value, sizeof value);
  }
  /// The number of elements, and the elements.
  template <class T> void vector(const std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>, "write the elements of this type one by one");
    value(static_cast<std::uint64_t>(values.size()));
    write(values.data(), values.size() * sizeof(T));
  }
};

/// Gives the bytes back in the order in which they were written. They have been compared with their checksum. To read
/// more than was written is an Error.
class Reader {
public:
  virtual ~Reader() = default;
  virtual void read(void *data, std::size_t bytes) = 0;

  template <class T> T value() {
    static_assert(std::is_trivially_copyable_v<T>, "read the members of this type one by one");
    T value;
    read(&value, sizeof value);
    return value;
  }
  template <class T> std::vector<T> vector() {
    static_assert(std::is_trivially_copyable_v<T>, "read the elements of this type one by one");
    std::vector<T> values(value<std::uint64_t>());
    read(values.data(), values.size() * sizeof(T));
    return values;
  }
};

} // namespace memshape::out_of_core
