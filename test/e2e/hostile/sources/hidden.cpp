// What C++ hides from who looks at variables and calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Released, reset or set by others.
static std::vector<float> kept$;
EXPORTED void hostile_clear$(); void hostile_clear$() { kept$.clear(); kept$.shrink_to_fit(); }
ELSEWHERE(EXPORTED void hostile_clear$(); SET { if (value & 1) hostile_clear$(); })
NUMBER(vector_released_by_others) { kept$.resize(30); kept$[0] = in[0]; out[0] += kept$[0]; return 3; }
static std::unique_ptr<int[]> kept$;
EXPORTED void hostile_reset$(); void hostile_reset$() { kept$.reset(); }
ELSEWHERE(EXPORTED void hostile_reset$(); SET { if (value & 1) hostile_reset$(); })
NUMBER(pointer_released_by_others) { if (!kept$) kept$ = std::make_unique<int[]>(30); kept$[0] = n; out[0] += (float)kept$[0]; return 3; }
static std::map<int, int> kept$;
EXPORTED void hostile_forget$(); void hostile_forget$() { kept$.clear(); }
ELSEWHERE(EXPORTED void hostile_forget$(); SET { if (value & 1) hostile_forget$(); })
NUMBER(map_released_by_others) { kept$[3] = n; return kept$.size() + 3; }
class meter$ { std::vector<int> v; int level = 3; public: void reset() { v = {}; } void set(int l) { level = l; } int use(int n) { v.resize(20); v[0] = n;
  return level; } static meter$ &get(); };
  meter$ &meter$::get() { static meter$ m; return m; }
ELSEWHERE(class meter$ { std::vector<int> v; int level = 3; public: void reset() { v = {}; } void set(int l) { level = l; } static meter$ &get(); }; SET {
  meter$::get().set(value & 63);
  meter$::get().reset(); })
NUMBER(object_set_by_method) { return (unsigned)meter$::get().use(n); }
static int level$ = 3;
std::function<void(int)> hostile_setter$() { return [](int v) { level$ = v & 63; }; }
ELSEWHERE(std::function<void(int)> hostile_setter$(); SET { hostile_setter$()(value); })
NUMBER(lambda_that_sets) { return (unsigned)level$; }
struct listener$ { virtual ~listener$() = default; virtual void changed(int v) = 0; }; static int level$ = 3;
  namespace { struct own$ : listener$ { void changed(int v) override { level$ = v & 63; } }; } static own$ own_of$; listener$ *hostile_listener$() {
  return &own_of$; }
ELSEWHERE(struct listener$ { virtual ~listener$() = default; virtual void changed(int v) = 0; }; listener$ *hostile_listener$(); SET {
  hostile_listener$()->changed(value); })
NUMBER(virtual_that_sets) { return (unsigned)level$; }
struct base$ { virtual ~base$(); virtual void changed(int v); }; static int level$ = 3; base$::~base$() = default; void base$::changed(int v) {
  level$ = v & 63; }
ELSEWHERE(struct base$ { virtual ~base$(); virtual void changed(int v); }; SET { base$ b; b.changed(value); })
NUMBER(method_that_sets) { return (unsigned)level$; }
struct guard$ { int before; guard$(int v); ~guard$(); }; static int level$ = 3; guard$::guard$(int v) : before(level$) { level$ = v & 63; }
  guard$::~guard$() { level$ += 1; }
ELSEWHERE(struct guard$ { int before; guard$(int v); ~guard$(); }; SET { guard$ g(value); })
NUMBER(constructor_that_sets) { return (unsigned)level$ & 127; }
struct token$ { token$(); token$(const token$ &); ~token$(); }; static int alive$ = 3; token$::token$() { ++alive$; } token$::token$(const token$ &) {
  ++alive$; } token$::~token$() { --alive$; }
ELSEWHERE(struct token$ { token$(); token$(const token$ &); ~token$(); }; static std::vector<token$> tokens$; SET { tokens$.resize((unsigned)value & 31); })
NUMBER(objects_counted) { return (unsigned)alive$; }
static thread_local int level$ = 3; void hostile_set_level$(int v) { level$ = v & 63; }
ELSEWHERE(void hostile_set_level$(int v); SET { hostile_set_level$(value); })
NUMBER(thread_local_setter) { return (unsigned)level$; }
template <class T> struct registry$ { static std::vector<int> &all() { static std::vector<int> v; return v; } registry$(int v) { all().push_back(v); } };
  static registry$<int> first$(3); void hostile_register$(int v) { if (registry$<int>::all().size() < 40) registry$<int> r(v); }
ELSEWHERE(void hostile_register$(int v); SET { hostile_register$(value); })
NUMBER(registered_by_others) { return registry$<int>::all().size(); }
enum class mode$ { low = 3, high = 40 }; static mode$ mode_of$ = mode$::low; void hostile_high$() { mode_of$ = mode$::high; } void hostile_low$() {
  mode_of$ = mode$::low; }
ELSEWHERE(void hostile_high$(); void hostile_low$(); SET { value & 1 ? hostile_high$() : hostile_low$(); })
NUMBER(mode_set_by_others) { return (unsigned)mode_of$; }
static std::atomic<bool> verbose$; void hostile_verbose$() { verbose$.store(true); }
ELSEWHERE(void hostile_verbose$(); SET { if (value & 1) hostile_verbose$(); })
NUMBER(flag_set_by_others) { return verbose$ ? 40 : 3; }
static std::pair<int, int> limits${3, 4}; void hostile_swap$() { std::swap(limits$.first, limits$.second); }
ELSEWHERE(void hostile_swap$(); SET { if (value & 1) hostile_swap$(); })
NUMBER(swapped_by_others) { return (unsigned)limits$.first; }
static std::vector<int> a$(3), b$(40); void hostile_exchange$() { a$.swap(b$); }
ELSEWHERE(void hostile_exchange$(); SET { if (value & 1) hostile_exchange$(); })
NUMBER(vectors_swapped_by_others) { return a$.size(); }
static std::string name$ = "abc"; void hostile_name$(const char *s) { name$ = s; }
ELSEWHERE(void hostile_name$(const char *s); SET { hostile_name$(value & 1 ? "a name that is quite long, longer than short ones" : "b"); })
NUMBER(name_set_by_others) { return name$.size(); }
BOTH(struct shared_list$ { std::vector<int> v; void add(int k) { if (v.size() < 50) v.push_back(k); } }; )
shared_list$ hostile_list$;
ELSEWHERE(extern shared_list$ hostile_list$; SET { hostile_list$.add(value); })
NUMBER(list_of_all_units) { return hostile_list$.v.size() + 3; }

// Containers that keep or reuse.
NUMBER(map_assigned) { std::map<int, int> a, b; for (int k = 0; k < (AT(ints, 1) & 7); ++k) a[k] = k; for (int k = 0; k < 5; ++k) b[k] = k; a = b;
  return a.size(); }
NUMBER(list_assigned) { std::list<int> a((unsigned)AT(ints, 1) & 7, 1), b(5, 2); a = b; return a.size(); }
NUMBER(hash_table_copied, shape) { std::unordered_map<int, int> a; for (int k = 0; k < n; ++k) a[k] = k; auto b = a; b.clear(); b.rehash(0);
  return b.bucket_count() & 63; }
NUMBER(vector_grown_by_copies) { struct item { std::vector<int> v; item() : v(3) {} item(const item &o) : v(o.v) {} item(item &&o) : v(std::move(o.v)) {} };
  std::vector<item> v; for (int k = 0; k < (n & 7); ++k) v.emplace_back(); return v.size(); }
NUMBER(vector_inserted_itself, shape) { std::vector<int> v((unsigned)n, 3); v.insert(v.begin() + 1, v.begin(), v.begin() + 0); v.insert(v.end(), v[0]);
  return v.capacity() & 63; }
NUMBER(deque_both_ends) { std::deque<int> d; for (int k = 0; k < n * 9; ++k) { if (AT(ints, k) & 1) d.push_front(k); else d.push_back(k); }
  return d.size() & 63; }
NUMBER(deque_queue, shape) { std::deque<std::array<int, 40>> d; for (int k = 0; k < n; ++k) { d.emplace_back(); if (d.size() > 3) d.pop_front(); }
  return d.size(); }
NUMBER(forward_list_sorted) { std::forward_list<int> l; for (int k = 0; k < 9; ++k) l.push_front(AT(ints, k)); l.sort(); l.unique();
  return (unsigned)std::distance(l.begin(), l.end()); }
NUMBER(multimap_of_data) { std::multimap<int, int> v; for (int k = 0; k < n; ++k) v.emplace(AT(ints, k) & 3, k); return v.count(1); }
NUMBER(bits_of_vector, shape) { std::vector<bool> v((unsigned)n * 9); v.push_back(true); v.flip(); return v.capacity() & 63; }
NUMBER(valarray_masked) { std::valarray<int> v(n & 31), w = v; for (std::size_t k = 0; k < v.size(); ++k) v[k] = AT(ints, k);
  std::valarray<int> x = v[v > 3]; return x.size(); }
NUMBER(valarray_sliced, shape) { std::valarray<int> v(3, (unsigned)n + 9); std::valarray<int> w = v[std::slice(1, 4, 2)]; w = w.cshift(2) + w.shift(1);
  return w.size() + (unsigned)w.sum(); }
NUMBER(searcher, shape) { std::string s((unsigned)n + 9, 'a'), p("aab"); auto it = std::search(s.begin(), s.end(), std::boyer_moore_searcher(p.begin(),
  p.end())); return (unsigned long)(it - s.begin()) & 63; }
NUMBER(seeds_of_sequence, shape) { std::seed_seq s{n, m, 3}; std::mt19937 g(s); return g() & 63; }
NUMBER(discrete, shape) { std::vector<double> w((unsigned)n, 1.0); std::discrete_distribution<int> d(w.begin(), w.end()); std::minstd_rand g(3);
  return (unsigned)d(g) & 63; }
NUMBER(distribution_keeps) { static std::minstd_rand g(3); std::normal_distribution<float> d; g.seed(3);
  return (unsigned long)std::fabs(d(g) * 9 + d(g)) & 63; }
NUMBER(sampled_data) { std::vector<int> v(ints, ints + 20), w; std::minstd_rand g(3); std::sample(v.begin(), v.end(), std::back_inserter(w), 5, g);
  return (unsigned)w[0] & 63; }
NUMBER(heap_kept_by_weak) { std::weak_ptr<std::array<int, 90>> w; { auto p = std::make_shared<std::array<int, 90>>(); w = p; }
  std::vector<int> v((unsigned)n); v[0] = ints[0]; out[0] += (float)v[0];
  return w.expired() ? 3 : 40; }
NUMBER(shared_array, shape) { auto p = std::make_shared<int[]>((unsigned)n); p[0] = n; auto q = std::shared_ptr<int>(p, &p[0]);
  return (unsigned long)q.use_count(); }
struct self$ : std::enable_shared_from_this<self$> { int v = 3; std::shared_ptr<self$> me() { return shared_from_this(); } };
NUMBER(shared_from_itself, shape) { auto p = std::make_shared<self$>(); auto q = p->me(); return (unsigned long)q.use_count() + (unsigned)n; }
NUMBER(deleter_with_block, shape) { auto w = std::make_shared<std::vector<int>>((unsigned)n); std::shared_ptr<int> p(new int(3), [w](int *k) { delete k; });
  return w->size() & 63; }
NUMBER(function_of_functions, shape) { std::function<int(int)> f = [](int v) { return v + 1; }; for (int k = 0; k < (n & 7); ++k) f = [f](int v) {
  return f(v) + 1; }; return (unsigned)f(3); }
NUMBER(visitor_by_data) { std::vector<std::variant<int, std::string, std::vector<double>>> v; for (int k = 0; k < 5; ++k) {
  if (AT(ints, k) & 1) v.emplace_back(std::string(40, 'x')); else v.emplace_back(k); }
  unsigned long x = 0; for (auto &e : v) x += std::visit([](auto &a) { return sizeof a; }, e); return x & 63; }
NUMBER(tuple_of_vectors, shape) { std::tuple<std::vector<int>, std::string> t(std::vector<int>((unsigned)n), std::string((unsigned)m, 'x')); auto u = t;
  auto [a, b] = std::move(u); return a.size() + b.size(); }
NUMBER(optional_emplaced) { std::optional<std::vector<int>> o; for (int k = 0; k < 4; ++k) { if (AT(ints, k) & 1) o.emplace(9); else o.reset(); }
  return o ? o->size() : 3; }
NUMBER(span_of_tensor) { std::span<const int> s(ints, 20); auto v = s | std::views::filter([](int k) { return k > 3; });
  return (unsigned long)std::ranges::distance(v); }
NUMBER(ranges_of_shape, shape) { auto v = std::views::iota(0, n) | std::views::transform([](int k) { return k * 7 % 31;
  }) | std::views::take_while([](int k) { return k < 28; }); std::vector<int> w; for (int k : v) w.push_back(k);
  return w.size(); }
NUMBER(ranges_sorted, shape) { std::vector<int> v((unsigned)n); for (int k = 0; k < n; ++k) v[(unsigned)k] = k * 7 % 31;
  std::ranges::sort(v, {}, [](int k) { return -k; }); return (unsigned)v[0]; }

// Allocators.
static long given$; template <class T> struct counting$ { using value_type = T; T *allocate(std::size_t c) { ++given$;
  return static_cast<T *>(std::malloc((c + (given$ & 3)) * sizeof(T))); }
  void deallocate(T *p, std::size_t) { std::free(p); } bool operator==(const counting$ &) const { return true; } counting$() = default;
  template <class U> counting$(const counting$<U> &) {} };
NUMBER(allocator_that_counts) { std::vector<int, counting$<int>> v; for (int k = 0; k < n; ++k) v.push_back(k); return v.size() & 63; }
template <class T> struct slab$ { using value_type = T; std::size_t pad; explicit slab$(std::size_t p) : pad(p) {}
  template <class U> slab$(const slab$<U> &o) : pad(o.pad) {}
  T *allocate(std::size_t c) { return static_cast<T *>(std::malloc(c * sizeof(T) + pad)); } void deallocate(T *p, std::size_t) { std::free(p); }
  bool operator==(const slab$ &o) const { return pad == o.pad; } };
NUMBER(allocator_with_number, shape) { slab$<int> a((unsigned)m); std::vector<int, slab$<int>> v(a); v.resize((unsigned)n);
  std::list<int, slab$<int>> l(v.begin(), v.end(), a); return l.size() & 63; }
NUMBER(pmr_copied) { std::pmr::monotonic_buffer_resource r(100); std::pmr::string s("a text that is longer than sixteen", &r), t = s; t += "abc";
  return t.size(); }
NUMBER(pmr_on_stack) { std::byte b[256]; std::pmr::monotonic_buffer_resource r(b, sizeof b); std::pmr::list<int> l(&r); for (int k = 0; k < n;
  ++k) l.push_back(k); return l.size(); }
NUMBER(pmr_pool) { std::pmr::unsynchronized_pool_resource r; std::pmr::map<int, int> v(&r); for (int k = 0; k < n; ++k) v[k] = k; return v.size(); }
NUMBER(pmr_synchronised) { std::pmr::synchronized_pool_resource r; std::pmr::vector<int> v((unsigned)n, 3, &r); return v.size(); }
NUMBER(pmr_null, shape) { std::byte b[64]; std::pmr::monotonic_buffer_resource r(b, sizeof b, std::pmr::null_memory_resource()); try {
  std::pmr::vector<int> v((unsigned)n, 3, &r); return v.size(); } catch (const std::bad_alloc &) { return 40; } }
struct record$ { static int made; int v[5]; static void *operator new(std::size_t c) { return std::malloc(c + (++made % 7 ? 0 : 50)); }
  static void operator delete(void *p) { std::free(p); } }; int record$::made;
NUMBER(new_that_counts) { std::unique_ptr<record$> p(new record$); p->v[0] = n; out[0] += (float)p->v[0]; return 3; }
NUMBER(new_with_cookie, shape) { struct item { int v = 3; ~item() { v = 0; } }; item *p = new item[(unsigned)n]; unsigned long x = (unsigned)p[n - 1].v;
  delete[] p; return x; }
NUMBER(new_with_large_cookie, shape) { struct alignas(64) item { int v = 3; ~item() { v = 0; } }; item *p = new item[(unsigned)n & 7];
  unsigned long x = (unsigned)n & 7; delete[] p; return x; }
struct breaks$ { static int left; std::vector<int> v; breaks$() : v(5) { if (--left < 0) throw 3; } }; int breaks$::left;
NUMBER(new_that_breaks) { breaks$::left = n & 7; try { auto p = std::make_unique<breaks$[]>(5); return p[0].v.size(); } catch (int) { return 40; } }
struct breaks$ { static int left; std::vector<int> v; breaks$() : v(5) { if (--left < 0) throw 3; } }; int breaks$::left;
NUMBER(new_that_breaks_by_data) { breaks$::left = AT(ints, 1) & 7; try { auto p = std::make_unique<breaks$[]>(5); return p[0].v.size(); } catch (int) {
  return 40; } }
NUMBER(temporary_buffer) { auto b = std::get_temporary_buffer<int>(n); unsigned long x = (unsigned long)b.second; std::return_temporary_buffer(b.first);
  return x & 63; }
#include <cxxabi.h>
NUMBER(name_demangled) { int s = 0; char *p = __cxxabiv1::__cxa_demangle(typeid(std::vector<int>).name(), nullptr, nullptr, &s);
  unsigned long x = p ? std::strlen(p) & 63 : 3; std::free(p); return x; }

// Exceptions.
struct large$ { char b[300]; }; static NOINLINE void throws$(int v) { if (v & 1) throw large$(); }
NUMBER(exception_of_data) { try { throws$(AT(ints, 1)); } catch (const large$ &) { return 4; } return 3; }
NUMBER(exception_in_loop) { int c = 0; for (int k = 0; k < (n & 7); ++k) try { if (k & 1) throw std::out_of_range("some"); } catch (...) { ++c; }
  return (unsigned)c; }
NUMBER(exception_passed_on) { try { try { throw std::runtime_error("first text that is long"); } catch (std::exception &e) { throw; } }
  catch (const std::exception &e) { return std::strlen(e.what()); } }
NUMBER(exception_pointers) { std::vector<std::exception_ptr> v; for (int k = 0; k < (n & 3); ++k) try { throw k; } catch (...) {
  v.push_back(std::current_exception()); } return v.size(); }
NUMBER(exception_of_library) { try { std::string s("abc"); return s.substr((unsigned)n).size(); } catch (const std::out_of_range &e) {
  return std::strlen(e.what()) & 63; } }
NUMBER(exception_in_destructor) { struct tidy { unsigned long *x; ~tidy() { *x += (unsigned)std::uncaught_exceptions() * 30; } }; unsigned long x = 3; try {
  tidy t{&x}; if (AT(ints, 1) & 1) throw 3; } catch (int) {} return x; }
NUMBER(exception_unwinds) { static int depth; struct level { level() { ++depth; } ~level() { --depth; } }; try { level a, b; if (AT(ints, 1) & 1) throw 3;
  return (unsigned)depth; } catch (int) { return (unsigned)depth + 9; } }
NUMBER(exception_leaves_count) { static int open; ++open; try { if (AT(ints, 1) & 1) throw 3; --open; } catch (int) { } return (unsigned)open & 63; }

NUMBER(exception_of_caller) { return std::current_exception() ? 40 : 3; }

// Coroutines.
struct numbers$ { struct promise_type { int v = 0; numbers$ get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int k) { v = k; return {}; } void return_void() {}
  void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; };
static numbers$ count$(int n) { int b[20] = {n}; for (int k = 0; k < n; ++k) co_yield k + b[k % 20] * 0; }
NUMBER(coroutine_of_shape, shape) { auto g = count$(n); int s = 0; while (g.h.resume(), !g.h.done()) s += g.h.promise().v; g.h.destroy();
  return (unsigned)s & 63; }
struct numbers$ { struct promise_type { int v = 0; numbers$ get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int k) { v = k; return {}; } void return_void() {}
  void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; };
static numbers$ count$(int n) { int b[20] = {n}; for (int k = 0; k < n; ++k) co_yield k + b[k % 20] * 0; }
NUMBER(coroutine_kept) { static numbers$ g = count$(1 << 30); g.h.resume(); return (unsigned)g.h.promise().v & 31; }
struct sized$ { struct promise_type { static void *operator new(std::size_t c, int n) { return std::malloc(c + (unsigned)n); }
  static void operator delete(void *p) { std::free(p); } sized$ get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; } void return_void() {}
  void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; };
static sized$ run$(int n) { static int runs; ++runs; co_return; }
NUMBER(coroutine_with_new) { auto g = run$(n & 31); g.h.resume(); g.h.destroy(); return 3; }

// Streams and text.
NUMBER(number_from_characters) { char b[16]; copied(b, text, 12); double d = 3; auto r = std::from_chars(b, b + std::strlen(b), d);
  return (unsigned long)(r.ptr - b); }
NUMBER(number_from_characters_of_shape) { std::string s = std::to_string(n) + ".25e1"; double d = 3; std::from_chars(s.data(), s.data() + s.size(), d);
  return (unsigned long)whole(d) & 63; }
NUMBER(number_to_characters, shape) { char b[40]; auto r = std::to_chars(b, b + 40, n / 7.0); return (unsigned long)(r.ptr - b); }
NUMBER(text_of_real, shape) { return std::to_string(n / 7.0).size(); }
NUMBER(text_of_real_of_data, finite) { return std::to_string(AT(in, 1)).size(); }
NUMBER(stream_of_reals, shape) { std::ostringstream s; s << std::setprecision(n & 15) << n / 7.0 << std::setw(m) << 3; return s.str().size() & 63; }
NUMBER(stream_words_read) { std::istringstream s("12 abc 3.5"); int k = 0; std::string w; double d = 0; s >> k >> w >> d; return (unsigned)k + w.size(); }
NUMBER(stream_of_tensor) { char b[32]; copied(b, text, 30); std::istringstream s(b); std::string w; unsigned long x = 0;
  while (std::getline(s, w, ' ')) x += w.size() + 1; return x; }
NUMBER(quoted_text) { std::ostringstream s; s << std::quoted(std::string((unsigned)n & 15, '"')); return s.str().size(); }
NUMBER(time_put) { std::ostringstream s; std::tm t{}; t.tm_mday = 1; s << std::put_time(&t, "%A %B"); return s.str().size(); }
NUMBER(text_of_set, shape) { return std::bitset<40>((unsigned)n).to_string().size(); }
NUMBER(output_without_stdio) { std::cout << ""; return 3; }
NUMBER(width_kept_by_stream) { std::cout.width(std::cout.width() + 1); return (unsigned long)std::cout.width() & 31; }
NUMBER(precision_kept_by_stream) { return (unsigned long)std::cout.precision() & 31; }
NUMBER(wide_stream, shape) { std::wostringstream s; s << n << L"abc"; return s.str().size(); }
NUMBER(code_converted) { std::wstring_convert<std::codecvt_utf8<wchar_t>> c; return c.from_bytes("abcdefgh").size(); }
NUMBER(collated) { std::string s((unsigned)n & 31, 'a'); return std::use_facet<std::collate<char>>(std::locale()).transform(s.data(), s.data() +
  s.size()).size(); }
NUMBER(path_relative) { return std::filesystem::path("/usr/lib/a/../b").lexically_normal().string().size(); }
NUMBER(path_current) { return std::filesystem::current_path().string().size() & 63; }
NUMBER(directory_entries) { unsigned long x = 0; for (auto &e : std::filesystem::directory_iterator(".")) x += e.path().string().size() & 0, ++x;
  return x & 63; }

// Threads.
NUMBER(thread_joins, shape) { int v = n & 15; { std::jthread t([&v] { v *= 2; }); } return (unsigned)v; }
NUMBER(thread_moves_vector, shape) { std::vector<int> v((unsigned)n, 3); unsigned long x = 0; std::thread t([w = std::move(v), &x] { x = w.size(); });
  t.join(); return x; }
NUMBER(future_of_thread, shape) { auto f = std::async(std::launch::async, [n] { return std::vector<int>((unsigned)n, 3).size(); }); return f.get(); }
NUMBER(task_packaged, shape) { std::packaged_task<int(int)> t([](int v) { return v & 31; }); auto f = t.get_future(); t(n); return (unsigned)f.get(); }
NUMBER(future_shared, shape) { std::promise<std::vector<int>> p; auto f = p.get_future().share(); p.set_value(std::vector<int>((unsigned)n));
  return f.get().size(); }
NUMBER(thread_counts, thread) { static std::atomic<int> c; std::thread a([] { ++c; }), b([] { ++c; }); a.join(); b.join(); return (unsigned)c.load() & 31; }
NUMBER(thread_local_in_thread) { static thread_local std::vector<int> v; unsigned long x = 0; std::thread t([&x] { v.push_back(3); x = v.size(); });
  t.join(); return x + v.size(); }
NUMBER(once_by_shape) { static std::once_flag once; static int v = 3; std::call_once(once, [n] { v = n; }); return (unsigned)v & 63; }
NUMBER(locked_twice, shape) { std::recursive_mutex m1; std::scoped_lock a(m1); std::unique_lock b(m1, std::try_to_lock); return b.owns_lock() ? 3 : 40; }
NUMBER(stopped) { std::stop_source s; int v = 3; std::stop_callback c(s.get_token(), [&v] { v = 40; }); if (n & 1) s.request_stop(); return (unsigned)v; }
NUMBER(parallel_sorted, shape) { std::vector<int> v((unsigned)n * 9); for (unsigned k = 0; k < v.size(); ++k) v[k] = (int)(k * 7 % 31);
  std::stable_sort(v.begin(), v.end(), std::greater<>()); return (unsigned)v[0]; }

// Classes.
struct root$ { int a = 3; virtual ~root$() = default; virtual int size() { return a; } }; struct left$ : virtual root$ { int b = 4; int size() override {
  return a + b; } }; struct right$ : virtual root$ { int c = 5; }; struct both$ : left$, right$ { int size() override { return a + b + c; } };
NUMBER(virtual_bases) { std::unique_ptr<root$> p; if (AT(ints, 1) & 1) p = std::make_unique<both$>(); else p = std::make_unique<right$>();
  return (unsigned)p->size() + (dynamic_cast<left$ *>(p.get()) ? 30 : 0); }
struct root$ { int a = 3; virtual ~root$() = default; virtual int size() { return a; } }; struct left$ : virtual root$ { int b = 4; int size() override {
  return a + b; } }; struct right$ : virtual root$ { int c = 5; }; struct both$ : left$, right$ { int size() override { return a + b + c; } };
NUMBER(member_pointers) { int (root$::*f)() = &root$::size; both$ b; left$ l; root$ *p = AT(ints, 1) & 1 ? (root$ *)&b : (root$ *)&l;
  return (unsigned)(p->*f)(); }
struct lazy$ { mutable std::unique_ptr<std::vector<int>> v; const std::vector<int> &get(int n) const {
  if (!v) v = std::make_unique<std::vector<int>>((unsigned)n); return *v; } };
NUMBER(lazy_member, shape) { lazy$ l; return l.get(n).size() + l.get(m).size(); }
struct lazy$ { mutable std::unique_ptr<std::vector<int>> v; const std::vector<int> &get(int n) const {
  if (!v) v = std::make_unique<std::vector<int>>((unsigned)n); return *v; } };
NUMBER(lazy_static) { static const lazy$ l; return l.get(n).size() & 63; }
template <int N> struct power$ { static constexpr int value = 2 * power$<N - 1>::value; }; template <> struct power$<0> { static constexpr int value = 1; };
NUMBER(constant_by_templates, shape) { return power$<5>::value + (unsigned)n; }
consteval int twice$(int v) { return 2 * v; }
NUMBER(constant_evaluated, shape) { static constinit int v = twice$(9); return (unsigned)v + (std::is_constant_evaluated() ? 30 : 0); }
struct view$ { const int *p; int c; int first() const { return c ? *p : 3; } };
NUMBER(view_of_tensor) { view$ v{ints, n}; return (unsigned)v.first() & 63; }
NUMBER(temporary_lives, shape) { const std::string &s = std::string((unsigned)n, 'x'); auto &&v = std::vector<int>((unsigned)m); return s.size() + v.size();
  }
NUMBER(moved_from) { std::vector<int> v((unsigned)n), w = std::move(v); v.push_back(3); return v.size() + w.size(); }
NUMBER(self_assigned, shape) { std::vector<int> v((unsigned)n, 3); auto &w = v; v = w; std::string s((unsigned)n, 'x'); s = s.c_str();
  return v.size() + s.size(); }
NUMBER(union_of_texts) { union u { std::string s; std::vector<int> v; u() {} ~u() {} } x; unsigned long r; if (AT(ints, 1) & 1) {
  new (&x.s) std::string(40, 'x'); r = x.s.size(); x.s.~basic_string(); } else { new (&x.v) std::vector<int>(9); r = x.v.size(); x.v.~vector(); } return r;
  }
NUMBER(placed, shape) { alignas(std::string) char b[sizeof(std::string)]; auto *s = new (b) std::string((unsigned)n, 'x'); unsigned long x = s->size();
  s->~basic_string(); return x; }

// What runs at another shape, or before main.
static int level$ = 3; __attribute__((noinline)) static void fall$() { level$ = 40; }
NUMBER(set_by_function_of_handler) { const int before = level$; try { if (n > 20) throw 3; } catch (int) { fall$(); } return (unsigned)before; }
static int step$; __attribute__((noinline)) static int next$() { return ++step$ & 63; } EXPORTED void hostile_step$(); void hostile_step$() { next$(); }
ELSEWHERE(EXPORTED void hostile_step$(); SET { if (value & 1) hostile_step$(); })
NUMBER(helper_that_others_call) { return (unsigned)next$(); }
struct layer$ { virtual ~layer$() = default; virtual std::size_t run(int n) = 0; }; struct dense$ : layer$ { std::size_t run(int n) override {
  std::vector<float> v((unsigned)n + 9); return touched(v.data()) != 0 ? 3 : 4; } };
static std::vector<std::unique_ptr<layer$>> layers$ = [] { std::vector<std::unique_ptr<layer$>> l; l.push_back(std::make_unique<dense$>()); return l; }();
NUMBER(layers_of_an_initialiser) { std::size_t sum = 0; for (const auto &l : layers$) sum += l->run(n); return sum; }
struct node$ { static node$ *head; node$ *next; int size; node$(int s) : next(head), size(s) { head = this; } ~node$() { head = next; } };
node$ *node$::head; static node$ first$(8), second$(16);
NUMBER(nodes_that_enter_a_list) { node$ own(n & 7); std::size_t sum = 0; for (const node$ *e = node$::head; e; e = e->next) sum += (unsigned)e->size;
  return sum; }
extern const std::function<int()> hostile_rising$; const std::function<int()> hostile_rising$ = [v = 3]() mutable { return v++ & 63; };
ELSEWHERE(extern const std::function<int()> hostile_rising$; SET { if (value & 1) hostile_rising$(); })
NUMBER(const_function_that_counts) { return (unsigned)hostile_rising$(); }
