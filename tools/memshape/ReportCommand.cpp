// memshape report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Difference.h"
#include "libmemshape/report/HtmlPage.h"
#include "libmemshape/report/ReportHistory.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/Commands.h"

#include <unistd.h>

namespace memshape {

/// As many as a chart can show.
static constexpr std::uint32_t StepsOfPage = 400;

Result<std::string> reportText(const ReportOptions &Options, const Installation &Installed) {
  if (Options.Format != "text" && Options.Format != "json" && Options.Format != "html")
    return Failure{"unknown format '" + Options.Format + "'; report writes text, json and html"};
  ReportRequest Request{Options.Operator, Options.Settings, Options.Libraries, Installed.runner().string(),
                        Installed.slicer().string()};
  Request.Shapes = Options.Shapes;
  Request.Trust = Options.Trust;
  if (Options.Format != "json") {
    Request.Steps = StepsOfPage;
    Request.WithRange = true;
  }
  Request.WithTable = Options.Format == "html";
  Progress Shown("report");
  Request.Progress = [&](const std::string &Operator, std::size_t Done, std::size_t All) {
    Shown.at(Operator, Done, All);
  };
  Result<std::vector<FileReport>> Reports = makeReport(Options.Files, Request);
  if (!Reports)
    return Reports.failure();
  if (!Options.Store.empty())
    if (std::optional<Failure> Wrong =
            addHistory(*Reports, Request, {Options.Store, Options.Model, Options.Confidence}))
      return *Wrong;
  if (Options.Format == "html")
    return reportHtml(*Reports);
  if (Options.Format == "json")
    return reportJson(*Reports);
  const bool ToScreen = Options.Output.empty() || Options.Output == "-";
  return reportPage(*Reports, ToScreen ? Terminal::of(STDOUT_FILENO) : Terminal());
}

Result<std::string> diffText(const DiffOptions &Options, const Installation &Installed, bool &Differs) {
  if (Options.Of.Format != "text" && Options.Of.Format != "json")
    return Failure{"unknown format '" + Options.Of.Format + "'; report diff writes text and json"};
  ReportRequest Request{Options.Of.Operator, Options.Of.Settings, Options.Of.Libraries, Installed.runner().string(),
                        Installed.slicer().string()};
  Request.Shapes = Options.Of.Shapes;
  Request.Trust = Options.Of.Trust;
  Request.WithRange = true;
  Progress Shown("report diff");
  Request.Progress = [&](const std::string &Operator, std::size_t Done, std::size_t All) {
    Shown.at(Operator, Done, All);
  };
  Result<std::vector<FileReport>> Before = makeReport({Options.Before}, Request);
  if (!Before)
    return Before.failure();
  Result<std::vector<FileReport>> After = makeReport({Options.After}, Request);
  if (!After)
    return After.failure();
  std::vector<OperatorDifference> Changes = differences(*Before, *After);
  Differs = !Changes.empty();
  if (Options.Of.Format == "json")
    return differenceJson(Changes);
  const bool ToScreen = Options.Of.Output.empty() || Options.Of.Output == "-";
  return differencePage(Changes, ToScreen ? Terminal::of(STDOUT_FILENO) : Terminal());
}

} // namespace memshape
