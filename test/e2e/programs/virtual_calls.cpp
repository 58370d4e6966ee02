// Virtual calls, own allocators, placement and class-level new.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <vector>

struct Filter {
  virtual ~Filter() = default;
  virtual double apply(const std::vector<double> &Trace) = 0;
};
struct Mean : Filter {
  double apply(const std::vector<double> &Trace) override {
    std::vector<double> Copy(Trace);
    double Sum = 0;
    for (double Value : Copy)
      Sum += Value;
    return Sum / static_cast<double>(Copy.size());
  }
};
struct alignas(128) Aligned : Mean {
  double apply(const std::vector<double> &Trace) override {
    auto Rows = std::make_unique<double[][8]>(Trace.size());
    for (std::size_t I = 0; I < Trace.size(); ++I)
      Rows[I][I % 8] = Trace[I];
    return Mean::apply(Trace) + Rows[3][3];
  }
};
struct Pooled : Mean {
  static int Made;
  static void *operator new(std::size_t Size) {
    ++Made;
    return std::malloc(Size);
  }
  static void operator delete(void *Block) { std::free(Block); }
};
int Pooled::Made = 0;

int main() {
  std::vector<double> Trace(100);
  for (int I = 0; I < 100; ++I)
    Trace[I] = I * 0.25;
  std::vector<std::unique_ptr<Filter>> Filters;
  Filters.emplace_back(new Mean);
  Filters.emplace_back(new Aligned);
  Filters.emplace_back(new Pooled);
  for (auto &One : Filters)
    std::printf("%.4f %d\n", One->apply(Trace),
                dynamic_cast<Aligned *>(One.get()) != nullptr &&
                    reinterpret_cast<std::size_t>(One.get()) % alignof(Aligned) == 0);
  alignas(Mean) unsigned char Place[sizeof(Mean)];
  Filter *Placed = new (Place) Mean;
  std::printf("%.4f\n", Placed->apply(Trace));
  Placed->~Filter();
  std::byte Buffer[4096];
  std::pmr::monotonic_buffer_resource Arena(Buffer, sizeof Buffer);
  std::pmr::vector<int> Small(&Arena), Large(2000, 1, &Arena);
  for (int I = 0; I < 50; ++I)
    Small.push_back(I);
  volatile std::size_t FarTooMany = static_cast<std::size_t>(1) << 60;
  int *volatile Failed = new (std::nothrow) int[FarTooMany];
  std::printf("%zu %zu %d %d\n", Small.size(), Large.size(), Failed == nullptr, Pooled::Made);
  delete[] Failed;
}
