// Completions for bash, zsh and fish.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Split.h"
#include "tools/memshape/pages/Pages.h"

#include <functional>

namespace memshape {

/// Calls Visit with every command and the names that lead to it, without the program's.
static void forEachCommand(const CommandTree &Command, const std::vector<std::string> &Path,
                           const std::function<void(const CommandTree &, const std::vector<std::string> &)> &Visit) {
  Visit(Command, Path);
  for (const CommandTree &Below : Command.Below) {
    std::vector<std::string> Deeper = Path;
    Deeper.push_back(Below.Name);
    forEachCommand(Below, Deeper, Visit);
  }
}

static std::vector<std::string> namesBelow(const CommandTree &Command) {
  return mapped(Command.Below, &CommandTree::Name);
}

static std::vector<std::string> optionNames(const CommandTree &Command) {
  std::vector<std::string> Names;
  for (const CommandOption &Option : Command.Options)
    if (!Option.Positional)
      Names.insert(Names.end(), Option.Names.begin(), Option.Names.end());
  return Names;
}

static bool takesFiles(const CommandTree &Command) {
  for (const CommandOption &Option : Command.Options)
    if (Option.Positional && Option.isFile())
      return true;
  return false;
}

/// What a file begins with; Comment is the language's.
static std::string heading(const std::string &Program, const char *Shell) {
  return "# Completions of " + Program + " for " + Shell + ", made from the descriptions of its options.\n";
}

static std::string functionName(const std::string &Program, const std::vector<std::string> &Path) {
  std::string Name = "_" + Program;
  for (const std::string &Word : Path)
    Name += "_" + Word;
  for (char &C : Name)
    if (C == '-')
      C = '_';
  return Name;
}

/// In single quotes of a shell.
static std::string quoted(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

/// Text for fish: there the backslash works inside single quotes.
static std::string quotedForFish(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += (C == '\'' || C == '\\' ? "\\" : "") + std::string(1, C);
  return Out + "'";
}

/// A function that offers the shape symbols of the file which the line names, behind commas as well; false where what
/// stands there is no value of --shape. Bash breaks ni=4,nx at the sign.
static std::string bashSymbols(const std::string &Name) {
  return Name + R"bash(() {
  local at=$COMP_CWORD sign=$COMP_CWORD word file= front=
  while [[ $at -gt 2 && ( ${COMP_WORDS[at]} == = || ${COMP_WORDS[at-1]} == = ) ]]; do at=$((at - 1)); done
  if [[ ${COMP_WORDS[at]} != --shape ]]; then at=$((at - 1)); fi
  if [[ ${COMP_WORDS[at]} != --shape ]]; then return 1; fi
  if [[ ${COMP_WORDS[sign]} != = ]]; then sign=$((sign - 1)); fi
  # A number stands behind the sign.
  if [[ ${COMP_WORDS[sign]} == = && $sign -gt $((at + 1)) && $current != *,* ]]; then return 0; fi
  for word in "${COMP_WORDS[@]:2}"; do
    if [[ -f $word ]]; then file=$word; break; fi
  done
  if [[ $current == *,* ]]; then front=${current%,*},; fi
  if [[ $file ]]; then
    while read -r word; do
      if [[ $word == "${current##*,}"* ]]; then COMPREPLY+=("$front$word="); fi
    done < <("${COMP_WORDS[0]}" --shape-symbols "$file" 2>/dev/null)
  fi
  compopt -o nospace
}
)bash";
}

std::string bashCompletion(const CommandTree &Program) {
  const std::string Function = functionName(Program.Name, {});
  std::string Paths, Values, Words, Shapes;
  forEachCommand(Program, {}, [&](const CommandTree &Command, const std::vector<std::string> &Path) {
    const std::string Here = joined(Path, " ");
    for (const CommandTree &Below : Command.Below)
      Paths += "      " + quoted(Here + ":" + Below.Name) +
               ") command=" + quoted(Here.empty() ? Below.Name : Here + " " + Below.Name) + " ;;\n";
    for (const CommandOption &Option : Command.Options)
      if (!Option.Positional && !Option.Value.empty())
        for (const std::string &Name : Option.Names) {
          if (Name == "--shape" && takesFiles(Command))
            Shapes += (Shapes.empty() ? "" : "|") + Here;
          Values += "    " + quoted(Here + ":" + Name) + ") ";
          if (std::vector<std::string> Choices = Option.choices(); !Choices.empty())
            Values += "COMPREPLY=($(compgen -W " + quoted(joined(Choices, " ")) + " -- \"$current\")); return ;;\n";
          else
            Values += Option.isFile() ? "compopt -o default; return ;;\n" : "return ;;\n";
        }
    Words += "    " + quoted(Here) + ") options=" + quoted(joined(optionNames(Command), " ")) +
             "; commands=" + quoted(joined(namesBelow(Command), " ")) + " files=" + (takesFiles(Command) ? "yes" : "") +
             " ;;\n";
  });
  const std::string Symbols = Function + "_shape";
  const std::string AsShape =
      Shapes.empty() ? "" : "  if [[ $command == @(" + Shapes + ") ]] && " + Symbols + "; then return; fi\n";
  return heading(Program.Name, "bash") + (Shapes.empty() ? "" : bashSymbols(Symbols)) + Function + "() {\n" +
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= options= commands= "
         "files= i\n"
         "  COMPREPLY=()\n"
         "  # Bash breaks --option=value at the sign.\n"
         "  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then "
         "previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    if [[ ${COMP_WORDS[i]} == -- ]]; then compopt -o default; return; fi\n"
         "    case \"$command:${COMP_WORDS[i]}\" in\n" +
         Paths +
         "    esac\n"
         "  done\n" +
         AsShape + "  case \"$command:$previous\" in\n" + Values +
         "  esac\n"
         "  case \"$command\" in\n" +
         Words +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$commands\" -- \"$current\"))\n"
         "  if [[ $files ]]; then compopt -o default; fi\n"
         "}\n"
         "complete -F " +
         Function + " " + Program.Name + "\n";
}

std::string fishCompletion(const CommandTree &Program) {
  std::string Text = heading(Program.Name, "fish") + "complete -c " + Program.Name + " -f\n";
  forEachCommand(Program, {}, [&](const CommandTree &Command, const std::vector<std::string> &Path) {
    // A command is at work where its name was seen and none of those below it.
    std::string When = Path.empty() ? "" : "__fish_seen_subcommand_from " + Path.back();
    if (std::vector<std::string> Names = namesBelow(Command); !Names.empty())
      When += (When.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from ") + joined(Names, " ");
    const std::string Start = "complete -c " + Program.Name + (When.empty() ? "" : " -n " + quotedForFish(When));
    for (const CommandTree &Below : Command.Below)
      Text += Start + " -a " + Below.Name + " -d " + quotedForFish(Below.Help) + "\n";
    if (takesFiles(Command))
      Text += Start + " -F\n";
    for (const CommandOption &Option : Command.Options) {
      if (Option.Positional)
        continue;
      Text += Start;
      for (const std::string &Name : Option.Names)
        Text += Name.starts_with("--") ? " -l " + Name.substr(2) : " -s " + Name.substr(1);
      if (std::vector<std::string> Choices = Option.choices(); !Choices.empty())
        Text += " -x -a " + quotedForFish(joined(Choices, " "));
      else if (!Option.Value.empty())
        Text += Option.isFile() ? " -r -F" : " -x";
      Text += " -d " + quotedForFish(Option.Help) + "\n";
    }
  });
  return Text;
}

std::string zshCompletion(const CommandTree &Program) {
  // In specifications of _arguments brackets and colons have a meaning.
  auto Escaped = [](const std::string &Help) {
    std::string Out;
    for (char C : Help)
      Out += (C == '[' || C == ']' || C == ':' || C == '\\' ? "\\" : "") + std::string(1, C);
    return Out;
  };
  std::string Functions;
  forEachCommand(Program, {}, [&](const CommandTree &Command, const std::vector<std::string> &Path) {
    std::string Specifications;
    for (const CommandOption &Option : Command.Options) {
      if (Option.Positional)
        continue;
      std::string Message = ":" + Escaped(Option.Value) + ":";
      if (std::vector<std::string> Choices = Option.choices(); !Choices.empty())
        Message += "(" + joined(Choices, " ") + ")";
      else if (Option.isFile())
        Message += "_files";
      const std::string Others = Option.Repeats            ? "*"
                                 : Option.Names.size() > 1 ? "(" + joined(Option.Names, " ") + ")"
                                                           : "";
      for (const std::string &Name : Option.Names)
        Specifications +=
            " \\\n    " + quoted(Others + Name +
                                 (Option.Value.empty()     ? ""
                                  : Name.starts_with("--") ? "="
                                                           : "+") +
                                 "[" + Escaped(Option.Help) + "]" + (Option.Value.empty() ? "" : Message));
    }
    std::string Body = "  local state line\n  _arguments -C" + Specifications;
    if (Command.Below.empty())
      Body += std::string(" \\\n    ") + (takesFiles(Command) ? "'*:FILE:_files'" : "'*: :_default'") + "\n";
    else {
      Body += " \\\n    '1: :->command' '*:: :->arguments'\n  case $state in\n  command)\n    local -a commands=(\n";
      for (const CommandTree &Below : Command.Below)
        Body += "      " + quoted(Below.Name + ":" + Escaped(Below.Help)) + "\n";
      Body += std::string("    )\n    _describe command commands\n") + (takesFiles(Command) ? "    _files\n" : "") +
              "    ;;\n  arguments)\n    case $words[1] in\n";
      for (const CommandTree &Below : Command.Below) {
        std::vector<std::string> Deeper = Path;
        Deeper.push_back(Below.Name);
        Body += "    " + Below.Name + ") " + functionName(Program.Name, Deeper) + " ;;\n";
      }
      Body +=
          std::string("    *) ") + (takesFiles(Command) ? "_files" : "_default") + " ;;\n    esac\n    ;;\n  esac\n";
    }
    Functions += "\n" + functionName(Program.Name, Path) + "() {\n" + Body + "}\n";
  });
  return "#compdef " + Program.Name + "\n" + heading(Program.Name, "zsh") + Functions + "\n" +
         functionName(Program.Name, {}) + " \"$@\"\n";
}

} // namespace memshape
