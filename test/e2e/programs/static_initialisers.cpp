// Memory taken before main and given back after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Loud {
  explicit Loud(const char *Name) : Name(Name), Store(new char[1000]) { std::printf("+%s\n", Name); }
  ~Loud() {
    delete[] Store;
    std::printf("-%s\n", Name);
  }
  const char *Name;
  char *Store;
};

static Loud Early("early");
static std::map<std::string, std::vector<int>> Table = {{"fold", {1, 2, 3}}, {"offset", std::vector<int>(50, 2)}};
static std::unique_ptr<Loud> Owned = std::make_unique<Loud>("owned");

static Loud &once() {
  static Loud Late("at first use");
  return Late;
}

__attribute__((constructor)) static void constructed() {
  void *Block = operator new(77);
  std::puts("constructor");
  operator delete(Block);
}
__attribute__((destructor)) static void destructed() { std::puts("destructor"); }

int main() {
  std::printf("main %zu %zu\n", Table.size(), Table["offset"].size());
  once();
  once();
}
