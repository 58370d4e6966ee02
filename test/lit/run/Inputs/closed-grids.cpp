// A library that nobody instruments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "closed-grids.h"
#include <cstring>
#include <vector>

namespace grids {

Grid::Grid() = default;
Grid::Grid(int Rows, int Columns) { resize(Rows, Columns); }
Grid::Grid(int Rows, int Columns, float *Data) : rows(Rows), columns(Columns), data(Data) {}
Grid::~Grid() {
  if (isOwner)
    delete[] data;
}

void Grid::resize(int Rows, int Columns) {
  if (isOwner && Rows * Columns == rows * columns) {
    rows = Rows, columns = Columns;
    return;
  }
  if (isOwner)
    delete[] data;
  rows = Rows, columns = Columns;
  data = new float[long(Rows) * Columns]();
  isOwner = true;
}

void Grid::fill(const Pixel &Value) {
  std::vector<float> Line(columns, Value.channels[0]);
  for (int R = 0; R < rows; ++R)
    std::memcpy(data + long(R) * columns, Line.data(), columns * sizeof(float));
}

Resizer::Resizer(const Extents &Now) : To(&Now) {}
void Resizer::resize(Grid &Which) const { Which.resize(To->rows, To->columns); }

void smooth(const Grid &From, Grid &To) {
  To.resize(From.rows, From.columns);
  std::vector<float> Line(From.columns + 2);
  for (int R = 0; R < From.rows; ++R) {
    std::memcpy(Line.data() + 1, From.data + long(R) * From.columns, From.columns * sizeof(float));
    for (int C = 0; C < From.columns; ++C)
      To.data[long(R) * From.columns + C] = (Line[C] + Line[C + 1] + Line[C + 2]) / 3;
  }
}

namespace {
class Transpose final : public Operation {
  void assign(const Grid &From, Grid &To) const override {
    To.resize(From.columns, From.rows);
    for (int R = 0; R < From.rows; ++R)
      for (int C = 0; C < From.columns; ++C)
        To.data[long(C) * From.rows + R] = From.data[long(R) * From.columns + C];
  }
};
} // namespace

Expression transposed(const Grid &Of) {
  static const Transpose Only;
  return {&Only, &Of, Of.columns, Of.rows};
}

double sum(const Grid &Of) {
  double Sum = 0;
  for (long I = 0; I < long(Of.rows) * Of.columns; ++I)
    Sum += Of.data[I];
  return Sum;
}

void above(const Grid &Of, float Threshold, Grid &Found) {
  std::vector<float> Values;
  for (long I = 0; I < long(Of.rows) * Of.columns; ++I)
    if (Of.data[I] > Threshold)
      Values.push_back(Of.data[I]);
  Found.resize(1, int(Values.size()) + 1);
}

} // namespace grids
