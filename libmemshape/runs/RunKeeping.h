// Measured runs into the store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunCommand.h"

namespace memshape {

/// Sets Options.Keep where the run goes to the store: with Learn, or where Options.Record names a store rather than a
/// file of JSON lines; Options.Record is cleared then. A Failure where the store cannot be opened: nothing has run yet.
/// With Learn, what was expected of each call before the run is shown beside what came of it.
std::optional<Failure> keepInStore(RunOptions &Options, bool Learn);

} // namespace memshape
