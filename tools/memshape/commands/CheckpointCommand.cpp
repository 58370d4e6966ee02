// memshape checkpoint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Try.h"
#include "memshape/checkpointing.h"
#include "model/checkpointing/StepChain.h"
#include "tools/memshape/commands/ChosenOperator.h"

#include <algorithm>
#include <charconv>
#include <memory>

namespace memshape {

namespace {

struct CheckpointOptions : CallOptions {
  v1::ChainRequest Request = {.steps = 0};
  std::optional<std::int64_t> Slots;
  std::string Levels, Memory, State, Tape; ///< as written; empty where not given
  std::string Chain;                       ///< a file with steps that differ
  std::string Format = "text";
  std::string Output; ///< empty: standard output
};

/// A million steps take a tenth of it.
constexpr std::uint64_t LargestChain = 1 << 30;

/// Of a step at its shape: what is kept of it, and what it takes while it runs.
struct StepBytes {
  std::uint64_t State = 0, Running = 0;
};

/// Places for states.
struct Places {
  std::vector<v1::ChainLevel> Levels;
  std::optional<std::uint64_t> LeastMemory = {}; ///< in which the chain can be reversed, where --memory is too little
  std::uint64_t Memory = 0, State = 0, Tape = 0; ///< bytes, where tapes have some: Levels are then left out
};

/// A state is what the step returns, or where it returns nothing, what it is given.
Result<StepBytes> predictStep(const CheckpointOptions &Given) {
  MEMSHAPE_TRY(const v1::Operator Chosen, chosenOperator(Given));
  MEMSHAPE_TRY(const v1::Call Call, chosenCall(Chosen, Given));
  MEMSHAPE_TRY(const v1::Prediction Predicted, resultOf(Chosen.predict(Call)));
  if (!Predicted.heap.upper_bytes)
    return Failure{
        "what '" + Chosen.name() +
        "' takes at this shape has no upper bound: give --memory, less what a step takes, and --state without FILE"};
  std::uint64_t Tensors = 0;
  for (const v1::Tensor &Each : Predicted.tensors) {
    if (!Each.bytes)
      return Failure{"what '" + Each.name + "' of '" + Chosen.name() +
                     "' takes is not known: give --memory, less what a step takes, and --state without FILE"};
    if (*Each.bytes > INT64_MAX - Tensors)
      return Failure{"what '" + Chosen.name() + "' is given takes more than 2^63 - 1 bytes"};
    Tensors += *Each.bytes;
  }
  const std::uint64_t State = Predicted.heap.output_bytes ? Predicted.heap.output_bytes : Tensors;
  if (!State)
    return Failure{"'" + Chosen.name() +
                   "' neither returns nor takes an object whose bytes are known: say with "
                   "--state what a state takes"};
  return StepBytes{State, Tensors + *Predicted.heap.upper_bytes};
}

/// Step and Memory in bytes. A single step needs no state, but room to run.
Result<Places> placesWithin(std::uint64_t Memory, const StepBytes &Step, std::uint64_t Tape, std::int64_t Steps) {
  const std::uint64_t Tapes =
      Tape > 0 && std::uint64_t(Steps) - 1 < UINT64_MAX / Tape ? Tape * (std::uint64_t(Steps) - 1) : UINT64_MAX;
  const std::uint64_t Stored = Steps > 1 ? std::min(Step.State, Tapes) : 0;
  if (Step.Running > INT64_MAX || Stored > INT64_MAX - Step.Running)
    return Failure{"a step beside a state takes more than 2^63 - 1 bytes"};
  Places Found;
  if (Memory < Step.Running + Stored)
    Found.LeastMemory = Step.Running + Stored;
  const std::uint64_t Left = Memory - std::min(Memory, Step.Running);
  if (Tape > 0 && Left > 0) {
    Found.Memory = Left;
    Found.State = Step.State;
    Found.Tape = Tape;
    return Found;
  }
  Found.Levels = {{"ram", std::int64_t(std::min<std::uint64_t>(Left / Step.State, INT64_MAX)), 0, 0}};
  return Found;
}

Result<Places> placesWithin(const CheckpointOptions &Given) {
  MEMSHAPE_TRY(const std::uint64_t Memory, readByteCount(Given.Memory, "--memory"));
  StepBytes Step;
  if (!Given.Files.empty()) {
    MEMSHAPE_TRY(Step, predictStep(Given));
  } else if (Given.State.empty()) {
    return Failure{"--memory wants the bytes of a state: --state, or FILE with --operator and --shape of a step"};
  }
  if (!Given.State.empty()) {
    MEMSHAPE_TRY(Step.State, readByteCount(Given.State, "--state"));
  }
  if (Step.State == 0)
    return Failure{"--state: a state takes at least a byte"};
  MEMSHAPE_TRY(const std::uint64_t Tape, Given.Tape.empty() ? 0 : readByteCount(Given.Tape, "--tape"));
  return placesWithin(Memory, Step, Tape, Given.Request.steps);
}

Result<Places> placesOf(const CheckpointOptions &Given) {
  if (int(Given.Slots.has_value()) + int(!Given.Levels.empty()) + int(!Given.Memory.empty()) != 1)
    return Failure{"give one of --slots, --levels and --memory"};
  if (Given.Memory.empty() && (!Given.State.empty() || !Given.Tape.empty() || !Given.Files.empty()))
    return Failure{"--state, --tape and FILE belong to --memory"};
  if (!Given.Memory.empty() && (Given.Request.tape_slots != 0 || Given.Request.state_slots != 1))
    return Failure{"--state-slots and --tape-slots belong to --slots and --levels: --memory has --state and --tape"};
  if (!Given.Memory.empty())
    return placesWithin(Given);
  if (!Given.Levels.empty()) {
    Result<std::vector<v1::ChainLevel>> Levels = readLevels(Given.Levels);
    return Levels ? Result<Places>(Places{std::move(*Levels), std::nullopt}) : Levels.failure();
  }
  if (*Given.Slots < 0)
    return Failure{"--slots is a whole number from 0"};
  return Places{{{"ram", *Given.Slots, 0, 0}}, std::nullopt};
}

std::string written(const std::string &Format, const v1::ChainRequest &C, const v1::ChainReversal &Found) {
  if (Format == "json")
    return checkpointJson(Found);
  if (Format == "html")
    return checkpointHtml(C, Found);
  return Format == "svg" ? checkpointSvg(C, Found) : checkpointPage(Found);
}

TextOrRefusal tooLittle(std::uint64_t LeastMemory, const std::string &Format) {
  return {Format == "json" ? refusedCheckpointJson(LeastMemory) : "",
          "the chain cannot be reversed within that memory; the least that would do is " + std::to_string(LeastMemory) +
              " bytes"};
}

/// Of steps that differ.
Result<TextOrRefusal> chainText(const CheckpointOptions &Given) {
  if (Given.Request.steps != 0 || Given.Slots || !Given.Levels.empty() || !Given.State.empty() || !Given.Files.empty())
    return Failure{"--chain says what each step takes: it goes with --memory alone"};
  if (Given.Format != "text" && Given.Format != "json")
    return Failure{"--format: '" + Given.Format + "' is none of text and json, which --chain has"};
  if (Given.Memory.empty())
    return Failure{"--chain wants the bytes that there are: --memory"};
  MEMSHAPE_TRY(const std::uint64_t Memory, readByteCount(Given.Memory, "--memory"));
  MEMSHAPE_TRY(const std::string Text, readFile(Given.Chain, LargestChain));
  MEMSHAPE_TRY(const auto Steps, inContext(Given.Chain + ": ", readChain(Text)));
  checkpointing::StepReversal Into;
  switch (checkpointing::reverseSteps(Steps, std::int64_t(std::min<std::uint64_t>(Memory, INT64_MAX)), Into)) {
  case checkpointing::Outcome::Solved: break;
  case checkpointing::Outcome::NoSlot:
    if (Into.LeastMemory > INT64_MAX)
      return Failure{Given.Chain + ": the bytes that are held leave 63 bits"};
    return tooLittle(Into.LeastMemory, Given.Format);
  case checkpointing::Outcome::TooLarge:
    return Failure{Given.Chain + ": so many steps that differ take too long to find the least time of; join some"};
  }
  return TextOrRefusal{Given.Format == "json" ? checkpointJson(Into) : checkpointPage(Into), ""};
}

Result<TextOrRefusal> checkpointText(const CheckpointOptions &Given) {
  if (!Given.Chain.empty())
    return chainText(Given);
  v1::ChainRequest Asked = Given.Request;
  MEMSHAPE_TRY(Places Found, placesOf(Given));
  if (Found.LeastMemory)
    return tooLittle(*Found.LeastMemory, Given.Format);
  Asked.levels = std::move(Found.Levels);
  Asked.memory_bytes = Found.Memory;
  Asked.state_bytes = Found.State;
  Asked.tape_bytes = Found.Tape;
  const v1::Expected<v1::ChainReversal> Reversed = v1::reverse_chain(Asked);
  if (Reversed) {
    Asked.levels = Reversed->levels;
    return TextOrRefusal{written(Given.Format, Asked, *Reversed), ""};
  }
  if (Reversed.error().code != v1::ErrorCode::no_answer)
    return Failure{Reversed.error().message};
  return TextOrRefusal{Given.Format == "json" ? refusedCheckpointJson(std::nullopt) : "", Reversed.error().message};
}

} // namespace

Run describeCheckpoint(Options &On) {
  const auto Options = std::make_shared<CheckpointOptions>();
  On.file("FILE", Options->Files, "with the operator that is a step, for --memory; further files with what it calls");
  On.add("--operator", Options->Operator, "operator, where FILE has several");
  addCall(On, *Options, "shape of a step, as in nz=400,nx=300");
  v1::ChainRequest::members(Options->Request, RequestOptions(On));
  const auto NotEmpty = [](const std::string &Text) { return std::string(Text.empty() ? "is empty" : ""); };
  On.add("--chain", Options->Chain,
         "a file of memshape.chain/1 instead, whose steps differ in bytes and time; with --memory",
         {.Check = NotEmpty});
  // The parser takes what is beyond 63 bits as the largest number.
  On.add("--slots", Options->Slots, "states that can be stored at once", {.Check = [](const std::string &Text) {
           std::int64_t Slots = 0;
           const auto [Stop, Wrong] = std::from_chars(Text.data(), Text.data() + Text.size(), Slots);
           return std::string(Wrong == std::errc::result_out_of_range ? "is a number from 0 to 2^63 - 1" : "");
         }});
  On.add("--levels", Options->Levels, "places: NAME:SLOTS:WRITE:READ, with commas between them", {.Check = NotEmpty});
  On.add("--memory", Options->Memory, "for states, as in 16GiB: with --state, or FILE and the shape of a step",
         {.Check = NotEmpty});
  On.add("--state", Options->State, "what a state takes, as in 40MiB", {.Check = NotEmpty});
  On.add("--tape", Options->Tape, "what the tape of a step takes, as in 90MiB: some may be kept", {.Check = NotEmpty});
  On.format(Options->Format, "text, json, html or svg (the plan as a drawing)", "text|json|html|svg",
            "memshape.checkpoint/1");
  On.file("-o,--output", Options->Output, "file to write instead of standard output");
  On.work(Options->Trust);
  for (const char *Name : {"--steps", "--slots", "--levels", "--state", "--tape", "--state-slots", "--tape-slots",
                           "--forward", "--backward", "FILE"})
    On.excludes(Name, "--chain");
  for (const char *Name :
       {"--operator", "--shape", "--shape-from", "--set", "--assume", "--machine", "--library", "--summaries"})
    On.needs(Name, "FILE");
  On.footer("Exit status: 0 the chain can be reversed; 1 no state can be stored, and the least memory that would do is "
            "printed; 2 the request was wrong.");
  return [Options](const Context &) {
    if (std::optional<Failure> Open = checkSandbox(Options->Trust, !Options->Files.empty()))
      return refuse(Open->Message);
    return deliver(checkpointText(*Options), Options->Output);
  };
}

} // namespace memshape
