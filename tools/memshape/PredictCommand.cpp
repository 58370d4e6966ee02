//===- PredictCommand.cpp - memshape predict ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/memshape/Commands.h"
#include "tools/memshape/Installation.h"
#include "tools/prediction/Answer.h"
#include "tools/prediction/ArgumentValues.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace memshape {

namespace {

/// "0=1" gives decision 0 the answer 1.
std::optional<Failure> readAssumptions(const Skeleton &S, const std::vector<std::string> &Texts, Question &Asked) {
  if (Texts.empty())
    return std::nullopt;
  Result<std::map<std::string, std::string>> Given = splitAssignments(Texts, "--assume");
  if (!Given)
    return Given.failure();
  auto Number = [](const std::string &Text) -> std::optional<std::uint64_t> {
    std::uint64_t Value = 0;
    auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    if (Error != std::errc() || End != Text.data() + Text.size() || Value > INT64_MAX)
      return std::nullopt;
    return Value;
  };
  for (const auto &[Name, Text] : *Given) {
    std::optional<std::uint64_t> Id = Number(Name), Value = Number(Text);
    if (!Id || *Id >= S.Decisions.size())
      return Failure{"operator '" + S.Operator + "' has no decision '" + Name + "'; it has " +
                     std::to_string(S.Decisions.size()) + ", counted from 0"};
    bool IsValue = S.Decisions[*Id].IsValue;
    if (!Value || (!IsValue && *Value > 1))
      return Failure{"--assume " + Name + "=" + Text + ": " +
                     (IsValue ? "a natural number was expected" : "0 or 1 was expected")};
    if (IsValue)
      Asked.Values[static_cast<std::uint32_t>(*Id)] = *Value;
    else
      Asked.Branches[static_cast<std::uint32_t>(*Id)] = static_cast<std::uint32_t>(*Value);
  }
  return std::nullopt;
}

} // namespace

Result<std::string> predictText(const PredictOptions &Options, const Installation &Installed) {
  Surroundings Around;
  Around.Libraries = Options.Libraries;
  Around.Runner = Installed.runner().string();
  Around.Slicer = Installed.slicer().string();
  for (const std::string &Path : Options.Files) {
    Result<InstrumentedFile> File = readInstrumentedFile(Path);
    if (!File)
      return File.failure();
    Around.Files.push_back(std::move(*File));
  }
  Result<std::vector<Skeleton>> Skeletons = skeletonsOf(Around.Files);
  if (!Skeletons)
    return Skeletons.failure();
  Result<const Skeleton *> Chosen = chooseOperator(*Skeletons, Options.Operator, Options.Files.front());
  if (!Chosen)
    return Chosen.failure();
  const Skeleton &Stored = **Chosen;

  std::map<std::string, std::string> FromCube;
  if (!Options.ShapeFrom.empty()) {
    Result<std::map<std::string, std::string>> Extents = shapeFromCube(Stored, Options.ShapeFrom);
    if (!Extents)
      return Extents.failure();
    FromCube = std::move(*Extents);
  }
  Result<ArgumentValues> Values = checkArguments(Stored, FromCube, Options.Shapes, Options.Settings);
  if (!Values)
    return Values.failure();
  Question Asked;
  Asked.Shape = Values->Shape;
  Asked.Settings = Values->Settings;
  Asked.Threads = Options.Threads;
  for (const std::string &Path : Options.Summaries) {
    std::ifstream File(Path, std::ios::binary);
    std::string Text((std::istreambuf_iterator<char>(File)), std::istreambuf_iterator<char>());
    if (!File)
      return Failure{Path + ": cannot be read"};
    Around.Summaries.push_back({Path, std::move(Text)});
  }
  const Result<WholeOperator> Whole = wholeOperator(Stored, Around);
  if (!Whole)
    return Whole.failure();
  if (std::optional<Failure> Wrong = readAssumptions(Whole->Source, Options.Assumed, Asked))
    return *Wrong;
  Result<Answer> Found = answer(*Whole, Asked, Around);
  if (!Found)
    return Found.failure();
  return Options.Json ? predictionJson(Found->Predicted) : predictionPage(Found->Predicted);
}

} // namespace memshape
