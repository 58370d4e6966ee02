// A runner that a test talks to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts memshape-skeleton and speaks its dialogue over pipes. MEMSHAPE_TEST_RUNNER, MEMSHAPE_TEST_SKELETONS and
// MEMSHAPE_TEST_LIBRARY come from the build.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace memshape::test {

class RunnerProcess {
public:
  /// Starts the runner without a request.
  RunnerProcess();
  /// Starts it with a skeleton of test/unit/runner/skeletons. Start: members of the first request.
  explicit RunnerProcess(const std::string &Skeleton, nlohmann::json Start = nlohmann::json::object());
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess &) = delete;
  RunnerProcess &operator=(const RunnerProcess &) = delete;

  void send(const std::string &Bytes);
  /// The next answer; null where the runner has none.
  nlohmann::json answer();
  /// The answer to the first request.
  const nlohmann::json &ready() const { return Ready; }
  nlohmann::json evaluate(const nlohmann::json &Request);

  /// Ends the input; the exit status, or 128 + signal.
  int finish();

private:
  int ToRunner = -1, FromRunner = -1, Process = -1;
  std::string Buffered;
  nlohmann::json Ready;
};

/// Bytes of a file.
std::string contentsOf(const std::string &Path);

} // namespace memshape::test
