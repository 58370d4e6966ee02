// Colours and width of the terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Terminal.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace memshape {

static std::string_view variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

/// Whether the locale is UTF-8, chosen as the C library does.
static bool localeIsUtf8() {
  for (const char *Name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (std::string_view Value = variable(Name); !Value.empty())
      return Value.find("UTF-8") != std::string_view::npos || Value.find("utf8") != std::string_view::npos ||
             Value.find("UTF8") != std::string_view::npos;
  return false;
}

/// The length of the escape sequence that begins at At, "\033[...m"; 0 where there is none.
static std::size_t escapeAt(const std::string &Text, std::size_t At) {
  if (Text.compare(At, 2, "\033[") != 0)
    return 0;
  std::size_t End = Text.find('m', At);
  return End == std::string::npos ? 0 : End + 1 - At;
}

/// The column where a broken line continues: under the text after its last gap of two blanks or more, if that leaves
/// half of the width.
static std::size_t hangingIndent(const std::string &Line, std::size_t Width) {
  std::size_t First = Line.find_first_not_of(' ');
  std::size_t Gap = Line.rfind("  ");
  std::size_t Column = First == std::string::npos ? 0 : First + 2;
  if (Gap != std::string::npos && First != std::string::npos && Gap > First)
    Column = columnsOf(Line.substr(0, Gap + 2));
  return Column <= Width / 2 ? Column : std::min<std::size_t>(First == std::string::npos ? 2 : First + 2, Width / 2);
}

static void addFitted(const std::string &Line, std::size_t Width, std::string &Page) {
  std::size_t Indent = hangingIndent(Line, Width), Columns = 0, Start = 0, LastBlank = std::string::npos;
  for (std::size_t At = 0; At < Line.size();) {
    if (std::size_t Escape = escapeAt(Line, At)) {
      At += Escape;
      continue;
    }
    if (Line[At] == ' ' && Columns > Indent)
      LastBlank = At;
    if ((static_cast<unsigned char>(Line[At]) & 0xC0) != 0x80 && ++Columns > Width && LastBlank != std::string::npos) {
      Page += Line.substr(Start, LastBlank - Start);
      Page.erase(Page.find_last_not_of(' ') + 1);
      Page += "\n" + std::string(Indent, ' ');
      Start = std::min(Line.find_first_not_of(' ', LastBlank), Line.size());
      At = std::max(At, Start);
      Columns = Indent + columnsOf(Line.substr(Start, At - Start)) + 1;
      LastBlank = std::string::npos;
    }
    ++At;
  }
  Page += Line.substr(std::min(Start, Line.size())) + "\n";
}

Terminal Terminal::of(int Descriptor) {
  Terminal Screen;
  Screen.Unicode = localeIsUtf8();
  if (!::isatty(Descriptor))
    return Screen;
  Screen.Colours = variable("NO_COLOR").empty() && variable("TERM") != "dumb" && !variable("TERM").empty();
  winsize Size;
  if (::ioctl(Descriptor, TIOCGWINSZ, &Size) == 0 && Size.ws_col)
    Screen.Width = Size.ws_col;
  return Screen;
}

std::string inked(const std::string &Text, Ink How, const Terminal &Screen) {
  if (!Screen.Colours || Text.empty())
    return Text;
  const char *Code = How == Ink::Strong ? "1" : How == Ink::Quiet ? "2" : How == Ink::Accent ? "36" : "33";
  return std::string("\033[") + Code + "m" + Text + "\033[0m";
}

std::size_t columnsOf(const std::string &Text) {
  std::size_t Columns = 0;
  for (std::size_t At = 0; At < Text.size();) {
    if (std::size_t Escape = escapeAt(Text, At)) {
      At += Escape;
      continue;
    }
    Columns += (static_cast<unsigned char>(Text[At]) & 0xC0) != 0x80;
    ++At;
  }
  return Columns;
}

std::string fitted(const std::string &Page, const Terminal &Screen) {
  constexpr std::size_t Narrowest = 20; // below this, breaking lines does not help
  if (Screen.Width < Narrowest)
    return Page;
  std::string Text;
  for (std::size_t Start = 0; Start < Page.size();) {
    std::size_t End = std::min(Page.find('\n', Start), Page.size());
    addFitted(Page.substr(Start, End - Start), Screen.Width, Text);
    Start = End + 1;
  }
  return Text;
}

std::string sparkline(const std::vector<std::int64_t> &Values, std::int64_t Highest, std::size_t Columns,
                      const Terminal &Screen) {
  static constexpr std::string_view Blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::string_view Plain[] = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};
  constexpr std::int64_t Levels = 8;
  std::string Text;
  std::size_t Count = std::min(Columns, Values.size());
  for (std::size_t I = 0; I < Count; ++I) {
    std::size_t From = I * Values.size() / Count, To = (I + 1) * Values.size() / Count;
    std::int64_t Value = *std::max_element(Values.begin() + std::ptrdiff_t(From), Values.begin() + std::ptrdiff_t(To));
    // A value above 0 is never shown as empty.
    double Part = Highest > 0 ? static_cast<double>(Value) / static_cast<double>(Highest) : 0;
    std::int64_t Level =
        Value <= 0 ? 0 : std::clamp<std::int64_t>(static_cast<std::int64_t>(Part * Levels + 0.5), 1, Levels);
    Text += Screen.Unicode ? Blocks[Level] : Plain[Level];
  }
  return Text;
}

} // namespace memshape
