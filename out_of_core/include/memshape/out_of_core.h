/* Data that does not fit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A Store keeps executors - blocks of elements, or objects of the program -
   within a budget of bytes: those whose turn is furthest away are on disk, and
   they are read again ahead of their turn. For C++20; link
   memshape::out_of_core.

     #include <memshape/out_of_core.h>
     namespace ooc = memshape::out_of_core;

     ooc::Store store({.budget_bytes = 700 << 20, .folder = "/var/tmp", .threads = 2});
     std::vector<ooc::Executor<float[]>> parts;
     for (int i = 0; i < 500; ++i) {
       parts.push_back(store.add<float[]>(1100   1024));                      // zeros; no memory yet
       store.submit([i](std::span<float> part) { fill(part, i); }, ooc::update(parts[i]));
     }
     for (int i : order)
       store.submit([](std::span<const float> part) { ... }, ooc::read(parts[i]));
     store.run();

   Tasks are submitted first and run by run(), so that the store knows which
   executors are needed when. Tasks run in parallel, on Options::threads
   threads; those that share an executor which one of them updates run in the
   order in which they were submitted, and so does everything around a fence().
   docs/out-of-core.md says how executors are chosen, and what is not done.

   All functions of a Store may be called by several threads. Errors are thrown:
   <memshape/out_of_core/error.h>. */

#pragma once

#include <memshape/out_of_core/error.h>
#include <memshape/out_of_core/streams.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace memshape::out_of_core {

/// Which executor leaves the memory first.
enum class Policy {
  next_use, ///< the one whose next task is furthest away (Belady, 1966); among those without a task, as lru
  lru       ///< the one whose last task is longest ago
};

inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// What the process may take, looked at again while the store lives: limits of control groups, RLIMIT_DATA and
/// RLIMIT_AS, the machine's available memory, and pressure. docs/out-of-core.md has the rule.
inline constexpr std::uint64_t automatic = unlimited - 1;

struct Options {
  std::uint64_t budget_bytes = unlimited; ///< of executors in memory, on their way in and out, and of reservations
  std::filesystem::path folder = ".";     ///< on a disk; the store makes a folder of its own in it
  Policy policy = Policy::next_use;
  unsigned threads = 1;          ///< that run tasks
  unsigned prefetch_threads = 4; ///< that write and read
  /// Where memshape's runtime is in the process: allocations of the program that fail evict executors, and so do those
  /// that exceed the budget, against which they count, too; an automatic one leaves room for them anyway.
  bool trap = true;
};

/// What a store has done so far. Bytes of blocks are multiples of 4096.
struct Statistics {
  std::uint64_t evictions = 0;                     ///< executors that left the memory
  std::uint64_t reads = 0, read_bytes = 0;         ///< executors that were read from disk
  std::uint64_t writes = 0, written_bytes = 0;     ///< executors that were written to disk; clean ones are not again
  std::uint64_t executors = 0, executor_bytes = 0; ///< all, wherever they are
  std::uint64_t resident = 0, resident_bytes = 0;  ///< in memory now
  std::uint64_t peak_bytes = 0;   ///< most in memory so far, reservations and blocks kept for the next included
  std::uint64_t budget_bytes = 0; ///< now
  std::uint64_t uses = 0;         ///< of executors, by tasks and handles
  std::uint64_t hits = 0;         ///< uses that found the executor in memory, as decided in the order of the queue
  std::uint64_t trapped_allocations = 0; ///< of the program, which asked the store for memory
  bool watches_allocations = false;      ///< false: no budget, Options::trap is off, or the runtime is not there
};

/// What a queue costs.
struct Forecast {
  std::uint64_t reads = 0, read_bytes = 0;
  std::uint64_t writes = 0, written_bytes = 0;
};

/// An executor of a store: an object T, or for T[] a block of elements. A name, which may be copied.
template <class T> struct Executor {
  std::uint32_t id = 0;
};

/// How a task uses an executor: read(e) gives it a const T & or a std::span<const T>, update(e) a T & or a std::span<T>.
template <class T, bool writes> struct Use {
  Executor<T> executor;
  bool ends = false;
};
template <class T> Use<T, false> read(Executor<T> executor) { return {executor}; }
template <class T> Use<T, true> update(Executor<T> executor) { return {executor}; }
/// Reads an executor for the last time: from then on it is not there any more, and is never written.
template <class T> Use<T, false> consume(Executor<T> executor) { return {executor, true}; }

/// The same of several blocks: the task is given a std::vector of spans.
template <class T, bool writes>
  requires std::is_unbounded_array_v<T>
struct Uses {
  std::vector<Executor<T>> executors;
  bool ends = false;
};
template <class T> Uses<T, false> read(std::vector<Executor<T>> executors) { return {std::move(executors)}; }
template <class T> Uses<T, true> update(std::vector<Executor<T>> executors) { return {std::move(executors)}; }
template <class T> Uses<T, false> consume(std::vector<Executor<T>> executors) { return {std::move(executors), true}; }

/// Bytes that a task allocates itself, at most. They count against the budget from before it starts until it has ended.
struct Reservation {
  std::uint64_t bytes = 0;
};
inline Reservation reserve(std::uint64_t bytes) { return {bytes}; }

namespace detail {

class Core;

struct Access {
  std::uint32_t id = 0;
  bool writes = false, ends = false;
};

/// How an object without a type is made, written, read and measured.
struct Object {
  std::function<std::shared_ptr<void>()> make;
  std::function<void(const void *, Writer &)> save;
  std::function<std::shared_ptr<void>(Reader &)> load;
  std::function<std::uint64_t(const void *)> bytes;
};

/// Where an executor is in memory while it is in use; bytes as they were asked for.
struct Place {
  void *at = nullptr;
  std::uint64_t bytes = 0;
};
using Body = std::function<void(const Place *)>;

template <class T, bool writes> decltype(auto) as(const Place &place) {
  if constexpr (std::is_array_v<T>) {
    using Element = std::conditional_t<writes, std::remove_extent_t<T>, const std::remove_extent_t<T>>;
    return std::span<Element>(static_cast<Element *>(place.at), place.bytes / sizeof(Element));
  } else {
    using Seen = std::conditional_t<writes, T, const T>;
    return static_cast<Seen &>(*static_cast<Seen *>(place.at));
  }
}

template <class T, bool writes> void name(const Use<T, writes> &use, std::vector<Access> &to) {
  to.push_back({use.executor.id, writes, use.ends});
}
template <class T, bool writes> void name(const Uses<T, writes> &uses, std::vector<Access> &to) {
  for (const Executor<T> &each : uses.executors)
    to.push_back({each.id, writes, uses.ends});
}

template <class T, bool writes> decltype(auto) view(const Use<T, writes> &, const Place *&next) {
  return as<T, writes>(*next++);
}
template <class T, bool writes> auto view(const Uses<T, writes> &uses, const Place *&next) {
  std::vector<decltype(as<T, writes>(*next))> all;
  for (std::size_t each = 0; each < uses.executors.size(); ++each)
    all.push_back(as<T, writes>(*next++));
  return all;
}

} // namespace detail

/// Keeps an executor in memory for as long as it lives; one thread's way to look at it. Moves, and does not copy.
template <class T, bool writes> class Handle {
public:
  Handle(Handle &&other) noexcept
      : core_(std::exchange(other.core_, nullptr)), entry_(other.entry_), place_(other.place_) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(core_, other.core_);
    std::swap(entry_, other.entry_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~Handle();

  decltype(auto) operator*() const { return detail::as<T, writes>(place_); }

private:
  friend class Store;
  Handle(detail::Core &core, std::uint64_t entry, detail::Place place) : core_(&core), entry_(entry), place_(place) {}

  detail::Core *core_;
  std::uint64_t entry_;
  detail::Place place_;
};

class Store {
public:
  /// Removes what stores of processes that are gone have left in the folder. Error: a budget, a folder or a number of
  /// threads that cannot be.
  explicit Store(const Options &options);
  explicit Store(std::unique_ptr<detail::Core> core); ///< for tests
  /// Tasks that have not begun are dropped; the store's folder is removed. Handles must be gone.
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  /// A block of `count` elements, which are zero until they are updated. Takes memory from its first use on.
  template <class Block>
    requires std::is_unbounded_array_v<Block>
  Executor<Block> add(std::uint64_t count) {
    using Element = std::remove_extent_t<Block>;
    static_assert(std::is_trivially_copyable_v<Element> && alignof(Element) <= 4096,
                  "a block holds plain bytes: write a type with save() and load()");
    if (count > (unlimited >> 1) / sizeof(Element))
      throw Error(ErrorCode::too_large, "a block of " + std::to_string(count) + " elements has too many bytes");
    return {add_block(count * sizeof(Element))};
  }

  /// An object that make() returns when it is first used, of `bytes` bytes at most until then. T has
  ///   std::uint64_t bytes() const;                    asked after make(), after load() and after each update
  ///   void save(out_of_core::Writer &) const;
  ///   static T load(out_of_core::Reader &);
  template <class T, class Make> Executor<T> add(std::uint64_t bytes, Make make) {
    detail::Object object;
    object.make = [make = std::move(make)]() mutable -> std::shared_ptr<void> { return std::make_shared<T>(make()); };
    object.save = [](const void *at, Writer &to) { static_cast<const T *>(at)->save(to); };
    object.load = [](Reader &from) -> std::shared_ptr<void> { return std::make_shared<T>(T::load(from)); };
    object.bytes = [](const void *at) -> std::uint64_t { return static_cast<const T *>(at)->bytes(); };
    return {add_object(bytes, std::move(object))};
  }

  /// A task for run(): called once with what its uses say, in their order. Error: an executor named twice (usage), more
  /// bytes at once than the budget (too_large).
  template <class Task, class... Of> void submit(Task task, Of... uses) {
    submit(std::move(task), Reservation{}, std::move(uses)...);
  }

  /// The same for a task that allocates: it starts once its executors are in memory and there is room for these bytes
  /// besides. Error also where both together exceed the budget (too_large).
  template <class Task, class... Of> void submit(Task task, Reservation besides, Of... uses) {
    std::vector<detail::Access> accesses;
    (detail::name(uses, accesses), ...);
    submit_body(
        [task = std::move(task), ... uses = std::move(uses)]([[maybe_unused]] const detail::Place *next) mutable {
          std::apply(task, std::tuple<decltype(detail::view(uses, next))...>{detail::view(uses, next)...});
        },
        std::move(accesses), besides.bytes);
  }

  /// In the queue, between the tasks before and behind it: the executor leaves the memory, and is written if it has to
  /// be. So a program that knows better than a Policy plans evictions itself; the policy is left with what else would
  /// exceed the budget. Nothing happens to one that a handle holds, or that is not in memory.
  template <class T> void evict(Executor<T> executor) { submit_eviction(executor.id); }

  /// A task that runs when all tasks before it have ended, and before any task behind it.
  void fence(std::function<void()> task);

  /// Runs all tasks, those included that tasks submit meanwhile. What a task throws, and an Error, passes through; the
  /// tasks that have not begun are dropped then. Not within a task, nor by a thread that holds a handle (usage).
  void run();

  /// Brings an executor into memory, as soon as no earlier task uses it otherwise. Not within a task (usage). Error also
  /// where all that handles hold would exceed the budget.
  template <class T, bool writes> Handle<T, writes> pin(Use<T, writes> use) {
    const auto [entry, place] = pin_entry({use.executor.id, writes, use.ends});
    return Handle<T, writes>(*core_, entry, place);
  }

  /// From now on: what is too much leaves the memory before the next task begins that needs room, what has been
  /// evicted comes back when it is used. Error: less than a task that waits, or than handles hold (too_large). With
  /// `automatic`, the limits are followed from now on.
  void set_budget(std::uint64_t bytes);

  /// What run() would read and write for the tasks that are submitted now, with this budget in place of the store's.
  /// Exact for blocks, as long as run() has not begun and nothing else uses the store; objects are taken to keep their
  /// size, and their files to have it. Error: less than a task needs (too_large).
  Forecast forecast(std::uint64_t budget_bytes) const;

  Statistics statistics() const;

  /// Executors in memory, or on their way to it.
  std::vector<std::uint32_t> resident() const;

private:
  std::uint32_t add_block(std::uint64_t bytes);
  std::uint32_t add_object(std::uint64_t bytes, detail::Object object);
  void submit_body(detail::Body body, std::vector<detail::Access> accesses, std::uint64_t besides);
  void submit_eviction(std::uint32_t executor);
  std::pair<std::uint64_t, detail::Place> pin_entry(detail::Access access);

  std::unique_ptr<detail::Core> core_;
};

namespace detail {
void release(Core &core, std::uint64_t entry);
} // namespace detail

template <class T, bool writes> Handle<T, writes>::~Handle() {
  if (core_)
    detail::release(*core_, entry_);
}

} // namespace memshape::out_of_core
