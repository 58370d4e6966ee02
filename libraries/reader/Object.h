//===- Object.h - How objects of a library's types are built ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members of "objects" in docs/libraries.md.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_LIBRARIES_OBJECT_H
#define MEMSHAPE_LIBRARIES_OBJECT_H

#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

/// A number that an object is built from, under the name of the accessor that tells it.
struct BuildSymbol {
  std::string Name;
  int Argument = -1;     ///< the template argument that fixes the number; -1 for none
  std::int64_t Open = 0; ///< the value of that argument which leaves it open
  int Count = -1;        ///< the template argument that says how many there are, NAME[0], NAME[1], ...; -1 for one
};

/// A class template. In texts `$x` is the object, `$NAME` a symbol or its fixed value, `$tensor` a pointer to elements,
/// `$type` the class.
struct BuildModel {
  int Element = -1; ///< the template argument that is the type of the elements, which are to be numbers; -1 for none
  std::vector<BuildSymbol> Symbols;
  std::string Arguments; ///< of the constructor
  std::string Then;      ///< statements behind it
  std::string Data;      ///< the pointer to the elements, which are data; "" where the object holds none
  std::string Bytes;     ///< how many bytes there are, where they may lie in the object itself; "" where they never do
};

} // namespace memshape

#endif // MEMSHAPE_LIBRARIES_OBJECT_H
