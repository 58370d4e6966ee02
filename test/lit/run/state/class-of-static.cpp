// The class of a static object that others may change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it counts is anybody's, as its address is handed out; of which class it is, nobody changes. Its virtual destructor
// is followed, so that there is an upper bound where data says whether it is called.
//
// RUN: %held -std=c++17 -O2
// HELD line n=100 --bounds 0..1624 -- 100

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

struct Factory {
  mutable int references = 0;
  bool isOwned = false;
  virtual ~Factory() = default;
  void add() const { ++references; }
  void drop() const {
    if (!--references && isOwned)
      delete this;
  }
  static const Factory *get();
};

const Factory *Factory::get() {
  static Factory shared;
  return &shared;
}

struct Geometry {
  const Factory *factory;
  explicit Geometry(const Factory *factory) : factory(factory) { factory->add(); }
  virtual ~Geometry() { factory->drop(); }
  virtual int points() const = 0;
};

struct Line : Geometry {
  std::unique_ptr<std::vector<double>> numbers;
  Line(std::unique_ptr<std::vector<double>> numbers, const Factory *factory)
      : Geometry(factory), numbers(std::move(numbers)) {}
  int points() const override { return int(numbers->size()); }
};

MEMSHAPE_OPERATOR
int line(const double *in, int n) {
  std::unique_ptr<Geometry> made =
      std::make_unique<Line>(std::make_unique<std::vector<double>>(in, in + 2 * n), Factory::get());
  return made->points();
}

TWICE_EACH
