// Asks one program about many calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: predict FILE FIRST < ASKED, lines "operator n m". From line number FIRST on, each has an answer
//   line seconds exact peak lower upper total allocations by-environment
// where upper is -1 without a bound, or "line seconds - reason".

#include <memshape/memshape.h>

#include <iostream>
#include <string>
#include <sys/resource.h>

static double secondsUsed() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used;
    getrusage(who, &used);
    seconds += double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  }
  return seconds;
}

int main(int, char **arguments) {
  const auto program = memshape::open(arguments[1]);
  if (!program) {
    std::cerr << program.error().message << '\n';
    return 2;
  }
  int index, n, m;
  for (int line = 0; std::cin >> index >> n >> m; ++line) {
    if (line < std::stoi(arguments[2]))
      continue;
    const double before = secondsUsed();
    const auto asked = program->find("op" + std::to_string(index));
    const auto told = asked ? asked->predict({.shape = {{"n", n}, {"m", m}}, .formulas = false})
                            : memshape::Expected<memshape::Prediction>(asked.error());
    std::cout << line << ' ' << secondsUsed() - before << ' ';
    if (!told) {
      std::cout << "- " << told.error().message << std::endl;
      continue;
    }
    bool byEnvironment = told->threads != 0;
    for (const auto &fact : told->machine)
      byEnvironment |= fact.name.starts_with('$');
    const auto &heap = told->heap;
    std::cout << heap.exact << ' ' << heap.peak_bytes << ' ' << heap.lower_bytes << ' '
              << (heap.upper_bytes ? static_cast<long>(*heap.upper_bytes) : -1) << ' ' << heap.total_bytes << ' '
              << heap.allocations << ' ' << byEnvironment << std::endl;
  }
}
