// What <memshape/memshape.h> promises beside its example: contract SMOOTH.o SOURCE. Prints what is broken; status 1
// then.
#include <memshape/checkpointing.h>
#include <memshape/memshape.h>
#include <memshape/scheduling.h>

#include <csignal>
#include <iostream>
#include <thread>

namespace {

bool Broken = false;

void expect(bool Holds, const char *What) {
  if (!Holds)
    std::cout << "broken: " << What << "\n", Broken = true;
}

template <class T> void refuses(const memshape::Expected<T> &Answer, memshape::ErrorCode Code, const char *What) {
  expect(!Answer && Answer.error().code == Code && !Answer.error().message.empty(), What);
  if (!Answer)
    expect(Answer.error().message.find('\n') == std::string::npos, "a message is one line");
}

void checkErrors(const std::string &File, const std::string &NotInstrumented) {
  using enum memshape::ErrorCode;
  refuses(memshape::open("nothing.o"), file, "a missing file");
  refuses(memshape::open(NotInstrumented), file, "a file that is no object");
  refuses(memshape::open(File, {.with = {"nothing.o"}}), file, "a missing further file");
  refuses(memshape::open(File, {.libraries = {"libnothing.so"}}), options, "a missing library");
  refuses(memshape::open(File, {.summaries = {"nothing.json"}}), options, "missing summaries");
  refuses(memshape::open(File, {.machine = {{"l4", 1}}}), options, "an unknown fact of a machine");
  refuses(memshape::open(File, {.prefix = "/nowhere"}), installation, "a prefix without memshape");
  const auto Program = memshape::open(File).value();
  refuses(Program.find("smoth"), operator_name, "an unknown operator");
  const auto Smooth = Program.find().value();
  refuses(Smooth.predict({.shape = {{"ni", 1}, {"ns", 1}}}), arguments, "a missing symbol");
  refuses(Smooth.predict({.shape = {{"ni", 1}, {"nx", -1}, {"ns", 1}}}), arguments, "a negative extent");
  refuses(Smooth.predict({.shape = {{"ni", 1}, {"nx", 1}, {"ns", 1L << 31}}}), arguments,
          "an extent that does not fit");
  refuses(Smooth.predict({.shape = {{"ni", 1}, {"nx", 1}, {"ns", 1}, {"n", 1}}}), arguments, "an unknown symbol");
  const memshape::Shape Small = {{"ni", 1}, {"nx", 1}, {"ns", 1}};
  refuses(Smooth.predict({.shape = Small, .settings = {{"sigma", 1.5}}}), arguments, "an unknown setting");
  refuses(Smooth.predict({.shape = Small, .assume = {{"0", 1}}}), arguments, "an answer to no decision");
  refuses(Smooth.predict({.shape = Small, .confidence = 1}), arguments, "a confidence of 1");
  refuses(Smooth.predict({.shape = Small, .model = "nothing.model"}), history, "a missing prior");
  constexpr std::int64_t Most = (1L << 31) - 1;
  refuses(Smooth.predict({.shape = {{"ni", Most}, {"nx", Most}, {"ns", Most}}}), too_large, "2^93 elements");
  refuses(Smooth.read({.shape = {"ni=many"}}), arguments, "text that is no number");
  refuses(Smooth.formula({{"sigma", 1.5}}), arguments, "a formula with an unknown setting");
}

void checkOperator(const memshape::Program &Program) {
  expect(Program.operators().size() == 1, "there is one operator");
  const memshape::Operator &Smooth = Program.operators().front();
  expect(Smooth.name() == "smooth" && Smooth.linker_name() == "_Z6smoothPKfiiiPf", "its names");
  expect(Smooth.place().file.ends_with("smooth.cpp") && Smooth.place().line > 0, "its place");
  expect(Smooth.symbols().size() == 3 && Smooth.symbols()[2].name == "ns", "its symbols, in order");
  expect(Smooth.symbols()[0].largest == 2147483647, "what an int can hold");
  expect(Smooth.tensors() == std::vector<std::string>{"cube", "out"} && Smooth.settings().empty(), "its tensors");
  expect(Smooth.sites().size() == 2 && Smooth.sites()[0].space == "host", "its sites");
  expect(Smooth.decisions().empty(), "it is tensorial");
}

void checkAnswers(const memshape::Operator &Smooth) {
  const auto Asked = Smooth.read({.shape = {"ni=10,nx=20", "ns=30"}}).value();
  expect(Asked.shape == memshape::Shape{{"ni", 10}, {"nx", 20}, {"ns", 30}}, "a shape from text");
  const auto At = Smooth.predict(Asked).value();
  const std::uint64_t Peak = 4 * 10 * 20 * 30 + 8 * 31;
  expect(At.heap.peak_bytes == Peak && At.heap.lower_bytes == Peak && At.heap.upper_bytes == Peak, "three figures");
  expect(At.heap.exact && At.heap.allocations == 2 && At.heap.output_bytes == 0 && At.heap.total_bytes == Peak,
         "the heap");
  expect(At.resident && At.resident->upper_bytes >= At.resident->peak_bytes, "resident bytes");
  expect(At.json().find("\"memshape.prediction/1\"") != std::string::npos, "JSON");
  expect(At.text().starts_with("smooth at ni=10, nx=20, ns=30\n"), "the page");
  std::uint64_t Held = 0;
  for (const memshape::Site &Site : At.sites)
    Held += Site.bytes_at_peak;
  expect(Held == Peak, "sites hold the peak");
  const memshape::Formula &Formula = At.formula.value();
  expect(Formula.complete() && Formula(At.shape).value() == static_cast<std::int64_t>(Peak), "the formula's value");
  const memshape::Shape Far = {{"ni", Formula.domain().at("ni").high + 1}, {"nx", 1}, {"ns", 1}};
  refuses(Formula(Far), memshape::ErrorCode::outside_domain, "a shape outside the domain");
  expect(Formula.extrapolate(Far).has_value(), "and its value all the same");
  refuses(Formula({{"ni", 1}}), memshape::ErrorCode::arguments, "a formula without all symbols");
  expect(!Smooth.predict({.shape = At.shape, .formulas = false}).value().formula, "no formula where none is wanted");
}

void checkPlans(const memshape::Operator &Smooth) {
  using enum memshape::ErrorCode;
  memshape::PlanRequest Asked;
  Asked.call.shape = {{"ni", 100}, {"nx", 90}, {"ns", 80}};
  Asked.split = {"ni"};
  Asked.halo = {{"ni", 3}};
  refuses(Smooth.plan(Asked), arguments, "a plan without memory");
  Asked.memory_bytes = 4'000'000;
  const auto Plan = Smooth.plan(Asked).value();
  expect(Plan.feasible && Plan.tasks > 1 && Plan.worker_upper_bytes <= Asked.memory_bytes, "a plan within the memory");
  const auto Largest = Smooth.predict({.shape = Plan.largest_task, .formulas = false}).value();
  expect(Plan.upper_bytes == Largest.heap.upper_bytes, "the largest task as it is predicted");
  std::int64_t Elements = 0;
  for (const memshape::ChunkRun &Run : Plan.chunks.at("ni"))
    Elements += Run.length * Run.times;
  expect(Elements == 100 && Plan.chunks.at("nx").front().length == 90, "chunks of each extent");
  expect(Plan.json().find("\"memshape.plan/1\"") != std::string::npos && !Plan.text().empty(), "a plan as text");
  expect(Plan.in_words_of("slurm")->find("--mem=") != std::string::npos, "a plan in the words of Slurm");
  refuses(Plan.in_words_of("cron"), arguments, "words of an unknown system");
  Asked.memory_bytes = 1;
  const auto Least = Smooth.plan(Asked).value().least_memory_bytes;
  Asked.memory_bytes = Least.value();
  expect(Smooth.plan(Asked).value().feasible, "the least memory succeeds");
  Asked.memory_bytes = *Least - 1;
  expect(!Smooth.plan(Asked).value().feasible, "a byte less does not");
  Asked.split = {"nq"};
  refuses(Smooth.plan(Asked), arguments, "an unknown symbol to split");
}

void checkGraphs() {
  using enum memshape::ErrorCode;
  const std::string Graph = R"({"schema": "memshape.graph/1", "nodes": [{"id": "a", "output_bytes": 40, "inputs": []},
    {"id": "b", "output_bytes": 2, "work_bytes": 5, "time": 3, "inputs": ["a"]}]})";
  const auto Found = memshape::schedule_graph(Graph).value();
  expect(Found.order.size() == 2 && Found.order[0].id == "a" && Found.order[1].work_bytes == 5, "an order of nodes");
  expect(Found.peak_bytes == 47 && Found.lower_bound_bytes == 47u && Found.optimal && !Found.makespan, "its peak");
  expect(memshape::schedule_graph(Graph, {.timed = true})->makespan == 4.0, "its time");
  const auto Refused = memshape::schedule_graph(Graph, {.memory_bytes = 46}).value();
  expect(!Refused.feasible && Refused.least_memory_bytes == 47, "the least memory of a graph");
  refuses(memshape::schedule_graph("{"), arguments, "a graph that is no document");
  refuses(memshape::schedule_graph(Graph, {.objective = memshape::Objective::io}), arguments, "io without a memory");
  refuses(memshape::schedule_graph(Graph, {.whole_outputs = true}), arguments, "whole outputs without io");
  const auto Limited = memshape::schedule_graph(Graph, {.memory_bytes = 47, .edges = true}).value();
  expect(Limited.edges && Limited.edges->empty() && Limited.edges_longest_path == 4.0, "a chain needs no edges");
  refuses(memshape::schedule_graph(Graph, {.edges = true}), arguments, "edges without a memory");
  refuses(memshape::schedule_graph(Graph, {.processors = 0}), arguments, "no processor");
  const auto Chain = memshape::reverse_chain({.steps = 6, .levels = {{.slots = 2}}}).value();
  expect(Chain.recomputed_steps == 3 && Chain.cost == 20 && Chain.peak_slots == 2, "six steps in two slots");
  expect(Chain.actions.back().kind != memshape::ChainAction::forward, "a chain ends with a reversal");
  refuses(memshape::reverse_chain({.steps = 6}), no_answer, "a chain without a slot");
  refuses(memshape::reverse_chain({.steps = 0, .levels = {{.slots = 1}}}), arguments, "a chain without steps");
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 3)
    return 2;
  const std::string File = Arguments[1];
  checkErrors(File, Arguments[2]);
  const auto Program = memshape::open(File).value();
  checkOperator(Program);
  const auto Smooth = Program.find("smooth").value();
  std::thread Other([&] { checkAnswers(Smooth); });
  checkAnswers(Smooth);
  Other.join();
  checkPlans(Smooth);
  checkGraphs();
  struct sigaction Now;
  sigaction(SIGPIPE, nullptr, &Now);
  expect(Now.sa_handler == SIG_DFL, "signals are left as they were");
  expect(!memshape::build().version.empty() && memshape::build().formats.size() > 5, "what the library is");
  return Broken;
}
