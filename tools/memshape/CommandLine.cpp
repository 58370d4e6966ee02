// The arguments of memshape and memshape-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/CommandLine.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/processes/WorkLimits.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Spelling.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/version/Version.h"
#include "runner/sandbox/Availability.h"
#include "tools/memshape/Commands.h"
#include "tools/memshape/pages/Pages.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <pthread.h>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace memshape {

std::optional<Failure> checkSandbox(bool Trust, bool Needed) {
  if (Trust || !Needed)
    return std::nullopt;
  std::optional<std::string> Why = whyNoSandbox();
  if (!Why)
    return std::nullopt;
  return Failure{
      "this system gives no sandbox for the code that files bring (its kernel does not filter system calls: " + *Why +
      "); --trust executes it without"};
}

int refuse(const std::string &Message) {
  constexpr int Wrong = 2;
  std::cerr << "memshape: " << oneLine(Message) << "\n";
  return Wrong;
}

int deliver(const Result<std::string> &Text, const std::string &Path) {
  if (!Text)
    return refuse(Text.failure().Message);
  if (!Path.empty() && Path != "-") {
    if (std::optional<Failure> Unwritten = writeOutput(Path, *Text))
      return refuse(Unwritten->Message);
    return 0;
  }
  std::cout << *Text << std::flush;
  return std::cout ? 0 : refuse("cannot write to standard output");
}

int deliver(Result<TextOrRefusal> Found, const std::string &Path) {
  if (!Found)
    return refuse(Found.failure().Message);
  if (!Found->Text.empty())
    if (const int Status = deliver(Result<std::string>(std::move(Found->Text)), Path)) // may be a hundred megabytes
      return Status;
  if (Found->Refusal.empty())
    return 0;
  refuse(Found->Refusal);
  return 1;
}

/// " did you mean ...?" where a name is near.
static std::string meant(const std::string &Word, const std::vector<std::string> &Known) {
  constexpr std::size_t Mistakes = 2;
  const std::string Nearest = nearestName(Word, Known);
  return editDistance(Word, Nearest) <= Mistakes ? "; did you mean " + Nearest + "?" : "";
}

static std::string unknownOption(const CLI::App &Of, const std::string &Word) {
  std::vector<std::string> Known;
  for (const CLI::Option *Each : Of.get_options())
    for (const std::string &Name : Each->get_lnames())
      Known.push_back("--" + Name);
  return "unknown option " + Word + meant(Word, Known);
}

/// Parses; gives the exit status where there is nothing left to do.
static std::optional<int> parse(CLI::App &App, std::vector<std::string> Arguments) {
  try {
    // CLI11 takes the arguments last first.
    App.parse(std::vector<std::string>(Arguments.rbegin(), Arguments.rend()));
  } catch (const CLI::Success &Help) {
    return App.exit(Help, std::cout, std::cerr);
  } catch (const CLI::ParseError &Error) {
    const std::vector<CLI::App *> Below = App.get_subcommands();
    const CLI::App &Asked = Below.empty() ? App : *Below.front();
    const std::string Name = Below.empty() ? App.get_name() : App.get_name() + " " + Asked.get_name();
    for (const std::string &Word : Asked.remaining())
      if (Word.starts_with("-"))
        return refuse(unknownOption(Asked, Word) + " (see " + Name + " --help)");
    return refuse(std::string(Error.what()) + " (see " + Name + " --help)");
  }
  return std::nullopt;
}

/// What both programs do around their work.
static int guarded(int Count, char **Arguments,
                   int (*Work)(std::vector<std::string> Arguments, const Installation &Installed)) {
  try {
    // A runner that ended, and a file beyond RLIMIT_FSIZE, show as a failed write. Handlers, for a program that is
    // started gets what this process was given.
    for (const int Signal : {SIGPIPE, SIGXFSZ})
      if (std::signal(Signal, [](int) {}) == SIG_IGN)
        std::signal(Signal, SIG_IGN);
    if (std::optional<Failure> Unknown = checkEnvironment(environ))
      return refuse(Unknown->Message);
    Result<Installation> Installed = Installation::ofThisCode();
    if (!Installed)
      return refuse(Installed.failure().Message);
    return Work(std::vector<std::string>(Arguments + 1, Arguments + Count), *Installed);
  } catch (const std::bad_alloc &) {
    return refuse("the work needs more than " + std::to_string(workLimits().Bytes >> 20) +
                  " MiB of memory; --work-memory allows more");
  } catch (const std::exception &Error) {
    return refuse(std::string("internal error: ") + Error.what());
  }
}

/// Work on a stack as usual, and so are those of the threads that it starts, however small the caller's limit is.
static int onUsualStack(const std::function<int()> &Work) {
  constexpr std::size_t Usual = std::size_t(8) << 20, Little = std::size_t(1) << 20;
  rlimit Stack;
  pthread_attr_t Attributes;
  if (getrlimit(RLIMIT_STACK, &Stack) != 0 || Stack.rlim_cur >= Little || pthread_attr_init(&Attributes) != 0)
    return Work();
  pthread_attr_setstacksize(&Attributes, Usual);
  pthread_setattr_default_np(&Attributes);
  pthread_attr_destroy(&Attributes);
  int Status = 0;
  std::thread Working;
  try {
    Working = std::thread([&] { Status = Work(); });
  } catch (const std::system_error &) {
    return Work();
  }
  // Signals are Work's: they are to end its waiting.
  sigset_t All;
  sigfillset(&All);
  pthread_sigmask(SIG_BLOCK, &All, nullptr);
  Working.join();
  return Status;
}

static int writeAllPages(const CLI::App &Memshape, const std::string &Folder) {
  CLI::App Report("where the memory of operators goes, as formulas", "memshape-report");
  Report.set_version_flag("--version", "");
  Options On(Report);
  describeReport(On);
  std::optional<Failure> Unwritten = writePages({commandTree(Memshape), commandTree(Report)}, Folder);
  return Unwritten ? refuse(Unwritten->Message) : 0;
}

static std::string unknownCommand(const std::string &Name) {
  std::vector<std::string> Known;
  for (const Command &Each : Commands)
    Known.emplace_back(Each.Name);
  const std::string Meant = meant(Name, Known);
  return "unknown command '" + Name + "'" +
         (Meant.empty() ? "; there are " + joined(Commands, ", ", &Command::Name) : Meant);
}

static int runMemshape(std::vector<std::string> Arguments, const Installation &Installed) {
  CLI::App App("memshape: the peak memory of an operator, from its source, before it runs", "memshape");
  App.set_version_flag("--version", versionText());
  App.require_subcommand(1);
  std::vector<std::pair<CLI::App *, Run>> Described;
  for (const Command &Each : Commands) {
    CLI::App *Below = App.add_subcommand(Each.Name, Each.Summary);
    Options On(*Below);
    Described.emplace_back(Below, Each.Describe(On));
    if (Each.StartsProgram)
      Below->prefix_command(); // the first word that is no option begins the program
  }
  // The build asks for manual pages and completions.
  if (Arguments.size() == 2 && Arguments.front() == "--write-pages")
    return writeAllPages(App, Arguments.back());
  // Completions ask for the shape symbols of a file.
  if (Arguments.size() == 2 && Arguments.front() == "--shape-symbols") {
    limitOwnMemory();
    return deliver(shapeSymbolsText(Arguments.back()));
  }
  if (!Arguments.empty() && Arguments.front() == "help") { // as git and cargo have it
    Arguments.erase(Arguments.begin());
    Arguments.emplace_back("--help");
  }
  const auto Named = std::find_if(std::begin(Commands), std::end(Commands), [&](const Command &Each) {
    return !Arguments.empty() && Arguments.front() == Each.Name;
  });
  if (!Arguments.empty() && !Arguments.front().starts_with("-") && Named == std::end(Commands))
    return refuse(unknownCommand(Arguments.front()));
  // What stands after -- belongs to the program that is run, options and all.
  std::vector<std::string> Program;
  if (Named != std::end(Commands) && Named->StartsProgram)
    if (auto Dashes = std::find(Arguments.begin(), Arguments.end(), "--"); Dashes != Arguments.end()) {
      Program.assign(Dashes + 1, Arguments.end());
      Arguments.erase(Dashes, Arguments.end());
    }
  if (std::optional<int> Status = parse(App, std::move(Arguments)))
    return *Status;
  if (Named == std::end(Commands) || Named->limitsItself())
    limitOwnMemory();
  for (const auto &[Below, Run] : Described) {
    if (!Below->parsed())
      continue;
    if (const std::vector<std::string> Words = Below->remaining(); !Words.empty()) {
      if (Words.front().starts_with("-"))
        return refuse(unknownOption(*Below, Words.front()) + " (see memshape " + Below->get_name() + " --help)");
      if (!Program.empty())
        return refuse("'" + Words.front() + "' stands before --, and the program behind it");
      Program = Words;
    }
    return Run({Installed, std::move(Program)});
  }
  return 0;
}

static int runReport(std::vector<std::string> Arguments, const Installation &Installed) {
  CLI::App App("memshape-report: where the memory of operators goes, as formulas", "memshape-report");
  App.set_version_flag("--version", versionText());
  Options On(App);
  const Run Report = describeReport(On);
  if (std::optional<int> Status = parse(App, std::move(Arguments)))
    return *Status;
  limitOwnMemory();
  return Report({Installed, {}});
}

int memshapeMain(int Count, char **Arguments) {
  return onUsualStack([=] { return guarded(Count, Arguments, runMemshape); });
}

int memshapeReportMain(int Count, char **Arguments) {
  return onUsualStack([=] { return guarded(Count, Arguments, runReport); });
}

std::optional<Failure> checkEnvironment(const char *const *Variables) {
  constexpr std::size_t Mistakes = 2;
  for (; *Variables; ++Variables) {
    const std::string_view Variable = *Variables;
    const std::string_view Name = Variable.substr(0, Variable.find('='));
    for (const std::string_view Known : {"MEMSHAPE_CACHE", "MEMSHAPE_DISABLE", "MEMSHAPE_OPERATORS"})
      if (const std::size_t Distance = editDistance(Name, Known); Distance && Distance <= Mistakes)
        return Failure{"unknown environment variable '" + std::string(Name) + "'; did you mean " + std::string(Known) +
                       "?"};
  }
  return std::nullopt;
}

} // namespace memshape
