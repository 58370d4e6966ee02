// memshape emit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Progress.h"
#include "runner/protocol/Request.h"
#include "tools/memshape/ChosenOperator.h"

#include <memory>

namespace memshape {

namespace {

struct EmitOptions : CallOptions {
  v1::Language Language = v1::Language::c;
  std::uint32_t Threads = 0; ///< 0 where not given
  std::string Output;        ///< empty: standard output
  bool Check = false;
};

/// The call of Of at no particular shape.
Result<v1::Call> callAnywhere(const v1::Operator &Of, const EmitOptions &Given) {
  CallOptions AtOnce = Given;
  for (const v1::Symbol &Each : Of.symbols())
    AtOnce.Shapes.push_back(Each.name + "=" + std::to_string(std::min<std::int64_t>(1, Each.largest)));
  Result<v1::Call> Call = chosenCall(Of, AtOnce);
  if (Call)
    Call->threads = Given.Threads;
  return Call;
}

Result<TextOrRefusal> emitText(const EmitOptions &Given) {
  const Result<v1::Operator> Chosen = chosenOperator(Given);
  if (!Chosen)
    return Chosen.failure();
  Progress Shown("emit");
  Shown.at(Chosen->name());
  const Result<v1::Call> Call = callAnywhere(*Chosen, Given);
  if (!Call)
    return Call.failure();
  const v1::Expected<std::string> Text = Chosen->emit(*Call, Given.Language);
  if (!Text && Text.error().code == v1::ErrorCode::no_formula)
    return TextOrRefusal{"", Text.error().message};
  if (!Text)
    return failureOf(Text.error());
  if (!Given.Check)
    return TextOrRefusal{*Text, ""};
  const Result<std::string> There = readFile(Given.Output, Text->size() + 1);
  if (There && *There == *Text)
    return TextOrRefusal{"", ""};
  return TextOrRefusal{"", "'" + Given.Output + "' is not what would be written now: leave out --check to write it"};
}

} // namespace

Run describeEmit(Options &On) {
  const auto Options = std::make_shared<EmitOptions>();
  On.file("FILE", Options->Files,
          "executable, shared library, object file or archive; further ones hold functions that the first calls", true);
  On.add("--operator", Options->Operator, "operator whose memory is written; may be left out when FILE has one");
  On.choice(
      "--language", "a header for C and C++, or a module for Python", v1::joined_names<v1::Language>(),
      [Options](const std::string &Name) { Options->Language = *v1::named<v1::Language>(Name); }, "c");
  addCircumstances(On, *Options);
  On.add("--threads", Options->Threads,
         "threads of a parallel region that asks for no number; otherwise what this machine gives",
         {.Between = {{1, request::MaxThreads}}});
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
