// Headers and contents of a closed library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace grids {

class Grid;

/// What an expression turns into when it is assigned.
class Operation {
public:
  virtual ~Operation() = default;
  virtual void assign(const Grid &From, Grid &To) const = 0;
};

/// A value for each of up to four channels.
struct Pixel {
  float channels[4];
};

class Grid {
public:
  int rows = 0, columns = 0;
  float *data = nullptr;
  const int *extents = &rows; ///< rows and columns, for whoever wants to index them
  bool isOwner = false;

  Grid();
  Grid(int Rows, int Columns);
  Grid(int Rows, int Columns, float *Data);
  Grid(const Grid &) = delete;
  ~Grid();
  void resize(int Rows, int Columns);
  void fill(const Pixel &Value);
  int rowsNow() const { return extents[0]; }
};

struct Extents {
  int rows, columns;
};

/// Gives grids the extents that stand where it was told when it was made.
class Resizer {
  const Extents *To;

public:
  explicit Resizer(const Extents &Now);
  void resize(Grid &Which) const;
};

struct Expression {
  const Operation *operation;
  const Grid *of;
  int rows, columns; ///< of the result
  void to(Grid &Result) const { operation->assign(*of, Result); }
};

void smooth(const Grid &From, Grid &To);
Expression transposed(const Grid &Of);
double sum(const Grid &Of);
void above(const Grid &Of, float Threshold, Grid &Found);

} // namespace grids
