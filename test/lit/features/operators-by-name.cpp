
// Without touching the source: a qualified name, a template instance, or `*` for all that others can call with a shape.

// RUN: %clangxx -O0 -c -fplugin=%plugin -fplugin-arg-memshape-operator=imaging::smooth -fplugin-arg-memshape-operator=absent \
// RUN:   %s -o %t.named.o
// RUN: %python %S/read_features.py %t.named.o | FileCheck --check-prefix=NAMED %s
// RUN: %clangxx -O0 -c -fplugin=%plugin "-fplugin-arg-memshape-operator=*" %s -o %t.star.o
// RUN: %python %S/read_features.py %t.star.o | FileCheck --check-prefix=STAR %s

namespace imaging {
template <class T> void smooth(T *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
} // namespace imaging

enum class Mode { Slow, Fast };
struct Pixel {
  unsigned char rgb[3];
};
struct Tree {
  Tree *left;
};

void visible(Pixel *pixels, unsigned short n, const double &scale, Tree *tree, Mode mode, void *any, bool b, float **rows) {
  imaging::smooth(&pixels[0].rgb[0], n);
}
static void hidden(int) {}
inline void elsewhere(int) {}
void shapeless(float *) { hidden(1); }
int main(int argc, char **) { return argc - 1; }

// NAMED: operator imaging::smooth<unsigned char> symbol=_ZN7imaging6smoothIhEEvPT_i
// NAMED-NOT: operator

// STAR: operator visible
// STAR-NEXT: parameter name={pixels} role={tensor} type={Pixel *} element={3 Pixel} bits={null} read_only={no}
// STAR-NEXT: parameter name={n} role={shape} type={unsigned short} element={null} bits={16} read_only={null} signed={no}
// STAR-NEXT: parameter name={scale} role={tensor} {{.*}} read_only={yes}
// STAR-NEXT: parameter name={tree} role={object}
// STAR-NEXT: parameter name={mode} role={setting} type={Mode} element={null} bits={32}
// STAR-NEXT: parameter name={any} role={tensor}
// STAR-NEXT: parameter name={b} role={setting} type={bool} element={null} bits={1}
// STAR-NEXT: parameter name={rows} role={tensor}
// STAR-NOT: operator
