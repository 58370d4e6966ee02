//===- ReportCommand.cpp - memshape report --------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/memshape/Commands.h"
#include "tools/memshape/Installation.h"
#include "tools/memshape/ReportHistory.h"
#include "tools/report/HtmlPage.h"

namespace memshape {

/// As many as a chart can show.
static constexpr std::uint32_t StepsOfPage = 400;

Result<std::string> reportText(const ReportOptions &Options, const Installation &Installed) {
  if (Options.Format != "text" && Options.Format != "json" && Options.Format != "html")
    return Failure{"unknown format '" + Options.Format + "'; report writes text, json and html"};
  ReportRequest Request{Options.Operator, Options.Settings, Options.Libraries, Installed.runner().string(),
                        Installed.slicer().string()};
  Request.Shapes = Options.Shapes;
  if (Options.Format == "html") {
    Request.Steps = StepsOfPage;
    Request.WithRange = Request.WithTable = true;
  }
  Result<std::vector<FileReport>> Reports = makeReport(Options.Files, Request);
  if (!Reports)
    return Reports.failure();
  if (std::optional<Failure> Wrong = addHistory(*Reports, Options, Installed))
    return *Wrong;
  if (Options.Format == "html")
    return reportHtml(*Reports);
  return Options.Format == "json" ? reportJson(*Reports) : reportPage(*Reports);
}

} // namespace memshape
