// What the user says about decisions, machine and libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// Names of the decisions by id, for formulas and --assume: a size from data is called as in the source line that takes
/// it ("count" of "std::vector<float> out(count)"), else k, k2, ...; a branch has no name and gives "".
std::vector<std::string> decisionNames(const Skeleton &S);

/// --assume: "0=1,k=1000,LLT.h:323=0". A decision is known by its number, its name or its place; all decisions of a
/// line are meant by its place.
std::optional<Failure> readAssumptions(const Skeleton &S, const std::vector<std::string> &Texts, Question &Asked);

/// The same of values by decisions.
std::optional<Failure> checkAssumptions(const Skeleton &S, const GivenValues &Given, Question &Asked);

/// --machine: "l1d=49152,l2=1048576,l3=33554432,processors=8,page=4096"; "gpu=h100", or
/// "sm=132,cc=90,ptx=90,pitch=512", for the device.
std::optional<Failure> readMachine(const std::vector<std::string> &Texts, std::map<std::string, std::int64_t> &Facts);

/// The same of values by facts.
std::optional<Failure> checkMachine(const GivenValues &Given, std::map<std::string, std::int64_t> &Facts);

/// A Failure for the first of Names that the dynamic linker would not find: a path to nothing, or a name that is in
/// none of the folders it looks into. A prediction opens libraries only when it needs them, and would not say so.
std::optional<Failure> checkLibraries(const std::vector<std::string> &Names);

} // namespace memshape
