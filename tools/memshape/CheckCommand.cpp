// memshape check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/CurrentBaseline.h"
#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/skeletons/LibraryNames.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/Commands.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace memshape {

namespace fs = std::filesystem;

namespace {

using Writer = std::string (*)(const Comparison &, const Presentation &);

constexpr std::pair<const char *, Writer> Formats[] = {
    {"text", checkText},   {"json", checkJson},     {"markdown", checkMarkdown},
    {"sarif", checkSarif}, {"github", checkGithub},
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
  Result<std::string> Text = readFile(Path, LargestBaseline);
  if (!Text)
    return Failure{"--baseline: " + Text.failure().Message};
  Result<BaselineFile> Read = parseBaseline(*Text);
  if (!Read)
    return Failure{"the baseline '" + Path + "' " + Read.failure().Message};
  return std::optional<BaselineFile>(std::move(*Read));
}

/// "5%" for all, "NAME=5%" for one operator.
Result<Tolerances> readTolerances(const std::vector<std::string> &Texts) {
  Tolerances Given;
  for (const std::string &Text : Texts) {
    const std::size_t Equals = Text.rfind('=');
    Result<double> Value = readTolerance(Equals == std::string::npos ? Text : Text.substr(Equals + 1));
    if (!Value)
      return Failure{"--tolerance: " + Value.failure().Message};
    if (Equals == std::string::npos)
      Given.Everywhere = *Value;
    else
      Given.Of[Text.substr(0, Equals)] = *Value;
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
  const std::string Count =
      std::to_string(Now.Operators.size()) + (Now.Operators.size() == 1 ? " operator" : " operators");
  std::string Text;
  if (Before)
    for (const Finding &F : Found.Findings)
      Text += oneLine(F.Operator) + ": " + oneLine(F.Message) + "\n";
  return Text + "memshape check: " + oneLine(Shown.Baseline) + " says what " + Count +
         (Now.Operators.size() == 1 ? " takes\n" : " take\n");
}

} // namespace

Result<CheckOutcome> checkBuild(const CheckOptions &Options, const Installation &Installed) {
  auto Format = std::find_if(std::begin(Formats), std::end(Formats),
                             [&](const auto &Known) { return Options.Format == Known.first; });
  if (Format == std::end(Formats)) {
    std::string Names;
    for (const auto &[Name, Write] : Formats)
      Names += (Names.empty() ? "" : ", ") + std::string(Name);
    return Failure{"unknown format '" + Options.Format + "'; check writes " + Names};
  }
  if (!Options.Update)
    for (const auto &[Given, Name] : {std::pair(&Options.Shapes, "--shape"), std::pair(&Options.Settings, "--set")})
      if (!Given->empty())
        return Failure{std::string(Name) + " says what the baseline is made of: give it with --update"};
  Result<Tolerances> Allowed = readTolerances(Options.Tolerances);
  if (!Allowed)
    return Allowed.failure();
  if (std::optional<Failure> Wrong = checkLibraries(Options.Libraries))
    return *Wrong;
  Surroundings Around;
  Around.Runner = Installed.runner().string();
  Around.Slicer = Installed.slicer().string();
  Around.Trust = Options.Trust;
  Around.Libraries = Options.Libraries;
  Around.Deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  Result<std::optional<BaselineFile>> Baseline = readBaseline(Options.Baseline, Options.Update);
  if (!Baseline)
    return Baseline.failure();
  const BaselineFile *Before = *Baseline ? &**Baseline : nullptr;
  Around.Machine = Before ? Before->Machine : referenceMachine();
  std::map<std::string, std::int64_t> Given;
  if (std::optional<Failure> Wrong = readMachine(Options.Machine, Given))
    return *Wrong;
  for (const auto &[Fact, Value] : Given)
    Around.Machine[Fact] = Value;
  for (const std::string &Path : Options.Files) {
    Result<InstrumentedFile> File = readInstrumentedFile(Path);
    if (!File)
      return File.failure();
    Around.Files.push_back(std::move(*File));
  }

  BaselineRequest Request{Options.Shapes, Options.Settings, Options.Update};
  std::optional<Progress> Told("check");
  Request.Progress = [&](const std::string &Operator, std::size_t Done, std::size_t All) {
    Told->at(Operator, Done, All);
  };
  Result<BaselineFile> Now = currentBaseline(Around, Before, Request);
  Told.reset();
  if (!Now)
    return Now.failure();
  if (std::optional<Failure> Wrong = unknownOperators(*Allowed, *Now, Before))
    return *Wrong;
  Presentation Shown;
  Shown.Baseline = Options.Baseline;
  Shown.Root = Options.SourceRoot.empty() ? fs::path(Options.Baseline).parent_path() : fs::path(Options.SourceRoot);
  Shown.Colours = Options.Output.empty() && ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  Comparison Found;
  if (Before)
    Found = compareBaselines(*Before, *Now, *Allowed);
  if (!Options.Update)
    return CheckOutcome{Format->second(Found, Shown), Found.failed()};
  keepTolerances(Options.Tolerances, *Now);
  if (std::optional<Failure> Unwritten = writeOutput(Options.Baseline, baselineText(*Now)))
    return *Unwritten;
  return CheckOutcome{updated(Before, *Now, Found, Shown), false};
}

} // namespace memshape
