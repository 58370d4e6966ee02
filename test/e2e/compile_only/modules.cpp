// Kinds of types and functions, as a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of its own, compiled from the source and from what was made of it, and one that imports it.
//
// flags: -x c++-module
// flags: -x c++-module --precompile %s && -c -x pcm first
// flags: -x c++-module --precompile %s && -DIMPORTS -fmodule-file=kinds=first -c %S/kinds.cpp

module;
#include <coroutine>
export module kinds;
export {
#define PARAMETERS
#include "kinds.cpp"
}
