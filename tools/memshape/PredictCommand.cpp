//===- PredictCommand.cpp - memshape predict ------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Progress.h"
#include "memshape/memshape.h"
#include "tools/memshape/Commands.h"

#include <cmath>

namespace memshape {

namespace {

Failure failureOf(const v1::Error &Why) { return Failure{Why.message}; }

/// What was given of a number of bytes.
std::optional<std::uint64_t> bytesOf(double Given) {
  constexpr double Largest = 0x1p63;
  return std::isnan(Given) ? std::nullopt : std::optional(static_cast<std::uint64_t>(std::min(Given, Largest)));
}

} // namespace

Result<std::string> predictText(const PredictOptions &Options) {
  v1::OpenOptions Opening;
  Opening.with.assign(Options.Files.begin() + 1, Options.Files.end());
  Opening.libraries = Options.Libraries;
  Opening.summaries = Options.Summaries;
  Opening.trust = Options.Trust;
  if (std::optional<Failure> Wrong = readMachine(Options.Machine, Opening.machine))
    return *Wrong;
  const v1::Expected<v1::Program> Opened = v1::open(Options.Files.front(), Opening);
  if (!Opened)
    return failureOf(Opened.error());
  const v1::Expected<v1::Operator> Chosen = Opened->find(Options.Operator);
  if (!Chosen)
    return failureOf(Chosen.error());
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
  return Options.Json ? Found->json() : Found->text();
}

} // namespace memshape
