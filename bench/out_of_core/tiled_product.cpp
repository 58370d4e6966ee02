// A product of matrices that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B with Eigen. Each matrix is a square of tiles, and each tile is an
// executor of a store. A task adds one product of tiles to a tile of C; those
// of one tile of C run in one order, so C has the same bits in every run.
//
//   tiled_product --size 8192 --tile 512 --threads 2 --budget BYTES|none --policy next-use|lru --folder DIR
//
// Prints one line of JSON. product.py compares it with swap.

#include <memshape/out_of_core.h>

#include <Eigen/Core>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ooc = memshape::out_of_core;

namespace {

using Tile = Eigen::Map<Eigen::MatrixXf>;
using ConstTile = Eigen::Map<const Eigen::MatrixXf>;

struct Options {
  std::uint64_t size = 8192, tile = 512, threads = 2, budget = ooc::unlimited;
  bool lru = false;
  std::string folder = ".";

  Eigen::Index edge() const { return Eigen::Index(tile); }
  std::uint64_t tiles() const { return size / tile; } ///< along an edge
};

/// Values between -1 and 1 that depend on their place alone.
void draw(std::uint64_t number, std::span<float> tile) {
  std::uint64_t state = (number + 1) * 0x9e3779b97f4a7c15;
  for (float &each : tile) {
    state = state * 6364136223846793005 + 1442695040888963407;
    each = float(std::int32_t(state >> 32)) / 2147483648.0f;
  }
}

/// FNV-1a over bits of floats.
std::uint64_t checksum(std::span<const float> values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const float each : values)
    sum = (sum ^ std::bit_cast<std::uint32_t>(each)) * 0x100000001b3;
  return sum;
}

/// A square of tiles, by rows.
class Matrix {
public:
  Matrix(ooc::Store &store, const Options &use) : along_(use.tiles()) {
    for (std::uint64_t i = 0; i < along_ * along_; ++i)
      tiles_.push_back(store.add<float[]>(use.tile * use.tile));
  }
  ooc::Executor<float[]> at(std::uint64_t row, std::uint64_t column) const { return tiles_[row * along_ + column]; }
  const std::vector<ooc::Executor<float[]>> &all() const { return tiles_; }

private:
  std::uint64_t along_;
  std::vector<ooc::Executor<float[]>> tiles_;
};

void multiply(const Options &use) {
  ooc::Store store({.budget_bytes = use.budget,
                    .folder = use.folder,
                    .policy = use.lru ? ooc::Policy::lru : ooc::Policy::next_use,
                    .threads = unsigned(use.threads)});
  const Matrix a(store, use), b(store, use), c(store, use);
  std::uint64_t number = 0;
  for (const Matrix *drawn : {&a, &b})
    for (const ooc::Executor<float[]> each : drawn->all())
      store.submit([number = number++](std::span<float> tile) { draw(number, tile); }, ooc::update(each));

  using Clock = std::chrono::steady_clock;
  Clock::time_point loaded, multiplied;
  store.fence([&] { loaded = Clock::now(); });
  const std::uint64_t tiles = use.tiles();
  for (std::uint64_t i = 0; i < tiles; ++i)
    for (std::uint64_t k = 0; k < tiles; ++k)
      for (std::uint64_t j = 0; j < tiles; ++j) // tasks that follow each other update different tiles: they run at once
        store.submit(
            [edge = use.edge()](std::span<float> sum, std::span<const float> left, std::span<const float> right) {
              Tile(sum.data(), edge, edge).noalias() +=
                  ConstTile(left.data(), edge, edge) * ConstTile(right.data(), edge, edge);
            },
            ooc::update(c.at(i, j)), ooc::read(a.at(i, k)), ooc::read(b.at(k, j)));
  store.fence([&] { multiplied = Clock::now(); });

  std::vector<std::uint64_t> sums(c.all().size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    store.submit([&, i](std::span<const float> tile) { sums[i] = checksum(tile); }, ooc::read(c.all()[i]));

  const Clock::time_point begin = Clock::now();
  store.run();
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums)
    sum = sum * 0x100000001b3 + each;
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const ooc::Statistics did = store.statistics();
  std::printf("{\"checksum\": \"%016" PRIx64 "\", \"load_s\": %.6f, \"product_s\": %.6f, \"reads\": %" PRIu64
              ", \"read_bytes\": %" PRIu64 ", \"writes\": %" PRIu64 ", \"written_bytes\": %" PRIu64
              ", \"peak_budget_bytes\": %" PRIu64 ", \"executor_bytes\": %" PRIu64 "}\n",
              sum, seconds(loaded - begin), seconds(multiplied - loaded), did.reads, did.read_bytes, did.writes,
              did.written_bytes, did.peak_bytes, did.executor_bytes);
}

Options options(int count, char **words) {
  Options use;
  const std::map<std::string, std::uint64_t *> numbers = {
      {"--size", &use.size}, {"--tile", &use.tile}, {"--threads", &use.threads}, {"--budget", &use.budget}};
  for (int i = 1; i < count; i += 2) {
    const std::string option = words[i], value = i + 1 < count ? words[i + 1] : "";
    if (option == "--budget" && value == "none")
      use.budget = ooc::unlimited;
    else if (const auto known = numbers.find(option); known != numbers.end())
      *known->second = std::stoull(value);
    else if (option == "--policy" && (value == "next-use" || value == "lru"))
      use.lru = value == "lru";
    else if (option == "--folder")
      use.folder = value;
    else
      throw std::invalid_argument("cannot be: " + option + " " + value);
  }
  if (use.tile == 0 || use.size % use.tile != 0)
    throw std::invalid_argument("--size wants a multiple of --tile");
  return use;
}

} // namespace

int main(int count, char **words) try {
  multiply(options(count, words));
  return 0;
} catch (const std::exception &failed) {
  std::fprintf(stderr, "tiled_product: %s\n", failed.what());
  return 1;
}
