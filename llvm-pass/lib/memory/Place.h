// Where in an object a pointer can point.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     fixed     {object, 16}            this byte
//     strided   {object, 16, 64}        bytes 16, 80, 144, ...: a field of the elements of an array
//     open      {object, 16, 1}         anywhere from byte 16 on
//
// Strided and open places may have an end, the byte behind the last one: that of the array member they run through.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include <compare>
#include <cstdint>

namespace memshape {

/// Bytes of an object from Start up to End; all that nothing is known of by default.
struct Extent {
  int64_t Start = INT64_MIN, End = INT64_MAX;
  bool isKnown() const { return End != INT64_MAX; }
};

struct Place {
  unsigned Object;
  int64_t Offset; ///< bytes from the object's start
  int64_t Stride = 0;
  int64_t End = INT64_MAX; ///< of strided places

  bool isFixed() const { return Stride == 0; }
  bool operator==(const Place &) const = default;
  auto operator<=>(const Place &) const = default;

  /// Somewhere in Object.
  static Place anywhere(unsigned Object) { return {Object, INT64_MIN, 1}; }
  bool isAnywhere() const { return Offset == INT64_MIN; }

  /// Bytes further.
  Place moved(int64_t Bytes) const;

  /// A multiple of Step bytes further, within the part of the object that Within says; or also back, where Backwards
  /// says so.
  Place stepped(int64_t Step, Extent Within = {}, bool Backwards = false) const;

  /// Every byte of Other is one of this.
  bool includes(const Place &Other) const;

  /// A range of Bytes bytes here and one of OtherBytes there can overlap; 0 bytes mean an unknown length.
  bool overlaps(uint64_t Bytes, const Place &Other, uint64_t OtherBytes) const;
};

/// Sorted, without duplicates, none included in another.
using PlaceSet = llvm::SmallVector<Place, 2>;

/// Adds P to Set; true if it was not included before. Places beyond a dozen in one object become one strided place.
bool addPlace(PlaceSet &Set, Place P);

} // namespace memshape
