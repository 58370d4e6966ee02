// memshape schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/OperatorNodes.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/Schedule.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/text/ByteSize.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/AnswerFormat.h"
#include "tools/memshape/Commands.h"

#include <filesystem>

namespace memshape {

namespace {

/// A million nodes take a tenth of it.
constexpr std::uint64_t LargestGraph = 1 << 30;

Result<ScheduleRequest> readRequest(const ScheduleOptions &Options) {
  ScheduleRequest Asked;
  if (!Options.Memory.empty()) {
    Result<std::uint64_t> Memory = readByteCount(Options.Memory, "--memory");
    if (!Memory)
      return Memory.failure();
    Asked.Memory = *Memory;
  }
  constexpr std::int64_t Most = 1'000'000;
  if (Options.Processors) {
    if (*Options.Processors < 1 || *Options.Processors > Most)
      return Failure{"--processors is a whole number from 1 to " + std::to_string(Most)};
    Asked.Processors = static_cast<std::uint32_t>(*Options.Processors);
  }
  Asked.WholeOutputs = Options.WholeOutputs;
  Asked.Edges = Options.Edges;
  if (Options.Objective == "peak")
    Asked.Want = Objective::Peak;
  else if (Options.Objective == "makespan")
    Asked.Want = Objective::Makespan;
  else if (Options.Objective == "io")
    Asked.Want = Objective::Io;
  else if (!Options.Objective.empty())
    return Failure{"--objective: '" + Options.Objective + "' is none of peak, makespan and io"};
  return Asked;
}

std::string written(const std::string &Format, const graph::Graph &Of, const ScheduleAnswer &Answer,
                    std::optional<std::uint64_t> Memory, const std::vector<std::string> &Ids) {
  if (Format == "json")
    return scheduleJson(Answer, Ids);
  if (Format == "html")
    return scheduleHtml(Of, Answer, Memory, Ids);
  if (Format == "dot")
    return scheduleDot(Of, Answer, Ids);
  return Format == "svg" ? scheduleSvg(Of, Answer, Memory, Ids) : schedulePage(Answer, Ids);
}

} // namespace

Result<TextOrRefusal> scheduleText(const ScheduleOptions &Options) {
  const Result<std::string> Format = answerFormat(Options.Format, Options.Json, {"text", "json", "html", "dot", "svg"});
  if (!Format)
    return Format.failure();
  const Result<ScheduleRequest> Asked = readRequest(Options);
  if (!Asked)
    return Asked.failure();
  const Result<std::string> Text = readFile(Options.Graph, LargestGraph);
  if (!Text)
    return Text.failure();
  Result<GraphDocument> Document = readGraph(*Text);
  if (!Document)
    return Failure{Options.Graph + ": " + Document.failure().Message};
  std::vector<std::string> Notes;
  if (!Document->Operators.empty()) {
    if (std::optional<Failure> Open = checkSandbox(Options.Trust))
      return *Open;
    const std::string Folder = std::filesystem::path(Options.Graph).parent_path().string();
    Progress Shown("schedule");
    Result<std::vector<std::string>> Said =
        predictNodes(*Document, Folder, Options.Trust, [&Shown](const std::string &Id) { Shown.at(Id); });
    if (!Said)
      return Failure{Options.Graph + ": " + Said.failure().Message};
    Notes = std::move(*Said);
  }
  const std::optional<graph::Graph> Graph = takeGraph(*Document);
  if (!Graph)
    return Failure{Options.Graph + ": its nodes wait for each other in a circle"};
  Result<ScheduleAnswer> Answer = schedule(*Graph, *Asked);
  if (!Answer)
    return Failure{Options.Graph + ": " + Answer.failure().Message};
  Answer->Notes = std::move(Notes);
  if (!Answer->Feasible)
    return TextOrRefusal{*Format == "json" ? scheduleJson(*Answer, Document->Ids) : "",
                         "the memory cannot be kept; the least that would do is " + std::to_string(Answer->Least) +
                             " bytes"};
  return TextOrRefusal{written(*Format, *Graph, *Answer, Asked->Memory, Document->Ids), ""};
}

} // namespace memshape
