// Sizes from links, from state in library objects, and from structures that data shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names, and what runs before main.
static int level$[4] = {3, 4, 5, 6}; extern int *hostile_inside$; int *hostile_inside$ = &level$[2];
ELSEWHERE(extern int *hostile_inside$; SET { hostile_inside$[-1] = value & 63; })
NUMBER(pointer_into_middle) { return (unsigned)level$[1]; }
static int begun$ = 1; static void begin$(int c, char **v, char **e) { (void)v; (void)e; begun$ = c; }
static void (*const entry$)(int, char **, char **) __attribute__((section(".init_array"), used)) = begin$;
NUMBER(entry_in_init_array) { return (unsigned)begun$ * 5; }
static int begun$ = 1; static void begin$(void) { begun$ = getenv("HOSTILE_VALUE") != 0; }
static void (*const entry$)(void) __attribute__((section(".init_array.00200"), used)) = begin$;
NUMBER(entry_in_sorted_init_array) { return (unsigned)begun$ * 30 + 3; }
EXPORTED int hostile_early$; int hostile_early$ = 3;
ELSEWHERE(extern int hostile_early$; __attribute__((constructor(150))) static void before$(void) { hostile_early$ = 29; })
NUMBER(constructor_of_other_unit) { return (unsigned)hostile_early$; }
static int begun$ = 3; EXPORTED int hostile_late$; int hostile_late$ = 5; __attribute__((constructor(200))) static void begin$(void) { begun$ =
  hostile_late$; }
ELSEWHERE(extern int hostile_late$; __attribute__((constructor(150))) static void before$(void) { hostile_late$ = 29; })
NUMBER(constructor_reads_what_others_set) { return (unsigned)begun$; }
__attribute__((target_clones("avx2", "default"))) static float cloned$(int v) { float s = 0; for (int k = 1; k < v + 9; ++k) s += 1.f / (float)k *
  0.7f; return s; }
NUMBER(cloned_for_targets, x86) { return (unsigned long)(cloned$(n) * 100000) & 63; }
static NOINLINE unsigned long total$(int c, va_list a) { unsigned long s = 0; va_list b; va_copy(b, a); while (c--) s += (unsigned)va_arg(b, int) &
  15; va_end(b); return s; }
static NOINLINE unsigned long passed$(int c, ...) { va_list a; va_start(a, c); unsigned long s = total$(c, a) + total$(c, a); va_end(a); return s; }
NUMBER(arguments_passed_on) { return passed$(12, n, m, 3, 4, 5, 6, 7, AT(ints, 3), 9, AT(ints, 1), 11, 12); }
struct wide$ { double d; int v; }; static NOINLINE unsigned long record$(int c, ...) { va_list a; va_start(a, c); struct wide$ w = {0, 0}; while (c--)
  w = va_arg(a, struct wide$); va_end(a); return (unsigned)w.v + (unsigned long)w.d; }
NUMBER(records_as_arguments, shape) { struct wide$ a = {1.5, n}, b = {2.5, m}; return record$(2, a, b); }
static NOINLINE int printed$(char *to, size_t room, const char *format, ...) { va_list a; va_start(a, format); int r = vsnprintf(to, room, format, a);
  va_end(a); return r; }
NUMBER(printed_by_own_function) { char b[64]; return (unsigned)printed$(b, sizeof b, "%d %s", AT(ints, 1), n & 1 ? "abc" : "a"); }

// Objects of ours that the library changes.
#include <semaphore.h>
static sem_t s$; static int begun$;
NUMBER(semaphore_kept) { if (!begun$) { begun$ = 1; sem_init(&s$, 0, 3); } sem_post(&s$); int v = 0; sem_getvalue(&s$, &v); return (unsigned)v & 31; }
static pthread_rwlock_t l$ = PTHREAD_RWLOCK_INITIALIZER; static int turns$;
NUMBER(read_lock_kept) { int r = pthread_rwlock_trywrlock(&l$); if (!r) { pthread_rwlock_unlock(&l$); if (++turns$ == 4) pthread_rwlock_rdlock(&l$); }
  return r ? 40 : 3; }
static struct drand48_data d$; static int begun$;
NUMBER(random_state_of_ours) { if (!begun$) { begun$ = 1; srand48_r(3, &d$); } long v = 0; lrand48_r(&d$, &v); return (unsigned long)v & 31; }
static char *at$, text$[] = "a b c d e f g h";
NUMBER(tokens_of_ours) { char *t = strtok_r(at$ ? 0 : text$, " ", &at$); return t ? strlen(t) * 5 : 40; }
static pthread_once_t once$ = PTHREAD_ONCE_INIT; static int v$ = 3; static void first$(void) { v$ = 40; }
NUMBER(once_when_odd) { static int c; if (++c == 5) pthread_once(&once$, first$); return (unsigned)v$; }
static pthread_once_t once$ = PTHREAD_ONCE_INIT; static int v$ = 3; static void first$(void) { v$ = 40; }
NUMBER(once_at_once, shape) { pthread_once(&once$, first$); return (unsigned)v$; }
static FILE *f$;
NUMBER(position_kept) { if (!f$) f$ = fopen("/proc/self/status", "r"); if (!f$) return 3; out[0] += (float)getc(f$); return (unsigned long)ftell(f$) &
  31; }
static int d$ = -1;
NUMBER(descriptor_kept) { if (d$ < 0) d$ = open("/proc/self/status", O_RDONLY); return (unsigned long)lseek(d$, 3, SEEK_CUR) & 31; }

// Blocks that data chooses.
NUMBER(array_that_shrinks) { int room = 4, used = 0, *p = (int *)malloc(16); for (int k = 0; k < n * 3; ++k) { if (AT(ints, k) & 2) { if (used ==
  room) p = (int *)realloc(p, (unsigned)(room *= 2) * 4ul); p[used++] = k; } else if (used) { --used; if (used < room / 4 && room > 4) p = (int
  *)realloc(p, (unsigned)(room /= 2) * 4ul); } } out[1] += used ? (float)p[0] : 0; free(p); return (unsigned)used; }
NUMBER(two_arrays_in_turn) { int *p[2] = {0, 0}; unsigned r[2] = {0, 0}, u[2] = {0, 0}; for (int k = 0; k < n + m; ++k) { int w = AT(ints, k) & 1; if
  (u[w] == r[w]) p[w] = (int *)realloc(p[w], (r[w] = r[w] ? r[w] * 2 : 4) * 4ul); p[w][u[w]++] = k; } free(p[0]); free(p[1]); return u[0]; }
NUMBER(rows_of_data_length) { float *r[8]; unsigned long x = 0; for (int k = 0; k < 8; ++k) { int c = AT(ints, k); c = c < 0 ? 0 : c > m ? m : c; r[k]
  = (float *)calloc((unsigned)c + 1, 4); x += (unsigned)c; } for (int k = 0; k < 8; ++k) { out[1] += r[k][0]; free(r[k]); } return x & 63; }
NUMBER(rows_kept_by_choice) { float *r[16]; int c = 0; for (int k = 0; k < 16; ++k) { float *p = (float *)calloc((unsigned)k * (unsigned)n + 1, 4);
  p[0] = AT(in, k); if (p[0] > 0) r[c++] = p; else free(p); } for (int k = 0; k < c; ++k) { out[1] += r[k][0]; free(r[k]); } return (unsigned)c; }
NUMBER(product_of_counts) { unsigned a = 0, b = 0; for (int k = 0; k < n; ++k) { a += (unsigned)AT(ints, k) & 1; b += (unsigned)AT(ints, k + 1) >> 31;
  } char *p = (char *)calloc(a + 1, b + 1); out[1] += p[0]; free(p); return 3; }
NUMBER(buckets_squared) { unsigned c[4] = {0}; char *p[4]; for (int k = 0; k < n; ++k) ++c[AT(ints, k) & 3]; for (int b = 0; b < 4; ++b) p[b] = (char
  *)calloc(1, c[b] * c[b] + 1); for (int b = 0; b < 4; ++b) { out[1] += p[b][0]; free(p[b]); } return 3; }
struct node$ { struct node$ *l, *r; int key; };
static void drop$(struct node$ *t) { if (t) { drop$(t->l); drop$(t->r); free(t); } }
NUMBER(tree_of_keys) { struct node$ *t = 0; unsigned c = 0; for (int k = 0; k < n; ++k) { struct node$ **p = &t; int key = AT(ints, k) & 31; while (*p
  && (*p)->key != key) p = key < (*p)->key ? &(*p)->l : &(*p)->r; if (!*p) { *p = (struct node$ *)calloc(1, sizeof **p); (*p)->key = key; ++c; } }
  drop$(t); return c; }
struct node$ { struct node$ *child[4]; }; 
static void put$(struct node$ *t, const int *ints, int at, int depth) { if (depth == 0) return; int q = AT(ints, at) & 3; if (!t->child[q])
  t->child[q] = (struct node$ *)calloc(1, sizeof *t); put$(t->child[q], ints, at + 1, depth - 1); }
static void drop$(struct node$ *t) { for (int k = 0; k < 4; ++k) if (t->child[k]) { drop$(t->child[k]); free(t->child[k]); } }
NUMBER(tree_of_quarters) { struct node$ t = {{0, 0, 0, 0}}; for (int k = 0; k < m; ++k) put$(&t, ints, k * 3, 4); drop$(&t); return 3; }
static unsigned split$(const float *in, int from, int to, int depth) { if (to - from < 2 || !depth) return 1; float *b = (float *)malloc((unsigned)(to
  - from) * 4ul); int c = 0; for (int k = from; k < to; ++k) if (AT(in, k) > AT(in, from)) b[c++] = AT(in, k); unsigned x = (c ? b[0] > 3 : 0u) +
  split$(in, from, from + c, depth - 1) + split$(in, from + c, to, depth - 1); free(b); return x; }
NUMBER(recursion_that_splits) { return split$(in, 0, n, 5) & 63; }
static unsigned flood$(const int *ints, unsigned char *seen, int at, int n) { if (at < 0 || at >= n || seen[at] || !(AT(ints, at) & 1)) return 0;
  seen[at] = 1; char *p = (char *)calloc(1, 24); unsigned x = 1u + (unsigned)p[0] + flood$(ints, seen, at + 1, n) + flood$(ints, seen, at - 1, n) +
  flood$(ints, seen, at + 5, n); free(p); return x; }
NUMBER(recursion_that_floods) { unsigned char *seen = (unsigned char *)calloc(1, (unsigned)n); unsigned x = 0; for (int k = 0; k < n; ++k) x +=
  flood$(ints, seen, k, n); free(seen); return x; }
struct item$ { struct item$ *next; int at; };
NUMBER(worklist_of_data) { struct item$ *w = (struct item$ *)malloc(sizeof *w); unsigned c = 0; w->next = 0; w->at = 0; unsigned char *seen =
  (unsigned char *)calloc(1, (unsigned)n); seen[0] = 1; while (w) { struct item$ *i = w; w = i->next; ++c; for (int e = 1; e < 4; ++e) { int to =
  (i->at + (AT(ints, i->at + e) & 15)) % n; if (!seen[to]) { seen[to] = 1; struct item$ *j = (struct item$ *)malloc(sizeof *j); j->at = to; j->next =
  w; w = j; } } free(i); } free(seen); return c; }
NUMBER(slots_by_data) { char *w[8] = {0}; for (int k = 0; k < n; ++k) { int at = AT(ints, k) & 7; if (w[at]) { free(w[at]); w[at] = 0; } else { w[at]
  = (char *)calloc(1, (unsigned)k + 8); w[at][0] = 1; } } unsigned long x = 0; for (int k = 0; k < 8; ++k) { x += w[k] != 0; free(w[k]); } return x; }
NUMBER(largest_so_far_by_copy) { char *p = (char *)calloc(1, 1); unsigned long room = 1; for (int k = 0; k < n; ++k) { unsigned long need =
  (unsigned)AT(ints, k) & 63; if (need > room) { char *q = (char *)calloc(1, need); memcpy(q, p, room); free(p); p = q; room = need; } } out[1] +=
  p[0]; free(p); return room; }
NUMBER(runs_encoded) { struct run { int v, c; } *r = 0; unsigned c = 0; for (int k = 0; k < n; ++k) { int v = AT(ints, k) & 1; if (!c || r[c - 1].v !=
  v) { r = (struct run *)realloc(r, (c + 1) * sizeof *r); r[c].v = v; r[c++].c = 0; } r[c - 1].c++; } unsigned long x = c ? (unsigned)r[c - 1].c : 0;
  free(r); return x; }
NUMBER(bisected) { int low = 0, high = n; while (low < high) { int at = (low + high) / 2; char *p = (char *)calloc(1, (unsigned)(high - low)); out[1]
  += p[0]; free(p); if (AT(ints, at) > 5) high = at; else low = at + 1; } return (unsigned)low; }
NUMBER(freed_where_data_says) { char *a = (char *)calloc(1, 100), *b = (char *)calloc(1, 50 + (unsigned)n); out[1] += a[0] + b[0]; char *c = AT(ints,
  1) & 1 ? a : b; free(c); char *d = (char *)calloc(1, 70 + (unsigned)m); out[1] += d[0]; free(c == a ? b : a); free(d); return 3; }
NUMBER(swapped_where_data_says) { char *a = (char *)calloc(1, 100), *b = (char *)calloc(1, 50 + (unsigned)n); for (int k = 0; k < m; ++k) if (AT(ints,
  k) & 1) { char *t = a; a = b; b = t; } a = (char *)realloc(a, 400); a[399] = 1; out[1] += a[0] + b[0] + a[399]; free(a); free(b); return 3; }
NUMBER(matrix_of_data_sizes) { int r = AT(ints, 0) & 7, c = AT(ints, 1) & 7; float **p = (float **)calloc((unsigned)r + 1, sizeof *p); for (int k = 0;
  k < r; ++k) { p[k] = (float *)calloc((unsigned)(c * k) + 1, 4); } unsigned long x = (unsigned)(r * c); for (int k = 0; k < r; ++k) { out[1] +=
  p[k][0]; free(p[k]); } free(p); return x; }
NUMBER(product_of_signed_data) { long a = (AT(ints, 1) & 15) - 8, b = (AT(ints, 2) & 15) - 8; char *p = (char *)calloc(1, (unsigned long)(a * b +
  80)); out[1] += p[0]; free(p); return 3; }
NUMBER(and_of_negative) { int v = AT(ints, 1) & -n; char *p = (char *)calloc(1, (unsigned)(v & 255)); out[1] += (float)v; free(p); return 3; }
NUMBER(chained_index) { unsigned char t[16]; for (int k = 0; k < 16; ++k) t[k] = (unsigned char)(AT(ints, k) & 15); unsigned v = 0; for (int k = 0; k
  < n; ++k) { char *p = (char *)calloc(1, v * 4 + 1); v = t[v] + (unsigned)p[0]; free(p); } return v; }

// What the program computes while it runs, and the slicer could.
static NOINLINE double cross$(double a, double b, double c, double d) { return a * d - b * c; }
NUMBER(cross_product_of_constants) { return cross$(0.1, 0.3, 0.2, 0.6) > 0 ? 40 : cross$(0.1, 0.7, 0.2, 0.6) < 0 ? 9 : 3; }
static NOINLINE double quotient$(double a, double b) { return a / b; }
NUMBER(quotients_of_constants) { return (unsigned long)(quotient$(1, 3) * 1e17) % 60 + (unsigned long)(quotient$(2, 7) * 1e17) % 30; }
static NOINLINE float sine$(float v) { return sinf(v); }
NUMBER(sines_of_constants) { unsigned long s = 0; for (int k = 1; k < 20; ++k) s += (unsigned long)(sine$((float)k * 0.1f) * 0x1p26f) & 3; return s; }
static NOINLINE int above$(float v) { return v > 0; }
NUMBER(constants_near_zero) { return (unsigned)(above$(1e-40f) * 40 + above$(2e-41f) * 9 + above$(2.f)); }
static NOINLINE int differ$(const char *a, const char *b) { return strcmp(a, b); }
NUMBER(differences_of_texts) { return (unsigned)(differ$("a", "e") + 9 + differ$("z", "b")); }
NUMBER(differences_of_bytes) { char a[8] = "abcdefg", b[8] = "abcdefg"; a[3] = (char)(n & 31); b[3] = 3; return (unsigned)(memcmp(a, b, 8) + 40); }
NUMBER(sum_that_a_pragma_reorders) { float t[64], s = 0; for (int k = 0; k < 64; ++k) t[k] = k ? 1.f : 1e30f; t[1] = -1e30f;
  _Pragma("clang loop vectorize(enable)") for (int k = 0; k < n; ++k) s += t[k & 63]; return s > 0 && s < 60 ? (unsigned)s : 3; }
NUMBER(data_added_atomically) { int t = 3; __atomic_fetch_add(&t, AT(ints, 1) & 31, __ATOMIC_SEQ_CST); return (unsigned)t; }
NUMBER(data_exchanged_atomically) { int t = 3, e = 3; __atomic_compare_exchange_n(&t, &e, AT(ints, 1) & 31, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return t == 3 ? 40 : (unsigned)t; }
static NOINLINE int below$(char *other) { char own; char *volatile place = &own; return place < other; }
NUMBER(way_of_the_stack) { char own = (char)n; return below$(&own) ? 3 : 40; }
static NOINLINE unsigned long from$(void) { return (unsigned long)__builtin_return_address(0); }
NUMBER(places_of_calls) { unsigned long a = from$(), b = from$(); return (b - a) & 31; }
