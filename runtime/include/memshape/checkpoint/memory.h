/*===- memshape/checkpoint/memory.h - How many states the memory holds -*- C++ -*-===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What is free is found where Linux writes it: the limits of the process's
|* control group and of all groups around it (versions 2 and 1), and MemAvailable
|* of the machine.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_CHECKPOINT_MEMORY_H
#define MEMSHAPE_CHECKPOINT_MEMORY_H

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

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
  std::uint64_t behind(const std::string &path, const std::string &word) const {
    std::ifstream file(root_ + path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string first;
      std::uint64_t value = 0;
      if (words >> first >> value && first == word)
        return value;
    }
    return 0;
  }

  /// The folder of the process's control group, of the one hierarchy of version 2 or of version 1's memory controller,
  /// and that of the outermost group that can be seen.
  struct Group {
    std::string folder, outermost;
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
  std::optional<std::uint64_t> least;
  if (const std::uint64_t kibibytes = files.behind("/proc/meminfo", "MemAvailable:"))
    least = kibibytes * 1024;
  for (const bool is_second : {true, false}) {
    const std::optional<KernelFiles::Group> group = files.group(is_second);
    if (!group)
      continue;
    for (std::string folder = group->folder; folder.size() >= group->outermost.size();) {
      const auto limit = files.number(folder + (is_second ? "/memory.max" : "/memory.limit_in_bytes"));
      const auto used = files.number(folder + (is_second ? "/memory.current" : "/memory.usage_in_bytes"));
      if (limit && used) {
        const std::uint64_t cache =
            files.behind(folder + "/memory.stat", is_second ? "inactive_file" : "total_inactive_file");
        const std::uint64_t kept = *used - std::min(*used, cache), free = *limit - std::min(*limit, kept);
        least = least ? std::min(*least, free) : free;
      }
      folder.erase(std::min(folder.rfind('/'), folder.size()));
      if (folder.empty())
        break;
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

#endif /* MEMSHAPE_CHECKPOINT_MEMORY_H */
