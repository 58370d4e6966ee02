// Eight blocks of a page, of which two fit: the sum of their first elements, and the bytes above the budget.
#include <memshape/out_of_core.h>

#include <algorithm>
#include <cstdio>

namespace ooc = memshape::out_of_core;

int main(int, char **arguments) {
  const std::uint64_t budget = 2 * 4096;
  ooc::Store store({.budget_bytes = budget, .folder = arguments[1]});
  std::vector<ooc::Executor<int[]>> blocks;
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back(store.add<int[]>(1024));
    store.submit([i](std::span<int> block) { block[0] = i; }, ooc::update(blocks[i]));
  }
  store.fence([&] {
    for (const auto block : blocks)
      store.submit([&](std::span<const int> elements) { store.fence([&sum, add = elements[0]] { sum += add; }); },
                   ooc::read(block));
  });
  store.run();
  std::printf("%d %llu\n", sum, (unsigned long long)std::max(store.statistics().peak_bytes, budget) - budget);
}
