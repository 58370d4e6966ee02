// Baselines of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/Compare.h"
#include "libmemshape/check/writers/Writers.h"

#include <cstdlib>

using namespace memshape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  const Result<BaselineFile> Read = parseBaseline(Text);
  if (!Read)
    return 0;
  // What was let in can be written, and reads back as the same.
  const std::string Written = baselineText(*Read);
  const Result<BaselineFile> Again = parseBaseline(Written);
  if (!Again || baselineText(*Again) != Written)
    std::abort();
  // It differs from itself in nothing, and from anything else without harm.
  BaselineFile Fewer = *Read;
  if (!Fewer.Operators.empty())
    Fewer.Operators.pop_back();
  for (BaselineOperator &Op : Fewer.Operators) {
    for (BaselineRow &Row : Op.Rows)
      Row.Figures[0] /= 2;
    if (!Op.Sites.empty())
      Op.Sites.pop_back();
  }
  const Presentation Shown = {"memshape.lock", "", false};
  for (const Comparison &Found : {compareBaselines(*Read, *Again, {}), compareBaselines(Fewer, *Read, {})})
    for (auto Write : {checkText, checkJson, checkMarkdown, checkSarif, checkGithub})
      (void)Write(Found, Shown);
  return 0;
}
