// memshape checkpoint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/ChainReader.h"
#include "libmemshape/checkpoint/CheckpointPicture.h"
#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/ByteSize.h"
#include "memshape/checkpointing.h"
#include "model/checkpointing/StepChain.h"
#include "tools/memshape/AnswerFormat.h"
#include "tools/memshape/ChosenOperator.h"

#include <algorithm>

namespace memshape {

namespace {

/// A million steps take a tenth of it.
constexpr std::uint64_t LargestChain = 1 << 30;

/// Of a step at its shape: what is kept of it, and what it takes while it runs.
struct StepBytes {
  std::uint64_t State = 0, Running = 0;
};

/// Places for states.
struct Places {
  std::vector<v1::ChainLevel> Levels;
  std::optional<std::uint64_t> LeastMemory; ///< in which the chain can be reversed, where --memory is too little
};

/// A state is what the step returns, or where it returns nothing, what it is given.
Result<StepBytes> predictStep(const CheckpointOptions &Options) {
  const Result<v1::Operator> Chosen = chosenOperator(Options);
  if (!Chosen)
    return Chosen.failure();
  v1::Expected<v1::Call> Call = Chosen->read({Options.Shapes, Options.Settings, Options.Assumed, Options.ShapeFrom});
  if (!Call)
    return failureOf(Call.error());
  const v1::Expected<v1::Prediction> Predicted = Chosen->predict(*Call);
  if (!Predicted)
    return failureOf(Predicted.error());
  if (!Predicted->heap.upper_bytes)
    return Failure{
        "what '" + Chosen->name() +
        "' takes at this shape has no upper bound: give --memory, less what a step takes, and --state without FILE"};
  std::uint64_t Given = 0;
  for (const v1::Tensor &Each : Predicted->tensors) {
    if (!Each.bytes)
      return Failure{"what '" + Each.name + "' of '" + Chosen->name() +
                     "' takes is not known: give --memory, less what a step takes, and --state without FILE"};
    if (*Each.bytes > INT64_MAX - Given)
      return Failure{"what '" + Chosen->name() + "' is given takes more than 2^63 - 1 bytes"};
    Given += *Each.bytes;
  }
  const std::uint64_t State = Predicted->heap.output_bytes ? Predicted->heap.output_bytes : Given;
  if (!State)
    return Failure{"'" + Chosen->name() +
                   "' neither returns nor takes an object whose bytes are known: say with "
                   "--state what a state takes"};
  return StepBytes{State, Given + *Predicted->heap.upper_bytes};
}

/// Step and Memory in bytes. A single step needs no state, but room to run.
Result<Places> placesWithin(std::uint64_t Memory, const StepBytes &Step, std::int64_t Steps) {
  const std::uint64_t Stored = Steps > 1 ? Step.State : 0;
  if (Step.Running > INT64_MAX || Stored > INT64_MAX - Step.Running)
    return Failure{"a step beside a state takes more than 2^63 - 1 bytes"};
  Places Found;
  if (Memory < Step.Running + Stored)
    Found.LeastMemory = Step.Running + Stored;
  const std::uint64_t Left = Memory - std::min(Memory, Step.Running);
  Found.Levels = {{"ram", std::int64_t(std::min<std::uint64_t>(Left / Step.State, INT64_MAX)), 0, 0}};
  return Found;
}

Result<Places> placesWithin(const CheckpointOptions &Options) {
  const Result<std::uint64_t> Memory = readByteCount(Options.Memory, "--memory");
  if (!Memory)
    return Memory.failure();
  StepBytes Step;
  if (!Options.Files.empty()) {
    const Result<StepBytes> Predicted = predictStep(Options);
    if (!Predicted)
      return Predicted.failure();
    Step = *Predicted;
  } else if (Options.State.empty()) {
    return Failure{"--memory wants the bytes of a state: --state, or FILE with --operator and --shape of a step"};
  }
  if (!Options.State.empty()) {
    const Result<std::uint64_t> State = readByteCount(Options.State, "--state");
    if (!State)
      return State.failure();
    Step.State = *State;
  }
  if (Step.State == 0)
    return Failure{"--state: a state takes at least a byte"};
  return placesWithin(*Memory, Step, Options.Steps);
}

Result<Places> placesOf(const CheckpointOptions &Options) {
  if (int(Options.Slots.has_value()) + int(!Options.Levels.empty()) + int(!Options.Memory.empty()) != 1)
    return Failure{"give one of --slots, --levels and --memory"};
  if (Options.Memory.empty() && (!Options.State.empty() || !Options.Files.empty()))
    return Failure{"--state and FILE belong to --memory"};
  if (!Options.Memory.empty())
    return placesWithin(Options);
  if (!Options.Levels.empty()) {
    Result<std::vector<v1::ChainLevel>> Levels = readLevels(Options.Levels);
    return Levels ? Result<Places>(Places{std::move(*Levels), std::nullopt}) : Levels.failure();
  }
  if (*Options.Slots < 0)
    return Failure{"--slots is a whole number from 0"};
  return Places{{{"ram", *Options.Slots, 0, 0}}, std::nullopt};
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
Result<TextOrRefusal> chainText(const CheckpointOptions &Options) {
  if (Options.Steps != 0 || Options.Slots || !Options.Levels.empty() || !Options.State.empty() ||
      !Options.Files.empty())
    return Failure{"--chain says what each step takes: it goes with --memory alone"};
  const Result<std::string> Format = answerFormat(Options.Format, Options.Json, {"text", "json"});
  if (!Format)
    return Format.failure();
  if (Options.Memory.empty())
    return Failure{"--chain wants the bytes that there are: --memory"};
  const Result<std::uint64_t> Memory = readByteCount(Options.Memory, "--memory");
  if (!Memory)
    return Memory.failure();
  const Result<std::string> Text = readFile(Options.Chain, LargestChain);
  if (!Text)
    return Text.failure();
  const auto Steps = readChain(*Text);
  if (!Steps)
    return Failure{Options.Chain + ": " + Steps.failure().Message};
  checkpointing::StepReversal Into;
  switch (checkpointing::reverseSteps(*Steps, std::int64_t(std::min<std::uint64_t>(*Memory, INT64_MAX)), Into)) {
  case checkpointing::Outcome::Solved:
    break;
  case checkpointing::Outcome::NoSlot:
    if (Into.LeastMemory > INT64_MAX)
      return Failure{Options.Chain + ": the bytes that are held leave 63 bits"};
    return tooLittle(Into.LeastMemory, *Format);
  case checkpointing::Outcome::TooLarge:
    return Failure{Options.Chain + ": so many steps that differ take too long to find the least time of; join some"};
  }
  return TextOrRefusal{*Format == "json" ? checkpointJson(Into) : checkpointPage(Into), ""};
}

} // namespace

Result<TextOrRefusal> checkpointText(const CheckpointOptions &Options) {
  if (!Options.Chain.empty())
    return chainText(Options);
  const Result<std::string> Format = answerFormat(Options.Format, Options.Json, {"text", "json", "html", "svg"});
  if (!Format)
    return Format.failure();
  v1::ChainRequest Asked = {Options.Steps, {}, Options.Forward, Options.Backward};
  Result<Places> Found = placesOf(Options);
  if (!Found)
    return Found.failure();
  if (Found->LeastMemory)
    return tooLittle(*Found->LeastMemory, *Format);
  Asked.levels = std::move(Found->Levels);
  const v1::Expected<v1::ChainReversal> Reversed = v1::reverse_chain(Asked);
  if (Reversed)
    return TextOrRefusal{written(*Format, Asked, *Reversed), ""};
  if (Reversed.error().code != v1::ErrorCode::no_answer)
    return failureOf(Reversed.error());
  return TextOrRefusal{*Format == "json" ? refusedCheckpointJson(std::nullopt) : "", Reversed.error().message};
}

} // namespace memshape
