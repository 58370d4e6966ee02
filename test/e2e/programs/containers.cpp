// The standard containers, strings and smart pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <any>
#include <deque>
#include <forward_list>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct Node {
  std::string Name;
  std::vector<std::shared_ptr<Node>> Children;
  std::weak_ptr<Node> Parent;
};

int main() {
  std::map<std::string, std::deque<int>> Words;
  std::istringstream Text("the trace the gather the cube a trace a cube of cubes");
  std::string Word;
  for (int Position = 0; Text >> Word; ++Position)
    Words[Word].push_front(Position);
  for (const auto &[Key, Where] : Words) {
    std::cout << Key << ':';
    for (int Position : Where)
      std::cout << ' ' << Position;
    std::cout << '\n';
  }
  std::unordered_map<int, std::list<double>> Bins;
  for (int I = 0; I < 1000; ++I)
    Bins[I % 13].push_back(I * 0.5);
  double Sum = 0;
  for (int Bin = 0; Bin < 13; ++Bin)
    for (double Value : Bins[Bin])
      Sum += Value * Bin;
  std::multiset<int> Sorted;
  std::forward_list<int> Single;
  for (int I = 0; I < 200; ++I) {
    Sorted.insert(I * 7919 % 101);
    Single.push_front(I);
  }
  Single.remove_if([](int Value) { return Value % 3 == 0; });
  std::vector<std::function<int(int)>> Chain;
  for (int I = 0; I < 10; ++I)
    Chain.push_back(
        [I, Copy = std::string(100, 'x')](int Value) { return Value * 3 + I + static_cast<int>(Copy.size()); });
  int Folded = 1;
  for (const auto &Step : Chain)
    Folded = Step(Folded) % 10007;
  auto Root = std::make_shared<Node>();
  for (int I = 0; I < 5; ++I) {
    auto Child = std::make_shared<Node>();
    Child->Name = "child " + std::to_string(I) + std::string(40, '.');
    Child->Parent = Root;
    Root->Children.push_back(Child);
  }
  std::weak_ptr<Node> Watch = Root->Children[2];
  Root->Children.erase(Root->Children.begin() + 2);
  std::any Anything = std::vector<int>(300, 3);
  std::cout << Sum << ' ' << *Sorted.rbegin() << ' ' << std::distance(Single.begin(), Single.end()) << ' ' << Folded
            << ' ' << Watch.expired() << ' ' << Root.use_count() << ' '
            << std::any_cast<std::vector<int> &>(Anything).size() << '\n';
}
