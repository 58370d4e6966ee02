// memshape plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <memory>

namespace memshape {

namespace {

std::optional<double> readNumber(const std::string &Text) {
  const std::optional<double> Value = numberIn<double>(Text);
  return Value && *Value >= 0 && *Value < 0x1p40 ? Value : std::nullopt;
}

std::optional<Failure> readElementBytes(const std::string &Text, v1::PlanRequest &Into) {
  if (Text.empty())
    return std::nullopt;
  const std::vector<std::string> Parts = split(Text, ',');
  if (Parts.size() == 2) {
    Into.input_element_bytes = readNumber(Parts[0]);
    Into.output_element_bytes = readNumber(Parts[1]);
  }
  if (Into.input_element_bytes && Into.output_element_bytes)
    return std::nullopt;
  return Failure{"--element-bytes: '" + Text + "' is no IN,OUT, two numbers of bytes, as in 4,4"};
}

/// JSON lists every chunk. A plan with more along one axis would take gigabytes to say, and no engine so many tasks.
std::optional<Failure> tooLongToList(const v1::Plan &Found) {
  constexpr std::int64_t MostListed = 100'000'000;
  for (const auto &[Name, Runs] : Found.chunks) {
    std::int64_t Count = 0;
    for (const v1::ChunkRun &Run : Runs)
      Count += Run.times;
    if (Count > MostListed)
      return Failure{"the plan has " + std::to_string(Count) + " chunks along '" + Name +
                     "', too many for JSON, which lists each: give a worker more --memory, or ask for the page"};
  }
  return std::nullopt;
}

struct PlanOptions : CallOptions {
  v1::PlanRequest Request;
  std::string ElementBytes; ///< "4,4"; empty: from the types
  std::string Format = "text";
};

Result<TextOrRefusal> planText(const PlanOptions &Given) {
  const std::string &Format = Given.Format;
  v1::PlanRequest Request = Given.Request;
  MEMSHAPE_CHECK(readElementBytes(Given.ElementBytes, Request));
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  Progress Shown("plan");
  Shown.at(Chosen.name());
  MEMSHAPE_TRY(Request.call, chosenCall(Chosen, Given));
  MEMSHAPE_TRY(const v1::Plan Found, resultOf(Chosen.plan(Request)));
  if (!Found.feasible)
    return TextOrRefusal{Format == "json" ? Found.json() : "",
                         Found.least_memory_bytes ? "nothing fits; the least memory of a worker that would do is " +
                                                        std::to_string(*Found.least_memory_bytes) + " bytes"
                                                  : "nothing fits, whatever memory a worker has"};
  if (Format == "json")
    MEMSHAPE_CHECK(tooLongToList(Found));
  if (Format == "json" || Format == "text")
    return TextOrRefusal{Format == "json" ? Found.json() : Found.text(), ""};
  MEMSHAPE_TRY(const std::string Words, resultOf(Found.in_words_of(Format)));
  return TextOrRefusal{Words, ""};
}

} // namespace

Run describePlan(Options &On) {
  const auto Options = std::make_shared<PlanOptions>();
  addOperator(On, *Options, "of the tasks");
  addCall(On, *Options, "shape of the whole array, as in ni=651,nx=951,ns=462");
  v1::PlanRequest::members(Options->Request, RequestOptions(On));
  On.require("--split");
  On.require("--memory");
  On.add("--element-bytes", Options->ElementBytes,
         "bytes per element of input and output, as in 4,4; from the operator's types where not given");
  On.format(Options->Format, "text, json, or a worker's request to " + jobSystems(", ", " or "),
            "text|json|" + jobSystems("|", "|"), "memshape.plan/1");
  On.work(Options->Trust);
  On.footer("Exit status: 0 there is a plan; 1 nothing fits, and the least memory that would do is printed; 2 the "
            "request was wrong.");
  return [Options](const Context &) { return deliver(inSandbox(Options->Trust, [&] { return planText(*Options); })); };
}

} // namespace memshape
