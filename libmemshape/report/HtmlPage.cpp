//===- HtmlPage.cpp - The report as one file for a browser ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/report/HtmlPage.h"
#include "libmemshape/report/HtmlAssets.h"

namespace memshape {

namespace {

/// JSON for a script element: "</" and "<!--" are escaped, so that foreign text cannot end the element.
std::string embedded(const nlohmann::ordered_json &Data) {
  std::string Text;
  for (char C : Data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    switch (C) {
    case '<':
      Text += "\\u003c";
      break;
    case '>':
      Text += "\\u003e";
      break;
    case '&':
      Text += "\\u0026";
      break;
    default:
      Text += C;
    }
  return Text;
}

} // namespace

std::string reportHtml(const std::vector<FileReport> &Files) {
  std::string Page;
  std::string_view Rest = HtmlTemplate;
  // Inserted text is not searched for marks.
  auto Until = [&](std::string_view Mark) {
    std::size_t Place = Rest.find(Mark);
    Page += Rest.substr(0, Place);
    Rest = Place == std::string_view::npos ? "" : Rest.substr(Place + Mark.size());
  };
  Until("<!--style-->");
  Page += HtmlStyle;
  Until("<!--data-->");
  Page += embedded(pageData(Files));
  Until("<!--charts-->");
  Page += HtmlCharts;
  Until("<!--script-->");
  Page += HtmlScript;
  Page += Rest;
  return Page;
}

} // namespace memshape
