// memshape compare.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Profiles.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/profile/Comparison.h"
#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <memory>

namespace memshape {

namespace {

struct CompareOptions {
  std::string Before, After;
  ProgramQuestion Asked; ///< of objects
  std::string Format = "text";
  v1::Sample Sample = v1::Sample::peak;
  std::string Output; ///< empty: standard output
};

/// A document's, or that of the operators of an object, which are predicted.
Result<Profile> profileOfSide(const std::string &Path, const CompareOptions &Given) {
  constexpr std::uint64_t Most = std::uint64_t(1) << 30;
  MEMSHAPE_TRY(const std::string Text, readFile(Path, Most));
  if (std::optional<Result<Profile>> Read = readProfile(Text, Given.Sample)) {
    if (!*Read)
      return Failure{"'" + Path + "' " + Read->failure().Message};
    return std::move(**Read);
  }
  ProgramQuestion Asked = Given.Asked;
  Asked.Files = {Path};
  return inSandbox(Asked.Trust, [&] { return profileOf(Asked); });
}

Result<std::string> comparisonText(const CompareOptions &Given) {
  Progress Shown("compare");
  Shown.at(Given.Before);
  MEMSHAPE_TRY(Profile Before, profileOfSide(Given.Before, Given));
  Shown.at(Given.After);
  MEMSHAPE_TRY(Profile After, profileOfSide(Given.After, Given));
  if (Given.Format == "folded")
    return foldedDifference(Before, After, Given.Sample);
  if (Given.Format == "differential")
    return differentialStacks(Before, After, Given.Sample);
  ProfileComparison Found = compared(Before, After, Given.Sample);
  Found.BeforeName = Given.Before;
  Found.AfterName = Given.After;
  for (const auto &[Path, Side] : {std::pair(Given.Before, &Before), std::pair(Given.After, &After)})
    for (const std::string &Remark : Side->Omissions)
      Found.Remarks.push_back(Path + ": " + Remark);
  return Given.Format == "json" ? comparisonJson(Found) : comparisonPage(Found);
}

} // namespace

Run describeCompare(Options &On) {
  const auto Options = std::make_shared<CompareOptions>();
  On.file("BEFORE", Options->Before,
          "memshape.prediction/1, memshape.run/1, folded stacks, or a file that was compiled with the plugin", true);
  On.file("AFTER", Options->After, "the same of another build, shape or run", true);
  On.add("--operator", Options->Asked.Operator, "of compiled files: this operator alone");
  On.add("--shape", Options->Asked.Shapes, "shape to predict compiled files at; 100 for symbols not given");
  On.add("--set", Options->Asked.Settings, "settings to predict compiled files with; 1 where not given");
  On.add("--library", Options->Asked.Libraries, "library that the operators call, beside those that files name");
  On.format(Options->Format, "text, json, folded (the change of each stack), or differential (both of its figures)",
            "text|json|folded|differential", "memshape.comparison/1");
  On.sample(Options->Sample);
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.work(Options->Asked.Trust);
  return [Options](const Context &) { return deliver(comparisonText(*Options), Options->Output); };
}

} // namespace memshape
