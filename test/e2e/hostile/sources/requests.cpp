// C++ that allocates, refuses or ends in rare cases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program has its own operator new.
ELSEWHERE(void *operator new(std::size_t n) { return static_cast<char *>(std::malloc(n + 32)) + 32; }
  void operator delete(void *p) noexcept { if (p) std::free(static_cast<char *>(p) - 32); }
  void operator delete(void *p, std::size_t) noexcept { operator delete(p); })
NUMBER(new_replaced, program) { auto p = std::make_unique<int[]>((unsigned)n); p[0] = ints[0]; out[0] += (float)p[0]; return 3; }
ELSEWHERE(static char arena$[1 << 22]; static std::size_t used$; void *operator new(std::size_t n) { used$ = (used$ + n + 31) & ~(std::size_t)15;
  if (used$ > sizeof arena$) used$ = n; return arena$ + (used$ - n & ~(std::size_t)15); } void operator delete(void *) noexcept {}
  void operator delete(void *, std::size_t) noexcept {})
NUMBER(new_from_arena, program) { auto p = std::make_unique<int[]>((unsigned)n); p[0] = ints[0]; out[0] += (float)p[0]; return 3; }
ELSEWHERE(void *operator new[](std::size_t n) { return std::malloc(2 * n); } void operator delete[](void *p) noexcept { std::free(p); }
  void operator delete[](void *p, std::size_t) noexcept { std::free(p); })
NUMBER(new_of_arrays_replaced, program) { auto p = std::make_unique<int[]>((unsigned)n); p[0] = ints[0]; out[0] += (float)p[0]; return 3; }
void *operator new(std::size_t n) { void *p = std::calloc(1, n + 16); return p; }
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
NUMBER(new_replaced_here, program) { std::vector<int> v((unsigned)n); v[0] = ints[0]; out[0] += (float)v[0]; return 3; }
struct aligned$ { alignas(64) float v[16]; };
ELSEWHERE(void *operator new(std::size_t n, std::align_val_t a) { return std::aligned_alloc((std::size_t)a, n + (std::size_t)a); }
  void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
  void operator delete(void *p, std::size_t, std::align_val_t) noexcept { std::free(p); })
NUMBER(new_aligned_replaced, program) { auto p = std::make_unique<aligned$>(); p->v[0] = in[0]; out[0] += p->v[0]; return 3; }
struct own$ { float v[9]; static void *operator new(std::size_t n) { return std::malloc(n + 20); } static void operator delete(void *p) { std::free(p); } };
NUMBER(new_of_class, shape) { auto p = std::make_unique<own$>(); p->v[0] = in[0]; out[0] += p->v[0]; return 3; }

// Descriptions of types.
NUMBER(type_name_of_local_class) { struct some { virtual ~some() = default; }; some s; return std::strlen(typeid(s).name()); }
NUMBER(type_hash) { return typeid(std::vector<int>).hash_code() & 63; }
NUMBER(type_order) { return typeid(int).before(typeid(float)) ? 3 : 40; }
NUMBER(type_index_order) { std::map<std::type_index, int> v{{typeid(int), 3}, {typeid(float), 40}, {typeid(char), 9}}; return (unsigned)v.begin()->second; }
struct shape$ { virtual ~shape$() = default; }; struct round$ : shape$ {}; struct flat$ : shape$ {};
NUMBER(type_of_data) { round$ r; flat$ f; shape$ *s = AT(ints, shape) & 1 ? (shape$ *)&r : &f;
  return std::strlen(typeid(*s).name()) + (typeid(*s) == typeid(round$)); }
NUMBER(type_name_demangled_length) { return std::string(typeid(std::map<int, long>).name()).size() & 63; }
BOTH(struct base$ { virtual ~base$() = default; virtual int size() const { return 3; } };)
EXPORTED base$ *hostile_made$();
ELSEWHERE(namespace { struct other$ : base$ { int size() const override { return 40; } }; } EXPORTED base$ *hostile_made$();
  EXPORTED base$ *hostile_made$() { return new other$; })
NUMBER(type_of_other_unit) { std::unique_ptr<base$> p(hostile_made$()); return (unsigned)p->size() + std::strlen(typeid(*p).name()); }

// The C++ library.
NUMBER(stable_sort_buffer) { std::vector<int> v((unsigned)n * 9); for (unsigned k = 0; k < v.size(); ++k) v[k] = (int)(k * 7 % 31);
  std::stable_sort(v.begin(), v.end()); return (unsigned)v[0] + 3; }
NUMBER(stable_partition_buffer) { std::vector<int> v((unsigned)n * 9); std::stable_partition(v.begin(), v.end(), [](int k) { return k > 3; }); return 3; }
NUMBER(inplace_merge_buffer) { std::vector<int> v((unsigned)n * 8); std::inplace_merge(v.begin(), v.begin() + n * 4, v.end()); return 3; }
NUMBER(words_of_stream) { std::ostringstream s; s.iword(9 + (n & 3)) = 3; s.pword(20) = nullptr; return (unsigned long)s.iword(9) + 3; }
NUMBER(callbacks_of_stream) { std::ostringstream s; s.register_callback([](std::ios_base::event, std::ios_base &, int) {}, 1); return 3; }
NUMBER(words_of_output) { static int at = std::ios_base::xalloc() + 9; std::cout.iword(at) = n; return 3; }
NUMBER(stream_pushed_back) { std::FILE *f = std::fopen("/proc/self/status", "r"); if (!f) return 3; std::getc(f); for (int k = 0; k < 3;
  ++k) std::ungetc('a' + k, f); out[0] += (float)std::getc(f); std::fclose(f); return 3; }
NUMBER(stream_put_back) { std::stringbuf b("abc"); b.sbumpc(); b.sputbackc('x'); return b.str().size(); }
NUMBER(file_put_back) { std::ifstream f("/proc/self/status"); f.get(); f.putback('x'); f.unget(); out[0] += (float)f.get(); return 3; }
NUMBER(file_with_buffer) { static char b[9000]; std::ifstream f; f.rdbuf()->pubsetbuf(b, sizeof b); f.open("/proc/self/status"); out[0] += (float)f.get();
  return 3; }
NUMBER(file_in_locale) { std::ifstream f("/proc/self/status"); f.imbue(std::locale("C.UTF-8")); out[0] += (float)f.get(); return 3; }
NUMBER(exception_kept) { std::exception_ptr p; try { throw std::runtime_error("some text that needs a block of its own"); }
  catch (...) { p = std::current_exception(); } return p ? 3 : 4; }
NUMBER(exception_made) { auto p = std::make_exception_ptr(n); return p ? 3 : 4; }
NUMBER(exception_thrown_by_shape) { try { if (n & 1) throw n; return 4; } catch (int v) { return (unsigned)v & 31; } }
NUMBER(exception_nested) { try { try { throw 1; } catch (...) { std::throw_with_nested(std::logic_error("outer")); } }
  catch (const std::exception &e) { return std::strlen(e.what()); } return 3; }
NUMBER(promise_kept) { std::promise<int> p; auto f = p.get_future(); p.set_value(n & 31); return (unsigned)f.get(); }
NUMBER(promise_broken) { std::future<int> f; { std::promise<int> p; f = p.get_future(); } try { f.get(); }
  catch (const std::future_error &e) { return std::strlen(e.what()) & 63; } return 3; }
NUMBER(deferred_call) { auto f = std::async(std::launch::deferred, [n] { return n & 31; }); return (unsigned)f.get(); }
NUMBER(message_of_system) { return std::system_category().message(n).size() & 63; }
NUMBER(message_of_system_error) { try { throw std::system_error(n & 31, std::generic_category(), "what"); }
  catch (const std::exception &e) { return std::strlen(e.what()) & 63; } }
NUMBER(thread_local_destroyed, thread) { struct kept { int v = 0; ~kept() { v = 1; } }; thread_local kept k; return (unsigned)++k.v % 9 ? 3 : 40; }
NUMBER(static_destroyed) { static std::vector<int> v((unsigned)n, 3); return v.size() & 63; }
NUMBER(locale_of_name) { try { return std::locale("C.UTF-8").name().size(); } catch (...) { return 40; } }
NUMBER(locale_combined) { std::locale l(std::locale::classic(), std::locale::classic(), std::locale::numeric); return l.name().size() & 63; }
NUMBER(text_converted_to_wide) { std::wstring w(L"abc"); w.resize((unsigned)n, L'x'); return w.size(); }
NUMBER(text_searched) { std::string s((unsigned)n, 'a'); s += "b"; return (unsigned long)(std::search_n(s.begin(), s.end(), 2, 'a') - s.begin()) + s.find("ab"); }
NUMBER(path_of_parts) { std::filesystem::path p("/usr/lib"); p /= std::to_string(n); return p.string().size() + (unsigned)std::distance(p.begin(), p.end()); }
NUMBER(memory_resource) { std::pmr::monotonic_buffer_resource r; std::pmr::vector<int> v((unsigned)n, 3, &r); v.resize((unsigned)n * 5); return v.size() & 63; }
NUMBER(memory_resource_kept) { static std::pmr::unsynchronized_pool_resource r; std::pmr::vector<int> v((unsigned)n, 3, &r); return v.size() & 63; }
NUMBER(memory_resource_of_caller) { std::pmr::vector<int> v((unsigned)n, 3); return v.size() & 63; }
ELSEWHERE(struct counted$ : std::pmr::memory_resource { void *do_allocate(std::size_t n, std::size_t) override { return std::malloc(n + 50); }
  void do_deallocate(void *p, std::size_t, std::size_t) override { std::free(p); }
  bool do_is_equal(const memory_resource &o) const noexcept override { return this == &o; } }; SET { static counted$ c;
  std::pmr::set_default_resource(value & 1 ? &c : nullptr); })
NUMBER(memory_resource_set_by_caller) { std::pmr::vector<int> v((unsigned)n, 3); return v.size() & 63; }
ELSEWHERE(static int asked$; static void none$() { ++asked$; throw std::bad_alloc(); } SET { std::set_new_handler(value & 1 ? none$ : nullptr); })
NUMBER(handler_of_new) { return std::get_new_handler() ? 40 : 3; }
ELSEWHERE(SET { for (int k = value & 15; k; --k) std::ios_base::xalloc(); })
NUMBER(places_in_streams) { return (unsigned)std::ios_base::xalloc() & 63; }
NUMBER(new_refused) { try { volatile std::size_t huge = SIZE_MAX / 4; delete[] new char[huge]; return 3; } catch (const std::bad_alloc &) { return 40; } }
NUMBER(new_of_negative_length) { try { volatile int less = -n; delete[] new int[(std::size_t)(long)less]; return 3; }
  catch (const std::bad_alloc &) { return 40; } }
NUMBER(new_of_nothing, shape) { char *p = new char[(unsigned)(n & 1)]; unsigned long x = p ? 3 : 40; delete[] p; return x; }
NUMBER(valarray_of_shape, shape) { std::valarray<float> v(3.f, (unsigned)n); v += v * 2.f; return (unsigned long)v.sum() & 63; }
NUMBER(rope_of_strings) { std::string s; for (int k = 0; k < n; ++k) s.insert(0, "ab"); s.shrink_to_fit(); return s.capacity() & 63; }
NUMBER(hash_table_reserved) { std::unordered_map<int, int> v; v.max_load_factor(0.3f); v.reserve((unsigned)n); for (int k = 0; k < n; ++k) v[k] = k;
  return v.bucket_count() & 63; }
NUMBER(node_extracted) { std::map<int, int> a{{1, 3}, {2, 4}}, b; b.insert(a.extract(1)); a.merge(b); return a.size(); }
NUMBER(array_moved_by_data) { std::vector<std::string> v(9, std::string(20, 'x')); if (AT(ints, shape) & 1) v.erase(v.begin()); v.shrink_to_fit();
  return v.size(); }

// Ends.
NUMBER(ends_by_throw, shape, ends) { auto p = std::make_unique<char[]>((unsigned)n + 9); p[0] = text[0]; out[0] += p[0];
  if (n > 0) throw std::runtime_error("never"); return 3; }
NUMBER(ends_by_terminate, shape, ends) { auto p = std::make_unique<char[]>((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (n > 0) std::terminate();
  return 3; }
NUMBER(ends_by_throw_in_noexcept, shape, ends) { auto p = std::make_unique<char[]>((unsigned)n + 9); p[0] = text[0]; [n]() noexcept { if (n > 0) throw 3; }();
  return p[0] & 3; }
NUMBER(ends_by_pure_call, shape, ends) { std::vector<int> v((unsigned)n); out[0] += (float)v.at((unsigned)n + 3); return 3; }
