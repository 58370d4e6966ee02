// What the stores of a run have done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/measurement/stores/StoreText.h"

#include <filesystem>

namespace memshape {

/// Names of the files that stores keep beside the records of a run begin with this.
constexpr char StoreName[] = "store-";

/// Adds the record in the file, or a note where it cannot be read.
void readStore(const std::filesystem::path &File, Run &R);

std::vector<StoreRecord> storesOf(const Run &R, std::uint64_t Pid);
/// Of processes that were not counted.
std::vector<StoreRecord> storesOfOthers(const Run &R);

/// Lines of the text page.
std::string storeLines(const std::vector<StoreRecord> &Of);

} // namespace memshape
