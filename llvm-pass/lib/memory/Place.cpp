// Where in an object a pointer can point.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/Place.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace memshape {

/// More places than these in one object are taken as one: a pointer that walks through an array.
static constexpr ptrdiff_t ManyPlaces = 12;

/// The least number that is not negative and congruent to Offset.
static int64_t residue(int64_t Offset, int64_t Stride) {
  int64_t Rest = Offset % Stride;
  return Rest < 0 ? Rest + Stride : Rest;
}

Place Place::moved(int64_t Bytes) const {
  if (isAnywhere())
    return *this;
  Place P = *this;
  P.Offset += Bytes;
  // Nothing of the object lies below its start.
  if (!isFixed() && P.Offset < 0)
    P.Offset = residue(P.Offset, Stride);
  return P;
}

Place Place::stepped(int64_t Step, Extent Within, bool Backwards) const {
  if (isAnywhere() || Step == 0)
    return *this;
  Place P = *this;
  P.Stride = std::gcd(Stride, Step);
  if (isFixed())
    P.End = Within.End;
  if (Backwards) {
    int64_t Lowest = P.End != INT64_MAX && Within.isKnown() ? Within.Start : 0;
    P.Offset = Lowest + residue(Offset - Lowest, P.Stride);
  }
  return P;
}

bool Place::includes(const Place &Other) const {
  if (*this == Other)
    return true;
  if (Object != Other.Object || isFixed() || Other.Offset < Offset)
    return false;
  if (isAnywhere())
    return true;
  if (Other.isAnywhere() || (Other.Offset - Offset) % Stride || (!Other.isFixed() && Other.Stride % Stride))
    return false;
  return Other.isFixed() ? Other.Offset < End : Other.End <= End;
}

bool Place::overlaps(uint64_t Bytes, const Place &Other, uint64_t OtherBytes) const {
  if (Object != Other.Object)
    return false;
  auto Behind = [](const Place &P, uint64_t Length) {
    return !P.isFixed() ? P.End : Length ? P.Offset + int64_t(Length) : INT64_MAX;
  };
  if (Other.Offset >= Behind(*this, Bytes) || Offset >= Behind(Other, OtherBytes))
    return false;
  int64_t Common = std::gcd(Stride, Other.Stride);
  if (Common <= 1 || !Bytes || !OtherBytes)
    return true;
  int64_t Distance = residue(Offset - Other.Offset, Common);
  return Distance < int64_t(OtherBytes) || Common - Distance < int64_t(Bytes);
}

/// One strided place for all of Places.
static Place widened(ArrayRef<Place> Places) {
  Place P = Places.front();
  for (const Place &Other : Places) {
    if (Other.isAnywhere())
      return Other;
    P.Stride = std::gcd(std::gcd(P.Stride, Other.Stride), Other.Offset - Places.front().Offset);
    P.Offset = std::min(P.Offset, Other.Offset);
  }
  P.Stride = std::max<int64_t>(P.Stride, 1);
  P.End = INT64_MAX;
  return P;
}

bool addPlace(PlaceSet &Set, Place P) {
  // The places of P's object stand together.
  auto First = partition_point(Set, [&](const Place &Other) { return Other.Object < P.Object; });
  auto Last = First;
  for (; Last != Set.end() && Last->Object == P.Object; ++Last)
    if (Last->includes(P))
      return false;
  if (Last - First >= ManyPlaces) {
    SmallVector<Place, 16> Walk(First, Last);
    Walk.push_back(P);
    P = widened(Walk);
  }
  First = Set.erase(std::remove_if(First, Last, [&](const Place &Other) { return P.includes(Other); }), Last);
  First = partition_point(Set, [&](const Place &Other) { return Other < P; });
  Set.insert(First, P);
  return true;
}

} // namespace memshape
