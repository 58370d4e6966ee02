/* How many states the memory holds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What is free is read by <memshape/limits.h>, for checkpoints as for guards. */

#pragma once

#include <memshape/limits.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace memshape::checkpoint {

/// Files of the kernel, below a root that tests may set.
class KernelFiles {
public:
  explicit KernelFiles(std::string root) : root_(std::move(root)) {}

  /// The number that begins a file; none for a word such as "max". Version 1 writes a huge number for no limit.
  std::optional<std::uint64_t> number(const std::string &path) const {
    std::uint64_t value = 0;
    return memshape_kernel_number((root_ + path).c_str(), &value) ? std::optional(value) : std::nullopt;
  }

  /// The number behind a word at the beginning of a line.
  std::optional<std::uint64_t> behind(const std::string &path, const std::string &word) const {
    std::uint64_t value = 0;
    return memshape_kernel_behind((root_ + path).c_str(), word.c_str(), &value) ? std::optional(value) : std::nullopt;
  }

  /// The same, of a line that counts in kB: in bytes.
  std::optional<std::uint64_t> bytes_behind(const std::string &path, const std::string &word) const {
    std::uint64_t value = 0;
    return memshape_kernel_bytes_behind((root_ + path).c_str(), word.c_str(), &value) ? std::optional(value)
                                                                                      : std::nullopt;
  }

  /// The folder of the process's control group, of the one hierarchy of version 2 or of version 1's memory controller,
  /// and that of the outermost group that can be seen.
  struct Group {
    std::string folder, outermost;

    /// The folders of the group and of all around it, inner ones first.
    std::vector<std::string> and_around() const {
      std::vector<std::string> all;
      for (std::string each = folder; !each.empty() && each.size() >= outermost.size();) {
        all.push_back(each);
        each.erase(std::min(each.rfind('/'), each.size()));
      }
      return all;
    }
  };
  std::optional<Group> group(bool is_second) const {
    const auto found = std::make_unique<memshape_group>();
    if (!memshape_kernel_group(root_.c_str(), is_second, found.get()))
      return std::nullopt;
    return Group{found->folder, found->outermost};
  }

private:
  std::string root_;
};

/// Bytes that the process may still take before it, its control group or the machine runs out; cache of files that can
/// be dropped counts as free. Nothing where the kernel does not say. Swap space is left out.
inline std::optional<std::uint64_t> available_memory(const std::string &root = "") {
  const std::uint64_t bytes = memshape_available_bytes(root.c_str());
  return bytes == UINT64_MAX ? std::nullopt : std::optional(bytes);
}

/// How many states fit into that many bytes, when one step, the current state included, takes `step_bytes`: both are
/// what memshape predicts at the shape. A state takes a byte at least.
inline std::int64_t slots_within(std::uint64_t bytes, std::uint64_t state_bytes, std::uint64_t step_bytes = 0) {
  if (state_bytes == 0)
    throw std::invalid_argument("a state takes a byte at least");
  const std::uint64_t slots = bytes > step_bytes ? (bytes - step_bytes) / state_bytes : 0;
  return std::int64_t(std::min<std::uint64_t>(slots, INT64_MAX));
}

} // namespace memshape::checkpoint
