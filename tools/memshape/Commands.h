// What each command does, once its arguments are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace memshape {

class Installation;

struct PredictOptions {
  std::vector<std::string> Files; ///< the operator's, then others with functions that it calls
  std::string Operator;
  std::vector<std::string> Shapes;                         ///< --shape, as written
  std::string ShapeFrom;                                   ///< --shape-from; empty where not given
  std::vector<std::string> Settings;                       ///< --set
  std::vector<std::string> Assumed;                        ///< --assume
  std::vector<std::string> Libraries;                      ///< --library
  std::vector<std::string> Summaries;                      ///< --summaries
  std::uint32_t Threads = 0;                               ///< --threads; 0 where not given
  std::vector<std::string> Machine;                        ///< --machine
  std::string Store;                                       ///< --store; empty: the default one
  std::string Model;                                       ///< --model; empty: the one of this build
  double Confidence = 0.99;                                ///< --confidence
  double Held = std::numeric_limits<double>::quiet_NaN();  ///< --held, bytes
  double Fresh = std::numeric_limits<double>::quiet_NaN(); ///< --fresh, bytes
  std::string Budget;                                      ///< --budget, a size as written; empty where not given
  bool Json = false;
  bool WithoutFormulas = false;
  bool Trust = false; ///< --trust, here and below: code of FILE is executed even without a sandbox
};

struct PlanOptions {
  std::vector<std::string> Files; ///< the operator's, then others with functions that it calls
  std::string Operator;
  std::vector<std::string> Shapes, Settings, Assumed, Libraries, Summaries, Machine;
  std::string ShapeFrom;
  std::vector<std::string> Split, Halo, Align, Extents; ///< "ni,nx"; "ni=2,nx=2"; "ni=64"; "ni,nx"
  std::string Memory, Held;                             ///< sizes, as written; Held may be empty
  std::string ElementBytes;                             ///< "4,4"; empty: from the types
  std::int64_t Workers = 1, Threads = 1;
  std::optional<std::int64_t> MaxTasks;
  std::string Sink = "store";
  std::string Source; ///< blocks or storage; empty where not given
  std::string Format = "text";
  bool Json = false;
  bool Trust = false;
};

struct ScheduleOptions {
  std::string Graph;  ///< file, memshape.graph/1
  std::string Memory; ///< as written; empty where not given
  std::optional<std::int64_t> Processors;
  std::string Objective; ///< peak, makespan or io; empty where not given
  bool WholeOutputs = false;
  bool Edges = false;
  std::string Format = "text";
  std::string Output; ///< empty: standard output
  bool Json = false;
  bool Trust = false;
};

struct HistoryOptions {
  std::string Action; ///< import, export or list
  std::string Store;  ///< empty: the default one
  std::string File;   ///< JSON lines; - or empty for standard input or output
};

struct TrainOptions {
  std::vector<std::string> Files; ///< JSON lines
  std::string Output;             ///< empty: standard output
  bool Explain = false;
};

struct ReportOptions {
  std::vector<std::string> Files;
  std::string Operator;
  std::string Format = "text";
  std::string Output;              ///< empty: standard output
  std::vector<std::string> Shapes; ///< of the shape to look at, as written
  std::vector<std::string> Settings;
  std::vector<std::string> Libraries;
  std::string Store; ///< past runs beside what was expected of them; empty: none
  std::string Model; ///< generic prior; empty: the one of this build
  double Confidence = 0.99;
  bool Trust = false;
};

/// What `report diff` compares, with the options of a report.
struct DiffOptions {
  std::string Before, After; ///< files
  ReportOptions Of;
};

struct CheckOptions {
  std::vector<std::string> Files;
  std::string Baseline;
  std::string Format = "text";
  std::string Output;                  ///< empty: standard output
  std::string SourceRoot;              ///< empty: the folder of the baseline
  std::vector<std::string> Tolerances; ///< "5%", "NAME=5%"
  std::vector<std::string> Shapes;     ///< "[NAME:]a=1,b=2"
  std::vector<std::string> Settings;   ///< "[NAME:]x=1.5"
  std::vector<std::string> Machine;
  std::vector<std::string> Libraries;
  bool Update = false;
  bool Trust = false;
};

struct CheckpointOptions {
  std::vector<std::string> Files; ///< empty, or that of the operator which is a step, then others
  std::string Operator;
  std::vector<std::string> Shapes, Settings, Assumed, Libraries, Summaries, Machine;
  std::string ShapeFrom;
  std::int64_t Steps = 0;
  std::optional<std::int64_t> Slots;
  std::string Levels, Memory, State; ///< as written; empty where not given
  std::string Chain;                 ///< a file with steps that differ
  double Forward = 1, Backward = 1;
  std::string Format = "text";
  std::string Output; ///< empty: standard output
  bool Json = false;
  bool Trust = false;
};

/// The answer of plan, schedule or checkpoint.
struct TextOrRefusal {
  std::string Text;
  std::string Refusal; ///< one line where the answer is no; empty otherwise
};

struct CheckOutcome {
  std::string Text;
  bool Failed = false; ///< a regression was found
};

struct ConfigOptions {
  bool Cflags = false, Libs = false, Plugin = false;
  bool Static = false; ///< libraries for a program that is linked statically
  std::string Clang;   ///< major version that has to be there; empty: any
};

/// Code of other people's files is not executed in the open, but by the user's word. Needed: there is such code.
std::optional<Failure> checkSandbox(bool Trust, bool Needed = true);

/// Each gives the text to print.
Result<std::string> predictText(const PredictOptions &Options);
/// From the store of past runs alone, without FILE.
Result<std::string> predictFromStoreText(const PredictOptions &Options);
Result<TextOrRefusal> planText(const PlanOptions &Options);
Result<TextOrRefusal> scheduleText(const ScheduleOptions &Options);
Result<TextOrRefusal> checkpointText(const CheckpointOptions &Options);
Result<std::string> historyText(const HistoryOptions &Options);
/// The model file; Explanation is a text page, where it was asked for.
Result<std::string> trainText(const TrainOptions &Options, std::string &Explanation);
Result<std::string> reportText(const ReportOptions &Options, const Installation &Installed);
Result<std::string> diffText(const DiffOptions &Options, const Installation &Installed, bool &Differs);
Result<CheckOutcome> checkBuild(const CheckOptions &Options, const Installation &Installed);
Result<std::string> configText(const ConfigOptions &Options, const Installation &Installed);

/// The shape symbols of all operators of a file, each in a line.
Result<std::string> shapeSymbolsText(const std::string &File);

} // namespace memshape
