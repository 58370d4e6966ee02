// The figures of operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/history/Rounds.h"
#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/report/FeaturesDocument.h"
#include "libmemshape/report/PeakTable.h"
#include "libmemshape/skeletons/SkeletonSession.h"
#include "libmemshape/text/Terminal.h"
#include "libmemshape/wraps/FirstWraps.h"

#include <functional>

namespace memshape {

/// What is known of one operator from its skeleton.
struct OperatorReport {
  Skeleton Source;
  Question Typical;                   ///< the shape and settings at which shares are given
  std::optional<Footprint> AtTypical; ///< with Steps, if they were asked for
  std::optional<Bounds> Range;        ///< of the peak at the typical shape, if asked for
  std::vector<PeakTableRow> Table;    ///< if asked for
  FormulaSet Formulas;
  std::vector<std::string> SettingsThatMatter; ///< settings that change the footprint at the typical shape
  std::vector<FirstWrap> Wraps;                ///< sizes that wrap, and where first
  std::string Trouble;                         ///< why there is no footprint
  std::vector<Round> History;                  ///< past runs, if a store was named
};

/// One instrumented file.
struct FileReport {
  std::string Path;
  std::vector<nlohmann::ordered_json> Features; ///< one memshape.features/1 document per translation unit
  std::vector<OperatorReport> Operators;
  std::string Unusable = {}; ///< why units are not here, behind "; "
};

struct ReportRequest {
  std::string Operator; ///< empty: all
  std::vector<std::string> Settings;
  std::vector<std::string> Libraries;
  std::string Runner; ///< path of memshape-skeleton
  std::string Slicer; ///< path of memshape-slicer
  bool Trust = false; ///< run them even where this system has no sandbox
  std::function<void(const std::string &Operator, std::size_t Done, std::size_t All)> Progress = {}; ///< may be empty
  std::vector<std::string> Shapes = {}; ///< of the typical shape, "a=1,b=2"; other symbols keep their values
  std::uint32_t Steps = 0;              ///< greatest number of steps of live bytes over a call at the typical shape
  bool WithRange = false;               ///< look for bounds at the typical shape
  bool WithTable = false;               ///< evaluate many shapes
};

/// Reads the files and runs their skeletons at many small shapes.
Result<std::vector<FileReport>> makeReport(const std::vector<std::string> &Files, const ReportRequest &Request);

/// All features documents; each operator has a member "skeleton" with the figures of its skeleton.
std::string reportJson(const std::vector<FileReport> &Files);

/// The text page.
std::string reportPage(const std::vector<FileReport> &Files, const Terminal &Screen = {});

/// The element of a file's features documents that describes an operator; null if there is none.
const nlohmann::ordered_json *featuresOf(const FileReport &File, const Skeleton &S);

} // namespace memshape
