// An object file becomes code in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linker for one object of position-independent code without thread-local storage, as the pass makes them for x86-64.
// It makes one mapping, in which 32-bit distances reach everything.
//
// mapping:  | code, stubs | constants, table of addresses | writable data |
//             r-x           r--                             rw-
//
// A stub is a jump through the table of addresses, for calls of functions that lie further away.

#pragma once

#include "runner/loading/Loading.h"

namespace memshape {

enum class Placement {
  Done,
  Unusual, ///< a full linker might link it
  Failed   ///< a name is defined nowhere: Problem says which
};

/// Object is not trusted to be well formed, but its code is run as it is.
Placement placeObject(std::string_view Object, const NameSearch &Names, PlacedCode &Result, std::string &Problem);

} // namespace memshape
