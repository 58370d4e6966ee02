// What a store costs where everything fits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of tasks, each of which finds the nearest of 16 centroids for all
// points of a block: over blocks of a store that evicts nothing, and over plain
// vectors by threads that take the next number. Both ways are run in turn, and
// their times are compared pair by pair. Submission counts for the store.
//
//   overhead [PAIRS [THREADS]]

#include <memshape/out_of_core.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <span>
#include <thread>
#include <vector>

namespace ooc = memshape::out_of_core;

namespace {

constexpr std::size_t dimensions = 1024, clusters = 16, tasks_of_batch = 40;

struct Work {
  std::size_t points, batches; ///< of a block; of tasks_of_batch tasks each
  std::size_t elements() const { return points * dimensions; }
};

/// Sum over all points of the squared distance to the nearest centroid.
float nearest(std::span<const float> block, std::span<const float> centroids) {
  float sum = 0;
  for (std::size_t p = 0; p < block.size(); p += dimensions) {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < centroids.size(); k += dimensions) {
      float lanes[16] = {};
      for (std::size_t d = 0; d < dimensions; d += 16)
        for (std::size_t lane = 0; lane < 16; ++lane) {
          const float apart = block[p + d + lane] - centroids[k + d + lane];
          lanes[lane] += apart * apart;
        }
      float distance = 0;
      for (const float lane : lanes)
        distance += lane;
      least = std::min(least, distance);
    }
    sum += least;
  }
  return sum;
}

void fill(std::span<float> values, std::size_t number) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = float((i * 2654435761u + number * 40503u) % 1009) / 1009;
}

/// After a batch, as the step of k-means between two of them.
void move(std::span<float> centroids, std::span<const float> found) { centroids[0] += found[0] * 1e-12f; }

class PlainVectors {
public:
  PlainVectors(const Work &work, unsigned threads) : work_(work), threads_(threads) {
    for (std::size_t i = 0; i < tasks_of_batch; ++i)
      fill(blocks_.emplace_back(work.elements()), i);
  }
  void run(std::span<float> centroids, std::span<float> found) {
    std::atomic<std::size_t> next = 0;
    std::barrier after(std::ptrdiff_t(threads_), [&]() noexcept {
      move(centroids, found);
      next = 0;
    });
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < threads_; ++t)
      threads.emplace_back([&] {
        for (std::size_t batch = 0; batch < work_.batches; ++batch) {
          for (std::size_t task; (task = next++) < tasks_of_batch;)
            found[task] = nearest(blocks_[task], centroids);
          after.arrive_and_wait();
        }
      });
  }

private:
  Work work_;
  unsigned threads_;
  std::vector<std::vector<float>> blocks_;
};

class Stored {
public:
  Stored(const Work &work, unsigned threads) : work_(work), store_({.folder = "/var/tmp", .threads = threads}) {
    for (std::size_t i = 0; i < tasks_of_batch; ++i)
      store_.submit([i](std::span<float> block) { fill(block, i); },
                    ooc::update(blocks_.emplace_back(store_.add<float[]>(work.elements()))));
    store_.run();
  }
  void run(std::span<float> centroids, std::span<float> found) {
    for (std::size_t batch = 0; batch < work_.batches; ++batch) {
      for (std::size_t task = 0; task < tasks_of_batch; ++task)
        store_.submit([=](std::span<const float> block) { found[task] = nearest(block, centroids); },
                      ooc::read(blocks_[task]));
      store_.fence([=] { move(centroids, found); });
    }
    store_.run();
  }

private:
  Work work_;
  ooc::Store store_;
  std::vector<ooc::Executor<float[]>> blocks_;
};

struct Took {
  double seconds, processor;
};

template <class Way> Took measure(Way &way, std::vector<float> &result) {
  std::vector<float> centroids(clusters * dimensions), found(tasks_of_batch);
  fill(centroids, 7);
  const std::clock_t processor = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  way.run(centroids, found);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result = found;
  return {seconds.count(), double(std::clock() - processor) / CLOCKS_PER_SEC};
}

double quantile(std::vector<double> values, double at) {
  std::sort(values.begin(), values.end());
  return values[std::size_t(at * double(values.size() - 1) + 0.5)];
}

void compare(const Work &work, unsigned pairs, unsigned threads) {
  PlainVectors plain(work, threads);
  Stored stored(work, threads);
  std::vector<float> one, other;
  std::vector<double> ratios, processor, of_task;
  for (unsigned pair = 0; pair < pairs + 1; ++pair) { // the first is not counted
    Took before, after;
    if (pair % 2 == 0)
      before = measure(plain, one), after = measure(stored, other);
    else
      after = measure(stored, other), before = measure(plain, one);
    if (one != other) {
      std::fprintf(stderr, "overhead: results differ\n");
      std::exit(1);
    }
    if (pair == 0)
      continue;
    ratios.push_back(after.seconds / before.seconds);
    processor.push_back(after.processor / before.processor);
    of_task.push_back(1e6 * before.seconds * threads / double(work.batches * tasks_of_batch));
  }
  std::printf("| %zu | %zu | %.0f | %.4f | %.4f - %.4f | %.4f |\n", work.elements() * sizeof(float),
              work.batches * tasks_of_batch, quantile(of_task, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
              quantile(ratios, 0.75), quantile(processor, 0.5));
  std::fflush(stdout);
}

} // namespace

int main(int count, char **words) {
  const unsigned pairs = count > 1 ? unsigned(std::atoi(words[1])) : 21;
  const unsigned threads = count > 2 ? unsigned(std::atoi(words[2])) : 2;
  if (pairs == 0 || threads == 0) {
    std::fprintf(stderr, "usage: overhead [PAIRS [THREADS]]\n");
    return 2;
  }
  std::printf("| block, bytes | tasks | us of a task | store / vectors, median of %u | middle half | processor time |\n"
              "|---|---|---|---|---|---|\n",
              pairs);
  for (const Work work : {Work{1100, 5}, Work{256, 20}, Work{64, 80}, Work{16, 320}})
    compare(work, pairs, threads);
}
