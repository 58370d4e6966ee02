// What C++ leaves behind statics for calls and others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a static of an inline or template function holds: another unit changes what it leads to.
BOTH(struct config$ { int levels = 3; static config$ &get() { static config$ *c = new config$; return *c; } };)
ELSEWHERE(SET { config$::get().levels = value & 63; })
NUMBER(inline_static_pointer) { return (unsigned)config$::get().levels; }
BOTH(struct config$ { int levels = 3; static config$ &get() { static auto c = std::make_unique<config$>(); return *c; } };)
ELSEWHERE(SET { config$::get().levels = value & 63; })
NUMBER(inline_static_unique) { return (unsigned)config$::get().levels; }
BOTH(struct config$ { int levels = 3; static config$ &get() { static auto c = std::make_shared<config$>(); return *c; } };)
ELSEWHERE(SET { config$::get().levels = value & 63; })
NUMBER(inline_static_shared) { return (unsigned)config$::get().levels; }
BOTH(inline std::vector<int> &sizes$() { static std::vector<int> v(4, 3); return v; })
ELSEWHERE(SET { sizes$()[1] = value & 63; })
NUMBER(inline_static_vector) { return (unsigned)sizes$()[1]; }
BOTH(inline std::vector<int> &sizes$() { static std::vector<int> v; return v; })
ELSEWHERE(SET { sizes$().push_back(value); })
NUMBER(inline_static_vector_size) { return sizes$().size() & 63; }
BOTH(inline std::map<int, int> &sizes$() { static std::map<int, int> v; return v; })
ELSEWHERE(SET { sizes$()[7] = value & 63; })
NUMBER(inline_static_map) { auto at = sizes$().find(7); return at == sizes$().end() ? 3 : (unsigned)at->second; }
BOTH(inline std::unordered_map<std::string, int> &sizes$() { static std::unordered_map<std::string, int> v{{"block", 3}}; return v; })
ELSEWHERE(SET { sizes$()["block"] = value & 63; })
NUMBER(inline_static_hash_table) { return (unsigned)sizes$().at("block"); }
BOTH(inline std::string &name$() { static std::string v = "some name that is long enough for a block"; return v; })
ELSEWHERE(SET { name$().resize((unsigned)value & 63); })
NUMBER(inline_static_string) { return name$().size(); }
BOTH(template <class T> struct pool$ { T *at = new T(3); static pool$ &get() { static pool$ p; return p; } };)
ELSEWHERE(SET { *pool$<int>::get().at = value & 63; })
NUMBER(template_static_pointer) { return (unsigned)*pool$<int>::get().at; }
BOTH(template <class T> T *&kept$() { static T *p = nullptr; return p; })
ELSEWHERE(SET { if (!kept$<int>()) kept$<int>() = new int; *kept$<int>() = value & 63; })
NUMBER(template_static_null) { return kept$<int>() ? (unsigned)*kept$<int>() : 3; }
BOTH(inline int *const kept$ = new int(3);)
ELSEWHERE(SET { *kept$ = value & 63; })
NUMBER(inline_variable_pointer) { return (unsigned)*kept$; }
BOTH(inline std::vector<int> kept$(4, 3);)
ELSEWHERE(SET { kept$[2] = value & 63; })
NUMBER(inline_variable_vector) { return (unsigned)kept$[2]; }
BOTH(template <class T> struct traits$ { static inline std::unique_ptr<T> kept = std::make_unique<T>(3); };)
ELSEWHERE(SET { *traits$<int>::kept = value & 63; })
NUMBER(member_of_template_unique) { return (unsigned)*traits$<int>::kept; }
BOTH(template <class T> std::vector<T> table$(4, T(3));)
ELSEWHERE(SET { table$<int>[1] = value & 63; })
NUMBER(variable_template_vector) { return (unsigned)table$<int>[1]; }
BOTH(class options$ { std::shared_ptr<int> level = std::make_shared<int>(3); options$() = default; public: static options$ &get() { static options$ o;
  return o; } int block() const { return *level; } void block(int v) { *level = v; } };)
ELSEWHERE(SET { options$::get().block(value & 63); })
NUMBER(private_member_by_setter) { return (unsigned)options$::get().block(); }
BOTH(struct state$ { struct inner { int *p = new int(3); } i; static state$ &get() { static state$ *s = new state$; return *s; } };)
ELSEWHERE(SET { *state$::get().i.p = value & 63; })
NUMBER(inline_static_two_pointers) { return (unsigned)*state$::get().i.p; }
BOTH(inline int &level$() { static std::unique_ptr<int> p(new int(3)); return *p; })
ELSEWHERE(SET { int &l = level$(); l = value & 63; })
NUMBER(inline_accessor_reference) { return (unsigned)level$(); }
BOTH(struct base$ { virtual int block() = 0; virtual ~base$() = default; }; struct small$ : base$ { int block() override { return 3; } };
  inline std::unique_ptr<base$> &chosen$() { static std::unique_ptr<base$> p = std::make_unique<small$>(); return p; })
ELSEWHERE(struct large$ : base$ { int v; large$(int v) : v(v) {} int block() override { return v; } }; SET { chosen$() = std::make_unique<large$>(value & 63);
  })
NUMBER(inline_static_strategy) { return (unsigned)chosen$()->block(); }
BOTH(inline std::function<int(int)> &rule$() { static std::function<int(int)> f = [](int v) { return v & 15; }; return f; })
ELSEWHERE(SET { rule$() = [value](int v) { return (v + value) & 63; }; })
NUMBER(inline_static_function) { return (unsigned)rule$()(n); }
BOTH(inline std::optional<int> &limit$() { static std::optional<int> v; return v; })
ELSEWHERE(SET { limit$() = value & 63; })
NUMBER(inline_static_optional) { return (unsigned)limit$().value_or(3); }
BOTH(inline std::deque<int> &queue$() { static std::deque<int> v; return v; })
ELSEWHERE(SET { queue$().push_front(value); })
NUMBER(inline_static_deque) { return queue$().size() & 63; }
BOTH(inline std::list<int> &jobs$() { static std::list<int> v{3}; return v; })
ELSEWHERE(SET { jobs$().front() = value & 63; })
NUMBER(inline_static_list) { return (unsigned)jobs$().front(); }
BOTH(inline std::atomic<int *> &shared$() { static std::atomic<int *> p{new int(3)}; return p; })
ELSEWHERE(SET { *shared$().load() = value & 63; })
NUMBER(inline_static_atomic_pointer) { return (unsigned)*shared$().load(); }
BOTH(inline thread_local std::vector<int> kept$(3, 3);)
ELSEWHERE(SET { kept$.resize((unsigned)value & 63); })
NUMBER(inline_thread_vector, thread) { return kept$.size(); }
BOTH(struct registry$ { static registry$ &get() { static registry$ r; return r; } int *add(int v) { all.push_back(std::make_unique<int>(v));
  return all.back().get(); } std::vector<std::unique_ptr<int>> all; };)
ELSEWHERE(SET { if (registry$::get().all.size() < 40) registry$::get().add(value); })
NUMBER(inline_static_registry) { return registry$::get().all.size(); }
BOTH(inline auto accessor$ = [] () -> std::vector<int> & { static std::vector<int> v(2, 3); return v; };)
ELSEWHERE(SET { accessor$()[0] = value & 63; })
NUMBER(static_of_lambda_vector) { return (unsigned)accessor$()[0]; }
BOTH(struct handle$ { int *p; handle$() : p(new int(3)) {} static handle$ get() { static handle$ h; return h; } };)
ELSEWHERE(SET { *handle$::get().p = value & 63; })
NUMBER(inline_static_copied_handle) { return (unsigned)*handle$::get().p; }

// Given away.
NUMBER(given_vector_data, gives) { static std::vector<int> v(4, 3); *given = v.data(); return (unsigned)v[1] & 63; }
NUMBER(given_unique_pointer, gives) { static auto p = std::make_unique<int[]>(4); *given = p.get(); return (unsigned)p[1] & 63; }
NUMBER(given_map_value, gives) { static std::map<int, std::array<int, 2>> v; auto &a = v[3]; *given = &a; return (unsigned)a[1] & 63; }
NUMBER(left_vector_data) { static std::vector<int> v(4, 3); leave(text, v.data()); return (unsigned)v[0] & 63; }
NUMBER(left_shared_pointer) { static auto p = std::make_shared<std::array<int, 2>>(); leave(text, p.get()); return (unsigned)(*p)[1] & 63; }
struct object$ { int values[2] = {3, 4}; int *get() { return values; } };
NUMBER(given_by_member, gives) { static object$ *o = new object$; *given = o->get(); return (unsigned)o->values[1] & 63; }

// Changed by each call.
struct engine$ { int calls = 0; std::vector<int> history; }; static std::unique_ptr<engine$> engine$;
NUMBER(each_eighth_call) { if (!engine$) engine$ = std::make_unique<struct engine$>(); return ++engine$->calls % 8 ? 3 : 40; }
NUMBER(static_generator) { static std::mt19937 g(3); return g() & 31; }
NUMBER(static_generator_in_block) { static auto g = std::make_unique<std::minstd_rand>(3); return (*g)() & 31; }
NUMBER(static_distribution) { static std::mt19937 g(3); static std::normal_distribution<> d; return (unsigned long)std::fabs(d(g) * 9) & 63; }
NUMBER(queue_that_is_emptied) { static std::vector<int> v; v.push_back(n); if (v.size() == 11) std::vector<int>().swap(v); return 3; }
NUMBER(list_that_is_emptied) { static std::list<int> v; v.push_back(AT(ints, 0)); if (v.size() > 9) v.clear(); return 3; }
NUMBER(deque_that_slides) { static std::deque<int> v; v.push_back(n); if (v.size() > 5) v.pop_front(); return 3; }
NUMBER(map_that_grows) { static std::map<unsigned, int> v; v[(unsigned)v.size()] = n; if (v.size() > 7) v.clear(); return 3; }
NUMBER(hash_table_that_grows) { static std::unordered_map<unsigned, int> v; v[(unsigned)v.size()] = n; if (v.size() > 30) v.clear(); return 3; }
NUMBER(string_that_grows) { static std::string v; v += "abc"; if (v.size() > 100) v = std::string(); return 3; }
NUMBER(history_in_pointer) { static auto v = std::make_unique<std::vector<int>>(); v->push_back(n); if (v->size() > 17) v->clear(), v->shrink_to_fit();
  return 3; }
NUMBER(ring_of_vectors) { static std::array<std::vector<float>, 5> ring; static unsigned at; auto &v = ring[at++ % 5]; v.assign(at % 5 ? 3 : 30, in[0]);
  return at % 5 ? 3 : 30; }
struct cache$ { std::list<std::pair<int, std::vector<float>>> order; std::unordered_map<int, decltype(order)::iterator> at;
  std::vector<float> &get(int key) { auto f = at.find(key); if (f != at.end()) { order.splice(order.begin(), order, f->second); return order.front().second; }
  order.emplace_front(key, std::vector<float>((unsigned)key)); at[key] = order.begin(); if (order.size() > 2) { at.erase(order.back().first);
  order.pop_back(); } return order.front().second; } };
NUMBER(least_recently_used_cache) { static cache$ c; return c.get(n).size() & 63; }
NUMBER(least_recently_used_in_pointer) { static auto v = std::make_unique<std::list<int>>(); v->remove(n); v->push_front(n); if (v->size() > 3) v->pop_back();
  return v->size(); }
NUMBER(shared_pointer_chain) { struct link { std::shared_ptr<link> next; int depth; }; static std::shared_ptr<link> head;
  head = std::make_shared<link>(link{head, head ? head->depth + 1 : 1}); if (head->depth > 8) head.reset(); return head ? 3 : 40; }
NUMBER(variant_that_turns) { static std::variant<int, std::vector<int>> v; static int calls; if (++calls % 7 == 0) v = std::vector<int>(20, n); else v = n;
  return v.index() ? 40 : 3; }
NUMBER(any_that_turns) { static std::any v; static int calls; if (++calls % 9 == 0) v = std::vector<int>(20, n); else v = 3L; return 3; }
NUMBER(function_that_turns) { static std::function<int()> f; static int calls; std::array<long, 6> big{n}; if (++calls % 6) f = [] { return 3; };
  else f = [big] { return (int)big[0] & 31; }; return (unsigned)f(); }
NUMBER(set_of_seen_shapes) { static std::set<int> seen; return seen.insert(n).second ? 40 : 3; }
NUMBER(counter_in_map) { static std::map<std::string, int> calls; return (unsigned)++calls["op"] % 8 ? 3 : 40; }
NUMBER(priority_queue_kept) { static std::priority_queue<int> q; q.push((int)(q.size() * 7 % 11)); if (q.size() > 10) q = {}; return q.empty() ? 40 : 3; }
NUMBER(bool_vector_kept) { static std::vector<bool> v; v.push_back(true); if (v.size() > 200) v = {}; return 3; }
NUMBER(thread_local_counter_in_block, thread) { static thread_local auto p = std::make_unique<int>(0); return ++*p % 8 ? 3 : 40; }
NUMBER(thread_local_buffer_grows, thread) { static thread_local std::vector<float> v; if (v.size() < (unsigned)n) v.resize((unsigned)n); v[0] = in[0]; return 3; }
NUMBER(static_object_that_counts) { struct meter { std::unique_ptr<long> at{new long(0)}; bool tick() { return ++*at % 10 == 0; } }; static meter turns;
  return turns.tick() ? 40 : 3; }
