// Sizes from C++ and its library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

BOTH(struct config$ { int block = 4; static config$ &get() { static config$ c; return c; } };)
ELSEWHERE(SET { config$::get().block = value & 63; })
NUMBER(static_of_inline_function) { return (unsigned)config$::get().block; }
BOTH(template <class T> inline int &hostile_shared$() { static int v = 6; return v; })
ELSEWHERE(SET { hostile_shared$<float>() = value & 31; })
NUMBER(static_of_template_function) { return (unsigned)hostile_shared$<float>(); }
BOTH(inline int hostile_inline$ = 6;)
ELSEWHERE(SET { hostile_inline$ = value & 31; })
NUMBER(inline_variable) { return (unsigned)hostile_inline$; }
BOTH(template <class T> struct hostile_of$ { static int v; static int get() { return v; } }; template <class T> int hostile_of$<T>::v = 5;)
ELSEWHERE(SET { hostile_of$<int>::v = value & 31; })
NUMBER(member_of_template) { return (unsigned)hostile_of$<int>::get(); }
BOTH(template <class T> class hostile_base$ { public: static int get() { return v; } protected: static inline int v = 5; };)
ELSEWHERE(struct hostile_derived$ : hostile_base$<int> { static void set(int s) { v = s & 31; } }; SET { hostile_derived$::set(value); })
NUMBER(member_of_template_by_derived) { return (unsigned)hostile_base$<int>::get(); }
struct hostile_class$ { static int v; }; int hostile_class$::v = 4;
ELSEWHERE(struct hostile_class$ { static int v; }; SET { hostile_class$::v = value & 31; })
NUMBER(static_member_of_class) { return (unsigned)hostile_class$::v; }
inline auto hostile_lambda$ = [] { static int v = 3; return &v; };
NUMBER(static_of_lambda) { return (unsigned)(*hostile_lambda$())++ & 31; }
NUMBER(static_from_first_data) { static const int first = AT(ints, 1) & 31; return (unsigned)first; }
NUMBER(static_from_first_shape) { static const int first = n; return (unsigned)first & 127; }
NUMBER(static_vector_that_grows) { static std::vector<int> kept; kept.push_back(n); if (kept.size() > 20) kept.clear(); return kept.size(); }
NUMBER(static_map_of_shapes) { static std::map<int, std::vector<float>> kept; auto &v = kept[n]; v.resize((unsigned)n); return kept.size() & 31; }
NUMBER(static_memo_of_data) { unsigned long x = 0; static std::unordered_map<int, int> kept; int key = AT(ints, 1) & 7; x = kept.count(key) ? 5 : 40;
  kept[key] = n; return x; }
struct counter$ { int calls = 0; int next() { return ++calls & 31; } }; static counter$ count$;
NUMBER(static_object_with_counter) { return (unsigned)count$.next(); }
NUMBER(static_unique_pointer) { unsigned long x = 0; static std::unique_ptr<int> kept; x = kept ? 4 : 50; if (AT(ints, 2) & 1) kept.reset();
  else kept = std::make_unique<int>(n); return x; }
NUMBER(static_shared_count) { static std::shared_ptr<int> kept = std::make_shared<int>(3); static std::vector<std::shared_ptr<int>> users;
  users.push_back(kept); if (users.size() > 5) users.clear(); return (unsigned long)kept.use_count(); }
NUMBER(static_weak_pointer) { unsigned long x = 0; static std::weak_ptr<int> seen; static std::shared_ptr<int> kept; x = seen.expired() ? 30 : 5;
  kept = AT(ints, 3) & 1 ? std::make_shared<int>(1) : nullptr; seen = kept; return x; }
NUMBER(call_once_late) { static std::once_flag once; static int v = 3; static int calls; if (++calls == 3) std::call_once(once, [] { v = 44; });
  return (unsigned)v; }
static const int begun$ = std::getenv("HOSTILE_VALUE") ? (int)std::strlen(std::getenv("HOSTILE_VALUE")) : 7;
NUMBER(namespace_scope_from_environment) { return (unsigned)begun$; }
static const unsigned long begun$ = (unsigned long)std::chrono::steady_clock::now().time_since_epoch().count();
NUMBER(namespace_scope_from_time) { return begun$ >> 8 & 63; }
extern "C" int hostile_origin$(); static const int begun$ = hostile_origin$();
ELSEWHERE(extern "C" int hostile_origin$() { return 17; })
NUMBER(namespace_scope_from_others) { return (unsigned)begun$; }
static const std::vector<int> begun$(7, 3);
NUMBER(namespace_scope_constant, shape) { return begun$.size() + (unsigned)begun$[2]; }
static std::atomic<int> calls${0};
NUMBER(atomic_counter) { return (unsigned)calls$.fetch_add(1) & 31; }
std::atomic<int> hostile_atomic${4};
ELSEWHERE(extern std::atomic<int> hostile_atomic$; SET { hostile_atomic$ = value & 31; })
NUMBER(atomic_set_by_others) { return (unsigned)hostile_atomic$.load(); }
NUMBER(atomic_local, shape) { std::atomic<int> v{n}; v.fetch_add(3); return (unsigned)v.load() & 127; }
NUMBER(thread_local_vector, thread) { static thread_local std::vector<int> kept; kept.push_back(n); if (kept.size() > 9) kept.clear(); return kept.size(); }
NUMBER(stod_caught) { unsigned long x = 0; WORD(b, shape); try { x = (unsigned long)whole(std::stod(std::string(b))) & 63; } catch (...) { x = 70; } return x; }
NUMBER(stoi_caught) { unsigned long x = 0; WORD(b, shape); try { x = (unsigned)std::stoi(b) & 63; } catch (const std::out_of_range &) { x = 80; }
  catch (const std::invalid_argument &) { x = 90; } return x; }
NUMBER(stoi_end) { WORD(b, shape); std::size_t end = 0; try { (void)std::stol(b, &end); } catch (const std::exception &) { end = 20; } return end; }
NUMBER(stod_per_item) { unsigned long x = 0; for (int i = 0; i < 12; ++i) { std::string s(text + i, text + i + 2);
  try { x += std::stod(s.c_str()) > 1 ? 2 : 1; } catch (...) { x += 5; } } return x; }
NUMBER(at_caught) { unsigned long x = 0; std::vector<int> v(8, n); try { x = (unsigned)v.at((unsigned)AT(ints, shape) & 15); }
  catch (const std::out_of_range &) { x = 100; } return x; }
NUMBER(at_of_string_caught) { unsigned long x = 0; std::string s("abcdef"); try { x = (unsigned char)s.at((unsigned)AT(ints, shape) & 7); }
  catch (const std::exception &e) { x = std::strlen(e.what()); } return x; }
NUMBER(at_of_map_caught) { unsigned long x = 0; std::map<int, int> v{{1, 4}, {2, 9}}; try { x = (unsigned)v.at(AT(ints, shape) & 3); } catch (...) { x = 31; }
  return x; }
NUMBER(at_of_shape_caught) { unsigned long x = 0; std::vector<int> v(8, n); try { x = (unsigned)v.at((unsigned)n & 15); }
  catch (const std::out_of_range &) { x = 100; } return x; }
struct base$ { virtual ~base$() = default; int v = 3; }; struct left$ : base$ {}; struct right$ : base$ {};
NUMBER(bad_cast_caught) { unsigned long x = 0; left$ l; right$ r; base$ *b = AT(ints, shape) & 1 ? (base$ *)&l : (base$ *)&r;
  try { x = (unsigned)dynamic_cast<left$ &>(*b).v; } catch (const std::bad_cast &) { x = 60; } return x; }
struct root$ { virtual ~root$() = default; }; struct one$ : root$ { int v = 9; }; struct two$ : root$ {};
NUMBER(dynamic_cast_of_data) { std::unique_ptr<root$> p; if (AT(ints, shape) & 1) p = std::make_unique<one$>(); else p = std::make_unique<two$>();
  auto *o = dynamic_cast<one$ *>(p.get()); return o ? (unsigned)o->v : 33; }
struct named$ { virtual ~named$() = default; }; struct other_name_that_is_long$ : named$ {};
NUMBER(typeid_of_data) { named$ a; other_name_that_is_long$ b; named$ *p = AT(ints, shape) & 1 ? &a : &b; return std::strlen(typeid(*p).name()); }
struct shape$ { virtual ~shape$() = default; virtual int size(int v) const { return v & 7; } };
  struct wide$ : shape$ { int size(int v) const override { return (v & 7) + 30; } };
NUMBER(virtual_of_data) { shape$ a; wide$ b; const shape$ *p = AT(ints, shape) & 1 ? &a : &b; return (unsigned)p->size(n); }
struct form$ { virtual ~form$() = default; virtual int size(int v) const { return v & 7; } };
  struct large$ : form$ { int size(int v) const override { return (v & 7) + 30; } };
NUMBER(virtual_of_shape, shape) { form$ a; large$ b; const form$ *p = n & 1 ? &a : &b; return (unsigned)p->size(m); }
struct hostile_interface$ { virtual ~hostile_interface$() = default; virtual int size() const { return 5; } };
  hostile_interface$ *hostile_object$ = new hostile_interface$;
ELSEWHERE(struct hostile_interface$ { virtual ~hostile_interface$() = default; virtual int size() const { return 5; } };
  extern hostile_interface$ *hostile_object$; struct hostile_other$ : hostile_interface$ { int size() const override { return 44; } };
  static hostile_other$ hostile_static$; SET { if (value & 1) hostile_object$ = &hostile_static$; })
NUMBER(virtual_of_others) { return (unsigned)hostile_object$->size(); }
NUMBER(bad_function_caught) { unsigned long x = 0; std::function<int(int)> f; if (AT(ints, shape) & 1) f = [](int v) { return v & 15; };
  try { x = (unsigned)f(n); } catch (const std::bad_function_call &) { x = 55; } return x; }
NUMBER(bad_variant_caught) { unsigned long x = 0; std::variant<int, float> v; if (AT(ints, shape) & 1) v = 2.5f; else v = n & 31;
  try { x = (unsigned)std::get<int>(v); } catch (const std::bad_variant_access &) { x = 66; } return x; }
NUMBER(variant_visited) { unsigned long x = 0; std::variant<int, std::string> v; if (AT(ints, shape) & 1) v = std::string(30, 'x'); else v = n & 7;
  x = std::visit([](const auto &a) { return sizeof a; }, v); return x; }
NUMBER(optional_of_data) { std::optional<int> v; if (AT(ints, shape) & 1) v = n & 31; return (unsigned)v.value_or(50); }
NUMBER(bad_optional_caught) { unsigned long x = 0; std::optional<int> v; if (AT(ints, shape) & 1) v = n & 31; try { x = (unsigned)v.value(); }
  catch (...) { x = 50; } return x; }
NUMBER(any_of_types) { std::any v; if (AT(ints, shape) & 1) v = n & 31; else v = 2.5; auto *i = std::any_cast<int>(&v); return i ? (unsigned)*i : 40; }
NUMBER(bad_any_caught) { unsigned long x = 0; std::any v = 3.5; if (AT(ints, shape) & 1) v = n & 31; try { x = (unsigned)std::any_cast<int>(v); }
  catch (const std::bad_any_cast &) { x = 40; } return x; }
NUMBER(length_error_caught) { unsigned long x = 0; std::vector<char> v; try { v.reserve(AT(ints, shape) & 1 ? (std::size_t)-1 / 2 + 5 : 9); x = 9; }
  catch (const std::length_error &) { x = 71; } return x; }
NUMBER(bitset_caught) { unsigned long x = 0; WORD(b, shape); try { x = std::bitset<16>(std::string(b)).count(); } catch (...) { x = 19; } return x; }
NUMBER(throw_of_data) { unsigned long x = 0; try { if (AT(ints, shape) & 1) throw (long)n; x = 3; } catch (long v) { x = (unsigned long)v & 63; } return x; }
struct picky$ { std::vector<int> v; explicit picky$(int k) : v(5) { if (k & 1) throw std::runtime_error("a message that is long enough"); } };
NUMBER(throw_in_constructor) { unsigned long x = 0; try { picky$ p(AT(ints, shape)); x = p.v.size(); }
  catch (const std::exception &e) { x = std::strlen(e.what()); } return x; }
NUMBER(throw_nested) { unsigned long x = 0; try { try { if (AT(ints, shape) & 1) throw 3; x = 2; } catch (int v) { throw v + 20L; } }
  catch (long v) { x = (unsigned long)v; } return x; }
NUMBER(throw_kept) { std::exception_ptr p; try { if (AT(ints, shape) & 1) throw std::logic_error("kept"); } catch (...) { p = std::current_exception(); }
  return p ? 30 : 4; }
NUMBER(uncaught_count) { return (unsigned)std::uncaught_exceptions() + 3; }
NUMBER(mt19937_of_shape, shape) { std::mt19937 g((unsigned)n); return g() & 63; }
NUMBER(mt19937_of_data) { std::mt19937 g((unsigned)AT(ints, 1)); return g() & 63; }
NUMBER(mt19937_static) { static std::mt19937 g(3); return g() & 63; }
NUMBER(minstd_of_shape, shape) { std::minstd_rand g((unsigned)n); std::uniform_int_distribution<int> d(1, 50); return (unsigned)d(g); }
NUMBER(normal_of_shape, shape) { std::mt19937 g((unsigned)m); std::normal_distribution<double> d(20, 5); return (unsigned long)whole(std::fabs(d(g))) & 63; }
NUMBER(shuffled_shape, shape) { std::vector<int> v(16); std::iota(v.begin(), v.end(), 0); std::mt19937 g((unsigned)n); std::shuffle(v.begin(), v.end(), g);
  return (unsigned)v[3]; }
NUMBER(random_device_number) { return std::random_device()() & 63; }
NUMBER(steady_clock_now) { return (unsigned long)std::chrono::steady_clock::now().time_since_epoch().count() >> 6 & 63; }
NUMBER(system_clock_now) { return (unsigned long)std::chrono::system_clock::now().time_since_epoch().count() >> 9 & 63; }
NUMBER(thread_number) { return std::hash<std::thread::id>()(std::this_thread::get_id()) & 63; }
NUMBER(hash_of_tensor) { return std::hash<const float *>()(in) >> 4 & 63; }
NUMBER(hash_of_block) { auto p = std::make_unique<int>(n); return std::hash<int *>()(p.get()) >> 4 & 63; }
NUMBER(hash_of_integer, shape) { return std::hash<int>()(n) & 63; }
NUMBER(hash_of_text) { WORD(b, shape); return std::hash<std::string>()(b) & 63; }
NUMBER(hash_of_text_of_shape, shape) { return std::hash<std::string>()(std::to_string(n)) & 63; }
NUMBER(hash_of_float) { return std::hash<float>()(AT(in, shape)) & 63; }
NUMBER(hash_of_type) { return std::type_index(typeid(n)).hash_code() & 63; }
NUMBER(less_of_tensors) { return std::less<const void *>()(in, out) ? 5 : 40; }
NUMBER(less_of_blocks) { auto a = std::make_unique<int>(n), b = std::make_unique<int>(m); return std::less<int *>()(a.get(), b.get()) ? 5 : 40; }
NUMBER(set_of_blocks) { std::vector<std::unique_ptr<int>> v; std::set<int *> s; for (int i = 0; i < 4; ++i) { v.push_back(std::make_unique<int>(i * 9));
  s.insert(v.back().get()); } return (unsigned)**s.begin(); }
NUMBER(set_of_blocks_counted, shape) { std::vector<std::unique_ptr<int>> v; std::set<int *> s; for (int i = 0; i < 4;
  ++i) { v.push_back(std::make_unique<int>(i * 9)); s.insert(v.back().get()); } return s.size() + (unsigned)n; }
NUMBER(map_by_tensor) { std::map<const void *, int> s{{in, 3}, {out, 14}, {ints, 25}}; return (unsigned)s.begin()->second + (unsigned)s.size(); }
NUMBER(unordered_by_block) { std::vector<std::unique_ptr<int>> v; std::unordered_map<int *, int> s; for (int i = 0; i < 5;
  ++i) { v.push_back(std::make_unique<int>(i)); s[v.back().get()] = i * 9; } return (unsigned)s.begin()->second; }
NUMBER(unordered_by_number, shape) { std::unordered_map<int, int> s; for (int i = 0; i < 9; ++i) s[i * n] = i;
  return (unsigned)s.begin()->second + s.bucket_count(); }
NUMBER(unordered_by_data) { std::unordered_map<int, int> s; for (int i = 0; i < 9; ++i) s[AT(ints, i) & 31] = i;
  return (unsigned)s.begin()->second + s.size(); }
NUMBER(unordered_by_text) { WORD(b, shape); std::unordered_set<std::string> s{"one", "two", b}; return s.begin()->size() + s.size(); }
NUMBER(median_of_blocks) { std::vector<std::unique_ptr<int>> v; for (int i = 0; i < 5; ++i) v.push_back(std::make_unique<int>(i * 8));
  std::sort(v.begin(), v.end()); return (unsigned)*v[2]; }
NUMBER(sorted_by_block) { std::vector<std::unique_ptr<int>> v; for (int i = 0; i < 4; ++i) v.push_back(std::make_unique<int>(i * 8));
  std::sort(v.begin(), v.end()); return (unsigned)*v[0]; }
NUMBER(queue_by_block) { std::vector<std::unique_ptr<int>> v; std::priority_queue<int *> q; for (int i = 0; i < 4;
  ++i) { v.push_back(std::make_unique<int>(i * 8)); q.push(v.back().get()); } return (unsigned)*q.top(); }
NUMBER(owner_order) { auto a = std::make_shared<int>(n), b = std::make_shared<int>(m); return a.owner_before(b) ? 5 : 40; }
NUMBER(string_is_short) { WORD(b, shape); std::string s(b); s += std::string((unsigned)AT(ints, 2) & 15, 'y'); const char *p = s.data();
  return (uintptr_t)p >= (uintptr_t)&s && (uintptr_t)p < (uintptr_t)(&s + 1) ? 3 : 30; }
NUMBER(string_is_short_of_shape, shape) { std::string s((unsigned)n, 'y'); return s.capacity(); }
NUMBER(string_of_data) { WORD(b, shape); std::string s(b); s += b; return s.size(); }
NUMBER(string_capacity_of_data) { WORD(b, shape); std::string s(b); s += b; s += b; return s.capacity(); }
NUMBER(string_copied) { std::string s((unsigned)n & 63, 'x'); for (std::size_t k = 0; k < s.size(); ++k) s[k] = text[k];
  std::string t = s, u = t + "abc"; return t.size() + u.size(); }
NUMBER(string_moved) { std::string s((unsigned)n & 63, 'x'); if (!s.empty()) s[0] = text[1]; std::string t = std::move(s); t += "ab";
  return t.size() + s.size(); }
NUMBER(string_digits_copied, shape) { std::string s(((unsigned)n & 31) + 3, '3'); s[1] = '7'; std::string t = s; t += s;
  return (unsigned)(t[1] - '0') * 4 + (unsigned)(t[0] - '0'); }
NUMBER(string_digit_of_data_copied) { std::string s(((unsigned)n & 31) + 3, '3'); s[1] = text[3]; std::string t = s; t.append(s);
  return (unsigned char)t[t.size() / 2 + 1] & 63; }
NUMBER(string_appended_to_itself) { std::string s; for (int k = 0; k < (n & 31); ++k) s.push_back(text[k]); s.append(s); s.erase(0, s.size() & 3);
  return s.size() + s.capacity(); }
NUMBER(string_ends_at_zero) { std::string s(((unsigned)n & 31) + 2, 'x'); s[1] = text[2] & 1 ? 'y' : 0; std::string t(s.c_str()), u = s; u = s.c_str();
  return t.size() + u.size(); }
NUMBER(string_capacities) { std::string s(20 + ((unsigned)n & 7), 'x'), t; t.assign(s); t.resize(5 + ((unsigned)m & 31), text[1]); s.swap(t);
  s.replace(2, 3, t); s.reserve((unsigned)n & 127); return s.size() + s.capacity() + t.capacity(); }
NUMBER(string_capacity_as_characters) { std::string s(9, 'x'); for (int k = 0; k < 8; ++k) s[(unsigned)k] = text[k]; std::string t = std::move(s);
  t.append((unsigned)n & 31, 'z'); std::string u = std::move(t); u += "0123456789"; return u.capacity() + t.capacity(); }
NUMBER(string_in_record) { struct record { int k; std::string s; } a{n, std::string((unsigned)n & 31, text[0])}, b = a; b.s += a.s; a = b;
  return a.s.size() + a.s.capacity() + b.s.capacity(); }
NUMBER(string_chosen_by_data) { std::string s((unsigned)n & 31, text[0]), t((unsigned)m & 31, text[1]), u = AT(ints, shape) & 1 ? s : t; u.push_back(text[2]);
  return u.size(); }
NUMBER(string_read_into) { std::string s(((unsigned)n & 31) + 1, 'x'); memcpy(&s[0], text, s.size()); std::string t(s, 0, s.size() / 2), u = s.substr(s.size() / 3);
  t.insert(0, u); return t.size() + t.capacity(); }
NUMBER(string_found) { WORD(b, shape); std::string s(b); auto at = s.find('.'); return at == std::string::npos ? 60 : at; }
NUMBER(string_compared) { WORD(b, shape); return std::string("12.5") < b ? 4 : 44; }
NUMBER(string_view_of_data) { WORD(b, shape); std::string_view v(b); v.remove_prefix(std::min(v.find_first_not_of(" 1"), v.size())); return v.size(); }
NUMBER(string_of_number) { return std::to_string(AT(ints, shape)).size(); }
NUMBER(string_of_float) { return std::to_string(AT(in, shape)).size(); }
NUMBER(string_of_shape, shape) { return std::to_string(n * 1000).size() + std::to_string(m).size(); }
NUMBER(characters_of_number) { char b[40]; auto r = std::to_chars(b, b + 40, AT(ints, shape)); return (unsigned long)(r.ptr - b); }
NUMBER(characters_of_shape, shape) { char b[40]; auto r = std::to_chars(b, b + 40, n * 100); return (unsigned long)(r.ptr - b); }
NUMBER(number_of_characters) { WORD(b, shape); int v = 7; auto r = std::from_chars(b, b + std::strlen(b), v);
  return ((unsigned)v & 63) + (unsigned long)(r.ptr - b) + (r.ec == std::errc() ? 0u : 9u); }
NUMBER(stream_of_numbers) { std::ostringstream s; s << AT(ints, shape) << ' ' << n; return s.str().size(); }
NUMBER(stream_of_shape) { std::ostringstream s; s << n << ':' << m; return s.str().size(); }
NUMBER(stream_of_float) { std::ostringstream s; s << std::setprecision(9) << AT(in, shape); return s.str().size(); }
struct hostile_grouped$ : std::numpunct<char> { char do_thousands_sep() const override { return '.'; } std::string do_grouping() const override { return "\3";
  } };
NUMBER(stream_locale) { std::ostringstream s; s.imbue(std::locale(std::locale::classic(), new hostile_grouped$)); s << 1234567L * (n + 1);
  return s.str().size(); }
NUMBER(stream_read) { WORD(b, shape); std::istringstream s(b); int v = 3; double d = 0; s >> v >> d; return ((unsigned)v & 31) + (s.fail() ? 20u : 2u); }
NUMBER(stream_words) { unsigned long x = 0; std::string copy(text, 60); std::istringstream s(copy.c_str()); std::string w; while (s >> w) x += w.size() + 1;
  return x; }
NUMBER(locale_of_program) { return std::locale().name().size(); }
NUMBER(nth_of_data) { std::vector<int> v(in ? 16 : 1); for (int i = 0; i < 16; ++i) v[(unsigned)i % v.size()] = AT(ints, i);
  std::nth_element(v.begin(), v.begin() + 5, v.end()); return (unsigned)v[5] & 63; }
NUMBER(sorted_vector_of_data) { std::vector<int> v; for (int i = 0; i < 16; ++i) v.push_back(AT(ints, i)); std::sort(v.begin(), v.end());
  return (unsigned)(std::unique(v.begin(), v.end()) - v.begin()); }
NUMBER(sorted_vector_of_shape, shape) { std::vector<int> v; for (int i = 0; i < 16; ++i) v.push_back(i * n % 13); std::sort(v.begin(), v.end());
  return (unsigned)(std::unique(v.begin(), v.end()) - v.begin()); }
NUMBER(partition_of_data) { std::vector<int> v(ints, ints + 24); auto p = std::partition(v.begin(), v.end(), [](int a) { return a > 2; });
  return (unsigned long)(p - v.begin()); }
NUMBER(set_of_data) { std::set<int> s; for (int i = 0; i < 16; ++i) s.insert(AT(ints, i) & 15); return s.size(); }
NUMBER(map_of_data) { unsigned long x = 0; std::map<int, std::string> s; for (int i = 0; i < 6; ++i) s[AT(ints, i) & 3] += 'x'; x = s.begin()->second.size();
  return x; }
NUMBER(heap_of_data) { std::priority_queue<int> q; for (int i = 0; i < 9; ++i) q.push(AT(ints, i) & 63); q.pop(); return (unsigned)q.top(); }
NUMBER(function_of_data) { std::function<unsigned(unsigned)> f = [](unsigned v) { return v & 31; }; if (AT(in, shape) > 0) { long big[4] = {n, m, 3, 4};
  f = [big](unsigned v) { return (unsigned)big[v & 3] & 63; }; } return f(7); }
NUMBER(function_kept) { unsigned long x = 0; static std::function<int(int)> f = [](int v) { return v & 15; }; x = (unsigned)f(n);
  if (AT(ints, 4) & 1) f = [k = n](int v) { return (v + k) & 63; }; return x; }
NUMBER(accumulate_fast, shape, fast) { std::vector<float> v((unsigned)n); for (int i = 0; i < n; ++i) v[(unsigned)i] = (float)(i % 11) * 0.13f;
  return (unsigned long)(std::accumulate(v.begin(), v.end(), 0.f) * 1e4f) % 600; }
NUMBER(inner_product_fast, shape, fast) { std::vector<double> v(40), w(40); for (int i = 0; i < 40; ++i) { v[(unsigned)i] = 1.0 / (i + n);
  w[(unsigned)i] = 0.1 * i; } return (unsigned long)(std::inner_product(v.begin(), v.end(), w.begin(), 0.0) * 1e15) % 600; }
NUMBER(vector_address) { std::vector<int> v(9, n); return (uintptr_t)v.data() >> 4 & 31; }
NUMBER(vector_moved) { std::vector<int> v(9, n); uintptr_t before = (uintptr_t)v.data(); v.resize(200); return before == (uintptr_t)v.data() ? 3 : 40; }
NUMBER(vector_alias) { std::vector<float> v(in, in + 16); out[0] = 8.f; std::copy(in, in + 16, v.begin()); return (unsigned long)whole(v[0]) & 63; }
NUMBER(vector_of_pairs) { std::vector<std::pair<float, int>> v; for (int i = 0; i < 8; ++i) v.emplace_back(AT(in, i), i * 7);
  std::stable_sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.first > b.first; }); return (unsigned)v[0].second; }
NUMBER(bool_vector) { std::vector<bool> v(64); for (int i = 0; i < 64; ++i) v[(unsigned)i] = AT(in, i) > 0.5f;
  return (unsigned long)std::count(v.begin(), v.end(), true); }
NUMBER(tuple_order) { std::tuple<int, int> a{AT(ints, 1), n}, b{AT(ints, 2), m}; return a < b ? 5 : 40; }
struct both$ { int left = 3, right = 40; };
NUMBER(pointer_to_member) { both$ b; int both$::*p = AT(ints, shape) & 1 ? &both$::left : &both$::right; return (unsigned)(b.*p); }
NUMBER(coroutine_free_generator, shape) { auto g = [k = n]() mutable { return k = k * 5 % 61 + 1; }; g(); return (unsigned)g(); }
NUMBER(bit_cast_of_float) { return __builtin_bit_cast(unsigned, AT(in, shape)) >> 22 & 63; }
NUMBER(bit_cast_of_pointer) { return __builtin_bit_cast(unsigned long, in) >> 6 & 63; }
NUMBER(bit_cast_of_shape, shape) { return __builtin_bit_cast(unsigned, (float)n) >> 19 & 63; }
NUMBER(address_as_text) { std::ostringstream s; s << (const void *)in; return (unsigned char)s.str().back() & 31; }
NUMBER(address_as_text_length) { std::ostringstream s; s << (const void *)in; return s.str().size(); }
NUMBER(list_of_data) { std::list<int> l; for (int i = 0; i < 9; ++i) if (AT(ints, i) & 1) l.push_back(i); return l.size(); }
NUMBER(deque_of_data) { std::deque<int> d; for (int i = 0; i < 30; ++i) { d.push_back(i); if (AT(in, i) > 0) d.pop_front(); } return d.size(); }
NUMBER(new_nothrow, shape) { unsigned long x = 0; int *p = new (std::nothrow) int[(unsigned)n]; x = p ? 9 : 50; if (p) { p[0] = AT(ints, 0);
  out[0] += (float)p[0]; } delete[] p; return x; }
NUMBER(new_too_large_caught) { unsigned long x = 0; try { std::vector<double> v; v.reserve((unsigned)AT(ints, shape) & 1 ? (std::size_t)1 << 60 : 4); x = 4; }
  catch (const std::bad_alloc &) { x = 40; } catch (const std::length_error &) { x = 50; } return x; }
NUMBER(atexit_order) { static struct once { int v; once() : v(3) {} ~once() { v = 0; } } kept; return (unsigned)kept.v++ & 15; }
NUMBER(type_of_library) { return std::strlen(typeid(std::vector<int>).name()); }
NUMBER(is_evaluated) { return __builtin_is_constant_evaluated() ? 3 : 30; }
NUMBER(pair_of_sizes) { std::pair<int, float> p(n & 31, AT(in, 1)), q; std::memcpy((void *)&q, (const void *)&p, sizeof q);
  return (unsigned)q.first + (q.second > 1.f ? 20u : 0u); }
