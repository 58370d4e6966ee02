// Commands as manual pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In mdoc(7), which both groff and mandoc read. Pages carry no date of their making: the same source gives the same
// page.

#include "libmemshape/text/Split.h"
#include "tools/memshape/pages/Pages.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace memshape {

/// Text that stands in lines of its own: each sentence begins one.
static std::string plain(const std::string &Text) {
  std::string Out;
  for (std::size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == ' ' && I > 0 && Text[I - 1] == '.' && I + 1 < Text.size() &&
        std::isupper(static_cast<unsigned char>(Text[I + 1]))) {
      Out += '\n';
      continue;
    }
    if (C == '\\')
      Out += "\\e";
    else if (C == '\n')
      Out += ' ';
    else
      Out += C;
  }
  if (!Out.empty() && (Out[0] == '.' || Out[0] == '\''))
    Out = "\\&" + Out;
  return Out;
}

/// A word as an argument of a macro: one that looks like punctuation or a macro is none.
static std::string argument(const std::string &Text) {
  std::string Out;
  for (char C : plain(Text))
    Out += C == '"' ? std::string("\\(dq") : std::string(1, C);
  return Out.find(' ') == std::string::npos && Out.size() > 2 ? Out : "\"\\&" + Out + "\"";
}

static std::string sentence(std::string Text) {
  if (Text.empty())
    return Text;
  Text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(Text[0])));
  if (Text.back() != '.')
    Text += '.';
  return Text;
}

/// The page of an option: ".It Fl o , Fl -output Ar FILE".
static std::string optionItem(const CommandOption &Option) {
  std::string Text = ".It ";
  for (std::size_t I = 0; I < Option.Names.size(); ++I) {
    const std::string &Name = Option.Names[I];
    Text += (I ? " , " : "") + (Option.Positional ? "Ar " + argument(Name) : "Fl " + argument(Name.substr(1)));
  }
  if (!Option.Value.empty() && !Option.Positional)
    Text += " Ar " + argument(Option.Value);
  Text += "\n" + plain(sentence(Option.Help)) + "\n";
  if (!Option.Default.empty())
    Text += "By default\n.Ql " + plain(Option.Default) + " .\n";
  if (Option.Repeats && !Option.Positional)
    Text += "May be given several times.\n";
  return Text;
}

static std::string synopsis(const CommandTree &Command, const std::vector<std::string> &Path) {
  std::string Text = ".Nm " + Path.front() + "\n";
  for (std::size_t I = 1; I < Path.size(); ++I)
    Text += ".Cm " + Path[I] + "\n";
  if (!Command.Below.empty() && Command.Options.size() <= 2)
    return Text + ".Ar COMMAND\n.Op Ar OPTION ...\n";
  Text += ".Op Ar OPTION ...\n";
  for (const CommandOption &Option : Command.Options)
    if (Option.Positional) {
      const std::string Value = argument(Option.Names.front()) + (Option.Repeats ? " ..." : "");
      Text += (Option.Required ? ".Ar " : ".Op Ar ") + Value + "\n";
    }
  return Text;
}

static void addPages(const CommandTree &Command, std::vector<std::string> Path,
                     std::map<std::string, std::string> &Pages) {
  const std::string Name = joined(Path, "-");
  std::string Title = Name;
  std::transform(Title.begin(), Title.end(), Title.begin(),
                 [](unsigned char C) { return static_cast<char>(std::toupper(C)); });
  std::string Text = ".Dd $Mdocdate$\n.Dt " + Title + " 1\n.Os memshape\n.Sh NAME\n.Nm " + Name + "\n.Nd " +
                     plain(Command.Help) + "\n.Sh SYNOPSIS\n" + synopsis(Command, Path) + ".Sh DESCRIPTION\n" +
                     plain(sentence(Command.Help)) + "\n";
  if (!Command.Footer.empty())
    Text += ".Pp\n" + plain(Command.Footer) + "\n";
  if (!Command.Below.empty()) {
    Text += ".Pp\nCommands, each with a page of its own:\n.Bl -tag -width Ds\n";
    for (const CommandTree &Below : Command.Below)
      Text += ".It Cm " + Below.Name + "\n" + plain(sentence(Below.Help)) + "\n";
    Text += ".El\n";
  }
  Text += ".Pp\nArguments and options:\n.Bl -tag -width Ds\n";
  for (bool Positional : {true, false})
    for (const CommandOption &Option : Command.Options)
      if (Option.Positional == Positional)
        Text += optionItem(Option);
  Text +=
      ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev MEMSHAPE_CACHE\nFolder in which formulas are kept, or\n.Ql off "
      ".\n.It Ev NO_COLOR\nWhere it is not empty, there are no colours on a terminal.\n.El\n"
      ".Sh EXIT STATUS\n0 well; 1 the answer is no; 2 the request was wrong, and one line on standard error says what "
      "to do.\n.Sh SEE ALSO\n";
  std::vector<std::string> Others;
  if (Path.size() > 1)
    Others.push_back(joined(std::span(Path).first(Path.size() - 1), "-"));
  for (const CommandTree &Below : Command.Below)
    Others.push_back(Name + "-" + Below.Name);
  if (Others.empty())
    Others.push_back("memshape");
  std::sort(Others.begin(), Others.end());
  for (std::size_t I = 0; I < Others.size(); ++I)
    Text += ".Xr " + Others[I] + " 1" + (I + 1 < Others.size() ? " ,\n" : "\n");
  Pages[Name + ".1"] = std::move(Text);
  for (const CommandTree &Below : Command.Below) {
    std::vector<std::string> Deeper = Path;
    Deeper.push_back(Below.Name);
    addPages(Below, std::move(Deeper), Pages);
  }
}

std::map<std::string, std::string> manPages(const CommandTree &Program) {
  std::map<std::string, std::string> Pages;
  addPages(Program, {Program.Name}, Pages);
  return Pages;
}

} // namespace memshape
