// memshape schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/OperatorNodes.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/Schedule.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <filesystem>
#include <memory>

namespace memshape {

namespace {

struct ScheduleOptions {
  v1::ScheduleRequest Request;
  std::string Graph; ///< file, memshape.graph/1
  std::string Format = "text";
  std::string Output; ///< empty: standard output
};

/// A million nodes take a tenth of it.
constexpr std::uint64_t LargestGraph = 1 << 30;

std::string written(const std::string &Format, const graph::Graph &Of, const ScheduleAnswer &Answer,
                    std::optional<std::uint64_t> Memory, const std::vector<std::string> &Ids) {
  if (Format == "json")
    return scheduleJson(scheduleOf(Of, Answer, Ids));
  if (Format == "html")
    return scheduleHtml(Of, Answer, Memory, Ids);
  if (Format == "dot")
    return scheduleDot(Of, Answer, Ids);
  return Format == "svg" ? scheduleSvg(Of, Answer, Memory, Ids) : schedulePage(Answer, Ids);
}

Result<TextOrRefusal> scheduleText(const ScheduleOptions &Given) {
  MEMSHAPE_CHECK(checkRequest(Given.Request));
  MEMSHAPE_TRY(const std::string Text, readFile(Given.Graph, LargestGraph));
  MEMSHAPE_TRY(GraphDocument Document, inContext(Given.Graph + ": ", readGraph(Text)));
  std::vector<std::string> Notes;
  if (!Document.Operators.empty()) {
    MEMSHAPE_CHECK(checkSandbox(Given.Request.trust));
    const std::string Folder = std::filesystem::path(Given.Graph).parent_path().string();
    Progress Shown("schedule");
    Result<std::vector<std::string>> Said =
        predictNodes(Document, Folder, Given.Request.trust, [&Shown](const std::string &Id) { Shown.at(Id); });
    if (!Said)
      return Failure{Given.Graph + ": " + Said.failure().Message};
    Notes = std::move(*Said);
  }
  const std::optional<graph::Graph> Graph = takeGraph(Document);
  if (!Graph)
    return Failure{Given.Graph + ": its nodes wait for each other in a circle"};
  MEMSHAPE_TRY(ScheduleAnswer Answer,
               inContext(Given.Graph + ": ", schedule(*Graph, Given.Request, Document.Processors)));
  Answer.Notes = std::move(Notes);
  if (!Answer.Feasible)
    return TextOrRefusal{Given.Format == "json" ? scheduleJson(scheduleOf(*Graph, Answer, Document.Ids)) : "",
                         "the memory cannot be kept; the least that would do is " + std::to_string(Answer.Least) +
                             " bytes"};
  return TextOrRefusal{written(Given.Format, *Graph, Answer, Given.Request.memory_bytes, Document.Ids), ""};
}

} // namespace

Run describeSchedule(Options &On) {
  const auto Options = std::make_shared<ScheduleOptions>();
  On.file("GRAPH", Options->Graph, "tasks, their bytes and their inputs: JSON, memshape.graph/1", true);
  v1::ScheduleRequest::members(Options->Request, RequestOptions(On));
  On.format(Options->Format, "text, json, html, dot (the graph) or svg (what is held)", "text|json|html|dot|svg",
            "memshape.schedule/1");
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.work(Options->Request.trust);
  On.footer("Exit status: 0 there is a schedule; 1 the memory cannot be kept, and the least that would do is "
            "printed; 2 the request was wrong.");
  return [Options, On](const Context &) {
    Options->Request.timed = On.parsed("--processors");
    return deliver(scheduleText(*Options), Options->Output);
  };
}

} // namespace memshape
