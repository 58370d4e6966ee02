//===- ReportCommand.cpp - memshape report --------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/memshape/Commands.h"
#include "tools/memshape/Installation.h"
#include "tools/memshape/ReportHistory.h"

namespace memshape {

Result<std::string> reportText(const ReportOptions &Options, const Installation &Installed) {
  if (Options.Format != "text" && Options.Format != "json")
    return Failure{"unknown format '" + Options.Format + "'; report writes text and json"};
  ReportRequest Request{Options.Operator, Options.Settings, Options.Libraries, Installed.runner().string(),
                        Installed.slicer().string()};
  Result<std::vector<FileReport>> Reports = makeReport(Options.Files, Request);
  if (!Reports)
    return Reports.failure();
  if (std::optional<Failure> Wrong = addHistory(*Reports, Options, Installed))
    return *Wrong;
  return Options.Format == "json" ? reportJson(*Reports) : reportPage(*Reports);
}

} // namespace memshape
