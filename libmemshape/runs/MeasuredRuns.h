// Measured runs beside the store and predictions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/report/RunCommand.h"

namespace memshape {

class Installation;

/// Sets Options.Keep where the run goes to the store: with Learn, or where Options.Record names a store rather than a
/// file of JSON lines; Options.Record is cleared then. A Failure where the store cannot be opened: nothing has run yet.
/// With Learn, what was expected of each call before the run is shown beside what came of it.
std::optional<Failure> keepInStore(RunOptions &Options, bool Learn);

/// Predicts calls from the skeletons in the file that has the operator, the program itself or one of its libraries.
/// Trust: even where this system gives no sandbox for them.
ForecastOf predictedCalls(const Installation &Installed, bool Trust);

} // namespace memshape
