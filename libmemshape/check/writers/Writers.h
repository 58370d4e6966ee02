// A comparison, as text and for machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/Compare.h"

#include <filesystem>

namespace memshape {

/// Where and how a comparison is shown.
struct Presentation {
  std::string Baseline;       ///< path of the baseline, as given
  std::filesystem::path Root; ///< of the sources; places are shown relative to it
  bool Colours = false;
};

/// A page for a terminal or a log.
std::string checkText(const Comparison &Found, const Presentation &Shown);
/// memshape.check/1 of docs/check.md.
std::string checkJson(const Comparison &Found, const Presentation &Shown);
/// A comment for a pull request.
std::string checkMarkdown(const Comparison &Found, const Presentation &Shown);
/// SARIF 2.1.0.
std::string checkSarif(const Comparison &Found, const Presentation &Shown);
/// Workflow commands that GitHub turns into annotations, and the page for the log.
std::string checkGithub(const Comparison &Found, const Presentation &Shown);

/// Test results for whatever shows JUnit's XML: a case for each finding, which fails where it is an error.
std::string checkJUnit(const Comparison &Found, const Presentation &Shown);
/// The report that GitLab shows in merge requests as Code Quality.
std::string checkCodeQuality(const Comparison &Found, const Presentation &Shown);

/// The line to show for a finding, relative to the sources' root: the baseline where it has none.
CodePlace shownPlace(const Finding &F, const Presentation &Shown);

/// The same for a finding whose code has moved, so that what was dismissed stays so.
std::string fingerprint(const Finding &F);

/// "gst3d.cpp:85", or "" where no line is known.
std::string placeText(const CodePlace &Place, const Presentation &Shown);

/// "3 operators as in the baseline", "2 regressions in 3 operators".
std::string summaryLine(const Comparison &Found, const Presentation &Shown);

/// A summary of a site's change: "new: 4*ni*nx*ns, 3,538,944,000 B in 6 allocations".
std::string siteText(const SiteChange &Change);

/// "35,389,440,044 B -> 38,928,384,044 B (+10.0 %)"
std::string figureText(const FigureChange &Change);

} // namespace memshape
