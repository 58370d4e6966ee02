// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Objects made in the operator remember the sizes that they were made with, in their own methods too.

#include <cstddef>
#include <vector>

class Image {
public:
  Image(std::size_t rows, std::size_t columns) : Rows(rows), Columns(columns), Pixels(rows * columns) {}
  std::size_t rows() const { return Rows; }
  std::size_t columns() const { return Columns; }
  Image transposed() const { return Image(Columns, Rows); }
  float &at(std::size_t r, std::size_t c) { return Pixels[r * Columns + c]; }

private:
  std::size_t Rows, Columns;
  std::vector<float> Pixels;
};

[[memshape::operator]] void turn(const float *in, int ny, int nx, float *out) {
  Image image(ny, nx);
  image.at(0, 0) = in[0];
  std::vector<double> border(2 * image.rows() + 2 * image.columns());
  out[0] = float(border.size());
}

// CHECK: allocation function={Image::Image} name={Pixels} kind={container} space={host} size_written={rows * columns} depends_on={shape} {{.*}} chain={[turn:[[#@LINE-6]]]}
// CHECK-NEXT: allocation function={turn} name={border} kind={container} space={host} size_written={2 * image.rows() + 2 * image.columns()} depends_on={shape}
