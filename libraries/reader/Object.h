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
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// A number that an object is built from, under the name of the accessor that tells it.
struct BuildSymbol {
  std::string Name;
  int Argument = -1;     ///< the template argument that fixes the number; -1 for none
  std::int64_t Open = 0; ///< the value of that argument which leaves it open
  int Count = -1;        ///< the template argument that says how many there are, NAME[0], NAME[1], ...; -1 for one
  std::string Type;      ///< what each of several is converted to; "" for the type of sizes
};

/// What an object is built from beside its extents: the argument's setting NAME.
struct BuildSetting {
  std::string Name;
  std::optional<double> Default; ///< its value where nobody gives one
};

/// A class, or a class template. In texts `$x` is the object, `$NAME` a symbol or its fixed value, or a setting, `$type` the class,
/// `$element` the type of its elements, `$tensor` a pointer to elements of the caller, `$object` the object of Object,
/// `$unknown` a pointer to bytes that are data.
struct BuildModel {
  int Element = -1; ///< the template argument that is the type of the elements, which are to be numbers; -1 for none
  int Object = -1;  ///< the template argument that is the type of an object which is built first; -1 for none
  std::vector<BuildSymbol> Symbols;
  std::vector<BuildSetting> Settings;
  std::string First;     ///< statements before the object is declared
  std::string Factory;   ///< an expression, a plain or smart pointer to the object; "" where a constructor builds it
  std::string Arguments; ///< of the constructor
  std::string Then;      ///< statements behind it
  std::string Data;      ///< the pointer to the elements, which are data; "" where the object holds none
  std::string Bytes;     ///< how many bytes there are, where they may lie in the object itself; "" where they never do
  std::string Contents;  ///< statements that declare what it holds to be data, where that is more than one block
  std::string Unbuilt;   ///< why no object is built, for the answer; "" where one is
};

} // namespace memshape

#endif // MEMSHAPE_LIBRARIES_OBJECT_H
