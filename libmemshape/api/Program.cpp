// Opening files and finding operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Try.h"
#include "libmemshape/version/Version.h"
#include "memshape/memshape.h"

namespace memshape::v1 {

/// For bringing an operator together with its other units, and for an answer: a last resort.
constexpr std::chrono::minutes LastResort{10};

/// Those of all libraries that memshape knows have 200 KB.
constexpr std::uint64_t LargestSummaries = 64 << 20;

static std::optional<Error> readOptions(const OpenOptions &Options, Surroundings &Around) {
  if (std::optional<Failure> Wrong = checkLibraries(Options.libraries))
    return errorOf(*Wrong, ErrorCode::options);
  if (std::optional<Failure> Wrong = checkMachine({Options.machine.begin(), Options.machine.end()}, Around.Machine))
    return errorOf(*Wrong, ErrorCode::options);
  for (const std::string &Path : Options.summaries) {
    MEMSHAPE_TRY(std::string Text, expected(readFile(Path, LargestSummaries), ErrorCode::options));
    Around.Summaries.push_back({Path, std::move(Text)});
  }
  Around.Libraries = Options.libraries;
  Around.Trust = Options.trust;
  return std::nullopt;
}

Result<WholeOperator> OpenFiles::whole(const Skeleton &S) const {
  // A copy, for a deadline of its own, would hold all bytes of the files twice.
  const std::lock_guard<std::mutex> Alone(Slicing);
  Around.Deadline = std::chrono::steady_clock::now() + LastResort;
  return wholeOperator(S, Around);
}

Surroundings OpenFiles::forAnswer() const {
  Surroundings Own;
  for (const InstrumentedFile &File : Around.Files)
    Own.Files.push_back({File.Path, {}, File.Libraries, File.Imports, File.ProgramBytes});
  Own.Libraries = Around.Libraries;
  Own.Summaries = Around.Summaries;
  Own.Machine = Around.Machine;
  Own.Runner = Around.Runner;
  Own.Slicer = Around.Slicer;
  Own.Trust = Around.Trust;
  Own.Deadline = std::chrono::steady_clock::now() + LastResort;
  return Own;
}

Program Access::programOf(std::shared_ptr<const OpenFiles> Files) {
  auto Content = std::make_shared<Program::Content>();
  for (const Skeleton &S : Files->Skeletons)
    Content->Operators.push_back(operatorOf(Files, S));
  Content->Files = std::move(Files);
  return Program(std::move(Content));
}

const std::vector<Operator> &Program::operators() const { return of->Operators; }

Expected<Operator> Program::find(const std::string &name) const {
  Result<const Skeleton *> Chosen = chooseOperator(of->Files->Skeletons, name, of->Files->Path);
  if (!Chosen && of->Operators.empty())
    return Error{ErrorCode::operator_name, Chosen.failure().Message + whyUnusable(of->Files->Around.Files)};
  if (!Chosen)
    return errorOf(Chosen.failure(), ErrorCode::operator_name);
  return of->Operators[static_cast<std::size_t>(*Chosen - of->Files->Skeletons.data())];
}

Expected<Program> open(const std::string &file, const OpenOptions &options) {
  MEMSHAPE_TRY(Installation Installed,
               expected(options.prefix.empty()
                            ? Installation::ofThisCode()
                            : Result<Installation>(Installation(std::filesystem::path(options.prefix) / "bin")),
                        ErrorCode::installation));
  std::error_code Ignored;
  if (!std::filesystem::is_regular_file(Installed.runner(), Ignored))
    return Error{ErrorCode::installation,
                 "this installation has no runner: '" + Installed.runner().string() + "' is missing"};
  auto Files = std::make_shared<OpenFiles>();
  Files->Path = file;
  Surroundings &Around = Files->Around;
  MEMSHAPE_CHECK(readOptions(options, Around));
  Around.Runner = Installed.runner().string();
  Around.Slicer = Installed.slicer().string();
  std::vector<std::string> Paths = {file};
  Paths.insert(Paths.end(), options.with.begin(), options.with.end());
  for (const std::string &Path : Paths) {
    MEMSHAPE_TRY(InstrumentedFile Read, expected(readInstrumentedFile(Path), ErrorCode::file));
    Around.Files.push_back(std::move(Read));
  }
  MEMSHAPE_TRY(Files->Skeletons, expected(skeletonsOf(Around.Files), ErrorCode::file));
  return Access::programOf(std::move(Files));
}

const Build &build() {
  static const Build Facts = {thisBuild().Version, thisBuild().Commit, thisBuild().Llvm, thisBuild().Formats};
  return Facts;
}

} // namespace memshape::v1
