// A tree of tasks in a planned order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scheduled_out_of_core BUDGET FOLDER < STEPS: runs what `memshape schedule --objective io` answered for a tree of
// tasks on a store, with the order and the evictions of the schedule. STEPS has a line for each of them, in the order in
// which they happen; bytes are multiples of 4096:
//
//   node ID OUTPUT_BYTES WORK_BYTES [INPUT...]
//   evict ID BYTES
//
// A node's output is the number of nodes below it, itself included, in each element. It is kept in as many blocks as
// leave the memory by themselves. Prints that number for all nodes without a consumer, and what the store did.

#include <memshape/out_of_core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ooc = memshape::out_of_core;

namespace {

using Number = std::uint64_t;
using Parts = std::vector<ooc::Executor<Number[]>>;
using Inputs = std::vector<std::span<const Number>>;
using Outputs = std::vector<std::span<Number>>;

struct Step {
  bool IsNode = false;
  std::string Id;
  std::uint64_t Bytes = 0, Work = 0;
  std::vector<std::string> Inputs;
};

std::vector<Step> stepsOf(std::istream &From) {
  std::vector<Step> Steps;
  for (std::string Line, Kind; std::getline(From, Line);) {
    std::istringstream Words(Line);
    Step &Each = Steps.emplace_back();
    Words >> Kind >> Each.Id >> Each.Bytes;
    if ((Each.IsNode = Kind == "node"))
      Words >> Each.Work;
    for (std::string Input; Words >> Input;)
      Each.Inputs.push_back(Input);
  }
  return Steps;
}

/// The bytes of the blocks of each output: those that leave by themselves, and the rest.
std::map<std::string, std::vector<std::uint64_t>> partsOf(const std::vector<Step> &Steps) {
  std::map<std::string, std::vector<std::uint64_t>> Found;
  std::map<std::string, std::uint64_t> Rest;
  for (const Step &Each : Steps)
    if (Each.IsNode)
      Rest[Each.Id] = Each.Bytes;
    else {
      Found[Each.Id].push_back(Each.Bytes);
      Rest[Each.Id] -= Each.Bytes;
    }
  for (const auto &[Id, Bytes] : Rest)
    if (Bytes)
      Found[Id].push_back(Bytes);
  return Found;
}

/// What a node's task does. The first element of each input's first block says how many nodes are below it.
void count(const Inputs &Of, const std::vector<std::size_t> &Firsts, const Outputs &To) {
  Number Sum = 1;
  for (std::size_t Input = 0, Block = 0; Input < Firsts.size(); Block += Firsts[Input++]) {
    const Number Below = Of[Block].front();
    Sum += Below;
    for (std::size_t Part = Block; Part < Block + Firsts[Input]; ++Part)
      if (static_cast<std::size_t>(std::count(Of[Part].begin(), Of[Part].end(), Below)) != Of[Part].size())
        throw std::runtime_error("a block came back with other numbers");
  }
  for (const auto &Each : To)
    std::fill(Each.begin(), Each.end(), Sum);
}

void run(std::uint64_t Budget, const char *Folder) {
  const std::vector<Step> Steps = stepsOf(std::cin);
  const auto Sizes = partsOf(Steps);
  ooc::Store Store({.budget_bytes = Budget, .folder = Folder});
  std::map<std::string, Parts> Live;
  std::map<std::string, std::size_t> Left; ///< parts of an output that have been evicted
  for (const Step &Each : Steps) {
    if (!Each.IsNode) {
      Store.evict(Live.at(Each.Id).at(Left[Each.Id]++));
      continue;
    }
    Parts Used, Made;
    std::vector<std::size_t> Counts;
    for (const std::string &Input : Each.Inputs) {
      const Parts &Of = Live.at(Input);
      Used.insert(Used.end(), Of.begin(), Of.end());
      Counts.push_back(Of.size());
      Live.erase(Input);
    }
    for (const std::uint64_t Bytes : Sizes.at(Each.Id))
      Made.push_back(Store.add<Number[]>(Bytes / sizeof(Number)));
    Store.submit([Counts](const Inputs &Of, const Outputs &To) { count(Of, Counts, To); }, ooc::reserve(Each.Work),
                 ooc::consume(Used), ooc::update(Made));
    Live[Each.Id] = Made;
  }
  const ooc::Forecast Said = Store.forecast(Budget);
  Store.run();
  const ooc::Statistics Did = Store.statistics();
  Number Nodes = 0;
  for (const auto &[Id, Of] : Live)
    Nodes += (*Store.pin(ooc::read(Of.front())))[0];
  std::printf("{\"nodes\": %llu, \"forecast_written_bytes\": %llu, \"written_bytes\": %llu, \"read_bytes\": %llu, "
              "\"peak_budget_bytes\": %llu}\n",
              static_cast<unsigned long long>(Nodes), static_cast<unsigned long long>(Said.written_bytes),
              static_cast<unsigned long long>(Did.written_bytes), static_cast<unsigned long long>(Did.read_bytes),
              static_cast<unsigned long long>(Did.peak_bytes));
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 3) {
    std::fputs("usage: scheduled_out_of_core BUDGET FOLDER < STEPS\n", stderr);
    return 2;
  }
  try {
    run(std::strtoull(Arguments[1], nullptr, 10), Arguments[2]);
  } catch (const std::exception &Thrown) {
    std::fprintf(stderr, "scheduled_out_of_core: %s\n", Thrown.what());
    return 1;
  }
}
