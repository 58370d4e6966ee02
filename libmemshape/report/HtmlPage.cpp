// The report as one file for a browser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Page.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/text/Escapes.h"

namespace memshape {

/// JSON for a script element: "</" and "<!--" are escaped, so that foreign text cannot end the element.
static std::string embedded(const nlohmann::ordered_json &Data) {
  std::string Text;
  for (char C : jsonText(Data))
    switch (C) {
    case '<': Text += "\\u003c"; break;
    case '>': Text += "\\u003e"; break;
    case '&': Text += "\\u0026"; break;
    default: Text += C;
    }
  return Text;
}

std::string reportHtml(const std::vector<FileReport> &Files) {
  std::string Style(PageStyle);
  Style += HtmlStyle;
  const std::string Data = embedded(pageData(Files));
  const std::pair<std::string_view, std::string_view> Parts[] = {
      {"<!--style-->", Style}, {"<!--data-->", Data}, {"<!--charts-->", HtmlCharts}, {"<!--script-->", HtmlScript}};
  return filled(HtmlTemplate, Parts);
}

} // namespace memshape
