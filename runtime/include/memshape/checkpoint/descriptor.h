/* An open file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   POSIX. */

#pragma once

#include <unistd.h>
#include <utility>

namespace memshape::checkpoint {

/// The number of an open file, which is closed with this object; negative where none is open.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }

  operator int() const { return number_; }
  int release() { return std::exchange(number_, -1); }

private:
  int number_;
};

} // namespace memshape::checkpoint
