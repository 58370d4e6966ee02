// memshape check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/CurrentBaseline.h"
#include "libmemshape/check/SourceRules.h"
#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace memshape {

namespace fs = std::filesystem;

namespace {

struct CheckOptions {
  std::vector<std::string> Files;
  std::string Baseline;
  std::string Format = "text";
  std::string Output;                  ///< empty: standard output
  std::string SourceRoot;              ///< empty: the folder of the baseline
  std::vector<std::string> Tolerances; ///< "5%", "NAME=5%"
  std::vector<std::string> Shapes;     ///< "[NAME:]a=1,b=2"
  std::vector<std::string> Settings;   ///< "[NAME:]x=1.5"
  std::vector<std::string> Machine;
  std::vector<std::string> Libraries;
  std::vector<std::string> Rules; ///< empty: all that compare with the baseline
  bool Update = false;
  bool Contracts = false; ///< the rule contract, beside what the baseline says
  bool Trust = false;
};

struct CheckOutcome {
  std::string Text;
  bool Failed = false; ///< a regression was found
};

using Writer = std::string (*)(const Comparison &, const Presentation &);

constexpr std::pair<const char *, Writer> Formats[] = {
    {"text", checkText},     {"json", checkJson},   {"markdown", checkMarkdown},  {"sarif", checkSarif},
    {"github", checkGithub}, {"junit", checkJUnit}, {"gitlab", checkCodeQuality},
};

/// A baseline of a thousand operators is a few megabytes.
constexpr std::uintmax_t LargestBaseline = std::uintmax_t(256) << 20;

/// The baseline; nothing where there is none and one is to be made.
Result<std::optional<BaselineFile>> readBaseline(const std::string &Path, bool MayBeAbsent) {
  std::error_code Error;
  const fs::file_status Status = fs::status(Path, Error);
  if (!fs::exists(Status)) {
    if (MayBeAbsent)
      return std::optional<BaselineFile>();
    return Failure{"there is no baseline '" + Path + "'; --update makes one"};
  }
  MEMSHAPE_TRY(std::string Text, inContext("--baseline: ", readFile(Path, LargestBaseline)));
  MEMSHAPE_TRY(BaselineFile Read, inContext("the baseline '" + Path + "' ", parseBaseline(Text)));
  return std::optional<BaselineFile>(std::move(Read));
}

/// "5%" for all, "NAME=5%" for one operator.
Result<Tolerances> readTolerances(const std::vector<std::string> &Texts) {
  Tolerances Given;
  for (const std::string &Text : Texts) {
    const std::size_t Equals = Text.rfind('=');
    MEMSHAPE_TRY(double Value, inContext("--tolerance: ",
                                         readTolerance(Equals == std::string::npos ? Text : Text.substr(Equals + 1))));
    if (Equals == std::string::npos)
      Given.Everywhere = Value;
    else
      Given.Of[Text.substr(0, Equals)] = Value;
  }
  return Given;
}

/// What --tolerance says is kept where the baseline is made anew.
void keepTolerances(const std::vector<std::string> &Texts, BaselineFile &Now) {
  for (const std::string &Text : Texts) {
    const std::size_t Equals = Text.rfind('=');
    if (Equals == std::string::npos)
      Now.Tolerance = Text;
    for (BaselineOperator &Op : Now.Operators)
      if (Equals != std::string::npos && Op.Name == Text.substr(0, Equals))
        Op.Tolerance = Text.substr(Equals + 1);
  }
}

std::optional<Failure> unknownOperators(const Tolerances &Given, const BaselineFile &Now, const BaselineFile *Before) {
  for (const auto &[Name, Value] : Given.Of)
    if (!Now.find(Name) && !(Before && Before->find(Name)))
      return Failure{"--tolerance: there is no operator '" + Name + "' in these files"};
  return std::nullopt;
}

std::string updated(const BaselineFile *Before, const BaselineFile &Now, const Comparison &Found,
                    const Presentation &Shown) {
  const std::size_t Count = Now.Operators.size();
  std::string Text;
  if (Before)
    for (const Finding &F : Found.Findings)
      Text += oneLine(F.Operator) + ": " + oneLine(F.Message) + "\n";
  return Text + "memshape check: " + oneLine(Shown.Baseline) + " says what " + std::to_string(Count) + " " +
         plural("operator", Count) + (Count == 1 ? " takes\n" : " take\n");
}

std::optional<Failure> unknownRules(const std::vector<std::string> &Rules) {
  for (const std::string &Rule : Rules)
    if (std::none_of(CheckRules.begin(), CheckRules.end(), [&](const CheckRule &Known) { return Rule == Known.Id; }))
      return Failure{"--rule: there is no rule '" + Rule + "'; there are " + joined(CheckRules, ", ", &CheckRule::Id)};
  return std::nullopt;
}

/// Whether Rule is to be checked.
bool wants(const CheckOptions &Given, std::string_view Rule) {
  return (Given.Contracts && Rule == ContractRule) ||
         std::find(Given.Rules.begin(), Given.Rules.end(), Rule) != Given.Rules.end();
}

/// Whether nothing is compared with a baseline.
bool needsNoBaseline(const CheckOptions &Given) {
  return !Given.Rules.empty() && std::ranges::all_of(Given.Rules, isSourceRule);
}

Presentation presentation(const CheckOptions &Given) {
  Presentation Shown;
  Shown.Baseline = Given.Baseline;
  Shown.Root = Given.SourceRoot.empty() ? fs::path(Given.Baseline).parent_path() : fs::path(Given.SourceRoot);
  Shown.Colours = Given.Output.empty() && ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  return Shown;
}

std::optional<Failure> readFiles(const CheckOptions &Given, Surroundings &Around) {
  for (const std::string &Path : Given.Files) {
    MEMSHAPE_TRY(InstrumentedFile File, readInstrumentedFile(Path));
    Around.Files.push_back(std::move(File));
  }
  return std::nullopt;
}

Result<CheckOutcome> checkBuild(const CheckOptions &Given, const Installation &Installed) {
  auto Format = std::find_if(std::begin(Formats), std::end(Formats),
                             [&](const auto &Known) { return Given.Format == Known.first; });
  if (!Given.Update)
    for (const auto &[Texts, Name] : {std::pair(&Given.Shapes, "--shape"), std::pair(&Given.Settings, "--set")})
      if (!Texts->empty())
        return Failure{std::string(Name) + " says what the baseline is made of: give it with --update"};
  MEMSHAPE_TRY(Tolerances Allowed, readTolerances(Given.Tolerances));
  MEMSHAPE_CHECK(checkLibraries(Given.Libraries));
  Surroundings Around;
  Around.Runner = Installed.runner().string();
  Around.Slicer = Installed.slicer().string();
  Around.Trust = Given.Trust;
  Around.Libraries = Given.Libraries;
  Around.Deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  MEMSHAPE_CHECK(unknownRules(Given.Rules));
  if (Given.Update && !Given.Rules.empty())
    return Failure{"--rule says what to check: give it without --update"};
  if (Given.Baseline.empty() && !needsNoBaseline(Given))
    return Failure{"--baseline is required: only --contracts and --rule size-wraps do without"};
  MEMSHAPE_TRY(std::optional<BaselineFile> Baseline, needsNoBaseline(Given)
                                                         ? Result<std::optional<BaselineFile>>(std::nullopt)
                                                         : readBaseline(Given.Baseline, Given.Update));
  const BaselineFile *Before = Baseline ? &*Baseline : nullptr;
  Around.Machine = Before ? Before->Machine : referenceMachine();
  std::map<std::string, std::int64_t> Facts;
  MEMSHAPE_CHECK(readMachine(Given.Machine, Facts));
  for (const auto &[Fact, Value] : Facts)
    Around.Machine[Fact] = Value;
  MEMSHAPE_CHECK(readFiles(Given, Around));
  MEMSHAPE_TRY(Comparison OfSource, checkSource(Around, [&](std::string_view Rule) { return wants(Given, Rule); }));
  const Presentation Shown = presentation(Given);
  if (needsNoBaseline(Given))
    return CheckOutcome{Format->second(OfSource, Shown), OfSource.failed()};

  BaselineRequest Request{Given.Shapes, Given.Settings, Given.Update};
  std::optional<Progress> Told("check");
  Request.Progress = [&](const std::string &Operator, std::size_t Done, std::size_t All) {
    Told->at(Operator, Done, All);
  };
  Result<BaselineFile> Now = currentBaseline(Around, Before, Request);
  Told.reset();
  if (!Now)
    return Now.failure();
  MEMSHAPE_CHECK(unknownOperators(Allowed, *Now, Before));
  Comparison Found;
  if (Before)
    Found = compareBaselines(*Before, *Now, Allowed);
  if (!Given.Rules.empty())
    std::erase_if(Found.Findings, [&](const Finding &F) { return !wants(Given, F.Rule); });
  if (OfSource.Operators)
    Found.add(OfSource);
  if (!Given.Update)
    return CheckOutcome{Format->second(Found, Shown), Found.failed()};
  keepTolerances(Given.Tolerances, *Now);
  MEMSHAPE_CHECK(writeOutput(Given.Baseline, baselineText(*Now)));
  return CheckOutcome{updated(Before, *Now, Found, Shown), false};
}

} // namespace

Run describeCheck(Options &On) {
  const auto Options = std::make_shared<CheckOptions>();
  On.file("FILE", Options->Files, "executables, shared libraries, object files or archives of the build", true);
  On.file("--baseline", Options->Baseline, "what operators may take: memshape.lock, kept with the source");
  On.add("--rule", Options->Rules, "check these rules alone, as in size-wraps, which needs no baseline");
  On.flag("--contracts", Options->Contracts, "check what MEMSHAPE_AT_MOST and MEMSHAPE_EXACTLY promise in the source");
  On.flag("--update", Options->Update, "write the baseline anew from this build");
  On.format(Options->Format, "text, json, markdown, sarif, github, junit or gitlab",
            "text|json|markdown|sarif|github|junit|gitlab");
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.add("--tolerance", Options->Tolerances, "growth that is allowed, as in 5% or NAME=5%; 0% by default");
  On.add("--shape", Options->Shapes, "with --update: reference shape, as in [NAME:]ni=400,nx=300");
  On.add("--set", Options->Settings, "with --update: settings, as in [NAME:]sigma=1.5; 1 where not given");
  On.add("--machine", Options->Machine, "machine to check for; the baseline's where not given");
  On.file("--source-root", Options->SourceRoot, "folder that places are named from; the baseline's where not given");
  On.add("--library", Options->Libraries, "library that the operators call, beside those that FILE names");
  On.work(Options->Trust);
  return [Options](const Context &In) {
    if (Options->Contracts && (!Options->Rules.empty() || Options->Baseline.empty()))
      Options->Rules.emplace_back(ContractRule);
    const Result<CheckOutcome> Outcome = inSandbox(Options->Trust, [&] { return checkBuild(*Options, In.Installed); });
    if (!Outcome)
      return refuse(Outcome.failure().Message);
    const int Status = deliver(Outcome->Text, Options->Output);
    return Status ? Status : Outcome->Failed; // a regression was found
  };
}

} // namespace memshape
