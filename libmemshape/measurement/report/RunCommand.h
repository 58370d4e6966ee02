// memshape run, as a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/text/Result.h"
#include "memshape/profiles.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace memshape {

struct RunOptions {
  std::string Record; ///< file to append the run to, as one line of JSON; "" for none
  /// Called with the run at its end, memshape.run/1, and a stream for lines to the user; may be empty.
  std::function<std::optional<Failure>(nlohmann::ordered_json, std::ostream &)> Keep;
  std::string JsonOut;              ///< file for the run as JSON, "-" for standard output; "" prints the text page
  std::string HtmlOut;              ///< file for a page for browsers; "" for none
  bool Full = false;                ///< the text page shows more than what holds most
  std::vector<std::string> Command; ///< the program and its arguments
  std::string ProfileOut;           ///< file for a profile with call stacks; "" for none
  std::optional<v1::ProfileFormat> ProfileFormat; ///< as its name ends where not given
  v1::Sample Sample = v1::Sample::peak;           ///< what a profile counts
  std::string TimelineOut;                        ///< file for live bytes over time, as JSON; "" for none
  std::uint64_t Limit = 0;                        ///< warn before so many bytes are held; 0 for none
  ForecastOf Forecast;                            ///< for that warning; may be empty
  double Confidence = AlarmConfidence;            ///< of its bound of resident memory
  bool Kernel = false;    ///< also measure what the kernel sees: resident memory, faults, control group
  bool ExactPeak = false; ///< threads that meet at a peak take the lock, at any cost
  bool Libraries = false; ///< count what each library holds in any program, instrumented or not
  std::string Runtime;    ///< path of libmemshape_rt.so; "" finds it beside the running executable
};

/// Runs the command with the runtime preloaded and prints what its operators held. The page goes to Err, because Out
/// belongs to the program. Returns the program's exit status, or 128 + N if signal N ended it. If the request is wrong,
/// returns 2 before the program starts, with one line on Err and nothing written.
int runCommand(const RunOptions &Options, std::ostream &Out, std::ostream &Err);

} // namespace memshape
