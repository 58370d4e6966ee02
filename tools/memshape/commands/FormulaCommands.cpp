// memshape emit, memshape solve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <memory>

namespace memshape {

namespace {

struct EmitOptions : CallOptions {
  v1::Language Language = v1::Language::c;
  std::uint32_t Threads = 0; ///< 0 where not given
  std::string Output;        ///< empty: standard output
  bool Check = false;
};

struct SolveOptions : CallOptions {
  std::vector<std::string> For; ///< "ni,nx"
  std::string Memory;           ///< a size as written
  std::optional<std::uint64_t> Held;
  std::uint32_t Threads = 0; ///< 0 where not given
  double Confidence = 0.99;
  std::string Store, Model; ///< empty: the default ones
  bool Heap = false;
  std::string Format = "text";
};

/// The call of Of with some value of each symbol that Given has none of. Filled: these.
Result<v1::Call> callOfAnyShape(const v1::Operator &Of, CallOptions Given, std::vector<std::string> &Filled) {
  std::string Said = ",";
  for (const std::string &Text : Given.Shapes)
    Said += Text + ",";
  for (const v1::Symbol &Each : Of.symbols()) {
    const std::size_t Dot = Each.name.find('.');
    const bool IsGiven =
        Said.find("," + Each.name + "=") != std::string::npos ||
        (Dot != std::string::npos && Said.find("," + Each.name.substr(0, Dot) + "=") != std::string::npos);
    if (IsGiven || !Given.ShapeFrom.empty())
      continue;
    Given.Shapes.push_back(Each.name + "=" + std::to_string(std::min<std::int64_t>(1, Each.largest)));
    Filled.push_back(Each.name);
  }
  return chosenCall(Of, Given);
}

Result<TextOrRefusal> emitText(const EmitOptions &Given) {
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  Progress Shown("emit");
  Shown.at(Chosen.name());
  std::vector<std::string> Filled;
  MEMSHAPE_TRY(v1::Call Call, callOfAnyShape(Chosen, Given, Filled));
  Call.threads = Given.Threads;
  const v1::Expected<std::string> Text = Chosen.emit(Call, Given.Language);
  if (!Text && Text.error().code == v1::ErrorCode::no_formula)
    return TextOrRefusal{"", Text.error().message};
  if (!Text)
    return Failure{Text.error().message};
  if (!Given.Check)
    return TextOrRefusal{*Text, ""};
  const Result<std::string> There = readFile(Given.Output, Text->size() + 1);
  if (There && *There == *Text)
    return TextOrRefusal{"", ""};
  return TextOrRefusal{"", "'" + Given.Output + "' is not what would be written now: leave out --check to write it"};
}

Result<TextOrRefusal> solveText(const SolveOptions &Given) {
  v1::SolveRequest Request;
  MEMSHAPE_TRY(const std::uint64_t Memory, readByteCount(Given.Memory, "--memory"));
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  Progress Shown("solve");
  Shown.at(Chosen.name());
  std::vector<std::string> Filled;
  MEMSHAPE_TRY(v1::Call Call, callOfAnyShape(Chosen, Given, Filled));
  // Those that nobody gave are asked for, or missing, which the answer tells.
  for (const std::string &Name : Filled) {
    Call.shape.erase(Name);
    Call.settings.erase(Name);
  }
  Call.threads = Given.Threads;
  Call.confidence = Given.Confidence;
  Call.store = Given.Store;
  Call.model = Given.Model;
  Call.held_bytes = Given.Held;
  for (const std::string &Names : Given.For)
    for (const std::string &Name : split(Names, ','))
      Request.symbols.push_back(Name);
  Request.call = std::move(Call);
  Request.memory_bytes = Memory;
  Request.what = Given.Heap ? v1::Measure::heap : v1::Measure::resident;
  MEMSHAPE_TRY(const v1::Solution Found, resultOf(Chosen.solve(Request)));
  if (Found.feasible())
    return TextOrRefusal{Given.Format == "json" ? Found.json() : Found.text(), ""};
  std::string Refusal = "nothing fits";
  if (Found.next)
    Refusal = "not even " + Found.symbols.front() + "=" + std::to_string(Found.next->value) + " fits: it takes " +
              std::to_string(Found.next->bytes) + " bytes";
  return TextOrRefusal{Given.Format == "json" ? Found.json() : "", Refusal};
}

} // namespace

Run describeSolve(Options &On) {
  const auto Options = std::make_shared<SolveOptions>();
  addOperator(On, *Options, "that is called");
  On.add("--for", Options->For,
         "symbol whose greatest value is wanted, two for a table of pairs, as in ni,nx, or threads",
         {.Required = true});
  On.size("--memory", Options->Memory, "that is not to be exceeded, as in 8GiB");
  On.require("--memory");
  addCall(On, *Options, "values of the other symbols, as in nx=951,ns=462");
  On.flag("--heap", Options->Heap,
          "of what the call requests, without its arguments; otherwise of what its process holds");
  On.threads(Options->Threads);
  On.bytes("--held", "bytes that the process holds besides, tensors passed in among them, as in 176MB",
           [Options](std::uint64_t Bytes) { Options->Held = Bytes; });
  On.file("--store", Options->Store, "store of past runs; by default the one in the user's data folder");
  On.file("--model", Options->Model, "generic prior, from memshape train; otherwise the one of this build");
  On.confidence(Options->Confidence);
  On.format(Options->Format, "text or json", "text|json", "memshape.solve/1");
  On.work(Options->Trust);
  On.footer("Exit status: 0 there is an answer; 1 not even the least value fits; 2 the request was wrong.");
  return [Options](const Context &) { return deliver(inSandbox(Options->Trust, [&] { return solveText(*Options); })); };
}

Run describeEmit(Options &On) {
  const auto Options = std::make_shared<EmitOptions>();
  addOperator(On, *Options, "whose memory is written");
  On.choice(
      "--language", "a header for C and C++, or a module for Python", v1::joined_names<v1::Language>(),
      [Options](const std::string &Name) { Options->Language = *v1::named<v1::Language>(Name); }, "c");
  addCircumstances(On, *Options);
  On.threads(Options->Threads);
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.flag("--check", Options->Check, "write nothing: status 1 where the file of -o is not what would be written");
  On.needs("--check", "--output");
  On.work(Options->Trust);
  On.footer(
      "Exit status: 0 well; 1 nothing has a closed form, or the file of --check is out of date; 2 the request was "
      "wrong.");
  return [Options](const Context &) {
    return deliver(inSandbox(Options->Trust, [&] { return emitText(*Options); }), Options->Output);
  };
}

} // namespace memshape
