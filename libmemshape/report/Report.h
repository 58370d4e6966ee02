// The figures of operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/history/Rounds.h"
#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/skeletons/SkeletonSession.h"
#include "libmemshape/text/Terminal.h"
#include "libmemshape/wraps/FirstWraps.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

namespace memshape {

/// One shape and the peak of the skeleton there.
struct PeakTableRow {
  std::vector<std::int64_t> Shape;
  FootprintRow Figures;
};

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

/// The data of the page: a member "operators" and the files that they refer to. The scripts in html/ display it.
nlohmann::ordered_json pageData(const std::vector<FileReport> &Files);

/// A self-contained file: style, scripts and data are inside.
std::string reportHtml(const std::vector<FileReport> &Files);

/// Evaluates small and large values of each symbol, with the others as in Typical; all symbols equal; and, if there is
/// no Formula for other shapes, the corners of a coarse grid. Shapes at which the operator does not return, or for
/// which time runs out, are left out. The caller sets the timeout.
std::vector<PeakTableRow> peakTable(const Skeleton &S, const Question &Typical, bool Formula, Evaluator &Evaluate);

/// Where the past runs of a report come from.
struct HistoryRequest {
  std::string Store; ///< of past runs
  std::string Model; ///< the generic prior; empty: the one of this build
  double Confidence = 0.99;
};

/// Fills the History of every operator. Request is that of the report.
std::optional<Failure> addHistory(std::vector<FileReport> &Reports, const ReportRequest &Request,
                                  const HistoryRequest &History);

/// Parses one features document. Messages continue a sentence that starts with the file's name.
Result<nlohmann::ordered_json> parseFeatures(std::string_view Payload);

/// The part of an operator's page that comes from the source: allocations, intermediates, control statements, pattern.
/// Operator is an element of a features document's "operators".
std::string featuresPage(const nlohmann::ordered_json &Operator, const Terminal &Screen = {});

/// Live bytes in the order of allocations and frees, in all and by place, as sparklines. At: the shape, for the title.
/// Empty if steps were not asked for.
std::string timelinePage(const OperatorReport &Report, const std::string &At, const Terminal &Screen);

/// Files that are part of every HTML report: HtmlAssets.cpp is made by the build from the files in html/ and from D3.
extern const std::string_view HtmlTemplate; ///< with <!--style-->, <!--data-->, <!--charts--> and <!--script-->
extern const std::string_view HtmlStyle;    ///< beside that of every page
extern const std::string_view HtmlScript;
extern const std::string_view HtmlCharts; ///< D3, with its licence

} // namespace memshape
