/* How many states the memory holds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What is free is found where Linux writes it: the limits of the process's
   control group and of all groups around it (versions 2 and 1; where version 2
   throttles is a limit as well), and MemAvailable of the machine. */

#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
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
    std::ifstream file(root_ + path);
    std::uint64_t value = 0;
    if (!(file >> value) || value >= std::uint64_t(1) << 62)
      return std::nullopt;
    return value;
  }

  /// The number behind a word at the beginning of a line.
  std::optional<std::uint64_t> behind(const std::string &path, const std::string &word) const {
    std::ifstream file(root_ + path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string first;
      std::uint64_t value = 0;
      if (words >> first && first == word && words >> value)
        return value;
    }
    return std::nullopt;
  }

  /// The same, of a line that counts in kB: in bytes.
  std::optional<std::uint64_t> bytes_behind(const std::string &path, const std::string &word) const {
    const std::optional<std::uint64_t> kibibytes = behind(path, word);
    return kibibytes ? std::optional(std::min(*kibibytes, ~std::uint64_t(0) >> 10) << 10) : std::nullopt;
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
    std::string top, place;
    std::ifstream mounts(root_ + "/proc/self/mountinfo");
    for (std::string line; place.empty() && std::getline(mounts, line);) {
      const std::size_t dash = line.find(" - ");
      if (dash == std::string::npos)
        continue;
      std::istringstream front(line.substr(0, dash)), back(line.substr(dash + 3));
      std::string skipped, mounted_top, mounted_at, type, source, options;
      front >> skipped >> skipped >> skipped >> mounted_top >> mounted_at;
      back >> type >> source >> options;
      if (is_second ? type == "cgroup2" : type == "cgroup" && has_word(options, "memory")) {
        top = mounted_top == "/" ? "" : mounted_top;
        place = mounted_at;
      }
    }
    std::ifstream groups(root_ + "/proc/self/cgroup");
    for (std::string line; !place.empty() && std::getline(groups, line);) {
      const std::size_t first = line.find(':'), second = line.find(':', first + 1);
      if (second == std::string::npos)
        continue;
      const std::string controllers = line.substr(first + 1, second - first - 1);
      if (!(is_second ? controllers.empty() : has_word(controllers, "memory")))
        continue;
      std::string below = line.substr(second + 1);
      // In a container the path may be the host's, while the group itself is mounted.
      below = below.compare(0, top.size(), top) == 0 ? below.substr(top.size()) : "";
      return Group{place + (below == "/" ? "" : below), place};
    }
    return std::nullopt;
  }

private:
  static bool has_word(const std::string &list, const std::string &word) {
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
  }

  std::string root_;
};

/// Bytes that the process may still take before its control group or the machine runs out; cache of files that can be
/// dropped counts as free. Nothing where the kernel does not say. Swap space is left out.
inline std::optional<std::uint64_t> available_memory(const std::string &root = "") {
  const KernelFiles files(root);
  std::optional<std::uint64_t> least = files.bytes_behind("/proc/meminfo", "MemAvailable:");
  for (const bool is_second : {true, false}) {
    const std::optional<KernelFiles::Group> group = files.group(is_second);
    if (!group)
      continue;
    for (const std::string &folder : group->and_around()) {
      auto limit = files.number(folder + (is_second ? "/memory.max" : "/memory.limit_in_bytes"));
      if (const auto throttled = is_second ? files.number(folder + "/memory.high") : std::nullopt)
        limit = std::min(limit.value_or(*throttled), *throttled);
      const auto used = files.number(folder + (is_second ? "/memory.current" : "/memory.usage_in_bytes"));
      if (limit && used) {
        const std::uint64_t cache =
            files.behind(folder + "/memory.stat", is_second ? "inactive_file" : "total_inactive_file").value_or(0);
        const std::uint64_t kept = *used - std::min(*used, cache), free = *limit - std::min(*limit, kept);
        least = std::min(least.value_or(free), free);
      }
    }
  }
  return least;
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
