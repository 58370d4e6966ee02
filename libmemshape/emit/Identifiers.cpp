// Names of the source as identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Writing.h"

#include <string_view>

namespace memshape {

/// Of C, of C++ and of Python, each between blanks.
constexpr std::string_view Words =
    " False None True alignas alignof and and_eq as asm assert async auto await bitand bitor bool break "
    "case catch char class compl const const_cast constexpr continue decltype def default del delete do "
    "double dynamic_cast elif else enum except explicit export extern false finally float for friend from "
    "global goto if import in inline int is lambda long math mutable namespace new noexcept nonlocal not "
    "not_eq nullptr operator or or_eq pass private protected public raise register reinterpret_cast "
    "restrict return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile "
    "wchar_t while with xor xor_eq yield ";

std::string Identifiers::of(const std::string &Name) {
  std::string Made;
  for (char Each : Name) {
    const bool Stays =
        (Each >= 'a' && Each <= 'z') || (Each >= 'A' && Each <= 'Z') || (Each >= '0' && Each <= '9') || Each == '_';
    if (Stays)
      Made += Each;
    else if (!Made.empty() && Made.back() != '_')
      Made += '_';
  }
  if (!Name.empty() && Name.back() != '_' && !Made.empty() && Made.back() == '_')
    Made.pop_back();
  if (Made.empty() || (Made.front() >= '0' && Made.front() <= '9'))
    Made.insert(0, "_");
  const auto IsTaken = [&](const std::string &Text) {
    return Taken.contains(Text) || Words.find(" " + Text + " ") != std::string_view::npos;
  };
  std::string Out = IsTaken(Made) ? Made + "_" : Made;
  for (unsigned Number = 2; IsTaken(Out); ++Number)
    Out = Made + "_" + std::to_string(Number);
  Taken.insert(Out);
  return Out;
}

} // namespace memshape
