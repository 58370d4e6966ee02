// Shapes and settings of a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/SegyGeometry.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <map>
#include <set>
#include <variant>

namespace memshape {

/// Values of settings, in source order, and which tensors are there, by number, where that is said.
struct SettingValues {
  std::vector<double> Settings;
  std::map<std::uint32_t, bool> Presence;
  std::set<std::string> Open = {};      ///< optional symbols and settings that are not given
  std::set<std::string> Defaulted = {}; ///< settings that are not given, and are as this skeleton says
};

/// Values of one operator's parameters, in source order.
struct ArgumentValues : SettingValues {
  std::vector<std::int64_t> Shape;
};

/// The argument that a name is a part of: a of a.rows, in of in[0].size.
std::string argumentOf(const std::string &Name);

/// The setting that says whether a tensor is there: mask.present.
std::string presenceName(const std::string &Tensor);

/// The setting that says whether an object is there which need not be: null, where nothing else is said.
bool isPresence(const Parameter &Setting);

/// Whether S has a setting of this name: a parameter, or the presence of a tensor.
bool hasSetting(const Skeleton &S, const std::string &Name);

/// The range of an integer parameter that sizes can come from: 0 to what it can hold.
std::int64_t largestValueOf(const Parameter &P);

/// What is given for a name: text, as people write it, a count, or a number.
using GivenValue = std::variant<std::string, std::int64_t, double>;
using GivenValues = std::map<std::string, GivenValue>;

/// The text as it is, or the shortest one that gives the number again.
std::string textOf(const GivenValue &Of);

/// "a=1,b=2", several times, into name and text. Option is named in messages. A name that comes twice is a Failure.
Result<GivenValues> splitAssignments(const std::vector<std::string> &Texts, const char *Option);

/// Shape values that a SEG-Y cube gives. Text is "cube.segy" for inlines, crosslines and samples as the first three
/// shape symbols, or "cube.segy:ni=inlines,nx=crosslines,ns=samples".
Result<GivenValues> shapeFromCube(const Skeleton &S, const std::string &Text);

/// Checks every value against the parameters: none missing, none too many, each an integer that fits.
Result<ArgumentValues> checkArguments(const Skeleton &S, GivenValues Shape, GivenValues Settings);

/// The same of texts. FromCube holds values that --shape may override.
Result<ArgumentValues> readArguments(const Skeleton &S, const GivenValues &FromCube,
                                     const std::vector<std::string> &Shapes, const std::vector<std::string> &Settings);

/// Settings alone; those not given get Default when there is one.
Result<SettingValues> checkSettings(const Skeleton &S, GivenValues Given, std::optional<double> Default);

} // namespace memshape
