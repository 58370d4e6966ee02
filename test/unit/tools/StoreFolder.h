//===- StoreFolder.h - A store in a folder of its own ---------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TEST_TOOLS_STOREFOLDER_H
#define MEMSHAPE_TEST_TOOLS_STOREFOLDER_H

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

namespace memshape::test {

/// Path is where the store of a test is to be; the folder goes with the test.
class StoreFolder : public testing::Test {
protected:
  void SetUp() override {
    Folder = std::filesystem::temp_directory_path() / ("memshape-store-" + std::to_string(getpid()));
    std::filesystem::create_directories(Folder);
    Path = Folder / "history.sqlite";
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  std::string contents() const {
    std::ifstream File(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(File), {}};
  }

  std::filesystem::path Folder, Path;
};

} // namespace memshape::test

#endif // MEMSHAPE_TEST_TOOLS_STOREFOLDER_H
