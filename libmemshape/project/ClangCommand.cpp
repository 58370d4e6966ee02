// A unit's command of compile_commands.json, as clang takes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/project/ProjectBuild.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <regex>
#include <utility>

namespace memshape {

namespace {

enum class Form {
  Word,
  Start, ///< of several options
  Pair   ///< its value is the next word
};

/// What an option means to a compilation that only makes skeletons.
enum class Meaning {
  Build, ///< it says where results go, or that a warning is an error
  Code   ///< it changes code as only that compiler, or that build, can
};

struct OptionKind {
  std::string_view Name;
  Form How;
  Meaning What;
};

constexpr std::array OptionKinds = {
    OptionKind{"-o", Form::Pair, Meaning::Build},
    OptionKind{"-MF", Form::Pair, Meaning::Build},
    OptionKind{"-MT", Form::Pair, Meaning::Build},
    OptionKind{"-MQ", Form::Pair, Meaning::Build},
    OptionKind{"-MJ", Form::Pair, Meaning::Build},
    OptionKind{"-M", Form::Start, Meaning::Build},
    OptionKind{"-c", Form::Word, Meaning::Build},
    OptionKind{"-S", Form::Word, Meaning::Build},
    OptionKind{"-E", Form::Word, Meaning::Build},
    OptionKind{"-pedantic-errors", Form::Word, Meaning::Build},
    OptionKind{"-gsplit-dwarf", Form::Word, Meaning::Build},
    OptionKind{"-Werror", Form::Start, Meaning::Build},
    OptionKind{"-save-temps", Form::Start, Meaning::Build},
    OptionKind{"-fdump-", Form::Start, Meaning::Build},
    OptionKind{"-fdiagnostics-", Form::Start, Meaning::Build},
    OptionKind{"--coverage", Form::Word, Meaning::Code},
    OptionKind{"-ftest-coverage", Form::Word, Meaning::Code},
    OptionKind{"-fprofile-", Form::Start, Meaning::Code},
    OptionKind{"-flto", Form::Start, Meaning::Code},
    OptionKind{"-ffat-lto-objects", Form::Word, Meaning::Code},
    OptionKind{"-fplugin", Form::Start, Meaning::Code},
    OptionKind{"-fpass-plugin", Form::Start, Meaning::Code},
    OptionKind{"-specs", Form::Start, Meaning::Code},
};

const OptionKind *kindOf(const std::string &Word) {
  const auto *Found = std::find_if(OptionKinds.begin(), OptionKinds.end(), [&](const OptionKind &Each) {
    return Each.How == Form::Start ? Word.starts_with(Each.Name) : Word == Each.Name;
  });
  return Found == OptionKinds.end() ? nullptr : Found;
}

Result<CompileCommand> commandOf(const nlohmann::json &Entry) {
  if (!Entry.is_object())
    return Failure{"an entry is not an object"};
  JsonFields Fields(Entry);
  CompileCommand Unit{Fields.string("directory"), Fields.string("file"), Fields.strings("arguments")};
  if (Unit.Words.empty())
    Unit.Words = wordsOf(Fields.string("command"));
  if (Fields.failed())
    return Failure{*Fields.failed()};
  if (Unit.Source.empty() || Unit.Words.empty())
    return Failure{"an entry has no 'file', or neither 'command' nor 'arguments'"};
  return Unit;
}

/// "ccache /usr/bin/g++-12": where the compiler stands among Words.
std::optional<std::size_t> compilerAmong(const std::vector<std::string> &Words) {
  static const std::regex Compiler(R"((.*-)?(gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(-[0-9.]+)?)");
  for (std::size_t I = 0; I < Words.size() && !Words[I].starts_with('-'); ++I)
    if (std::regex_match(std::filesystem::path(Words[I]).filename().string(), Compiler))
      return I;
  return std::nullopt;
}

} // namespace

std::vector<std::string> wordsOf(const std::string &Command) {
  constexpr std::string_view Quotes = "\"'", Blanks = " \t\n", EscapedInQuotes = "\\\"$`";
  std::vector<std::string> Words;
  bool Within = false; // of a word
  char Quote = 0;
  for (std::size_t I = 0; I < Command.size(); ++I) {
    char C = Command[I];
    if (!Quote && Blanks.find(C) != Blanks.npos) {
      Within = false;
      continue;
    }
    if (!std::exchange(Within, true))
      Words.emplace_back();
    if (Quote ? C == Quote : Quotes.find(C) != Quotes.npos) {
      Quote = Quote ? 0 : C;
      continue;
    }
    const char Next = I + 1 < Command.size() ? Command[I + 1] : 0;
    if (C == '\\' && Next && (!Quote || (Quote == Quotes[0] && EscapedInQuotes.find(Next) != Quotes.npos))) {
      C = Next;
      ++I;
    }
    Words.back() += C;
  }
  return Words;
}

Result<std::vector<CompileCommand>> readCompileCommands(const std::string &Path) {
  constexpr std::uint64_t Most = std::uint64_t(1) << 30;
  MEMSHAPE_TRY(const std::string Text, readFile(Path, Most));
  const Result<nlohmann::json> Document = parseJson(Text);
  if (!Document || !Document->is_array())
    return Failure{"'" + Path + "' is not a list of compile commands" +
                   (Document ? "" : ": " + Document.failure().Message)};
  std::vector<CompileCommand> Units;
  for (const nlohmann::json &Entry : *Document) {
    MEMSHAPE_TRY(CompileCommand Unit, inContext("'" + Path + "': ", commandOf(Entry)));
    Units.push_back(std::move(Unit));
  }
  return Units;
}

Result<ClangCommand> clangCommandOf(const CompileCommand &Unit) {
  const std::optional<std::size_t> Compiler = compilerAmong(Unit.Words);
  if (!Compiler)
    return Failure{"'" + Unit.Words.front() + "' is neither gcc nor clang"};
  static const std::regex C(R"(\.[ci])"), Cxx(R"(\.(C|cc|cp|cpp|cxx|CPP|c\+\+|ii))");
  const std::string Name = std::filesystem::path(Unit.Source).extension().string();
  ClangCommand Found;
  Found.IsCxx = std::regex_match(Name, Cxx) ||
                std::filesystem::path(Unit.Words[*Compiler]).filename().string().find("++") != std::string::npos;
  if (!std::regex_match(Name, Cxx) && !std::regex_match(Name, C))
    return Failure{"is neither C nor C++"};
  for (std::size_t I = *Compiler + 1; I < Unit.Words.size(); ++I) {
    const std::string &Word = Unit.Words[I];
    const OptionKind *Kind = kindOf(Word);
    if (!Kind) {
      Found.Arguments.push_back(Word);
      continue;
    }
    if (Kind->What == Meaning::Code)
      Found.TakenOut.push_back(Word);
    I += Kind->How == Form::Pair;
  }
  return Found;
}

std::vector<std::string> takeOutUnknown(std::vector<std::string> &Arguments, const std::string &Said) {
  static const std::regex Names("'([^']+)'"),
      Unknown("^(\\S*clang\\S* )?error: .*(unknown|unsupported|not supported|invalid value)");
  std::vector<std::string> Out;
  for (const std::string &Line : split(Said, '\n')) {
    if (!std::regex_search(Line, Unknown))
      continue;
    for (std::sregex_iterator At(Line.begin(), Line.end(), Names), End; At != End; ++At) {
      const std::string Name = (*At)[1];
      const auto IsIt = [&](const std::string &Word) {
        return Word.starts_with('-') && (Word == Name || Word.ends_with("=" + Name));
      };
      std::copy_if(Arguments.begin(), Arguments.end(), std::back_inserter(Out), IsIt);
      std::erase_if(Arguments, IsIt);
    }
  }
  return Out;
}

} // namespace memshape
