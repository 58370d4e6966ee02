// A folder for one test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <system_error>
#include <vector>

/// Under a name of its own, for tests run beside each other; it goes with the test.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string Name = (std::filesystem::temp_directory_path() / "memshape-test-XXXXXX").string();
    if (!::mkdtemp(Name.data()))
      throw std::system_error(errno, std::generic_category(), Name);
    Path = Name;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(Path); }

  std::vector<std::filesystem::path> entries() const {
    const std::filesystem::directory_iterator Found(Path);
    return {begin(Found), end(Found)};
  }

  /// A file below it. Whoever reads meanwhile sees what was there or what is.
  void write(const std::string &Name, const std::string &Content) const {
    const std::filesystem::path Whole = Path / Name, New = Whole.string() + ".new";
    std::filesystem::create_directories(Whole.parent_path());
    std::ofstream(New) << Content;
    std::filesystem::rename(New, Whole);
  }

  std::filesystem::path Path;
};
