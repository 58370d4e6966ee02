// Findings for tools that show code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OASIS, Static Analysis Results Interchange Format 2.1.0.

#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace memshape {

/// File relative to the sources' root, with slashes; unchanged if it lies elsewhere.
std::string pathFrom(const std::filesystem::path &Root, const std::string &File);

namespace sarif {

/// A member of `locations`. Path: absolute, or from the root of the sources. Column 0: none is known.
nlohmann::ordered_json location(const std::string &Path, std::uint32_t Line, std::uint32_t Column);

/// A document with one run. Root: of the sources; the working folder where it is empty.
std::string document(const std::filesystem::path &Root, nlohmann::ordered_json Rules, nlohmann::ordered_json Results,
                     nlohmann::ordered_json Notifications, int ExitCode);

} // namespace sarif

} // namespace memshape
