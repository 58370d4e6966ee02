// memshape plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/ByteSize.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "tools/memshape/AnswerFormat.h"
#include "tools/memshape/ChosenOperator.h"

#include <algorithm>
#include <charconv>

namespace memshape {

namespace {

/// The parts between commas, of all values of an option.
std::vector<std::string> partsOf(const std::vector<std::string> &Given) {
  std::vector<std::string> Parts;
  for (const std::string &Text : Given)
    for (std::string &Part : split(Text, ','))
      Parts.push_back(std::move(Part));
  return Parts;
}

/// "ni,nx"
Result<std::vector<std::string>> readNames(const std::vector<std::string> &Given, const std::string &Option) {
  std::vector<std::string> Names = partsOf(Given);
  for (std::size_t I = 0; I < Names.size(); ++I) {
    if (Names[I].empty())
      return Failure{Option + " wants names with commas between them, as in ni,nx"};
    if (std::find(Names.begin(), Names.begin() + static_cast<std::ptrdiff_t>(I), Names[I]) !=
        Names.begin() + static_cast<std::ptrdiff_t>(I))
      return Failure{Option + ": '" + Names[I] + "' is given twice"};
  }
  return Names;
}

/// "ni=2,nx=2"; values from Least.
Result<v1::Shape> readCounts(const std::vector<std::string> &Given, const std::string &Option, std::int64_t Least) {
  v1::Shape Counts;
  for (const std::string &Part : partsOf(Given)) {
    const std::size_t Equals = Part.find('=');
    std::int64_t Value = 0;
    const char *End = Part.data() + Part.size();
    if (Equals == std::string::npos || Equals == 0)
      return Failure{Option + ": '" + Part + "' is no NAME=NUMBER"};
    const auto [Stop, Wrong] = std::from_chars(Part.data() + Equals + 1, End, Value);
    if (Wrong != std::errc() || Stop != End || Value < Least)
      return Failure{Option + ": '" + Part + "' wants a whole number from " + std::to_string(Least)};
    if (!Counts.emplace(Part.substr(0, Equals), Value).second)
      return Failure{Option + ": '" + Part.substr(0, Equals) + "' is given twice"};
  }
  return Counts;
}

std::optional<double> readNumber(const std::string &Text) {
  double Value = 0;
  const auto [Stop, Wrong] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Wrong != std::errc() || Stop != Text.data() + Text.size() || !(Value >= 0 && Value < 0x1p40))
    return std::nullopt;
  return Value;
}

std::optional<Failure> readElementBytes(const std::string &Text, v1::PlanRequest &Into) {
  if (Text.empty())
    return std::nullopt;
  const std::vector<std::string> Parts = partsOf({Text});
  if (Parts.size() == 2) {
    Into.input_element_bytes = readNumber(Parts[0]);
    Into.output_element_bytes = readNumber(Parts[1]);
  }
  if (Into.input_element_bytes && Into.output_element_bytes)
    return std::nullopt;
  return Failure{"--element-bytes: '" + Text + "' is no IN,OUT, two numbers of bytes, as in 4,4"};
}

/// One of the names of an enumeration.
template <class E> std::optional<Failure> readName(const std::string &Option, const std::string &Text, E &Into) {
  if (const std::optional<E> Found = v1::named<E>(Text)) {
    Into = *Found;
    return std::nullopt;
  }
  const bool Two = v1::names_of<E>.size() == 2;
  return Failure{Option + ": '" + Text + (Two ? "' is neither " : "' is none of ") +
                 v1::joined_names<E>(", ", Two ? " nor " : " and ")};
}

std::optional<Failure> readPlace(const PlanOptions &Options, v1::PlanRequest &Into) {
  Result<std::uint64_t> Memory = readByteCount(Options.Memory, "--memory");
  if (!Memory)
    return Memory.failure();
  Into.memory_bytes = *Memory;
  if (!Options.Held.empty()) {
    Result<std::uint64_t> Held = readByteCount(Options.Held, "--held");
    if (!Held)
      return Held.failure();
    Into.held_bytes = *Held;
  }
  Into.workers = Options.Workers;
  Into.threads = Options.Threads;
  constexpr std::int64_t Most = 1'000'000'000;
  if (Options.Workers < 1 || Options.Threads < 1 || Options.Workers > Most || Options.Threads > Most)
    return Failure{"--workers and --threads are whole numbers from 1"};
  if (Options.MaxTasks && *Options.MaxTasks < 1)
    return Failure{"--max-tasks is a whole number from 1"};
  Into.max_tasks = Options.MaxTasks;
  if (std::optional<Failure> Wrong = readName("--sink", Options.Sink, Into.sink))
    return Wrong;
  if (!Options.Source.empty())
    if (std::optional<Failure> Wrong = readName("--source", Options.Source, Into.source.emplace()))
      return Wrong;
  return readElementBytes(Options.ElementBytes, Into);
}

std::optional<Failure> readSplit(const PlanOptions &Options, v1::PlanRequest &Into) {
  Result<std::vector<std::string>> Split = readNames(Options.Split, "--split");
  Result<std::vector<std::string>> Extents = readNames(Options.Extents, "--extents");
  Result<v1::Shape> Halo = readCounts(Options.Halo, "--halo", 0), Align = readCounts(Options.Align, "--align", 1);
  if (!Split)
    return Split.failure();
  if (!Extents)
    return Extents.failure();
  if (!Halo)
    return Halo.failure();
  if (!Align)
    return Align.failure();
  Into.split = std::move(*Split);
  Into.extents = std::move(*Extents);
  Into.halo = std::move(*Halo);
  Into.align = std::move(*Align);
  return std::nullopt;
}

/// JSON lists every chunk. A plan with more along one axis would take gigabytes to say, and no engine so many tasks.
std::optional<Failure> tooLongToList(const v1::Plan &Found) {
  constexpr std::int64_t MostListed = 100'000'000;
  for (const auto &[Name, Runs] : Found.chunks) {
    std::int64_t Count = 0;
    for (const v1::ChunkRun &Run : Runs)
      Count += Run.times;
    if (Count > MostListed)
      return Failure{"the plan has " + std::to_string(Count) + " chunks along '" + Name +
                     "', too many for JSON, which lists each: give a worker more --memory, or ask for the page"};
  }
  return std::nullopt;
}

} // namespace

Result<TextOrRefusal> planText(const PlanOptions &Options) {
  const Result<std::string> Asked =
      answerFormat(Options.Format, Options.Json, {"text", "json", "slurm", "snakemake", "kubernetes"});
  if (!Asked)
    return Asked.failure();
  const std::string &Format = *Asked;
  v1::PlanRequest Request;
  if (std::optional<Failure> Wrong = readPlace(Options, Request))
    return *Wrong;
  if (std::optional<Failure> Wrong = readSplit(Options, Request))
    return *Wrong;
  const Result<v1::Operator> Chosen = chosenOperator(Options);
  if (!Chosen)
    return Chosen.failure();
  Progress Shown("plan");
  Shown.at(Chosen->name());
  v1::Expected<v1::Call> Call = Chosen->read({Options.Shapes, Options.Settings, Options.Assumed, Options.ShapeFrom});
  if (!Call)
    return failureOf(Call.error());
  Request.call = std::move(*Call);
  const v1::Expected<v1::Plan> Found = Chosen->plan(Request);
  if (!Found)
    return failureOf(Found.error());
  if (!Found->feasible)
    return TextOrRefusal{Format == "json" ? Found->json() : "",
                         Found->least_memory_bytes ? "nothing fits; the least memory of a worker that would do is " +
                                                         std::to_string(*Found->least_memory_bytes) + " bytes"
                                                   : "nothing fits, whatever memory a worker has"};
  if (Format == "json")
    if (std::optional<Failure> TooLong = tooLongToList(*Found))
      return *TooLong;
  if (Format == "json" || Format == "text")
    return TextOrRefusal{Format == "json" ? Found->json() : Found->text(), ""};
  const v1::Expected<std::string> Words = Found->in_words_of(Format);
  if (!Words)
    return failureOf(Words.error());
  return TextOrRefusal{*Words, ""};
}

} // namespace memshape
