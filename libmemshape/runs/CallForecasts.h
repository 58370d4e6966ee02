// Predictions of calls that are in flight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Forecast.h"

namespace memshape {

class Installation;

/// Predicts calls from the skeletons in the file that has the operator, the program itself or one of its libraries.
/// Trust: even where this system gives no sandbox for them.
ForecastOf predictedCalls(const Installation &Installed, bool Trust);

} // namespace memshape
