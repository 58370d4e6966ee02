// Kinds of types and functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind has a Subject. All are bystanders of one operator, and with PARAMETERS of operators each takes its own kind.
// One kind alone: -D'KINDS(X)=X(aliases)'.
//
// flags:
// flags: -DPARAMETERS
// flags: -DPARAMETERS -g
// flags: -DPARAMETERS -std=c++23 -fPIC
// flags: -DPARAMETERS -fno-rtti -fno-exceptions
// flags: -DPARAMETERS -fvisibility=hidden -fno-semantic-interposition -fPIC -fvisibility-inlines-hidden
// flags: -DPARAMETERS -Xclang -mno-constructor-aliases
// flags: -DPARAMETERS -mconstructor-aliases -fno-threadsafe-statics -fms-extensions
// flags: -DPARAMETERS -flto
// flags: -DPARAMETERS -flto=thin -fwhole-program-vtables
// flags: -DPARAMETERS -fsanitize=address,undefined
// flags: -DPARAMETERS -fsanitize=thread
// flags: -DPARAMETERS -fsanitize=memory
// flags: -DPARAMETERS -flto -fvisibility=hidden -fsanitize=cfi
// flags: -DPARAMETERS -fexperimental-relative-c++-abi-vtables
// flags: -DPARAMETERS -ffunction-sections -funique-internal-linkage-names
// flags: -DPARAMETERS -x c++-header %s && -DREST -include-pch first -c %s

#if defined(IMPORTS)
import kinds;
double *imported(const bit_fields::Subject &s, int n) { return new double[s.n + n]; }
double *imported(const out_of_line::Subject &s, int n) { return new double[s.n + n]; }
#elif defined(REST)
double *included(const bit_fields::Subject &s, int n) { return new double[s.n + n]; }
double *included(const out_of_line::Subject &s, int n) { return new double[s.n + n]; }
#else

#include <coroutine>

namespace out_of_line {
struct Subject {
  Subject(int n);
  Subject(const Subject &);
  ~Subject();
  int n;
};
Subject::Subject(int n) : n(n) {}
Subject::Subject(const Subject &Other) : n(Other.n) {}
Subject::~Subject() {}
} // namespace out_of_line

namespace defaulted {
struct Subject {
  Subject();
  Subject(Subject &&);
  Subject &operator=(const Subject &);
  ~Subject();
  int n = 1;
  double *data = nullptr;
};
Subject::Subject() = default;
Subject::Subject(Subject &&) = default;
Subject &Subject::operator=(const Subject &) = default;
Subject::~Subject() = default;
} // namespace defaulted

namespace virtual_bases {
struct Base {
  Base(int n);
  virtual ~Base();
  virtual Base *copy() const;
  int n;
};
struct Left : virtual Base {
  Left();
  Left *copy() const override;
};
struct Right : virtual Base {
  Right();
};
struct Subject : Left, Right {
  Subject(int n);
  ~Subject() override;
  Subject *copy() const override;
};
Base::Base(int n) : n(n) {}
Base::~Base() {}
Base *Base::copy() const { return nullptr; }
Left::Left() : Base(1) {}
Left *Left::copy() const { return nullptr; }
Right::Right() : Base(2) {}
Subject::Subject(int n) : Base(n) {}
Subject::~Subject() {}
Subject *Subject::copy() const { return new Subject(n); }
} // namespace virtual_bases

namespace covariant_results {
struct First {
  virtual ~First();
  virtual First *copy() const;
  int a = 0;
};
struct Second {
  virtual ~Second();
  virtual Second *copy() const;
  int b = 0;
};
struct Subject : First, Second {
  Subject(int n);
  ~Subject() override;
  Subject *copy() const override;
  int n;
};
First::~First() {}
First *First::copy() const { return nullptr; }
Second::~Second() = default;
Second *Second::copy() const { return nullptr; }
Subject::Subject(int n) : n(n) {}
Subject::~Subject() {}
Subject *Subject::copy() const { return new Subject(n); }
} // namespace covariant_results

namespace abstract {
struct Subject {
  virtual int extent() const = 0;
  virtual ~Subject() = default;
};
} // namespace abstract

namespace aliases {
extern "C" {
int aliases_body(int n) { return 2 * n; }
int aliases_second(int n) __attribute__((alias("aliases_body")));
int aliases_weak(int n) __attribute__((weak, alias("aliases_body")));
int aliases_of_alias(int n) __attribute__((alias("aliases_second")));
int aliases_value = 3;
extern int aliases_other_value __attribute__((alias("aliases_value")));
}
struct Subject {
  Subject(int n) : n(aliases_of_alias(n) + aliases_other_value) {}
  int n;
};
} // namespace aliases

namespace indirect_functions {
extern "C" {
static int indirect_plain(int n) { return n; }
int (*indirect_resolver(void))(int) { return indirect_plain; }
int indirect_chosen(int n) __attribute__((ifunc("indirect_resolver")));
int indirect_named(int n) __attribute__((alias("indirect_chosen")));
}
struct Subject {
  Subject(int n) : n(indirect_chosen(n) + indirect_named(n)) {}
  int n;
};
} // namespace indirect_functions

namespace weak {
__attribute__((weak)) int elsewhere(int n);
__attribute__((weak)) int here(int n) { return n; }
__attribute__((weak)) int value = 4;
struct Subject {
  __attribute__((weak)) Subject(int n);
  int n;
};
Subject::Subject(int n) : n(elsewhere ? elsewhere(n) : here(n) + value) {}
} // namespace weak

namespace extern_templates {
template <typename T> struct Grid {
  Grid(T n);
  virtual ~Grid();
  T n;
  static T count;
};
template <typename T> Grid<T>::Grid(T n) : n(n + count) {}
template <typename T> Grid<T>::~Grid() {}
template <typename T> T Grid<T>::count = 1;
extern template struct Grid<long>;
template struct Grid<int>;
struct Subject : Grid<long> {
  Subject(int n) : Grid<long>(n), own(n) {}
  Grid<int> own;
};
} // namespace extern_templates

namespace coroutines {
struct Subject {
  struct promise_type {
    int value = 0;
    Subject get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int n) { return value = n, std::suspend_always(); }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
Subject numbers(int n) {
  double *held = new double[n];
  for (int i = 0; i < n; ++i)
    co_yield i;
  delete[] held;
}
} // namespace coroutines

namespace immediate_functions {
consteval int squared(int n) { return n * n; }
struct Subject {
  consteval Subject(int n) : n(squared(n)) {}
  int n;
};
constinit Subject fixed(3);
} // namespace immediate_functions

namespace concepts {
template <typename T>
concept Counts = requires(T t) { t.n + 1; };
struct Small {
  int n;
};
template <Counts T> struct Wrapped {
  explicit Wrapped(int n)
    requires(sizeof(T) > 2)
      : held{n}, n(n) {}
  T held;
  int n;
};
using Subject = Wrapped<Small>;
int extent(const Counts auto &Of) { return Of.n; }
} // namespace concepts

namespace anonymous_unions {
struct Subject {
  int n;
  union {
    int a;
    float b;
  };
  struct {
    short c, d;
  };
};
} // namespace anonymous_unions

namespace unions {
union Subject {
  int n;
  double *data;
};
} // namespace unions

namespace bit_fields {
struct Subject {
  int n : 20;
  unsigned m : 3;
  unsigned : 0;
  long wide : 40;
  bool on : 1;
};
} // namespace bit_fields

namespace no_addresses {
struct Empty {};
struct Other {};
struct Subject {
  [[no_unique_address]] Empty first;
  [[no_unique_address]] Other second;
  int n;
};
} // namespace no_addresses

namespace constructors {
struct Base {
  Base(int n, int m = 2);
  int n;
};
Base::Base(int n, int m) : n(n * m) {}
struct Subject : Base {
  using Base::Base;
  Subject(const char *) : Subject(7) {}
};
} // namespace constructors

namespace member_pointers {
struct Subject {
  int n;
  int Subject::*which = &Subject::n;
  int (Subject::*call)() const = &Subject::extent;
  int extent() const { return this->*which; }
};
} // namespace member_pointers

namespace references {
struct Subject {
  const int n;
  int &shared;
};
} // namespace references

namespace static_members {
struct Subject {
  Subject(int n);
  int n;
  static inline int count = 3;
  static thread_local Subject *last;
};
thread_local Subject *Subject::last;
Subject::Subject(int n) : n(n + count) { last = this; }
Subject first(1);
} // namespace static_members

namespace hidden {
class Subject {
public:
  explicit Subject(int n) : inner{n} {}
  Subject(const Subject &) = delete;
  friend int extent(const Subject &Of) { return Of.inner.n; }

private:
  struct Inner {
    int n;
  } inner;
};
} // namespace hidden

namespace closures {
inline auto doubling = [](int n) { return 2 * n; };
using Subject = decltype(doubling);
} // namespace closures

namespace layouts {
struct alignas(64) Aligned {
  int n;
};
struct __attribute__((packed)) Subject {
  char tag;
  Aligned *aligned;
  int n;
  __attribute__((vector_size(16))) float lanes;
};
} // namespace layouts

namespace wide_numbers {
struct Subject {
  __int128 w;
  _BitInt(77) b;
  _Complex double c;
  int n;
};
} // namespace wide_numbers

namespace own_allocation {
struct Subject {
  Subject(int n);
  static void *operator new(__SIZE_TYPE__ size) { return ::operator new(size); }
  static void operator delete(void *at) { ::operator delete(at); }
  virtual ~Subject();
  int n;
};
Subject::Subject(int n) : n(n) {}
Subject::~Subject() {}
} // namespace own_allocation

namespace tags {
struct __attribute__((abi_tag("v2"), trivial_abi)) Subject {
  Subject(int n);
  ~Subject();
  int n;
};
Subject::Subject(int n) : n(n) {}
Subject::~Subject() {}
int labelled(int n) __asm__("another_name");
int labelled(int n) { return n; }
__attribute__((constructor)) void early() {}
} // namespace tags

namespace throwing {
struct Subject {
  Subject(int n);
  ~Subject() noexcept(false);
  int n;
};
#ifdef __cpp_exceptions
Subject::Subject(int n) try : n(n) {
  if (n < 0)
    throw n;
} catch (int) {
}
#else
Subject::Subject(int n) : n(n) {}
#endif
Subject::~Subject() noexcept(false) {}
} // namespace throwing

namespace opaque {
struct Subject;
} // namespace opaque

#ifndef KINDS
// clang-format off
#define KINDS(X)                                                                                                       \
  X(out_of_line)                                                                                                       \
  X(defaulted) X(virtual_bases) X(covariant_results) X(abstract) X(aliases) X(indirect_functions) X(weak)              \
      X(extern_templates) X(coroutines) X(immediate_functions) X(concepts) X(anonymous_unions) X(unions) X(bit_fields) \
          X(no_addresses) X(constructors) X(member_pointers) X(references) X(static_members) X(hidden) X(closures)     \
              X(layouts) X(wide_numbers) X(own_allocation) X(tags) X(throwing) X(opaque)
// clang-format on
#endif

struct Options {
  int many;
};
double *beside(const Options &o, int n) { return new double[o.many + n]; }
#ifdef PARAMETERS
#define TAKE(KIND)                                                                                                     \
  double *by_reference(const KIND::Subject &, int n) { return new double[n]; }                                         \
  double *by_pointer(KIND::Subject *s, int n) { return s ? new double[n] : nullptr; }                                  \
  KIND::Subject *handed_on(KIND::Subject &s, int n) { return n ? &s : nullptr; }
KINDS(TAKE)
#endif

#endif
