# ===- hostile_sources_cpp.py - What a size may come from, in C++ ----------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""More entries of hostile_sources.py, for C++ alone."""

SOURCES = r'''
# static_of_inline_function
+ struct config$I { int block = 4; static config$I &get() { static config$I c; return c; } };
! struct config$I { int block = 4; static config$I &get() { static config$I c; return c; } };
> config$I::get().block = value & 63;
x = (unsigned)config$I::get().block;
# static_of_template_function
+ template <class T> inline int &hostile_shared$I() { static int v = 6; return v; }
! template <class T> inline int &hostile_shared$I() { static int v = 6; return v; }
> hostile_shared$I<float>() = value & 31;
x = (unsigned)hostile_shared$I<float>();
# inline_variable
+ inline int hostile_inline$I = 6;
! inline int hostile_inline$I = 6;
> hostile_inline$I = value & 31;
x = (unsigned)hostile_inline$I;
# member_of_template
+ template <class T> struct hostile_of$I { static int v; static int get() { return v; } }; template <class T> int hostile_of$I<T>::v = 5;
! template <class T> struct hostile_of$I { static int v; static int get() { return v; } }; template <class T> int hostile_of$I<T>::v = 5;
> hostile_of$I<int>::v = value & 31;
x = (unsigned)hostile_of$I<int>::get();
# member_of_template_by_derived
+ template <class T> class hostile_base$I { public: static int get() { return v; } protected: static inline int v = 5; };
! template <class T> class hostile_base$I { public: static int get() { return v; } protected: static inline int v = 5; };
! struct hostile_derived$I : hostile_base$I<int> { static void set(int s) { v = s & 31; } };
> hostile_derived$I::set(value);
x = (unsigned)hostile_base$I<int>::get();
# static_member_of_class
+ struct hostile_class$I { static int v; }; int hostile_class$I::v = 4;
! struct hostile_class$I { static int v; };
> hostile_class$I::v = value & 31;
x = (unsigned)hostile_class$I::v;
# static_of_lambda
+ inline auto hostile_lambda$I = [] { static int v = 3; return &v; };
x = (unsigned)(*hostile_lambda$I())++ & 31;
# static_from_first_data
static const int first = AT(ints, 1) & 31; x = (unsigned)first;
# static_from_first_shape
static const int first = n; x = (unsigned)first & 127;
# static_vector_that_grows
static std::vector<int> kept; kept.push_back(n); if (kept.size() > 20) kept.clear(); x = kept.size();
# static_map_of_shapes
static std::map<int, std::vector<float>> kept; auto &v = kept[n]; v.resize((unsigned)n); x = kept.size() & 31;
# static_memo_of_data
static std::unordered_map<int, int> kept; int key = AT(ints, 1) & 7; x = kept.count(key) ? 5 : 40; kept[key] = n;
# static_object_with_counter
+ struct counter$I { int calls = 0; int next() { return ++calls & 31; } }; static counter$I count$I;
x = (unsigned)count$I.next();
# static_unique_pointer
static std::unique_ptr<int> kept; x = kept ? 4 : 50; if (AT(ints, 2) & 1) kept.reset(); else kept = std::make_unique<int>(n);
# static_shared_count
static std::shared_ptr<int> kept = std::make_shared<int>(3); static std::vector<std::shared_ptr<int>> users; users.push_back(kept); if (users.size() > 5) users.clear(); x = (unsigned long)kept.use_count();
# static_weak_pointer
static std::weak_ptr<int> seen; static std::shared_ptr<int> kept; x = seen.expired() ? 30 : 5; kept = AT(ints, 3) & 1 ? std::make_shared<int>(1) : nullptr; seen = kept;
# call_once_late
static std::once_flag once; static int v = 3; static int calls; if (++calls == 3) std::call_once(once, [] { v = 44; }); x = (unsigned)v;
# namespace_scope_from_environment
+ static const int begun$I = std::getenv("HOSTILE_VALUE") ? (int)std::strlen(std::getenv("HOSTILE_VALUE")) : 7;
x = (unsigned)begun$I;
# namespace_scope_from_time
+ static const unsigned long begun$I = (unsigned long)std::chrono::steady_clock::now().time_since_epoch().count();
x = begun$I >> 8 & 63;
# namespace_scope_from_others
+ extern "C" int hostile_origin$I(); static const int begun$I = hostile_origin$I();
! extern "C" int hostile_origin$I() { return 17; }
x = (unsigned)begun$I;
# namespace_scope_constant shape
+ static const std::vector<int> begun$I(7, 3);
x = begun$I.size() + (unsigned)begun$I[2];
# atomic_counter
+ static std::atomic<int> calls$I{0};
x = (unsigned)calls$I.fetch_add(1) & 31;
# atomic_set_by_others
+ std::atomic<int> hostile_atomic$I{4};
! extern std::atomic<int> hostile_atomic$I;
> hostile_atomic$I = value & 31;
x = (unsigned)hostile_atomic$I.load();
# atomic_local shape
std::atomic<int> v{n}; v.fetch_add(3); x = (unsigned)v.load() & 127;
# thread_local_vector
static thread_local std::vector<int> kept; kept.push_back(n); if (kept.size() > 9) kept.clear(); x = kept.size();
# stod_caught
WORD(b, $s); try { x = (unsigned long)whole(std::stod(std::string(b))) & 63; } catch (...) { x = 70; }
# stoi_caught
WORD(b, $s); try { x = (unsigned)std::stoi(b) & 63; } catch (const std::out_of_range &) { x = 80; } catch (const std::invalid_argument &) { x = 90; }
# stoi_end
WORD(b, $s); std::size_t end = 0; try { (void)std::stol(b, &end); } catch (const std::exception &) { end = 20; } x = end;
# stod_per_item
for (int i = 0; i < 12; ++i) { std::string s(text + i, text + i + 2); try { x += std::stod(s.c_str()) > 1 ? 2 : 1; } catch (...) { x += 5; } }
# at_caught
std::vector<int> v(8, n); try { x = (unsigned)v.at((unsigned)AT(ints, $s) & 15); } catch (const std::out_of_range &) { x = 100; }
# at_of_string_caught
std::string s("abcdef"); try { x = (unsigned char)s.at((unsigned)AT(ints, $s) & 7); } catch (const std::exception &e) { x = std::strlen(e.what()); }
# at_of_map_caught
std::map<int, int> v{{1, 4}, {2, 9}}; try { x = (unsigned)v.at(AT(ints, $s) & 3); } catch (...) { x = 31; }
# at_of_shape_caught
std::vector<int> v(8, n); try { x = (unsigned)v.at((unsigned)n & 15); } catch (const std::out_of_range &) { x = 100; }
# bad_cast_caught
+ struct base$I { virtual ~base$I() = default; int v = 3; }; struct left$I : base$I {}; struct right$I : base$I {};
left$I l; right$I r; base$I *b = AT(ints, $s) & 1 ? (base$I *)&l : (base$I *)&r; try { x = (unsigned)dynamic_cast<left$I &>(*b).v; } catch (const std::bad_cast &) { x = 60; }
# dynamic_cast_of_data
+ struct root$I { virtual ~root$I() = default; }; struct one$I : root$I { int v = 9; }; struct two$I : root$I {};
std::unique_ptr<root$I> p; if (AT(ints, $s) & 1) p = std::make_unique<one$I>(); else p = std::make_unique<two$I>(); auto *o = dynamic_cast<one$I *>(p.get()); x = o ? (unsigned)o->v : 33;
# typeid_of_data
+ struct named$I { virtual ~named$I() = default; }; struct other_name_that_is_long$I : named$I {};
named$I a; other_name_that_is_long$I b; named$I *p = AT(ints, $s) & 1 ? &a : &b; x = std::strlen(typeid(*p).name());
# virtual_of_data
+ struct shape$I { virtual ~shape$I() = default; virtual int size(int v) const { return v & 7; } }; struct wide$I : shape$I { int size(int v) const override { return (v & 7) + 30; } };
shape$I a; wide$I b; const shape$I *p = AT(ints, $s) & 1 ? &a : &b; x = (unsigned)p->size(n);
# virtual_of_shape shape
+ struct form$I { virtual ~form$I() = default; virtual int size(int v) const { return v & 7; } }; struct large$I : form$I { int size(int v) const override { return (v & 7) + 30; } };
form$I a; large$I b; const form$I *p = n & 1 ? &a : &b; x = (unsigned)p->size(m);
# virtual_of_others
+ struct hostile_interface$I { virtual ~hostile_interface$I() = default; virtual int size() const { return 5; } }; hostile_interface$I *hostile_object$I = new hostile_interface$I;
! struct hostile_interface$I { virtual ~hostile_interface$I() = default; virtual int size() const { return 5; } }; extern hostile_interface$I *hostile_object$I;
! struct hostile_other$I : hostile_interface$I { int size() const override { return 44; } }; static hostile_other$I hostile_static$I;
> if (value & 1) hostile_object$I = &hostile_static$I;
x = (unsigned)hostile_object$I->size();
# bad_function_caught
std::function<int(int)> f; if (AT(ints, $s) & 1) f = [](int v) { return v & 15; }; try { x = (unsigned)f(n); } catch (const std::bad_function_call &) { x = 55; }
# bad_variant_caught
std::variant<int, float> v; if (AT(ints, $s) & 1) v = 2.5f; else v = n & 31; try { x = (unsigned)std::get<int>(v); } catch (const std::bad_variant_access &) { x = 66; }
# variant_visited
std::variant<int, std::string> v; if (AT(ints, $s) & 1) v = std::string(30, 'x'); else v = n & 7; x = std::visit([](const auto &a) { return sizeof a; }, v);
# optional_of_data
std::optional<int> v; if (AT(ints, $s) & 1) v = n & 31; x = (unsigned)v.value_or(50);
# bad_optional_caught
std::optional<int> v; if (AT(ints, $s) & 1) v = n & 31; try { x = (unsigned)v.value(); } catch (...) { x = 50; }
# any_of_types
std::any v; if (AT(ints, $s) & 1) v = n & 31; else v = 2.5; auto *i = std::any_cast<int>(&v); x = i ? (unsigned)*i : 40;
# bad_any_caught
std::any v = 3.5; if (AT(ints, $s) & 1) v = n & 31; try { x = (unsigned)std::any_cast<int>(v); } catch (const std::bad_any_cast &) { x = 40; }
# length_error_caught
std::vector<char> v; try { v.reserve(AT(ints, $s) & 1 ? (std::size_t)-1 / 2 + 5 : 9); x = 9; } catch (const std::length_error &) { x = 71; }
# bitset_caught
WORD(b, $s); try { x = std::bitset<16>(std::string(b)).count(); } catch (...) { x = 19; }
# throw_of_data
try { if (AT(ints, $s) & 1) throw (long)n; x = 3; } catch (long v) { x = (unsigned long)v & 63; }
# throw_in_constructor
+ struct picky$I { std::vector<int> v; explicit picky$I(int k) : v(5) { if (k & 1) throw std::runtime_error("a message that is long enough"); } };
try { picky$I p(AT(ints, $s)); x = p.v.size(); } catch (const std::exception &e) { x = std::strlen(e.what()); }
# throw_nested
try { try { if (AT(ints, $s) & 1) throw 3; x = 2; } catch (int v) { throw v + 20L; } } catch (long v) { x = (unsigned long)v; }
# throw_kept
std::exception_ptr p; try { if (AT(ints, $s) & 1) throw std::logic_error("kept"); } catch (...) { p = std::current_exception(); } x = p ? 30 : 4;
# uncaught_count
x = (unsigned)std::uncaught_exceptions() + 3;
# mt19937_of_shape shape
std::mt19937 g((unsigned)n); x = g() & 63;
# mt19937_of_data
std::mt19937 g((unsigned)AT(ints, 1)); x = g() & 63;
# mt19937_static
static std::mt19937 g(3); x = g() & 63;
# minstd_of_shape shape
std::minstd_rand g((unsigned)n); std::uniform_int_distribution<int> d(1, 50); x = (unsigned)d(g);
# normal_of_shape shape
std::mt19937 g((unsigned)m); std::normal_distribution<double> d(20, 5); x = (unsigned long)whole(std::fabs(d(g))) & 63;
# shuffled_shape shape
std::vector<int> v(16); std::iota(v.begin(), v.end(), 0); std::mt19937 g((unsigned)n); std::shuffle(v.begin(), v.end(), g); x = (unsigned)v[3];
# random_device_number
x = std::random_device()() & 63;
# steady_clock_now
x = (unsigned long)std::chrono::steady_clock::now().time_since_epoch().count() >> 6 & 63;
# system_clock_now
x = (unsigned long)std::chrono::system_clock::now().time_since_epoch().count() >> 9 & 63;
# thread_number
x = std::hash<std::thread::id>()(std::this_thread::get_id()) & 63;
# hash_of_tensor
x = std::hash<const float *>()(in) >> 4 & 63;
# hash_of_block
auto p = std::make_unique<int>(n); x = std::hash<int *>()(p.get()) >> 4 & 63;
# hash_of_integer shape
x = std::hash<int>()(n) & 63;
# hash_of_text
WORD(b, $s); x = std::hash<std::string>()(b) & 63;
# hash_of_text_of_shape shape
x = std::hash<std::string>()(std::to_string(n)) & 63;
# hash_of_float
x = std::hash<float>()(AT(in, $s)) & 63;
# hash_of_type
x = std::type_index(typeid(n)).hash_code() & 63;
# less_of_tensors
x = std::less<const void *>()(in, out) ? 5 : 40;
# less_of_blocks
auto a = std::make_unique<int>(n), b = std::make_unique<int>(m); x = std::less<int *>()(a.get(), b.get()) ? 5 : 40;
# set_of_blocks
std::vector<std::unique_ptr<int>> v; std::set<int *> s; for (int i = 0; i < 4; ++i) { v.push_back(std::make_unique<int>(i * 9)); s.insert(v.back().get()); } x = (unsigned)**s.begin();
# set_of_blocks_counted shape
std::vector<std::unique_ptr<int>> v; std::set<int *> s; for (int i = 0; i < 4; ++i) { v.push_back(std::make_unique<int>(i * 9)); s.insert(v.back().get()); } x = s.size() + (unsigned)n;
# map_by_tensor
std::map<const void *, int> s{{in, 3}, {out, 14}, {ints, 25}}; x = (unsigned)s.begin()->second + (unsigned)s.size();
# unordered_by_block
std::vector<std::unique_ptr<int>> v; std::unordered_map<int *, int> s; for (int i = 0; i < 5; ++i) { v.push_back(std::make_unique<int>(i)); s[v.back().get()] = i * 9; } x = (unsigned)s.begin()->second;
# unordered_by_number shape
std::unordered_map<int, int> s; for (int i = 0; i < 9; ++i) s[i * n] = i; x = (unsigned)s.begin()->second + s.bucket_count();
# unordered_by_data
std::unordered_map<int, int> s; for (int i = 0; i < 9; ++i) s[AT(ints, i) & 31] = i; x = (unsigned)s.begin()->second + s.size();
# unordered_by_text
WORD(b, $s); std::unordered_set<std::string> s{"one", "two", b}; x = s.begin()->size() + s.size();
# median_of_blocks
std::vector<std::unique_ptr<int>> v; for (int i = 0; i < 5; ++i) v.push_back(std::make_unique<int>(i * 8)); std::sort(v.begin(), v.end()); x = (unsigned)*v[2];
# sorted_by_block
std::vector<std::unique_ptr<int>> v; for (int i = 0; i < 4; ++i) v.push_back(std::make_unique<int>(i * 8)); std::sort(v.begin(), v.end()); x = (unsigned)*v[0];
# queue_by_block
std::vector<std::unique_ptr<int>> v; std::priority_queue<int *> q; for (int i = 0; i < 4; ++i) { v.push_back(std::make_unique<int>(i * 8)); q.push(v.back().get()); } x = (unsigned)*q.top();
# owner_order
auto a = std::make_shared<int>(n), b = std::make_shared<int>(m); x = a.owner_before(b) ? 5 : 40;
# string_is_short
WORD(b, $s); std::string s(b); s += std::string((unsigned)AT(ints, 2) & 15, 'y'); const char *p = s.data(); x = (uintptr_t)p >= (uintptr_t)&s && (uintptr_t)p < (uintptr_t)(&s + 1) ? 3 : 30;
# string_is_short_of_shape shape
std::string s((unsigned)n, 'y'); x = s.capacity();
# string_of_data
WORD(b, $s); std::string s(b); s += b; x = s.size();
# string_capacity_of_data
WORD(b, $s); std::string s(b); s += b; s += b; x = s.capacity();
# string_found
WORD(b, $s); std::string s(b); auto at = s.find('.'); x = at == std::string::npos ? 60 : at;
# string_compared
WORD(b, $s); x = std::string("12.5") < b ? 4 : 44;
# string_view_of_data
WORD(b, $s); std::string_view v(b); v.remove_prefix(std::min(v.find_first_not_of(" 1"), v.size())); x = v.size();
# string_of_number
x = std::to_string(AT(ints, $s)).size();
# string_of_float
x = std::to_string(AT(in, $s)).size();
# string_of_shape shape
x = std::to_string(n * 1000).size() + std::to_string(m).size();
# characters_of_number
char b[40]; auto r = std::to_chars(b, b + 40, AT(ints, $s)); x = (unsigned long)(r.ptr - b);
# characters_of_shape shape
char b[40]; auto r = std::to_chars(b, b + 40, n * 100); x = (unsigned long)(r.ptr - b);
# number_of_characters
WORD(b, $s); int v = 7; auto r = std::from_chars(b, b + std::strlen(b), v); x = ((unsigned)v & 63) + (unsigned long)(r.ptr - b) + (r.ec == std::errc() ? 0u : 9u);
# stream_of_numbers
std::ostringstream s; s << AT(ints, $s) << ' ' << n; x = s.str().size();
# stream_of_shape
std::ostringstream s; s << n << ':' << m; x = s.str().size();
# stream_of_float
std::ostringstream s; s << std::setprecision(9) << AT(in, $s); x = s.str().size();
# stream_locale
+ struct hostile_grouped$I : std::numpunct<char> { char do_thousands_sep() const override { return '.'; } std::string do_grouping() const override { return "\3"; } };
std::ostringstream s; s.imbue(std::locale(std::locale::classic(), new hostile_grouped$I)); s << 1234567L * (n + 1); x = s.str().size();
# stream_read
WORD(b, $s); std::istringstream s(b); int v = 3; double d = 0; s >> v >> d; x = ((unsigned)v & 31) + (s.fail() ? 20u : 2u);
# stream_words
std::string copy(text, 60); std::istringstream s(copy.c_str()); std::string w; while (s >> w) x += w.size() + 1;
# locale_of_program
x = std::locale().name().size();
# nth_of_data
std::vector<int> v(in ? 16 : 1); for (int i = 0; i < 16; ++i) v[(unsigned)i % v.size()] = AT(ints, i); std::nth_element(v.begin(), v.begin() + 5, v.end()); x = (unsigned)v[5] & 63;
# sorted_vector_of_data
std::vector<int> v; for (int i = 0; i < 16; ++i) v.push_back(AT(ints, i)); std::sort(v.begin(), v.end()); x = (unsigned)(std::unique(v.begin(), v.end()) - v.begin());
# sorted_vector_of_shape shape
std::vector<int> v; for (int i = 0; i < 16; ++i) v.push_back(i * n % 13); std::sort(v.begin(), v.end()); x = (unsigned)(std::unique(v.begin(), v.end()) - v.begin());
# partition_of_data
std::vector<int> v(ints, ints + 24); auto p = std::partition(v.begin(), v.end(), [](int a) { return a > 2; }); x = (unsigned long)(p - v.begin());
# set_of_data
std::set<int> s; for (int i = 0; i < 16; ++i) s.insert(AT(ints, i) & 15); x = s.size();
# map_of_data
std::map<int, std::string> s; for (int i = 0; i < 6; ++i) s[AT(ints, i) & 3] += 'x'; x = s.begin()->second.size();
# heap_of_data
std::priority_queue<int> q; for (int i = 0; i < 9; ++i) q.push(AT(ints, i) & 63); q.pop(); x = (unsigned)q.top();
# function_of_data
std::function<unsigned(unsigned)> f = [](unsigned v) { return v & 31; }; if (AT(in, $s) > 0) { long big[4] = {n, m, 3, 4}; f = [big](unsigned v) { return (unsigned)big[v & 3] & 63; }; } x = f(7);
# function_kept
static std::function<int(int)> f = [](int v) { return v & 15; }; x = (unsigned)f(n); if (AT(ints, 4) & 1) f = [k = n](int v) { return (v + k) & 63; };
# accumulate_fast shape fast
std::vector<float> v((unsigned)n); for (int i = 0; i < n; ++i) v[(unsigned)i] = (float)(i % 11) * 0.13f; x = (unsigned long)(std::accumulate(v.begin(), v.end(), 0.f) * 1e4f) % 600;
# inner_product_fast shape fast
std::vector<double> v(40), w(40); for (int i = 0; i < 40; ++i) { v[(unsigned)i] = 1.0 / (i + n); w[(unsigned)i] = 0.1 * i; } x = (unsigned long)(std::inner_product(v.begin(), v.end(), w.begin(), 0.0) * 1e15) % 600;
# vector_address
std::vector<int> v(9, n); x = (uintptr_t)v.data() >> 4 & 31;
# vector_moved
std::vector<int> v(9, n); uintptr_t before = (uintptr_t)v.data(); v.resize(200); x = before == (uintptr_t)v.data() ? 3 : 40;
# vector_alias
std::vector<float> v(in, in + 16); out[0] = 8.f; std::copy(in, in + 16, v.begin()); x = (unsigned long)whole(v[0]) & 63;
# vector_of_pairs
std::vector<std::pair<float, int>> v; for (int i = 0; i < 8; ++i) v.emplace_back(AT(in, i), i * 7); std::stable_sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.first > b.first; }); x = (unsigned)v[0].second;
# bool_vector
std::vector<bool> v(64); for (int i = 0; i < 64; ++i) v[(unsigned)i] = AT(in, i) > 0.5f; x = (unsigned long)std::count(v.begin(), v.end(), true);
# tuple_order
std::tuple<int, int> a{AT(ints, 1), n}, b{AT(ints, 2), m}; x = a < b ? 5 : 40;
# pointer_to_member
+ struct both$I { int left = 3, right = 40; };
both$I b; int both$I::*p = AT(ints, $s) & 1 ? &both$I::left : &both$I::right; x = (unsigned)(b.*p);
# coroutine_free_generator shape
auto g = [k = n]() mutable { return k = k * 5 % 61 + 1; }; g(); x = (unsigned)g();
# bit_cast_of_float
x = __builtin_bit_cast(unsigned, AT(in, $s)) >> 22 & 63;
# bit_cast_of_pointer
x = __builtin_bit_cast(unsigned long, in) >> 6 & 63;
# bit_cast_of_shape shape
x = __builtin_bit_cast(unsigned, (float)n) >> 19 & 63;
# address_as_text
std::ostringstream s; s << (const void *)in; x = (unsigned char)s.str().back() & 31;
# address_as_text_length
std::ostringstream s; s << (const void *)in; x = s.str().size();
# list_of_data
std::list<int> l; for (int i = 0; i < 9; ++i) if (AT(ints, i) & 1) l.push_back(i); x = l.size();
# deque_of_data
std::deque<int> d; for (int i = 0; i < 30; ++i) { d.push_back(i); if (AT(in, i) > 0) d.pop_front(); } x = d.size();
# new_nothrow shape
int *p = new (std::nothrow) int[(unsigned)n]; x = p ? 9 : 50; if (p) { p[0] = AT(ints, 0); out[0] += (float)p[0]; } delete[] p;
# new_too_large_caught
try { std::vector<double> v; v.reserve((unsigned)AT(ints, $s) & 1 ? (std::size_t)1 << 60 : 4); x = 4; } catch (const std::bad_alloc &) { x = 40; } catch (const std::length_error &) { x = 50; }
# atexit_order
static struct once { int v; once() : v(3) {} ~once() { v = 0; } } kept; x = (unsigned)kept.v++ & 15;
# type_of_library
x = std::strlen(typeid(std::vector<int>).name());
# is_evaluated
x = __builtin_is_constant_evaluated() ? 3 : 30;
# pair_of_sizes
std::pair<int, float> p(n & 31, AT(in, 1)), q; std::memcpy((void *)&q, (const void *)&p, sizeof q); x = (unsigned)q.first + (q.second > 1.f ? 20u : 0u);
'''
