// How objects of a library's types are built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of "objects" in docs/libraries.md.

#pragma once

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
  std::string Read;      ///< the expression that tells it, `$i` its number; "" for the accessor of that name
  std::string Setting;   ///< "bool" or "number": it is no symbol but a setting, so that formulas hold for one value
};

/// What an object is built from beside its extents: the argument's setting NAME.
struct BuildSetting {
  std::string Name;
  std::optional<double> Default; ///< its value where nobody gives one
};

/// An object that is built first and then put into another one. In texts `$value` is what is moved, `$object` the part
/// itself, `$i` its number or its turn.
struct BuildPart {
  std::string Name;  ///< of its symbols; "" for that of the object
  int Type = -1;     ///< the template argument that is its type
  int Types = -1;    ///< the first of the template arguments that are: a part for each, $i
  int Key = -1;      ///< the template argument that is the type of keys: `$key` is one that no other turn has
  int Count = -1;    ///< the template argument that says how many parts of one type there are, $i
  bool New = false;  ///< `$value` is a pointer to one made with `new`, an array of them where the type is T[]
  std::string Times; ///< how many alike are put in; "" for one
  std::string Read; ///< of an object that exists, a pointer to the part, null where it has none; "" where none is alike
  std::string Add;  ///< the statement that puts it in; "" where `$NAME` or `$parts` stand among the arguments
};

/// What an object holds: where it was built by something else.
struct BuildInner {
  int Type = -1;      ///< the template argument that is its type
  std::string Under;  ///< what stands before the statement: a loop, a condition
  std::string At;     ///< the expression that is the object held
  std::string Behind; ///< or a pointer to it
};

/// A class, or a class template. In texts `$x` is the object, `$NAME` a symbol or its fixed value, or a setting, `$type`
/// the class, `$element` the type of its elements, `$tensor` a pointer to elements of the caller, `$object` the object of Object,
/// `$unknown` a pointer to bytes that are data.
struct BuildModel {
  int Element = -1; ///< the template argument that is the type of the elements, which are to be numbers; -1 for none
  int Object = -1;  ///< the template argument that is the type of an object which is built first; -1 for none
  int Range = -1;   ///< an iterator: the template argument that is the container; two of them are a range of it
  std::vector<BuildSymbol> Symbols;
  std::vector<BuildSetting> Settings;
  std::string First;   ///< statements before the object is declared
  std::string Factory; ///< an expression, a plain or smart pointer to the object; "" where a constructor builds it
  std::vector<BuildPart> Parts;
  std::vector<BuildInner> Inner;
  bool Members = false;  ///< what it holds is what its members hold
  bool Fixed = false;    ///< what no text here calls data is as it was built; else its members hold data
  std::string Arguments; ///< of the constructor
  std::string Then;      ///< statements behind it
  std::string Data;      ///< the pointer to the elements, which are data; "" where the object holds none
  std::string Distinct;  ///< statements that tell objects of the same size apart by the number `$i`
  std::string Bytes;     ///< how many bytes there are, where they may lie in the object itself; "" where they never do
  std::string Contents;  ///< statements that declare what it holds to be data, where that is more than one block
  std::string Unbuilt;   ///< why no object is built, for the answer; "" where one is
};

} // namespace memshape
