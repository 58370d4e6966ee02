// A store in a folder of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace memshape::test {

/// Path is where the store of a test is to be; the folder goes with the test.
class StoreFolder : public testing::Test {
protected:
  std::string contents() const {
    std::ifstream File(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(File), {}};
  }

  const TemporaryFolder Temporary;
  const std::filesystem::path &Folder = Temporary.Path;
  std::filesystem::path Path = Folder / "history.sqlite";
};

} // namespace memshape::test
