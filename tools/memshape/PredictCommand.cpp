// memshape predict.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/ByteSize.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/BudgetIo.h"
#include "tools/memshape/ChosenOperator.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace memshape {

namespace {

/// What was given of a number of bytes.
std::optional<std::uint64_t> bytesOf(double Given) {
  constexpr double Largest = 0x1p63;
  return std::isnan(Given) ? std::nullopt : std::optional(static_cast<std::uint64_t>(std::min(Given, Largest)));
}

/// The answer as it is printed. Budget: nothing where none was given.
std::string answerText(const v1::Prediction &Found, bool IsJson, std::optional<std::uint64_t> Budget) {
  if (!Budget)
    return IsJson ? Found.json() : Found.text();
  const BudgetIo Io = ioOf(Found.heap, *Budget);
  if (!IsJson)
    return Found.text() + budgetText(Io);
  nlohmann::ordered_json Answer = nlohmann::ordered_json::parse(Found.json());
  Answer["io"] = budgetJson(Io);
  return jsonText(Answer, 2) + "\n";
}

} // namespace

Result<std::string> predictText(const PredictOptions &Options) {
  std::optional<std::uint64_t> Budget;
  if (!Options.Budget.empty()) {
    const Result<std::uint64_t> Read = readByteSize(Options.Budget);
    if (!Read)
      return Failure{"--budget " + Read.failure().Message};
    Budget = *Read;
  }
  const Result<v1::Operator> Chosen = chosenOperator(Options);
  if (!Chosen)
    return Chosen.failure();
  Progress Shown("predict");
  Shown.at(Chosen->name());
  v1::Expected<v1::Call> Asked = Chosen->read({Options.Shapes, Options.Settings, Options.Assumed, Options.ShapeFrom});
  if (!Asked)
    return failureOf(Asked.error());
  Asked->threads = Options.Threads;
  Asked->held_bytes = bytesOf(Options.Held);
  Asked->fresh_bytes = bytesOf(Options.Fresh);
  Asked->confidence = Options.Confidence;
  Asked->store = Options.Store;
  Asked->model = Options.Model;
  Asked->formulas = !Options.WithoutFormulas;
  const v1::Expected<v1::Prediction> Found = Chosen->predict(*Asked);
  if (!Found)
    return failureOf(Found.error());
  return answerText(*Found, Options.Json, Budget);
}

Result<std::string> shapeSymbolsText(const std::string &File) {
  const v1::Expected<v1::Program> Opened = v1::open(File);
  if (!Opened)
    return failureOf(Opened.error());
  std::set<std::string> Names;
  for (const v1::Operator &Each : Opened->operators())
    for (const v1::Symbol &Symbol : Each.symbols())
      Names.insert(Symbol.name);
  std::string Text;
  for (const std::string &Name : Names)
    Text += Name + "\n";
  return Text;
}

} // namespace memshape
