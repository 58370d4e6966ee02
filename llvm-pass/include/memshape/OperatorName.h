// How a name that somebody gave fits an operator's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace memshape {

/// Last: a last part, as "smooth" is of "imaging::smooth". Whole: all of it, perhaps without template arguments.
enum class NameFit { None, Last, Whole };

namespace operator_name {

/// "std::map<int, long>" as "std::map<int,long>".
inline std::string withoutSpaces(std::string_view Text) {
  std::string Out(Text);
  std::erase(Out, ' ');
  return Out;
}

/// "grid<float>::fill<int>" as "grid::fill". The signs of "operator<" stay.
inline std::string withoutArguments(std::string_view Text) {
  constexpr std::string_view Operator = "operator", Signs = "<>=-";
  std::string Out;
  unsigned Depth = 0;
  for (std::size_t At = 0; At < Text.size(); ++At) {
    if (!Depth && Text.substr(At).starts_with(Operator)) {
      const std::size_t End = std::min(Text.find_first_not_of(Signs, At + Operator.size()), Text.size());
      Out += Text.substr(At, End - At);
      At = End - 1;
    } else if (Text[At] == '<') {
      ++Depth;
    } else if (Text[At] == '>' && Depth) {
      --Depth;
    } else if (!Depth) {
      Out += Text[At];
    }
  }
  return Out;
}

inline bool isLast(std::string_view Qualified, std::string_view Name) {
  return Qualified.size() > Name.size() + 2 && Qualified.ends_with(Name) &&
         Qualified.substr(0, Qualified.size() - Name.size()).ends_with("::");
}

} // namespace operator_name

/// Display is a function's display name: qualified, with template arguments. The rule of the compile flag and of
/// --operator.
inline NameFit fitOf(std::string_view Display, std::string_view Name) {
  using namespace operator_name;
  const std::string Whole = withoutSpaces(Display), Short = withoutArguments(Whole);
  std::string Given = withoutSpaces(Name);
  Given.erase(0, Given.find_first_not_of(':'));
  if (Given.empty())
    return NameFit::None;
  if (Given == Whole || Given == Short)
    return NameFit::Whole;
  return isLast(Whole, Given) || isLast(Short, Given) ? NameFit::Last : NameFit::None;
}

} // namespace memshape
