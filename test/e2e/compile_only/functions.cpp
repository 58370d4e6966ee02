// Functions, members and lambdas as parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, members and lambdas as parameters
//
// flags:

#include <functional>
#include <vector>

struct Filter {
  int Width;
  float apply(int n) const { return std::vector<float>(n * Width).size(); }
  template <typename T> T of(T n) { return n; }
};
float pointer(int n, float (*f)(float)) { return f(static_cast<float>(n)); }
float reference(int n, float (&f)(float)) { return f(static_cast<float>(n)); }
float table(int n, float (**f)(float)) { return f[n](0); }
float member(int n, float (Filter::*f)(int) const, const Filter &On) { return (On.*f)(n); }
int field(int n, int Filter::*f, Filter &On) { return On.*f + n; }
float any(int n, const std::function<float(int)> &f) { return f(n); }
float nothing(int n, std::nullptr_t) { return n; }
auto lambda(int n) {
  return [n](int m) { return std::vector<int>(n + m).size(); };
}
template <typename T> T generic(T n) { return std::vector<T>(n).size(); }
template int generic<int>(int);
inline namespace versioned {
int within(int n) { return generic(n); }
} // namespace versioned
struct Hidden {
  friend int befriended(int n) { return n; }
};
consteval int early(int n) { return n; }
constexpr int either(int n) { return early(3) + n; }
int (*Kept)(int) = either;
