// An open file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <unistd.h>
#include <utility>

namespace memshape::out_of_core {

/// The number of an open file, which is closed with this object; negative where none is open.
class Descriptor {
public:
  explicit Descriptor(int Number = -1) : Number(Number) {}
  Descriptor(Descriptor &&Other) noexcept : Number(std::exchange(Other.Number, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Number, Other.Number);
    return *this;
  }
  ~Descriptor() {
    if (Number >= 0)
      ::close(Number);
  }
  operator int() const { return Number; }

private:
  int Number;
};

} // namespace memshape::out_of_core
