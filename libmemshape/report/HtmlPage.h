// The report as one file for a browser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/report/Report.h"

namespace memshape {

/// The data of the page: a member "operators" and the files that they refer to. The scripts in html/ display it.
nlohmann::ordered_json pageData(const std::vector<FileReport> &Files);

/// A self-contained file: style, scripts and data are inside.
std::string reportHtml(const std::vector<FileReport> &Files);

} // namespace memshape
