// The figures of a store as text and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/stores/StoreWatch.h"

#include <nlohmann/json.hpp>

namespace memshape {

/// "130 in memory, 370 away, 570.31 MiB of 572.20 MiB"
std::string storePlaces(const StoreRecord &Of);

/// "reads 41.0/s (176.20 MiB/s)  writes 0.0/s (0 B/s)  hits 62.3 %", or in all where there are no rates.
std::string storeTraffic(const StoreLook &Of);

/// All that it has done, for a page.
std::string storeLine(const StoreRecord &Of);

/// An entry of `stores` in memshape.run/1; a look adds what memshape.watch/1 has besides.
nlohmann::ordered_json storeJson(const StoreRecord &Of);
nlohmann::ordered_json storeJson(const StoreLook &Of);

} // namespace memshape
