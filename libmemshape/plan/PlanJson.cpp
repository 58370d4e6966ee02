// Plans as values, and as memshape.plan/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/MemberJson.h"

namespace memshape {

v1::Plan v1::plan_of(const ChunkRequest &request, const ChunkPlan &found) {
  Plan Out;
  Out.feasible = true;
  for (std::size_t I = 0; I < request.axes.size(); ++I) {
    const std::string &Name = Out.symbols.emplace_back(request.axes[I].name);
    Out.shape[Name] = request.axes[I].extent;
    Out.largest_task[Name] = found.largest_task[I];
    Out.chunks[Name] = found.chunks[I];
  }
  Out.memory_bytes = request.limit_bytes;
  Out.workers = request.workers;
  Out.threads = request.threads;
  Out.sink = request.sink;
  Out.tasks = found.tasks;
  Out.fewest_tasks = found.fewest_tasks;
  Out.tasks_lower_bound = found.lower_bound;
  Out.complete = Out.fewest_proven = found.complete;
  Out.largest_bytes = found.largest_bytes;
  Out.peak_bytes = found.largest_bytes.expected;
  Out.upper_bytes = found.largest_bytes.upper;
  Out.input_bytes = found.largest_bytes.input;
  Out.output_bytes = found.largest_bytes.output;
  Out.worker = found.upper;
  Out.worker_expected_bytes = found.expected.total();
  Out.worker_upper_bytes = found.upper.total();
  Out.gathered_bytes = found.upper.gathered;
  Out.utilisation = static_cast<double>(*Out.worker_upper_bytes) / static_cast<double>(request.limit_bytes);
  Out.limited_by = found.binding;
  Out.source = found.source;
  Out.next_larger = found.next_larger;
  Out.notes = found.notes;
  return Out;
}

namespace {

/// An axis may have 10^7 chunks: they are written without a value for each.
struct ChunkText {
  std::string &Text;
  void operator()(const std::string &Name, const std::vector<v1::ChunkRun> &Chunks) const {
    Text += (Text.back() == '{' ? "" : ", ") + jsonText(nlohmann::json(Name)) + ": [";
    std::size_t Needed = Text.size() + 2;
    for (const v1::ChunkRun &Run : Chunks)
      Needed += (std::to_string(Run.length).size() + 2) * static_cast<std::size_t>(Run.times);
    Text.reserve(Needed + 4096); // the rest is about so long
    for (const v1::ChunkRun &Run : Chunks) {
      const std::string Length = std::to_string(Run.length);
      for (std::int64_t I = 0; I < Run.times; ++I) {
        if (Text.back() != '[')
          Text += ", ";
        Text += Length;
      }
    }
    Text += ']';
  }
};

/// A line for each member.
struct Lines {
  std::string &Text;
  template <class Value> void operator()(const char *Name, const Value &Of) const {
    Text += (Text.size() == 1 ? "\n  \"" : ",\n  \"") + std::string(Name) + "\": ";
    if constexpr (std::is_same_v<Value, v1::ChunkLists>) {
      Text += '{';
      Of.members(ChunkText{Text});
      Text += '}';
    } else
      JsonWriter{Text}.value(Of);
  }
};

} // namespace

std::string planJson(const v1::Plan &Of) {
  std::string Text = "{";
  Of.members(Lines{Text});
  Text += "\n}\n"; // a copy would hold all chunks twice
  return Text;
}

} // namespace memshape
