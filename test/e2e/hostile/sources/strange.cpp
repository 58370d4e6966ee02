// Sizes from containers, allocators and exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Containers that data fills.
NUMBER(rows_pushed) { std::vector<std::vector<int>> v; for (int k = 0; k < n; ++k) { if (v.empty() || AT(ints, k) & 1) v.emplace_back();
  v.back().push_back(k); } return v.size() & 63; }
NUMBER(counted_words) { std::unordered_map<std::string, int> v; std::string s; for (int k = 0; k < 150; ++k) if (text[k] == ' ') { ++v[s]; s.clear();
  } else s += text[k]; return v.size(); }
NUMBER(grouped_by_key) { std::map<int, std::vector<float>> v; for (int k = 0; k < n; ++k) v[AT(ints, k) & 7].push_back(AT(in, k)); return v.size(); }
struct worst$ { std::size_t operator()(int v) const { return (std::size_t)v & 1; } };
NUMBER(hash_that_collides) { std::unordered_map<int, int, worst$> v; for (int k = 0; k < n; ++k) v[AT(ints, k) & 63] = k; return v.size(); }
NUMBER(hash_table_erased) { std::unordered_set<int> v; for (int k = 0; k < n; ++k) { int key = AT(ints, k) & 31; if (!v.erase(key)) v.insert(key); }
  return v.size(); }
NUMBER(deque_in_data_order) { std::deque<int> d; for (int k = 0; k < n * 9; ++k) { if (AT(ints, k) & 1) d.push_back(k); else d.push_front(k); if
  (AT(ints, k) & 4) d.pop_front(); } return d.size() & 63; }
NUMBER(erased_by_data) { std::vector<std::string> v((unsigned)n, std::string(20, 'x')); v.erase(std::remove_if(v.begin(), v.end(), [&](auto &s) {
  return AT(ints, &s - v.data()) & 1; }), v.end()); v.shrink_to_fit(); return v.size() & 63; }
NUMBER(optional_rows) { std::vector<std::optional<std::vector<int>>> v((unsigned)n); for (int k = 0; k < n; ++k) if (AT(ints, k) & 1)
  v[(unsigned)k].emplace(k + 1); return v.size() & 63; }
NUMBER(owned_by_shared) { std::vector<std::shared_ptr<std::vector<int>>> v; auto p = std::make_shared<std::vector<int>>((unsigned)n); for (int k = 0;
  k < m; ++k) { if (AT(ints, k) & 1) p = std::make_shared<std::vector<int>>((unsigned)k); v.push_back(p); } return (unsigned long)p.use_count() & 63;
  }
struct shape$ { virtual ~shape$() = default; virtual int grow(int k) = 0; }; struct one$ : shape$ { std::vector<int> v; int grow(int k) override {
  v.resize((unsigned)k); return 1; } }; struct two$ : shape$ { std::string s; int grow(int k) override { s.append((unsigned)k, 'x'); return 2; } };
NUMBER(family_by_data) { std::vector<std::unique_ptr<shape$>> v; for (int k = 0; k < m; ++k) if (AT(ints, k) & 1)
  v.push_back(std::make_unique<one$>()); else v.push_back(std::make_unique<two$>()); int s = 0; for (int t = 1; t < 4; ++t) for (auto &p : v) s +=
  p->grow(n * t); return (unsigned)s & 63; }

// Allocators.
struct stateful_base$ { int pad; }; template <class T> struct stateful$ { using value_type = T; using propagate_on_container_swap = std::true_type;
  using propagate_on_container_move_assignment = std::true_type; std::size_t pad; stateful$(std::size_t p = 0) : pad(p) {} template <class U>
  stateful$(const stateful$<U> &o) : pad(o.pad) {} T *allocate(std::size_t c) { return (T *)std::malloc(c * sizeof(T) + pad); } void deallocate(T *p,
  std::size_t) { std::free(p); } bool operator==(const stateful$ &o) const { return pad == o.pad; } };
NUMBER(allocator_that_moves, shape) { std::vector<int, stateful$<int>> a((unsigned)n, 3, stateful$<int>((unsigned)m)), b(stateful$<int>(7)); b =
  std::move(a); b.push_back(3); a.push_back(1); std::swap(a, b); a.shrink_to_fit(); return a.size(); }
template <class T> struct stays$ { using value_type = T; std::size_t pad; stays$(std::size_t p = 0) : pad(p) {} template <class U> stays$(const
  stays$<U> &o) : pad(o.pad) {} T *allocate(std::size_t c) { return (T *)std::malloc(c * sizeof(T) + pad); } void deallocate(T *p, std::size_t) {
  std::free(p); } bool operator==(const stays$ &o) const { return pad == o.pad; } stays$ select_on_container_copy_construction() const { return
  stays$(pad + 100); } };
NUMBER(allocator_that_stays, shape) { std::vector<int, stays$<int>> a((unsigned)n, 3, stays$<int>((unsigned)m)), b(stays$<int>(7)); b = std::move(a);
  std::vector<int, stays$<int>> c(b); std::map<int, int, std::less<int>, stays$<std::pair<const int, int>>> d(stays$<std::pair<const int, int>>(5));
  d[3] = n; auto e = d; return a.size() + c.size() + e.size(); }
struct pool$ { char *at, *end; }; template <class T> struct arena$ { using value_type = T; pool$ *p; arena$(pool$ *q) : p(q) {} template <class U>
  arena$(const arena$<U> &o) : p(o.p) {} T *allocate(std::size_t c) { c = (c * sizeof(T) + 15) & ~15ul; if (p->at + c <= p->end) { T *r = (T *)p->at;
  p->at += c; return r; } return (T *)std::malloc(c); } void deallocate(T *q, std::size_t) { if ((char *)q >= p->end || (char *)q < p->end - 256)
  std::free(q); } bool operator==(const arena$ &) const { return true; } };
NUMBER(allocator_in_arena, shape) { alignas(16) char b[256]; pool$ p{b, b + 256}; std::vector<int, arena$<int>> v{arena$<int>(&p)}; for (int k = 0; k
  < n; ++k) v.push_back(k); return v.size(); }
struct pool$ { char *at, *end; }; template <class T> struct arena$ { using value_type = T; pool$ *p; arena$(pool$ *q) : p(q) {} template <class U>
  arena$(const arena$<U> &o) : p(o.p) {} T *allocate(std::size_t c) { c = (c * sizeof(T) + 15) & ~15ul; if (p->at + c <= p->end) { T *r = (T *)p->at;
  p->at += c; return r; } return (T *)std::malloc(c); } void deallocate(T *q, std::size_t) { if ((char *)q >= p->end || (char *)q < p->end - 256)
  std::free(q); } bool operator==(const arena$ &) const { return true; } };
NUMBER(allocator_in_arena_by_data) { alignas(16) char b[256]; pool$ p{b, b + 256}; std::vector<int, arena$<int>> v{arena$<int>(&p)}; for (int k = 0; k
  < n; ++k) if (AT(ints, k) & 1) v.push_back(k); return v.size(); }
NUMBER(pools_by_options, shape) { std::pmr::pool_options o; o.max_blocks_per_chunk = (unsigned)n; o.largest_required_pool_block = (unsigned)m * 8;
  std::pmr::unsynchronized_pool_resource r(o); std::pmr::vector<std::pmr::string> v(&r); for (int k = 0; k < m; ++k) v.emplace_back((unsigned)k, 'x');
  return v.size(); }

// Exceptions.
struct retry$ { int v; retry$(int k) : v(k) { if (k & 1) throw 3; } };
NUMBER(static_that_retries) { try { static retry$ r(AT(ints, 1) & 3); return (unsigned)r.v + 5; } catch (int) { return 40; } }
static std::once_flag once$; static int tries$;
NUMBER(once_that_throws) { try { std::call_once(once$, [] { if (++tries$ < 5) throw 3; }); return (unsigned)tries$; } catch (int) { return 40; } }
struct deep$ { int v; ~deep$() noexcept(false) { if (v & 1 && !std::uncaught_exceptions()) throw v; } };
NUMBER(destructor_that_throws) { try { deep$ d{AT(ints, 1)}; std::vector<int> v((unsigned)n); out[0] += (float)v.size(); return 3; } catch (int) {
  return 40; } }
NUMBER(thrown_by_value_and_copied, shape) { try { try { throw std::vector<int>((unsigned)n, 3); } catch (std::vector<int> v) { v.push_back(1); throw
  v; } } catch (const std::vector<int> &v) { return v.size() & 63; } }
static int rec$(int d, const int *ints) { std::string s((unsigned)d * 8, 'x'); try { if (AT(ints, d) & 1) throw d; return d ? rec$(d - 1, ints) + 1 :
  0; } catch (int v) { return v + (int)s.size() * 0; } }
NUMBER(thrown_in_recursion) { return (unsigned)rec$(n & 7, ints); }

// Streams.
struct kept$ : std::streambuf { std::vector<char> v; int_type overflow(int_type c) override { v.push_back((char)c); return c; } };
NUMBER(stream_into_own_buffer) { kept$ b; std::ostream s(&b); s << n << "abc"; return b.v.size(); }
struct counted$ : std::streambuf { int c = 0; int_type overflow(int_type l) override { ++c; return l; } };
NUMBER(stream_that_counts) { counted$ b; std::ostream s(&b); s << n << "abc"; return (unsigned)b.c * 9; }
NUMBER(stream_over_buffer) { std::stringbuf b; std::ostream s(&b); s << n << "a text that is longer than fifteen"; return b.str().size(); }
