// Clusters of points that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mini-batch k-means (Sculley, 2010) over points in blocks, which a store of
// <memshape/out_of_core.h> keeps within a budget. The order of all batches is
// known at the beginning, so the whole training is one queue of tasks.
//
//   kmeans_out_of_core --executors 500 --points 1100 --dimensions 1024 --budget 600000000 --folder /var/tmp --json

#include <memshape/out_of_core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ooc = memshape::out_of_core;

namespace {

struct Options {
  std::uint64_t executors = 500, points = 1100, dimensions = 1024, clusters = 16, batches = 48, tasks = 40, seed = 1;
  std::uint64_t threads = 2, budget = ooc::unlimited;
  std::uint64_t ahead = 0; ///< of a task, where the kernel is told which block it will use; 0: it is not told
  bool sequential = false, lru = false, mapped = false, json = false, trace = false;
  std::string folder = ".";

  std::uint64_t block() const { return points * dimensions; }
};

/// Marsaglia's xorshift, well mixed at the start.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 0xbf58476d1ce4e5b9) {
    for (int i = 0; i < 4; ++i)
      next();
  }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  float within(float half) { return (float(next() >> 40) / float(1 << 23) - 1) * half; }

private:
  std::uint64_t state_;
};

/// Clusters of points, scattered around centres that the seed draws; the same values in any order of calls.
void draw_point(const Options &use, std::uint64_t number, float *point) {
  Random random(use.seed + (number + 1) * 0x100000001b3);
  Random centre(use.seed + random.next() % use.clusters);
  for (std::uint64_t d = 0; d < use.dimensions; ++d)
    point[d] = centre.within(4) + random.within(1);
}

void draw_block(const Options &use, std::uint64_t executor, std::span<float> block) {
  for (std::uint64_t p = 0; p < use.points; ++p)
    draw_point(use, executor * use.points + p, &block[p * use.dimensions]);
}

float squared_distance(const float *a, const float *b, std::uint64_t count) {
  constexpr std::uint64_t lanes = 16;
  float sums[lanes] = {};
  std::uint64_t d = 0;
  for (; d + lanes <= count; d += lanes)
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      sums[lane] += (a[d + lane] - b[d + lane]) * (a[d + lane] - b[d + lane]);
  for (; d < count; ++d)
    sums[0] += (a[d] - b[d]) * (a[d] - b[d]);
  return std::accumulate(sums, sums + lanes, 0.0f);
}

/// What one task finds out about its block. Each task has its own, so that sums are added in one order in every run.
struct Partial {
  std::vector<float> sums; ///< of the points of each cluster
  std::vector<std::uint64_t> counts;
  double distance = 0;
};

class Clusters {
public:
  explicit Clusters(const Options &use)
      : use_(use), centroids_(use.clusters * use.dimensions), seen_(use.clusters), partial_(use.tasks) {
    for (std::uint64_t k = 0; k < use.clusters; ++k)
      draw_point(use, k, &centroids_[k * use.dimensions]);
  }

  /// The cluster of each point of a block.
  void assign(std::uint64_t task, std::span<const float> block) {
    Partial &mine = partial_[task];
    mine.sums.assign(centroids_.size(), 0);
    mine.counts.assign(use_.clusters, 0);
    mine.distance = 0;
    for (std::uint64_t p = 0; p < use_.points; ++p) {
      const float *point = &block[p * use_.dimensions];
      std::uint64_t nearest = 0;
      float least = std::numeric_limits<float>::infinity();
      for (std::uint64_t k = 0; k < use_.clusters; ++k)
        if (const float distance = squared_distance(point, &centroids_[k * use_.dimensions], use_.dimensions);
            distance < least)
          least = distance, nearest = k;
      for (std::uint64_t d = 0; d < use_.dimensions; ++d)
        mine.sums[nearest * use_.dimensions + d] += point[d];
      ++mine.counts[nearest];
      mine.distance += double(least);
    }
  }

  /// After a batch: each centroid moves towards the mean of its points, by their share of all that it has seen.
  void move() {
    double distance = 0;
    for (const Partial &each : partial_) {
      distance += each.distance;
      for (std::uint64_t k = 0; k < use_.clusters; ++k) {
        if (!each.counts[k])
          continue;
        seen_[k] += each.counts[k];
        for (std::uint64_t d = k * use_.dimensions; d < (k + 1) * use_.dimensions; ++d)
          centroids_[d] += (each.sums[d] - float(each.counts[k]) * centroids_[d]) / float(seen_[k]);
      }
    }
    objective_ = distance / double(use_.tasks * use_.points);
  }

  /// Mean squared distance of the last batch's points to the centroid of their cluster.
  double objective() const { return objective_; }

  /// FNV-1a over the bytes of all centroids.
  std::uint64_t checksum() const {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < centroids_.size() * sizeof(float); ++i)
      sum = (sum ^ reinterpret_cast<const unsigned char *>(centroids_.data())[i]) * 0x100000001b3;
    return sum;
  }

private:
  const Options &use_;
  std::vector<float> centroids_;
  std::vector<std::uint64_t> seen_;
  std::vector<Partial> partial_;
  double objective_ = 0;
};

/// Executors in the order of their tasks. A random batch has none twice as long as there are enough.
std::vector<std::uint32_t> accesses(const Options &use) {
  std::vector<std::uint32_t> order, all(use.executors);
  std::iota(all.begin(), all.end(), 0);
  Random random(use.seed);
  for (std::uint64_t i = 0; i < use.batches * use.tasks; ++i) {
    const std::uint64_t at = (use.sequential ? i : i % use.tasks) % use.executors;
    if (!use.sequential)
      std::swap(all[at], all[at + random.next() % (use.executors - at)]);
    order.push_back(all[at]);
  }
  return order;
}

/// For comparison: one file without a name, of which the kernel keeps in memory what it likes.
class MappedFile {
public:
  MappedFile(const std::string &folder, std::uint64_t bytes) : bytes_(bytes) {
    std::error_code ignored; // what is wrong is said below
    std::filesystem::create_directories(folder, ignored);
    std::string name = folder + "/kmeans-XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file < 0)
      throw std::invalid_argument("cannot make a file in " + folder + ": " + std::strerror(errno));
    if (::unlink(name.c_str()) != 0 || ::ftruncate(file, off_t(bytes)) != 0)
      throw std::runtime_error("cannot make a file in " + folder + ": " + std::strerror(errno));
    at_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at_ == MAP_FAILED)
      throw std::runtime_error(std::string("cannot map a file: ") + std::strerror(errno));
  }
  MappedFile(const MappedFile &) = delete;
  ~MappedFile() { ::munmap(at_, bytes_); }
  std::span<float> block(const Options &use, std::uint64_t executor) const {
    return {static_cast<float *>(at_) + executor * use.block(), use.block()};
  }

private:
  std::uint64_t bytes_;
  void *at_;
};

/// For comparison: asks the kernel for a block that it may have swapped out, or not read yet. It goes on meanwhile.
void announce(std::span<const float> block) {
  const std::uintptr_t page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(block.data()), end = begin + block.size_bytes();
  ::madvise(reinterpret_cast<void *>(begin / page * page), end - begin / page * page, MADV_WILLNEED);
}

void print(const Options &use, const Clusters &clusters, const ooc::Statistics &did, double load, double train,
           const std::vector<std::uint32_t> &order, const std::vector<std::uint64_t> &reads) {
  const char *form =
      use.json ? "{\"objective\": %.17g, \"centroid_checksum\": \"%016" PRIx64 "\", \"load_s\": %.6f, "
                 "\"train_s\": %.6f, \"evictions\": %" PRIu64 ", \"reads\": %" PRIu64 ", \"read_bytes\": %" PRIu64
                 ", \"writes\": %" PRIu64 ", \"written_bytes\": %" PRIu64 ", \"trapped_allocations\": %" PRIu64 ", "
                 "\"peak_budget_bytes\": %" PRIu64 ", \"executor_bytes\": %" PRIu64
               : "objective %.17g, centroids %016" PRIx64 "\nloaded in %.3f s, trained in %.3f s\n%" PRIu64
                 " evictions, %" PRIu64 " reads of %" PRIu64 " bytes, %" PRIu64 " writes of %" PRIu64 " bytes\n%" PRIu64
                 " allocations that had to wait for memory\n%" PRIu64 " bytes in memory at most, of %" PRIu64 "\n";
  std::printf(form, clusters.objective(), clusters.checksum(), load, train, did.evictions, did.reads, did.read_bytes,
              did.writes, did.written_bytes, did.trapped_allocations, did.peak_bytes, did.executor_bytes);
  if (use.json && use.trace) {
    std::printf(", \"accesses\": [");
    for (std::size_t i = 0; i < order.size(); ++i)
      std::printf("%s%" PRIu32, i ? ", " : "", order[i]);
    std::printf("], \"reads_by_batch\": [");
    for (std::size_t i = 0; i < reads.size(); ++i)
      std::printf("%s%" PRIu64, i ? ", " : "", reads[i]);
    std::printf("]");
  }
  if (use.json)
    std::printf("}\n");
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw std::runtime_error("cannot write to standard output");
}

/// A folder that cannot be used is a wrong request.
std::unique_ptr<ooc::Store> open_store(const Options &use) try {
  return std::make_unique<ooc::Store>(ooc::Options{.budget_bytes = use.budget,
                                                   .folder = use.folder,
                                                   .policy = use.lru ? ooc::Policy::lru : ooc::Policy::next_use,
                                                   .threads = unsigned(use.threads)});
} catch (const ooc::Error &refused) {
  throw std::invalid_argument(refused.what());
}

void cluster(const Options &use) {
  const std::vector<std::uint32_t> order = accesses(use);
  const std::unique_ptr<ooc::Store> opened = open_store(use);
  ooc::Store &store = *opened;
  std::optional<MappedFile> file;
  if (use.mapped)
    file.emplace(use.folder, use.executors * use.block() * sizeof(float));

  std::vector<ooc::Executor<float[]>> blocks;
  std::vector<std::span<const float>> places(use.executors); // of no use where blocks move
  for (std::uint64_t e = 0; e < use.executors; ++e) {
    const auto load = [&, e](std::span<float> block) {
      places[e] = block;
      draw_block(use, e, block);
    };
    if (file)
      store.submit([&, e, load] { load(file->block(use, e)); });
    else
      store.submit(load, ooc::update(blocks.emplace_back(store.add<float[]>(use.block()))));
  }

  using Clock = std::chrono::steady_clock;
  Clock::time_point loaded;
  store.fence([&] { loaded = Clock::now(); });

  Clusters clusters(use);
  std::vector<std::uint64_t> reads; // so far, at the end of each batch
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t task = i % use.tasks;
    const auto assign = [&, i, task](std::span<const float> block) {
      if (use.ahead && i + use.ahead < order.size())
        announce(places[order[i + use.ahead]]);
      clusters.assign(task, block);
    };
    if (file)
      store.submit([&, i, assign] { assign(file->block(use, order[i])); });
    else
      store.submit(assign, ooc::read(blocks[order[i]]));
    if (task + 1 == use.tasks)
      store.fence([&] {
        clusters.move();
        reads.push_back(store.statistics().reads);
      });
  }

  const Clock::time_point begin = Clock::now();
  store.run();
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  print(use, clusters, store.statistics(), seconds(loaded - begin), seconds(Clock::now() - loaded), order, reads);
}

std::uint64_t number(const std::string &option, const std::string &text) {
  std::uint64_t value = 0;
  const char *const end = text.data() + text.size();
  const auto [read, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || read != end || (value == 0 && option != "--seed"))
    throw std::invalid_argument(option + " wants a positive integer, not '" + text + "'");
  return value;
}

bool choice(const std::string &option, const std::string &text, const char *no, const char *yes) {
  if (text != no && text != yes)
    throw std::invalid_argument(option + " wants " + no + " or " + yes + ", not '" + text + "'");
  return text == yes;
}

/// Their product is at most that.
void limit(const char *names, std::initializer_list<std::uint64_t> factors, std::uint64_t most) {
  for (const std::uint64_t each : factors)
    if (each > most)
      throw std::invalid_argument(std::string(names) + ": that is too much");
    else
      most /= each;
}

void check(const Options &use) {
  constexpr std::uint64_t most = std::uint64_t(1) << 48;
  limit("--executors", {use.executors}, std::numeric_limits<std::uint32_t>::max());
  limit("--executors, --points and --dimensions", {use.executors, use.points, use.dimensions, sizeof(float)}, most);
  limit("--tasks, --clusters and --dimensions", {use.tasks, use.clusters, use.dimensions, sizeof(float)}, most);
  limit("--batches and --tasks", {use.batches, use.tasks}, most);
  limit("--threads", {use.threads}, 4096);
  if (use.ahead && use.budget != ooc::unlimited)
    throw std::invalid_argument("--willneed wants blocks that stay in their places: --budget none");
}

constexpr char usage[] =
    "kmeans_out_of_core [--executors N] [--points N] [--dimensions N] [--clusters N] [--batches N] [--tasks N]\n"
    "                   [--order random|sequential] [--seed N] [--threads N] [--budget BYTES|none|auto]\n"
    "                   [--policy next-use|lru] [--folder DIR] [--mmap] [--willneed N] [--json] [--trace]\n";

Options options(int count, char **words) {
  Options use;
  const std::map<std::string, std::uint64_t *> numbers = {
      {"--executors", &use.executors}, {"--points", &use.points},   {"--dimensions", &use.dimensions},
      {"--clusters", &use.clusters},   {"--batches", &use.batches}, {"--tasks", &use.tasks},
      {"--seed", &use.seed},           {"--threads", &use.threads}, {"--willneed", &use.ahead}};
  const std::map<std::string, bool *> flags = {{"--mmap", &use.mapped}, {"--json", &use.json}, {"--trace", &use.trace}};
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    if (const auto flag = flags.find(option); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    if (++i == count)
      throw std::invalid_argument("unknown option, or one without its value: " + option);
    const std::string value = words[i];
    if (const auto known = numbers.find(option); known != numbers.end())
      *known->second = number(option, value);
    else if (option == "--order")
      use.sequential = choice(option, value, "random", "sequential");
    else if (option == "--policy")
      use.lru = choice(option, value, "next-use", "lru");
    else if (option == "--budget")
      use.budget = value == "none"   ? ooc::unlimited
                   : value == "auto" ? ooc::automatic
                                     : std::min(number(option, value), ooc::automatic - 1);
    else if (option == "--folder")
      use.folder = value;
    else
      throw std::invalid_argument("unknown option: " + option);
  }
  check(use);
  return use;
}

} // namespace

int main(int count, char **words) try {
  if (count == 2 && words[1] == std::string("--help"))
    std::fputs(usage, stdout);
  else
    cluster(options(count, words));
} catch (const std::invalid_argument &wrong) {
  std::fprintf(stderr, "kmeans_out_of_core: %s\n", wrong.what());
  return 2;
} catch (const std::bad_alloc &) {
  std::fprintf(stderr, "kmeans_out_of_core: there is not enough memory\n");
  return 1;
} catch (const std::exception &failed) {
  std::fprintf(stderr, "kmeans_out_of_core: %s\n", failed.what());
  return 1;
}
