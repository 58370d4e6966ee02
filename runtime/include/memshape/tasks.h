/* Tasks that an engine runs within a memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Engines decide themselves what runs when. Tasks are recorded here as they would be submitted; `memshape schedule`
   answers an order; then a plan says for which others each task has to wait, so that no execution on any number of
   threads holds more than a memory. For C++17 and later; nothing has to be linked.

     memshape::Tasks tasks;
     const auto a = tasks.datum(bytes);            // memory that the first task which writes it takes
     tasks.task({}, {a});                          // writes a
     tasks.task({a}, {}, scratch_bytes);           // reads it: the last task that touches a datum frees it
     tasks.write(file);                            // memshape.graph/1; memshape schedule FILE --json > ANSWER
     const auto plan = tasks.plan(memshape::Answer(answer), memory);

   <memshape/openmp.h> and <memshape/starpu.h> run plans. docs/engines.md */

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace memshape {

/// The order and the edges of a memshape.schedule/1 for a graph of Tasks. What is none is a std::runtime_error.
class Answer {
public:
  explicit Answer(std::istream &from) : text_(std::istreambuf_iterator<char>(from), {}) {
    if (!open("\"order\""))
      throw std::runtime_error("the answer has no order: the memory cannot be kept, or it is no memshape.schedule/1");
    for (std::size_t id; next(id);)
      order.push_back(id);
    if ((has_edges = open("\"edges\"")))
      for (std::size_t from_id, to_id; member("\"from\"", from_id) && member("\"to\"", to_id);)
        edges.emplace_back(from_id, to_id);
    text_.clear();
  }

  std::vector<std::size_t> order;
  bool has_edges = false; ///< asked for by --edges
  std::vector<std::pair<std::size_t, std::size_t>> edges;

private:
  /// Goes behind the bracket that opens the array of this name, whose end is kept.
  bool open(const char *name) {
    const auto found = text_.find(name);
    if (found == std::string::npos || (at_ = text_.find('[', found)) == std::string::npos)
      return false;
    end_ = text_.find(']', ++at_);
    return end_ != std::string::npos;
  }

  bool member(const char *name, std::size_t &id) {
    const auto found = text_.find(name, at_);
    if (found >= end_)
      return false;
    at_ = text_.find(':', found);
    return next(id) || refuse();
  }

  /// The next id: a whole number in quotes.
  bool next(std::size_t &id) {
    const auto first = text_.find('"', at_);
    if (first >= end_)
      return false;
    const auto last = text_.find('"', first + 1);
    const auto digits = last < end_ ? text_.substr(first + 1, last - first - 1) : std::string();
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
      refuse();
    id = std::stoul(digits);
    at_ = last + 1;
    return true;
  }

  static bool refuse() { throw std::runtime_error("the answer names tasks that were not recorded"); }

  std::string text_;
  std::size_t at_ = 0, end_ = 0;
};

/// What is submitted, in this order: tasks, and gates, which do nothing and have the numbers behind those of the tasks.
struct Plan {
  std::vector<std::size_t> sequence;
  std::vector<std::vector<std::size_t>> after; ///< of each task and gate: those that end before it begins
};

class Tasks {
public:
  /// Memory of that many bytes, which is taken when the first task that writes it begins.
  std::size_t datum(std::uint64_t bytes) {
    data_.push_back({bytes, none, none, {}});
    touched_.push_back(0);
    return data_.size() - 1;
  }

  /// A task that comes behind those recorded before it as far as their data say so. It holds `work_bytes` while it runs. A
  /// datum that is read and changed is written. What no task has written cannot be read: std::invalid_argument.
  std::size_t task(const std::vector<std::size_t> &reads, const std::vector<std::size_t> &writes,
                   std::uint64_t work_bytes = 0) {
    for (std::size_t datum : reads)
      if (data_.at(datum).writer == none)
        throw std::invalid_argument("datum " + std::to_string(datum) + " is read before a task writes it");
    const std::size_t id = tasks_.size();
    Task made{0, work_bytes, {}, {}, reads};
    made.data.insert(made.data.end(), writes.begin(), writes.end());
    distinct(made.data);
    for (std::size_t each : writes) {
      Datum &datum = data_.at(each);
      if (datum.holder == none) {
        datum.holder = id;
        made.output_bytes += datum.bytes;
      } else {
        made.inputs.push_back(datum.holder);
        made.after.push_back(datum.writer);
        made.after.insert(made.after.end(), datum.readers.begin(), datum.readers.end());
      }
      datum.writer = id;
      datum.readers.clear();
    }
    for (std::size_t each : reads) {
      Datum &datum = data_[each];
      if (datum.writer == id)
        continue;
      made.inputs.push_back(datum.holder);
      made.after.push_back(datum.writer);
      datum.readers.push_back(id);
    }
    made.after.erase(std::remove(made.after.begin(), made.after.end(), id), made.after.end());
    distinct(made.after);
    made.inputs.insert(made.inputs.end(), made.after.begin(), made.after.end());
    made.inputs.erase(std::remove(made.inputs.begin(), made.inputs.end(), id), made.inputs.end());
    distinct(made.inputs);
    for (std::size_t each : made.data)
      ++touched_[each];
    tasks_.push_back(std::move(made));
    return id;
  }

  std::size_t size() const { return tasks_.size(); }
  std::size_t data_size() const { return data_.size(); }
  const std::vector<std::size_t> &data_of(std::size_t task) const { return tasks_.at(task).data; } ///< each once
  std::size_t tasks_of(std::size_t datum) const { return touched_.at(datum); } ///< how many read or write it

  /// memshape.graph/1, whose ids are the numbers of the tasks. A datum is the output of the task that writes it first, and
  /// an input of all others that touch it.
  void write(std::ostream &to) const {
    to << R"({"schema": "memshape.graph/1", "nodes": [)";
    for (std::size_t id = 0; id < tasks_.size(); ++id) {
      const Task &task = tasks_[id];
      to << (id ? ",\n" : "\n") << R"({"id": ")" << id << R"(", "output_bytes": )" << task.output_bytes
         << R"(, "work_bytes": )" << task.work_bytes << R"(, "inputs": [)";
      for (std::size_t i = 0; i < task.inputs.size(); ++i)
        to << (i ? ", \"" : "\"") << task.inputs[i] << '"';
      to << "]}";
    }
    to << "]}\n";
  }

  /// Tasks as they were recorded, which wait for their data alone.
  Plan plan() const {
    Plan plan;
    plan.sequence.resize(tasks_.size());
    std::iota(plan.sequence.begin(), plan.sequence.end(), std::size_t(0));
    for (const Task &task : tasks_)
      plan.after.push_back(task.after);
    return plan;
  }

  /// The answered order, with the answered edges where there are some, which keep the memory they were asked for. Else
  /// gates keep `memory`. An order that is none of these tasks or that holds more is a std::runtime_error.
  Plan plan(const Answer &answer, std::uint64_t memory) const {
    const auto at = positions(answer.order);
    Plan made = plan();
    made.sequence = answer.order;
    for (const auto &[from, to] : answer.edges) {
      if (from >= size() || to >= size() || at[from] >= at[to])
        throw std::runtime_error("an answered edge does not follow the order");
      made.after[to].push_back(from);
    }
    if (!answer.has_edges)
      gate(made, at, memory);
    return made;
  }

private:
  static constexpr std::size_t none = std::size_t(-1);

  struct Task {
    std::uint64_t output_bytes, work_bytes;
    std::vector<std::size_t> inputs, after, data; ///< those of the graph, those it waits for, what it touches
  };

  struct Datum {
    std::uint64_t bytes;
    std::size_t holder, writer;       ///< the first task that writes it, and the latest
    std::vector<std::size_t> readers; ///< since then
  };

  static void distinct(std::vector<std::size_t> &numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }

  std::vector<std::size_t> positions(const std::vector<std::size_t> &order) const {
    std::vector<std::size_t> at(size(), none);
    bool is_one = order.size() == size();
    for (std::size_t p = 0; is_one && p < size(); ++p)
      is_one = order[p] < size() && std::exchange(at[order[p]], p) == none;
    for (std::size_t id = 0; is_one && id < size(); ++id)
      for (std::size_t input : tasks_[id].inputs)
        is_one &= at[input] < at[id];
    if (!is_one)
      throw std::runtime_error("the answered order is not one of these tasks");
    return at;
  }

  /// Bytes that are free again when the task at each position has ended and all before it.
  std::vector<std::uint64_t> freed(const std::vector<std::size_t> &at) const {
    std::vector<std::size_t> last(size(), none);
    for (std::size_t id = 0; id < size(); ++id)
      for (std::size_t input : tasks_[id].inputs)
        last[input] = last[input] == none ? at[id] : std::max(last[input], at[id]);
    std::vector<std::uint64_t> bytes(size());
    for (std::size_t id = 0; id < size(); ++id) {
      bytes[at[id]] += tasks_[id].work_bytes;
      if (last[id] != none)
        bytes[last[id]] += tasks_[id].output_bytes;
    }
    return bytes;
  }

  /// Let a task begin once so many at the front of the order have ended that what they leave, with the bytes of all others up
  /// to the task itself, fits: then whatever set of these runs or has ended fits as well. A gate ends with all tasks before
  /// a position. It is put between the least position that will do and the task, so that it does for many tasks.
  void gate(Plan &made, const std::vector<std::size_t> &at, std::uint64_t memory) const {
    const auto bytes = freed(at);
    std::vector<std::pair<std::size_t, std::size_t>> gates; // position, number
    std::vector<std::size_t> sequence;
    std::uint64_t held = 0; // with what all tasks from the position `least` on take
    for (std::size_t p = 0, least = 0, first = 0; p < size(); sequence.push_back(made.sequence[p++])) {
      const Task &task = tasks_[made.sequence[p]];
      for (held += task.output_bytes + task.work_bytes; held > memory; held -= bytes[least++])
        if (least == p)
          throw std::runtime_error("the answered order does not keep the memory");
      while (first < gates.size() && gates[first].first < least)
        ++first;
      if (!least)
        continue;
      if (first == gates.size()) {
        std::vector<std::size_t> after;
        std::size_t from = 0;
        const std::size_t to = least + (p - least) / 2, number = made.after.size();
        if (!gates.empty()) {
          from = gates.back().first;
          after.push_back(gates.back().second);
        }
        after.insert(after.end(), made.sequence.begin() + std::ptrdiff_t(from),
                     made.sequence.begin() + std::ptrdiff_t(to));
        made.after.push_back(std::move(after));
        gates.emplace_back(to, number);
        sequence.push_back(number);
      }
      made.after[made.sequence[p]].push_back(gates[first].second);
    }
    made.sequence = std::move(sequence);
  }

  std::vector<Task> tasks_;
  std::vector<Datum> data_;
  std::vector<std::size_t> touched_;
};

} // namespace memshape
