// memshape report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Profiles.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <memory>
#include <unistd.h>

namespace memshape {

namespace {

struct ReportOptions : ReportRequest {
  std::vector<std::string> Files;
  std::string Format = "text";
  v1::Sample Sample = v1::Sample::peak; ///< what a profile counts
  std::string Output;                   ///< empty: standard output
  std::string Store;                    ///< past runs beside what was expected of them; empty: none
  std::string Model;                    ///< generic prior; empty: the one of this build
  double Confidence = 0.99;
};

/// As many as a chart can show.
constexpr std::uint32_t StepsOfPage = 400;

Result<std::string> reportText(const ReportOptions &Given, const Installation &Installed) {
  if (const auto Format = v1::named<v1::ProfileFormat>(Given.Format)) {
    MEMSHAPE_TRY(const Profile Found, profileOf({Given.Files, Given.Operator, Given.Shapes, Given.Settings,
                                                 Given.Libraries, "host", Given.Trust}));
    return profileText(Found, *Format, Given.Sample);
  }
  Progress Shown("report");
  ReportRequest Request = Given;
  Request.Runner = Installed.runner().string();
  Request.Slicer = Installed.slicer().string();
  Request.Progress = [&Shown](const std::string &Operator, std::size_t Done, std::size_t All) {
    Shown.at(Operator, Done, All);
  };
  if (Given.Format != "json") {
    Request.Steps = StepsOfPage;
    Request.WithRange = true;
  }
  Request.WithTable = Given.Format == "html";
  MEMSHAPE_TRY(std::vector<FileReport> Reports, makeReport(Given.Files, Request));
  if (!Given.Store.empty())
    MEMSHAPE_CHECK(addHistory(Reports, Request, {Given.Store, Given.Model, Given.Confidence}));
  if (Given.Format == "html")
    return reportHtml(Reports);
  if (Given.Format == "json")
    return reportJson(Reports);
  const bool ToScreen = Given.Output.empty() || Given.Output == "-";
  return reportPage(Reports, ToScreen ? Terminal::of(STDOUT_FILENO) : Terminal());
}

} // namespace

Run describeReport(Options &On) {
  const auto Options = std::make_shared<ReportOptions>();
  On.file("FILE", Options->Files, "executables, shared libraries, object files or archives", true);
  On.add("--operator", Options->Operator, "report this operator alone");
  On.format(Options->Format, "text, json, html, or a profile of one call of each operator",
            "text|json|html|" + v1::joined_names<v1::ProfileFormat>());
  On.sample(Options->Sample);
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.add("--shape", Options->Shapes, "shape to give shares and the timeline at; 100 for symbols not given");
  On.add("--set", Options->Settings, "settings to derive the formulas with; 1 where not given");
  On.add("--library", Options->Libraries, "library that the operators call, beside those that FILE names");
  On.file("--store", Options->Store, "store of past runs: shows each beside what was expected of it");
  On.file("--model", Options->Model, "generic prior, with --store");
  On.confidence(Options->Confidence);
  On.work(Options->Trust);
  return [=](const Context &In) {
    return deliver(inSandbox(Options->Trust, [&] { return reportText(*Options, In.Installed); }), Options->Output);
  };
}

} // namespace memshape
