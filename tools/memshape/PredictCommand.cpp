//===- PredictCommand.cpp - memshape predict ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/prediction/Answer.h"
#include "libmemshape/resident/ResidentMemory.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/skeletons/LibraryNames.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/Commands.h"

#include <fstream>
#include <iterator>

namespace memshape {

Result<std::string> predictText(const PredictOptions &Options, const Installation &Installed) {
  Surroundings Around;
  Around.Libraries = Options.Libraries;
  Around.Runner = Installed.runner().string();
  Around.Slicer = Installed.slicer().string();
  Around.Trust = Options.Trust;
  Around.Formulas = !Options.WithoutFormulas;
  if (std::optional<Failure> Wrong = checkLibraries(Options.Libraries))
    return *Wrong;
  if (std::optional<Failure> Wrong = readMachine(Options.Machine, Around.Machine))
    return *Wrong;
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
  Progress Shown("predict");
  Shown.at(Stored.Operator);
  const Result<WholeOperator> Whole = wholeOperator(Stored, Around);
  if (!Whole)
    return Whole.failure();
  if (std::optional<Failure> Wrong = readAssumptions(Whole->Source, Options.Assumed, Asked))
    return *Wrong;
  Result<Answer> Found = answer(*Whole, Asked, Around);
  if (!Found)
    return Found.failure();
  Found->Predicted.MachineGiven = Around.Machine;
  if (std::optional<Failure> Wrong = addResident(
          Found->Predicted, {Options.Store, Options.Model, Options.Confidence, Options.Held, Options.Fresh}, Around))
    return *Wrong;
  return Options.Json ? predictionJson(Found->Predicted) : predictionPage(Found->Predicted);
}

} // namespace memshape
