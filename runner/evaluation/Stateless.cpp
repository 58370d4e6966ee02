//===- Stateless.cpp - Library functions that keep no state --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This list only saves time. A skeleton that calls nothing else is evaluated in the runner's own process. One that
// calls anything more is evaluated in a child, so that what the library remembers ends with the evaluation. Mangled
// names are those of the Itanium C++ ABI.
//
//===----------------------------------------------------------------------===//

#include "runner/evaluation/Symbols.h"

#include <algorithm>
#include <array>

using namespace memshape;

/// <math.h>, without the suffixes f and l.
static constexpr std::string_view MathNames[] = {
    "acos",      "acosh", "asin",      "asinh",  "atan", "atan2",  "atanh",     "cbrt",    "ceil",   "copysign",
    "cos",       "cosh",  "erf",       "erfc",   "exp",  "exp10",  "exp2",      "expm1",   "fabs",   "fdim",
    "floor",     "fma",   "fmax",      "fmin",   "fmod", "frexp",  "hypot",     "ilogb",   "ldexp",  "llrint",
    "llround",   "log",   "log10",     "log1p",  "log2", "logb",   "lrint",     "lround",  "modf",   "nearbyint",
    "nextafter", "pow",   "remainder", "remquo", "rint", "round",  "roundeven", "scalbln", "scalbn", "sin",
    "sincos",    "sinh",  "sqrt",      "tan",    "tanh", "tgamma", "trunc"};

static constexpr std::string_view OtherNames[] = {
    "abs", "atof", "atoi", "atol", "atoll", "bcmp", "bsearch", "div", "ffs", "ffsl", "ffsll", "labs", "ldiv", "llabs",
    "lldiv", "memccpy", "memchr", "memcmp", "memcpy", "memmem", "memmove", "mempcpy", "memrchr", "memset", "rawmemchr",
    "stpcpy", "stpncpy", "strcat", "strchr", "strchrnul", "strcmp", "strcpy", "strcspn", "strlen", "strncat", "strncmp",
    "strncpy", "strnlen", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof", "strtol", "strtoll", "strtoul",
    "strtoull", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__cxa_pure_virtual", "__dso_handle",
    "__dynamic_cast", "__errno_location", "__gxx_personality_v0", "__memcpy_chk", "__memmove_chk", "__memset_chk",
    "__stack_chk_guard", "__strcpy_chk", "__strcat_chk", "_setjmp", "setjmp", "__sigsetjmp",
    // of the compiler's library
    "__addtf3", "__divdc3", "__divsc3", "__divti3", "__divtf3", "__eqtf2", "__extenddftf2", "__extendhfsf2",
    "__fixdfti", "__fixtfdi", "__fixunsdfti", "__floattidf", "__floatuntidf", "__getf2", "__gttf2", "__letf2",
    "__lttf2", "__modti3", "__muldc3", "__mulsc3", "__multf3", "__multi3", "__popcountdi2", "__powidf2", "__powisf2",
    "__subtf3", "__truncdfhf2", "__truncsfhf2", "__trunctfdf2", "__udivti3", "__umodti3",
    // hashes and prime numbers of the unordered containers
    "_ZSt11_Hash_bytesPKvmm", "_ZSt15_Fnv_hash_bytesPKvmm", "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm"};

/// Families: the red-black trees and lists of the containers; vtables, type information and their names.
static constexpr std::string_view Prefixes[] = {"_ZSt18_Rb_tree_",
                                                "_ZSt20_Rb_tree_",
                                                "_ZSt28_Rb_tree_",
                                                "_ZSt29_Rb_tree_",
                                                "_ZNSt8__detail15_List_node_base",
                                                "_ZTV",
                                                "_ZTI",
                                                "_ZTS"};

bool memshape::isStateless(std::string_view Name) {
  const auto Contains = [](const auto &List, std::string_view Wanted) {
    return std::find(std::begin(List), std::end(List), Wanted) != std::end(List);
  };
  if (Contains(OtherNames, Name) || Contains(MathNames, Name))
    return true;
  if (!Name.empty() && (Name.back() == 'f' || Name.back() == 'l') &&
      Contains(MathNames, Name.substr(0, Name.size() - 1)))
    return true;
  return std::any_of(std::begin(Prefixes), std::end(Prefixes),
                     [&](std::string_view Prefix) { return Name.substr(0, Prefix.size()) == Prefix; });
}
