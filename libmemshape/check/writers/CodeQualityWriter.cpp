// A comparison as GitLab's Code Quality report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subset of Code Climate's format that GitLab reads: https://docs.gitlab.com/ci/testing/code_quality/

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Escapes.h"

#include <nlohmann/json.hpp>

namespace memshape {

std::string checkCodeQuality(const Comparison &Found, const Presentation &Shown) {
  using Json = nlohmann::ordered_json;
  Json Issues = Json::array();
  for (const Finding &F : Found.Findings) {
    const CodePlace At = shownPlace(F, Shown);
    Issues.push_back({{"description", F.Operator + ": " + F.Message},
                      {"check_name", "memshape/" + F.Rule},
                      {"fingerprint", fingerprint(F)},
                      {"severity", F.How == Severity::Error ? "major" : "info"},
                      {"location", {{"path", At.File}, {"lines", {{"begin", At.Line}}}}}});
  }
  return jsonText(Issues, 2) + "\n";
}

} // namespace memshape
