// A comparison as JUnit's XML.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no standard of it: elements and attributes are those that Jenkins, GitLab and Azure all read.

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/pictures/Escape.h"

#include <algorithm>

namespace memshape {

std::string checkJUnit(const Comparison &Found, const Presentation &Shown) {
  const auto Failures =
      std::ranges::count_if(Found.Findings, [](const Finding &F) { return F.How == Severity::Error; });
  std::string Cases;
  for (const Finding &F : Found.Findings) {
    const CodePlace At = shownPlace(F, Shown);
    Cases += "    <testcase name=\"" + escaped(F.Operator + ": " + F.Rule) + "\" classname=\"" + escaped(At.File) +
             "\" file=\"" + escaped(At.File) + "\" line=\"" + std::to_string(At.Line) + "\">";
    const char *Element = F.How == Severity::Error ? "failure" : "system-out";
    Cases += std::string("<") + Element;
    if (F.How == Severity::Error)
      Cases += " type=\"" + escaped(F.Rule) + "\" message=\"" + escaped(F.Message) + "\"";
    Cases += ">" + escaped(F.Message);
    for (const FigureChange &Change : F.Figures)
      Cases += "\n" + escaped(Change.Figure + ": " + figureText(Change) + " " + Change.At);
    for (const SiteChange &Change : F.Sites)
      Cases += "\n" + escaped(placeText(Change.Place, Shown) + " " + siteText(Change));
    Cases += std::string("</") + Element + "></testcase>\n";
  }
  // Readers take a file without a case for a mistake.
  const std::size_t Count = std::max<std::size_t>(Found.Findings.size(), 1);
  if (Found.Findings.empty())
    Cases = "    <testcase name=\"" + escaped(summaryLine(Found, Shown)) + "\" classname=\"memshape\"/>\n";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"memshape check\" tests=\"" +
         std::to_string(Count) + "\" failures=\"" + std::to_string(Failures) + "\" errors=\"0\" skipped=\"0\">\n" +
         Cases + "  </testsuite>\n</testsuites>\n";
}

} // namespace memshape
