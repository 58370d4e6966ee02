/* Predictions for programs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the command `memshape predict` prints, as values. For C++20 and later;
   link with the CMake target memshape::memshape, or with -lmemshape.

     #include <memshape/memshape.h>
     #include <iostream>

     int main() {
       auto program = memshape::open("smooth.o");
       if (!program)
         return std::cerr << program.error().message << '\n', 2;
       auto smooth = program->find("smooth");
       if (!smooth)
         return std::cerr << smooth.error().message << '\n', 2;
       auto at = smooth->predict({.shape = {{"ni", 651}, {"nx", 951}, {"ns", 462}}});
       if (!at)
         return std::cerr << at.error().message << '\n', 2;
       std::cout << at->heap.peak_bytes << '\n';            // 1144102352
       std::cout << at->formula->text() << '\n';            // 4*ni*nx*ns + 8*ns + 8
     }

   Sizes are bytes, times are seconds, extents are counts of elements. Members
   have the names of memshape.prediction/1, which docs/commands.md describes.

   Objects of one thread need no care. Several threads may use one Program, its
   Operators and what they return at the same time. A prediction starts a child
   process, in which the skeleton runs in a sandbox; nothing of the file is
   executed in the process of the caller. */

#pragma once

#include "advising.h"
#include "expected.h"
#include "planning.h"
#include "profiles.h"
#include "solving.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace memshape::v1 {

/// Values of shape symbols, by name: counts of elements.
using Shape = std::map<std::string, std::int64_t>;
/// Values of settings, by name; 0 and 1 where the setting is a bool.
using Settings = std::map<std::string, double>;

/// A place in the source. Lines and columns count from 1; 0 where they are not known.
struct Place {
  std::string file;
  std::string function;
  std::uint32_t line = 0, column = 0;
};

/// An integer parameter that sizes can come from.
struct Symbol {
  std::string name;
  std::int64_t largest = 0; ///< that the parameter can hold; the least is 0
};

/// A floating-point or bool parameter.
struct Setting {
  std::string name;
  bool is_bool = false;
};

/// An allocation site.
struct Site {
  Place place;                     ///< without a file for what libraries allocate that are called for real
  std::vector<Place> chain;        ///< the calls that lead there, innermost first
  std::string space;               ///< "host", "device", "pinned", "managed", "stack" or "mapped"
  std::string allocator;           ///< the function that allocates, as in "operator new"
  std::uint64_t bytes_at_peak = 0; ///< 0 in the list of an operator, which is at no shape
  std::string formula;             ///< of bytes_at_peak; empty where none is known
};

/// A branch or a size that data decides, and that matters to memory.
struct Decision {
  std::uint32_t id = 0; ///< counts from 0 in the operator
  Place place;
  bool is_size = false;  ///< an integer; otherwise a branch
  std::string name;      ///< of a size, for Call::assume and in formulas; empty for a branch
  std::string condition; ///< from the source; may be empty
  std::string effect;    ///< one sentence
  std::uint64_t asked = 0,
                answered_one = 0; ///< times in a prediction, and of these with 1; 0 in the list of an operator
};

/// A call of a function without a body.
struct UnknownCall {
  Place place;
  std::string symbol;      ///< the linker's name
  bool executed = false;   ///< called for real, and its allocations counted; otherwise left out
  std::string reason_code; ///< as in "no_body"
  std::string reason;      ///< the same in words
};

/// A fact of the machine, or a variable of the environment ("$OMP_NUM_THREADS"), that the figures depend on.
struct MachineFact {
  std::string name, value;
  bool given = false; ///< by OpenOptions::machine; otherwise read from this machine
};

/// Bytes as a function of the shape, confirmed at many shapes. Cheap to copy.
class MEMSHAPE_API Formula {
public:
  /// Inclusive.
  struct Range {
    std::int64_t low = 0, high = 0;
  };

  /// As people write it: "4*ni*nx*ns + 8*ns + 8".
  const std::string &text() const;
  /// The names in it: shape symbols of the operator, and sizes from data.
  const std::vector<std::string> &symbols() const;
  /// Where it was verified: a range of counts for each of symbols().
  const std::map<std::string, Range> &domain() const;
  /// Number of shapes, none of which it was made from, at which it was verified.
  unsigned verified_shapes() const;
  /// False where libraries that are called for real hold a part of the peak that follows no law: text() then ends
  /// with a name for that part, and no value can be computed.
  bool complete() const;

  /// The value in bytes. Needs all of symbols(). Errors: arguments, where one is missing, unknown or negative;
  /// outside_domain, where it was not verified; too_large, where the value leaves 63 bits; no_formula, where it is
  /// not complete().
  Expected<std::int64_t> operator()(const Shape &at) const;
  /// The same outside the domain, too, where nothing confirms it.
  Expected<std::int64_t> extrapolate(const Shape &at) const;

private:
  struct Content;
  friend struct Access;
  explicit Formula(std::shared_ptr<const Content> of) : of(std::move(of)) {}
  std::shared_ptr<const Content> of;
};

/// Bytes that were measured at a shape.
struct Figure {
  Shape shape;
  std::int64_t bytes = 0;
};

/// The simplest formula in symbols on which all figures lie, to the byte; its domain is the box around their shapes. For
/// what cannot be sampled as often as a skeleton: runs of a program. Sixteen figures more than the formula has terms
/// are needed. Errors: arguments, where a figure lacks a symbol, has another one, or is negative; no_formula.
MEMSHAPE_API Expected<Formula> recover(const std::vector<std::string> &symbols, const std::vector<Figure> &figures);

/// Bytes that the operator requests between its entry and its return, in every library it calls.
struct Heap {
  std::uint64_t peak_bytes = 0;                     ///< what is expected; the peak where exact
  std::uint64_t lower_bytes = 0;                    ///< of the peak
  std::optional<std::uint64_t> upper_bytes;         ///< of the peak; nothing where no bound exists
  bool exact = false;                               ///< the source proves the peak
  bool bounds_proven = false;                       ///< no data leads outside the bounds
  std::uint64_t total_bytes = 0;                    ///< requested over the whole call
  std::uint64_t allocations = 0, reallocations = 0; ///< counts
  std::uint64_t output_bytes = 0;                   ///< live at the return
  std::uint64_t one_time_bytes = 0;                 ///< that only a first call in a process adds to the peak
  std::optional<std::uint64_t> touched_bytes;       ///< of the peak, what is written at most
  std::map<std::string, std::uint64_t> spaces;      ///< bytes at the peak by memory space
};

/// What the operator requests in one memory space: "host", "device", "pinned" or "managed".
struct Space {
  std::uint64_t peak_bytes = 0;             ///< what is expected; the peak where exact
  std::uint64_t lower_bytes = 0;            ///< of the peak
  std::optional<std::uint64_t> upper_bytes; ///< of the peak; nothing where no bound exists
  bool exact = false;                       ///< the source proves the peak
  std::uint64_t output_bytes = 0;           ///< live at the return
  std::string formula;                      ///< of peak_bytes; empty where no closed form holds at this shape
};

/// What the process holds while the operator runs: learned from other operators and past runs, not proven.
struct Resident {
  std::uint64_t peak_bytes = 0;             ///< expected
  std::optional<std::uint64_t> upper_bytes; ///< not exceeded with `confidence`; nothing where the heap has no bound
  double confidence = 0;                    ///< above 0 and below 1
  std::size_t runs = 0;                     ///< past runs of the operator that it comes from
  bool held_known = false;                  ///< Call::held_bytes was given, or the bytes of all tensors are known
};

/// What the caller hands in: an argument that the call is given built, or a pointer or reference to data.
struct Tensor {
  std::string name;
  /// Requested for it; or behind a pointer, from the first byte that the call may use to the last; nothing where data
  /// decides that.
  std::optional<std::uint64_t> bytes;
  std::string formula; ///< of bytes; empty where none is known
};

/// The memory of one call before it runs.
class MEMSHAPE_API Prediction {
public:
  std::string operator_name;
  Shape shape;
  Settings settings;
  unsigned threads = 0; ///< that the call or the machine gives; 0 where the operator asks for none
  Heap heap;
  std::optional<Resident> resident; ///< nothing where the model knows nothing
  std::optional<Formula> formula;   ///< of heap.peak_bytes; nothing where no closed form holds at this shape
  std::vector<Tensor> tensors;      ///< no part of heap: they are the caller's
  std::vector<Site> sites;          ///< that hold bytes at the peak, most first
  std::vector<Decision> decisions;  ///< that the operator came to
  std::vector<UnknownCall> unknown; ///< that the operator came to, or that were executed
  std::vector<MachineFact> machine;
  std::vector<Note> notes;
  std::map<std::string, Space> spaces; ///< by name: the host's, and those that the call may use beside it
  bool replayed = false;               ///< the operator itself was run on zeros: it could not be sliced
  double seconds = 0;                  ///< that one execution of the skeleton took
  /// Extents of what the operator returns, or leaves in arguments, by their symbols: {"result.rows", 100}. Absent is what
  /// data decides, and what no accessor tells.
  std::map<std::string, std::uint64_t> output_shape;
  std::map<std::string, std::string> output_formulas; ///< of these, in the shape symbols, where one is known

  /// memshape.prediction/1, as `memshape predict --json` prints it, with a newline at the end.
  std::string json() const;
  /// The page that `memshape predict` prints.
  std::string text() const;
  /// What is live at the peak, and what is requested in all, by call stack, as other tools read it. The samples add up
  /// to peak_bytes, total_bytes and allocations of the memory space. Errors: arguments, where the call uses no such space.
  Expected<std::string> profile(ProfileFormat format, Sample sample = Sample::peak,
                                const std::string &space = "host") const;

private:
  struct Content;
  friend struct Access;
  std::shared_ptr<const Content> of;
};

/// What is asked of an operator.
struct Call {
  Shape shape = {};       ///< every shape symbol
  Settings settings = {}; ///< every setting
  /// Answers to decisions by number ("0"), name ("k") or place ("LLT.h:323"): 0 or 1 for a branch, a count for a
  /// size.
  std::map<std::string, std::uint64_t> assume = {};
  unsigned threads = 0; ///< of a parallel region that asks for no number; 0: as this machine gives
  std::optional<std::uint64_t> held_bytes = {};  ///< that the process holds besides, tensors passed in among them
  std::optional<std::uint64_t> fresh_bytes = {}; ///< of these, nobody has written before the call
  double confidence = 0.99;                      ///< of the bound of resident bytes, above 0 and below 1
  std::string store = {};                        ///< past runs; empty: the user's own store, where there is one
  std::string model = {};                        ///< file of the generic prior; empty: that of this build
  bool formulas = true; ///< look for formulas, which takes most of the time of an inexact answer
  /// Symbols that nobody gave, each with the one that it has to equal for the call to return.
  std::map<std::string, std::string> tied = {};

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("shape", of.shape), v("settings", of.settings), v("assume", of.assume), v("threads", of.threads);
    v("held_bytes", of.held_bytes), v("fresh_bytes", of.fresh_bytes), v("confidence", of.confidence);
    v("store", of.store), v("model", of.model), v("formulas", of.formulas), v("tied", of.tied);
  }
};

/// A Call as text, as command lines and configuration files have it.
struct CallText {
  std::vector<std::string> shape = {};    ///< "ni=400,nx=400"
  std::vector<std::string> settings = {}; ///< "sigma=1.5,fast=true"
  std::vector<std::string> assume = {};   ///< "0=1,k=1000,LLT.h:323=0"
  std::string shape_from = {};            ///< a SEG-Y cube, "CUBE.segy" or "CUBE.segy:ns=samples"; `shape` overrides it
};

/// What is asked of Operator::plan: an array in chunks, each of which is one call.
struct PlanRequest {
  Call call = {};                        ///< shape of the whole array, settings, and what else each call is given
  std::vector<std::string> split = {};   ///< symbols that may be split
  Shape halo = {};                       ///< elements that a task reads beyond its chunk on each side
  Shape align = {};                      ///< chunks begin at multiples of so many elements
  std::vector<std::string> extents = {}; ///< of the array; empty: all, but no integer beside objects
  std::uint64_t memory_bytes = 0;        ///< that one worker may hold
  std::int64_t workers = 1, threads = 1; ///< workers, and calls that run at a time in each
  std::uint64_t held_bytes = 0;          ///< by a worker before its first task
  std::optional<std::int64_t> max_tasks = {};
  /// Of the input and of the output, per element of the array; from the operator's types where not given.
  std::optional<double> input_element_bytes = {}, output_element_bytes = {};
  Sink sink = Sink::store;
  std::optional<Source> source = {}; ///< blocks, or storage where blocks leave no room, where not given

  /// Calls v with name and value of each member, and what the command says of its option where there is one.
  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("call", of.call);
    v("split", of.split, "symbols that may be split, as in ni,nx");
    v("halo", of.halo, "elements that a task reads beyond its chunk on each side, as in ni=2,nx=2");
    v("align", of.align, "chunks begin at multiples of so many elements, as in ni=64");
    v("extents", of.extents, "symbols that are extents of the array; where not given, all but integers beside objects");
    v("memory_bytes", of.memory_bytes, "that one worker may hold, as in 1.5GiB");
    v("workers", of.workers, "number of workers");
    v("threads", of.threads, "tasks that run at a time in each worker");
    v("held_bytes", of.held_bytes, "that a worker holds before its first task, as in 176MB");
    v("max_tasks", of.max_tasks, "no more tasks than that");
    v("input_element_bytes", of.input_element_bytes), v("output_element_bytes", of.output_element_bytes);
    v("sink", of.sink, "what becomes of results: store, persist or gather");
    v("source", of.source,
      "who cuts halos: the engine out of blocks, or the task, which reads them from storage; blocks, or storage where "
      "blocks leave no room, where not given");
  }
};

/// What is asked of Operator::solve: the greatest value of a symbol that fits a memory.
struct SolveRequest {
  Call call = {};                        ///< the other symbols, settings, and what else each call is given
  std::vector<std::string> symbols = {}; ///< one, two for a table of pairs, or "threads"
  std::uint64_t memory_bytes = 0;        ///< that is not to be exceeded
  Measure what = Measure::resident;

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("call", of.call), v("symbols", of.symbols), v("memory_bytes", of.memory_bytes), v("what", of.what);
  }
};

/// What is asked of Operator::advise.
struct AdviseRequest {
  Call call = {};
  Shape chunks = {}; ///< extents that may be held in parts, and how much of each at a time
  unsigned most = 5; ///< pieces of advice

  template <class Of, class Visitor> static void members(Of &of, Visitor &&v) {
    v("call", of.call);
    v("chunks", of.chunks, "extents that may be held in parts, and how much of each at a time, as in ni=16");
    v("most", of.most, "pieces of advice, at most");
  }
};

/// A language that answers can be written in.
enum class Language { c, python };

struct Plan;

/// The chunks of a plan along each extent, in the order of the symbols.
struct ChunkLists {
  const Plan &of;
  template <class Visitor> void members(Visitor &&v) const;
};

/// Chunks that keep each worker within its memory: as few, as large, as even as possible. Sizes are bytes.
struct MEMSHAPE_API Plan {
  std::string operator_name;
  std::vector<std::string> symbols; ///< of the shape, in the order of the parameters
  Shape shape;                      ///< of the whole array
  std::uint64_t memory_bytes = 0;   ///< that one worker may hold
  std::int64_t workers = 1, threads = 1;
  Sink sink = Sink::store;
  /// False where nothing fits: then least_memory_bytes alone is there, beside what was asked.
  bool feasible = false;
  std::optional<std::uint64_t> least_memory_bytes;     ///< of a worker, with which there is a plan
  std::map<std::string, std::vector<ChunkRun>> chunks; ///< of each extent, split or not
  std::int64_t tasks = 0;
  std::int64_t fewest_tasks = 0, tasks_lower_bound = 0; ///< that fit, as far as was searched; fewer do not fit
  bool complete = true;                                 ///< that was searched to the end
  bool fewest_proven = false;
  Shape largest_task;                              ///< with its halo
  TaskBytes largest_bytes;                         ///< of it, with what the caller hands in for results
  std::uint64_t peak_bytes = 0, lower_bytes = 0;   ///< that its call requests: expected, and at least
  std::optional<std::uint64_t> upper_bytes;        ///< that its call requests at most; nothing where data sets no bound
  std::uint64_t input_bytes = 0, output_bytes = 0; ///< of the largest task
  std::uint64_t worker_expected_bytes = 0;         ///< resident
  std::optional<std::uint64_t> worker_upper_bytes; ///< resident; nothing where upper_bytes is nothing
  WorkerParts worker;               ///< what that is; of a worker that is expected to hold most where there is no bound
  std::uint64_t gathered_bytes = 0; ///< at most in one worker, where it gathers the whole result at the end
  double utilisation = 0;           ///< worker_upper_bytes, or what is expected, over the memory
  Binding limited_by = Binding::nothing;
  Source source = Source::blocks; ///< that the plan counts on
  std::optional<LargerChunks> next_larger;
  std::vector<Note> notes;

  /// memshape.plan/1, as `memshape plan --json` prints it, with a newline at the end.
  std::string json() const;
  /// The page that `memshape plan` prints; empty where the plan is not feasible.
  std::string text() const;
  /// What a worker asks for in the words of a system, as "slurm": docs/chunks.md. Errors: arguments.
  Expected<std::string> in_words_of(const std::string &system) const;
  /// The members of memshape.plan/1, for all who write them.
  template <class Visitor> void members(Visitor &&v) const {
    const auto at = [this](const Shape &values) {
      return [this, &values](auto &&in) {
        for (const std::string &each : symbols)
          in(each, values.at(each));
      };
    };
    v("schema", "memshape.plan/1");
    v("operator", operator_name);
    v("shape", at(shape));
    if (!feasible) {
      v("feasible", false);
      v("least_memory_bytes", least_memory_bytes);
      return;
    }
    v("chunks", ChunkLists{*this});
    v("tasks", tasks);
    v("largest_task", [&](auto &&in) {
      in("shape", at(largest_task));
      in("peak_bytes", peak_bytes);
      in("upper_bytes", upper_bytes);
      in("input_bytes", input_bytes);
      in("output_bytes", output_bytes);
    });
    v("worker", [&](auto &&in) {
      in("limit_bytes", memory_bytes);
      in("expected_bytes", worker_expected_bytes);
      in("upper_bytes", worker_upper_bytes);
      in("threads", threads);
      in("held_bytes", worker.held);
      in("operators_bytes", worker.operators);
      in("inputs_bytes", std::min<std::uint64_t>(worker.inputs + worker.copies, INT64_MAX));
      in("blocks_bytes", worker.blocks);
      in("results_bytes", worker.results);
      in("gathered_bytes", worker.gathered);
    });
    v("workers", workers);
    v("sink", sink);
    v("source", source);
    v("limited_by", limited_by);
    if (next_larger)
      v("next_larger", [&](auto &&in) {
        in("grid", [&](auto &&grid) {
          auto count = next_larger->grid.begin();
          for (const std::string &each : symbols)
            if (chunks.contains(each))
              grid(each, *count++);
        });
        in("tasks", next_larger->tasks);
        in("worker_bytes", next_larger->worker_bytes);
      });
    else
      v("next_larger", nullptr);
    v("fewest_tasks", [&](auto &&in) {
      in("tasks", fewest_tasks);
      in("lower_bound", tasks_lower_bound);
      in("proven", fewest_proven);
    });
    v("utilisation", utilisation);
    v("evidence", "skeleton");
    std::vector<std::string> sentences;
    for (const Note &each : notes)
      sentences.push_back(each.text);
    v("notes", sentences);
  }
};

template <class Visitor> void ChunkLists::members(Visitor &&v) const {
  for (const std::string &each : of.symbols)
    if (const auto found = of.chunks.find(each); found != of.chunks.end())
      v(each, found->second);
}

/// The same of plan_chunks(): request.axes have names.
MEMSHAPE_API Plan plan_of(const ChunkRequest &request, const ChunkPlan &found);

/// An operator of a program. Cheap to copy; keeps its Program's files in memory.
class MEMSHAPE_API Operator {
public:
  /// As the source has it: "imaging::smooth".
  const std::string &name() const;
  /// The linker's name.
  const std::string &linker_name() const;
  /// Where it is defined.
  const Place &place() const;
  /// In the order of the parameters.
  const std::vector<Symbol> &symbols() const;
  const std::vector<Setting> &settings() const;
  /// Names of the arguments that are built from symbols, and of pointers or references to data.
  const std::vector<std::string> &tensors() const;

  /// All allocation sites and decisions of the operator as its file has it. A Prediction has those that matter at its
  /// shape, with those of other units. Both are empty where the operator could not be sliced.
  const std::vector<Site> &sites() const;
  const std::vector<Decision> &decisions() const;

  /// Reads text. Errors: arguments, also where a cube cannot be read; no_answer, where decisions are named and the
  /// operator cannot be brought together with its other units.
  Expected<Call> read(const CallText &text) const;

  /// Runs the skeleton at a shape. Takes milliseconds where the answer is exact, seconds where data decides or the
  /// operator has to be run itself; a minute of work at most. Errors: arguments, options, history, installation,
  /// too_large, calls_left_out, no_answer.
  Expected<Prediction> predict(const Call &call) const;

  /// A formula of the peak for shapes in general, with every setting given. Errors: arguments, installation,
  /// no_answer, no_formula.
  Expected<Formula> formula(const Settings &settings = {}) const;

  /// The answer as code: a header in C, or a module in Python, that needs nothing of memshape; docs/emit.md. The call's
  /// shape is not used. Errors: those of predict(), and no_formula.
  Expected<std::string> emit(const Call &call, Language language = Language::c) const;

  /// The greatest value of a symbol such that it and all smaller ones stay within a memory. Errors: arguments, and those
  /// of predict().
  Expected<Solution> solve(const SolveRequest &request) const;
  /// What a change of one line would bring: the peak as if the line were changed, each way that makes sense by itself.
  /// Errors: those of predict.
  Expected<AdviceList> advise(const AdviseRequest &request) const;

  /// Chooses chunks. Each task of the answer was predicted, or its formula was. Errors: arguments, and those of
  /// predict().
  Expected<Plan> plan(const PlanRequest &request) const;

private:
  struct Content;
  friend struct Access;
  explicit Operator(std::shared_ptr<const Content> of) : of(std::move(of)) {}
  std::shared_ptr<const Content> of;
};

/// Files that belong together. Cheap to copy.
class MEMSHAPE_API Program {
public:
  /// All operators, in the order of the files; one that several units hold comes once.
  const std::vector<Operator> &operators() const;

  /// The operator with this name, last component of a name ("smooth" for "imaging::smooth") or linker's name; without
  /// a name the only one. Errors: operator_name.
  Expected<Operator> find(const std::string &name = "") const;

private:
  struct Content;
  friend struct Access;
  explicit Program(std::shared_ptr<const Content> of) : of(std::move(of)) {}
  std::shared_ptr<const Content> of;
};

struct OpenOptions {
  std::vector<std::string> with = {};      ///< further files, with functions that the first one calls
  std::vector<std::string> libraries = {}; ///< that operators call, beside those that the files name
  std::vector<std::string> summaries = {}; ///< files that say what functions without a body do to memory
  /// Another machine than this one: l1d, l2, l3 and page in bytes, processors.
  std::map<std::string, std::int64_t> machine = {};
  /// Execute the code that files bring even where this system gives no sandbox for it.
  bool trust = false;
  /// Prefix of the memshape whose runner and slicer are used; empty: the one that this library belongs to.
  std::string prefix = {};
};

/// Opens an object file, an archive, a shared library or an executable that was compiled with memshape. Nothing in it
/// is executed. Errors: file, options, installation.
MEMSHAPE_API Expected<Program> open(const std::string &file, const OpenOptions &options = {});

/// What this library is.
struct Build {
  std::string version;              ///< "0.1.0"
  std::string commit;               ///< as git describes it; "unknown" where it was not built from a repository
  std::vector<std::string> llvm;    ///< releases of clang that there are modules for, newest first
  std::vector<std::string> formats; ///< names and versions of everything that is written or read: "memshape.run/1"
};
MEMSHAPE_API const Build &build();
} // namespace memshape::v1

/* Programs say memshape::open. memshape's own sources have other types of these names and define this macro. */
#ifndef MEMSHAPE_INSIDE
namespace memshape {
using namespace v1;
}
#endif
