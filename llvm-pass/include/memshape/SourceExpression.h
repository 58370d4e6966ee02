// The arithmetic on a line of source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug information gives an operator's line and column. The expression around it is read from the text.

#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace memshape {

namespace source {

inline bool isInWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

/// Whether an expression does not go on over Line[At]: a comma, a semicolon, an assignment or a comparison.
inline bool isBorder(std::string_view Line, std::size_t At) {
  const char C = Line[At];
  const char Before = At ? Line[At - 1] : ' ', After = At + 1 < Line.size() ? Line[At + 1] : ' ';
  if (C == '<' || C == '>')
    return Before != C && After != C && !(C == '>' && Before == '-');
  return C == ',' || C == ';' || C == '{' || C == '}' ||
         (C == '=' && !(Before == '*' || Before == '+' || Before == '-' || Before == '<')) || C == '?' || C == '"' ||
         C == '!' || (C == ':' && Before != ':' && After != ':') ||
         ((C == '&' || C == '|') && (Before == C || After == C)) || (C == '/' && (After == '/' || After == '*'));
}

/// Whether the bracket at Line[At] opens what a keyword asks: if (...), for (...).
inline bool followsKeyword(std::string_view Line, std::size_t At) {
  while (At && std::isspace(static_cast<unsigned char>(Line[At - 1])))
    --At;
  std::size_t Begin = At;
  while (Begin && isInWord(Line[Begin - 1]))
    --Begin;
  const std::string_view Word = Line.substr(Begin, At - Begin);
  return Word == "if" || Word == "for" || Word == "while" || Word == "switch";
}

/// The end of what is open at From, which is inside of it: the index of its border, or of its bracket.
inline std::size_t rightEnd(std::string_view Line, std::size_t From) {
  int Depth = 0;
  for (std::size_t I = From; I < Line.size(); ++I) {
    const char C = Line[I];
    if (C == '(' || C == '[')
      ++Depth;
    else if ((C == ')' || C == ']') && Depth-- == 0)
      return I;
    else if (Depth == 0 && isBorder(Line, I))
      return I;
  }
  return Line.size();
}

/// Its beginning, behind the border or the bracket.
inline std::size_t leftEnd(std::string_view Line, std::size_t From) {
  int Depth = 0;
  std::size_t Closed = From; // behind the outermost bracket that was met last
  for (std::size_t I = From; I > 0; --I) {
    const char C = Line[I - 1];
    if ((C == ')' || C == ']') && Depth++ == 0)
      Closed = I;
    else if ((C == '(' || C == '[') && (Depth-- == 0 || (Depth == 0 && followsKeyword(Line, I - 1))))
      return Depth < 0 ? I : Closed;
    else if (Depth == 0 && isBorder(Line, I - 1))
      return I;
  }
  return 0;
}

/// Without blanks, but for those that keep two words apart; without "return" in front. Empty where it counts.
inline std::string tidy(std::string_view Text) {
  std::string Out;
  if (Text.find("++") != Text.npos || Text.find("--") != Text.npos)
    return Out; // the optimiser has moved a loop's sum there
  for (const char C : Text) {
    if (std::isspace(static_cast<unsigned char>(C))) {
      if (!Out.empty() && Out.back() != ' ')
        Out += ' ';
      continue;
    }
    if (Out.ends_with(' ') && !(Out.size() > 1 && isInWord(Out[Out.size() - 2]) && isInWord(C)))
      Out.pop_back();
    Out += C;
  }
  if (Out.ends_with(' '))
    Out.pop_back();
  if (Out.ends_with('*') || Out.ends_with('&'))
    return ""; // a type
  constexpr std::string_view Return = "return";
  if (Out.starts_with(Return) && Out.size() > Return.size() && !isInWord(Out[Return.size()]))
    Out.erase(0, Return.size() + (Out[Return.size()] == ' '));
  return Out;
}

/// The expression around Line[At].
inline std::string around(std::string_view Line, std::size_t At) {
  const std::size_t From = leftEnd(Line, At);
  return tidy(Line.substr(From, rightEnd(Line, At) - From));
}

} // namespace source

/// "4*w*h*2" for "p = malloc(4 * w * h * 2);" and the column, from 1, of any of its operators. Column 0, or that of a
/// declaration: the longest such expression on the line.
inline std::string expressionOn(std::string_view Line, std::size_t Column) {
  if (Column && Column <= Line.size())
    if (std::string Text = source::around(Line, Column - 1); !Text.empty() && Text.find(' ') == Text.npos)
      return Text;
  std::string Longest;
  for (std::size_t I = 0; I < Line.size(); ++I)
    if (Line[I] == '*' || Line[I] == '+' || Line.substr(I).starts_with("<<"))
      if (std::string Text = source::around(Line, I); Text.size() > Longest.size() && Text.find(' ') == Text.npos)
        Longest = std::move(Text);
  return Longest;
}

} // namespace memshape
