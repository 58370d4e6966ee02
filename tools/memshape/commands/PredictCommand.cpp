// memshape predict.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/commands/BudgetIo.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <set>

namespace memshape {

/// The answer as it is printed. Budget: nothing where none was given.
static std::string answerText(const v1::Prediction &Found, bool IsJson, std::optional<std::uint64_t> Budget) {
  if (!Budget)
    return IsJson ? Found.json() : Found.text();
  const BudgetIo Io = ioOf(Found.heap, *Budget);
  if (!IsJson)
    return Found.text() + budgetText(Io);
  nlohmann::ordered_json Answer = nlohmann::ordered_json::parse(Found.json());
  Answer["io"] = budgetJson(Io);
  return jsonText(Answer, 2) + "\n";
}

static Result<std::string> predictText(const PredictOptions &Given) {
  std::optional<std::uint64_t> Budget;
  if (!Given.Budget.empty()) {
    MEMSHAPE_TRY(const std::uint64_t Read, inContext("--budget ", readByteSize(Given.Budget)));
    Budget = Read;
  }
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  Progress Shown("predict");
  Shown.at(Chosen.name());
  MEMSHAPE_TRY(v1::Call Asked, chosenCall(Chosen, Given));
  Asked.threads = Given.Threads;
  Asked.held_bytes = Given.Held;
  Asked.fresh_bytes = Given.Fresh;
  Asked.confidence = Given.Confidence;
  Asked.store = Given.Store;
  Asked.model = Given.Model;
  Asked.formulas = !Given.WithoutFormulas;
  MEMSHAPE_TRY(const v1::Prediction Found, resultOf(Chosen.predict(Asked)));
  if (const auto Profile = v1::named<v1::ProfileFormat>(Given.Format)) {
    MEMSHAPE_TRY(const std::string Text, resultOf(Found.profile(*Profile, Given.Sample, Given.Space)));
    for (const auto &[Name, There] : Found.spaces)
      if (Name != Given.Space && There.peak_bytes)
        std::cerr << "memshape: the call holds memory in the space '" << Name << "' as well: --space " << Name << "\n";
    return Text;
  }
  return answerText(Found, Given.Format == "json", Budget);
}

Result<std::string> shapeSymbolsText(const std::string &File) {
  MEMSHAPE_TRY(const v1::Program Opened, resultOf(v1::open(File)));
  std::set<std::string> Names;
  for (const v1::Operator &Each : Opened.operators())
    for (const v1::Symbol &Symbol : Each.symbols())
      Names.insert(Symbol.name);
  std::string Text;
  for (const std::string &Name : Names)
    Text += Name + "\n";
  return Text;
}

Run describePredict(Options &On) {
  const auto Options = std::make_shared<PredictOptions>();
  On.file("FILE", Options->Files,
          "executable, shared library, object file or archive; further ones hold functions that the first calls. "
          "Without one, past runs of --operator answer");
  On.add("--operator", Options->Operator, "operator to predict; may be left out when FILE has one");
  addCall(On, *Options, "shape, as in ni=400,nx=400,ns=400");
  On.threads(Options->Threads);
  On.file("--store", Options->Store, "store of past runs; by default the one in the user's data folder");
  On.confidence(Options->Confidence);
  On.bytes("--held", "bytes that the process holds besides, tensors passed in among them, as in 176MB",
           [Options](std::uint64_t Bytes) { Options->Held = Bytes; });
  On.bytes("--fresh", "bytes of --held that nobody has written before the call, as a new output",
           [Options](std::uint64_t Bytes) { Options->Fresh = Bytes; });
  On.file("--model", Options->Model, "generic prior, from memshape train; otherwise the one of this build");
  On.size("--budget", Options->Budget,
          "memory that the call may hold, as in 8GiB: what then has to be written is said, too");
  On.format(Options->Format, "a page, memshape.prediction/1, or a profile",
            "text|json|" + v1::joined_names<v1::ProfileFormat>(), "memshape.prediction/1");
  On.sample(Options->Sample);
  On.add("--space", Options->Space, "memory space of a profile, as device", {.ShowDefault = true});
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.flag("--without-formulas", Options->WithoutFormulas, "the figures alone: no formula is looked for");
  On.work(Options->Trust);
  return [Options](const Context &) {
    const bool IsProfile = v1::named<v1::ProfileFormat>(Options->Format).has_value();
    if (IsProfile && !Options->Budget.empty())
      return refuse("--budget and --format " + Options->Format + " exclude each other");
    if (!Options->Files.empty())
      return deliver(inSandbox(Options->Trust, [&] { return predictText(*Options); }), Options->Output);
    if (!Options->Budget.empty())
      return refuse("--budget needs FILE: past runs do not say what a budget costs");
    if (IsProfile)
      return refuse("--format " + Options->Format + " needs FILE: past runs do not say which calls allocated");
    return deliver(predictFromStoreText(*Options), Options->Output);
  };
}

} // namespace memshape
