// memshape extract.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/Launch.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <memory>

namespace memshape {

namespace {

struct ExtractOptions {
  std::vector<std::string> Files, Operators;
  std::string Out;
  bool Section = false, Present = false;
};

/// The exit status of memshape-extractor, which has said what is wrong; or why it has none.
Result<int> extract(const ExtractOptions &Given, const std::string &Program) {
  std::vector<std::string> Words = {Program, "-o", Given.Out};
  if (Given.Section)
    Words.emplace_back("--section");
  if (Given.Present)
    Words.emplace_back("--present");
  for (const std::string &Name : Given.Operators)
    Words.insert(Words.end(), {"--operator", Name});
  for (const std::string &File : Given.Files) // a name is no option
    Words.push_back(File.starts_with("-") ? "./" + File : File);
  MEMSHAPE_TRY(const Ending End, launch(Program, Words, {}));
  if (End.Signal)
    return Failure{"'" + Given.Files.front() + "' is damaged bitcode: reading it ended by signal " +
                   std::to_string(End.Signal)};
  return End.Status;
}

} // namespace

Run describeExtract(Options &On) {
  const auto Options = std::make_shared<ExtractOptions>();
  On.file("FILE", Options->Files, "bitcode of LLVM; further ones are units of the same program", true);
  On.add("--operator", Options->Operators,
         "operator to extract: a name or path in the source, or the linker's name; * for all; repeatable");
  On.add("-o,--output", Options->Out, "object file to write", {.Value = "FILE", .Required = true});
  On.flag("--section", Options->Section, "write the section alone, to be linked beside the code");
  On.flag("--present", Options->Present, "leave out operators that FILE lacks; write nothing where it has none");
  return [Options](const Context &In) {
    const Result<int> Status = extract(*Options, In.Installed.extractor().string());
    return Status ? *Status : refuse(Status.failure().Message);
  };
}

} // namespace memshape
