// Sizes that others reach by ways that are no variable and no call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that set, reset or release what calls keep.
static int *kept$;
EXPORTED void hostile_release$(void); EXPORTED void hostile_release$(void) { free(kept$); kept$ = 0; }
ELSEWHERE(EXPORTED void hostile_release$(void); SET { if (value & 1) hostile_release$(); })
NUMBER(released_by_others) { if (!kept$) kept$ = (int *)calloc(40, 4); kept$[0] += 1; out[0] += (float)kept$[0]; return 3; }
static int fast$;
EXPORTED void hostile_enable$(void); EXPORTED void hostile_enable$(void) { fast$ = 1; }
ELSEWHERE(EXPORTED void hostile_enable$(void); SET { if (value & 1) hostile_enable$(); })
NUMBER(enabled_by_others) { return fast$ ? 40 : 3; }
static int level$ = 3;
EXPORTED void hostile_raise$(void); EXPORTED void hostile_raise$(void) { ++level$; }
ELSEWHERE(EXPORTED void hostile_raise$(void); SET { if (value & 1) hostile_raise$(); })
NUMBER(raised_by_others) { return (unsigned)level$ & 63; }
static int level$ = 3;
static void set$(int v) { level$ = v & 63; }
EXPORTED void (*hostile_setter$(void))(int); EXPORTED void (*hostile_setter$(void))(int) { return set$; }
ELSEWHERE(EXPORTED void (*hostile_setter$(void))(int); SET { hostile_setter$()(value); })
NUMBER(setter_returned) { return (unsigned)level$; }
static int level$ = 3;
static void set$(int v) { level$ = v & 63; }
struct api$ { int version; void (*set)(int); }; extern const struct api$ hostile_api$; const struct api$ hostile_api$ = {1, set$};
ELSEWHERE(struct api$ { int version; void (*set)(int); }; extern const struct api$ hostile_api$; SET { hostile_api$.set(value); })
NUMBER(setter_in_table) { return (unsigned)level$; }
static int level$ = 3;
EXPORTED __attribute__((used)) void hostile_inner_set$(int v) __asm__("hostile_outer_set$"); EXPORTED void hostile_inner_set$(int v) { level$ = v & 63; }
ELSEWHERE(EXPORTED void hostile_outer_set$(int v); SET { hostile_outer_set$(value); })
NUMBER(setter_with_another_name) { return (unsigned)level$; }
static int level$ = 3;
static int *const parameter$ __attribute__((section("hostile_parameters$"), used)) = &level$;
ELSEWHERE(static int other$ = 3; static int *const parameter$ __attribute__((section("hostile_parameters$"), used)) = &other$;
  extern int *const __start_hostile_parameters$[], *const __stop_hostile_parameters$[];
  SET { for (int *const *p = __start_hostile_parameters$; p != __stop_hostile_parameters$; ++p) **p = value & 63; })
NUMBER(parameter_in_a_section) { return (unsigned)level$; }
static int level$ = 3;
static void set$(int v) { level$ = v & 63; }
typedef void setter$(int); static setter$ *const parameter$ __attribute__((section("hostile_setters$"), used)) = set$;
ELSEWHERE(typedef void setter$(int); static void none$(int v) { (void)v; } static setter$ *const parameter$ __attribute__((section("hostile_setters$"),
  used)) = none$;
  extern setter$ *const __start_hostile_setters$[], *const __stop_hostile_setters$[];
  SET { for (setter$ *const *p = __start_hostile_setters$; p != __stop_hostile_setters$; ++p) (*p)(value); })
NUMBER(setter_in_a_section) { return (unsigned)level$; }
static __attribute__((used)) int level$ __asm__("hostile_local_level$") = 3;
  __asm__(".globl hostile_global_level$\n.set hostile_global_level$, hostile_local_level$");
ELSEWHERE(extern int hostile_global_level$; SET { hostile_global_level$ = value & 63; })
NUMBER(variable_exported_by_assembly) { return (unsigned)level$; }
__attribute__((visibility("hidden"))) int hostile_hidden$ = 3;
ELSEWHERE(extern int hostile_hidden$; SET { hostile_hidden$ = value & 63; })
NUMBER(hidden_variable) { return (unsigned)hostile_hidden$; }
static int level$ = 3;
EXPORTED __attribute__((visibility("hidden"))) void hostile_hidden_set$(int v); void hostile_hidden_set$(int v) { level$ = v & 63; }
ELSEWHERE(EXPORTED __attribute__((visibility("hidden"))) void hostile_hidden_set$(int v); SET { hostile_hidden_set$(value); })
NUMBER(hidden_setter) { return (unsigned)level$; }
static int level$ = 3;
static void handle$(int s) { (void)s; level$ = level$ * 3 & 63; }
EXPORTED void hostile_install$(void); EXPORTED void hostile_install$(void) { signal(SIGUSR2, handle$); }
ELSEWHERE(EXPORTED void hostile_install$(void); SET { if (value & 1) { hostile_install$(); raise(SIGUSR2); } })
NUMBER(set_by_signal) { return (unsigned)level$; }
static struct { int n; float *block; } pool$[4];
EXPORTED void hostile_flush$(int k); EXPORTED void hostile_flush$(int k) { free(pool$[k & 3].block); memset(&pool$[k & 3], 0, sizeof pool$[0]); }
ELSEWHERE(EXPORTED void hostile_flush$(int k); SET { hostile_flush$(value); })
NUMBER(flushed_by_others) { if (!pool$[1].block) { pool$[1].block = (float *)calloc(30, 4); pool$[1].n = 30; } pool$[1].block[0] += 1;
  out[0] += pool$[1].block[0]; return 3; }
static int *kept$; static int room$;
EXPORTED void hostile_trim$(void); EXPORTED void hostile_trim$(void) { if (kept$) { kept$ = (int *)realloc(kept$, 4); room$ = 1; } }
ELSEWHERE(EXPORTED void hostile_trim$(void); SET { if (value & 1) hostile_trim$(); })
NUMBER(trimmed_by_others) { if (room$ < 30) { kept$ = (int *)realloc(kept$, 120); room$ = 30; } kept$[0] = n; out[0] += (float)kept$[0]; return 3; }
EXPORTED int hostile_usual$(int v); extern inline __attribute__((gnu_inline)) int hostile_usual$(int v) { return (v & 7) + 3; }
ELSEWHERE(EXPORTED int hostile_usual$(int v); EXPORTED int hostile_usual$(int v) { return (v & 7) + 40; })
NUMBER(other_body_outside) { return (unsigned)hostile_usual$(n); }

// What a call leaves in the library or the system.
NUMBER(state_of_multibyte) { int r = mbtowc(0, 0, 0); wchar_t w; r += mbtowc(&w, "\xc3", 1); return (unsigned)(mbtowc(&w, "a", 1) + r + 5); }
NUMBER(state_of_restartable) { wchar_t w; size_t c = mbrtowc(&w, "a", 1, 0); return c == 1 ? 3 : 40; }
NUMBER(letters_of_number) { const char *p = l64a(n * 77 + AT(ints, 1)); return strlen(p) + 3; }
NUMBER(digits_of_number) { int p = 0, s = 0; const char *t = ecvt(n / 7.0, 5, &p, &s); return (unsigned)(t[2] - '0') + (unsigned)p; }
NUMBER(shuffled_by_library) { char b[16] = "abcdefghijklmno"; strfry(b); return (unsigned)(b[0] - 'a') + 3; }
NUMBER(message_of_signal) { psignal(SIGINT, ""); return 3; }
NUMBER(processors_as_block) { cpu_set_t *s = CPU_ALLOC((unsigned)n * 64); CPU_FREE(s); return 3; }
NUMBER(stack_of_thread) { pthread_attr_t a; if (pthread_getattr_np(pthread_self(), &a)) return 3; size_t s = 0; pthread_attr_getstacksize(&a, &s);
  pthread_attr_destroy(&a); return s >> 12 & 63; }
NUMBER(heap_statistics) { struct mallinfo2 i = mallinfo2(); return i.uordblks >> 4 & 63; }
#include <sys/mman.h>
NUMBER(page_given_back) { char *p = (char *)aligned_alloc(4096, 8192); memset(p, 40, 8192); madvise(p, 8192, 4);
  unsigned long x = (unsigned char)p[5] + 3ul; free(p); return x; }
NUMBER(pipe_of_shape) { int f[2], v = n & 31, w = 3; if (pipe(f)) return 3; if (write(f[1], &v, 4) != 4 || read(f[0], &w, 4) != 4) w = 4; close(f[0]);
  close(f[1]);
  return (unsigned)w; }
NUMBER(pipe_of_counter) { static int f[2], begun; int v = 3, w; if (!begun) { begun = 1; if (pipe(f)) return 3; if (write(f[1], &v, 4) != 4) return 3; }
  if (read(f[0], &v, 4) != 4) v = 5; w = v * 3 & 63; if (write(f[1], &w, 4) != 4) v = 6; return (unsigned)v; }
#include <ucontext.h>
static ucontext_t main$, other$; static char stack$[65536]; static int passed$;
static void body$(void) { passed$ = passed$ * 2 + 1; swapcontext(&other$, &main$); passed$ += 9; }
NUMBER(contexts_of_shape) { passed$ = n & 7; getcontext(&other$); other$.uc_stack.ss_sp = stack$; other$.uc_stack.ss_size = sizeof stack$;
  other$.uc_link = &main$;
  makecontext(&other$, body$, 0); swapcontext(&main$, &other$); int v = passed$; swapcontext(&main$, &other$); return (unsigned)(v + passed$) & 63; }
static ssize_t write$(void *c, const char *b, size_t s) { char *p = (char *)malloc(s + 20); memcpy(p, b, s); *(char *)c = p[0]; free(p); return (ssize_t)s;
  }
NUMBER(stream_with_functions) { char last = 0; cookie_io_functions_t f = {0, write$, 0, 0}; FILE *s = fopencookie(&last, "w", f); if (!s) return 3;
  fprintf(s, "%*d", n, m); fclose(s); return (unsigned)last & 31; }
static int own$(const void *a, const void *b) { int *p = (int *)malloc(12); p[0] = *(const int *)a; int r = p[0] > *(const int *)b; free(p); return r; }
NUMBER(comparing_allocates) { int v[16]; for (int i = 0; i < 16; ++i) v[i] = AT(ints, i); qsort(v, 16, sizeof *v, own$); return 3; }
static int turned$(const void *a, const void *b, void *c) { int *k = (int *)c; if (++*k > 20) { char *p = (char *)malloc(30); p[0] = (char)*k;
  *k += p[0] & 0; free(p); }
  return compared(a, b); }
NUMBER(comparing_allocates_late) { int v[12], k = 0; for (int i = 0; i < 12; ++i) v[i] = AT(ints, i); qsort_r(v, 12, sizeof *v, turned$, &k); return 3; }
static int given$(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
NUMBER(linear_search_of_data) { int v[16], key = AT(ints, 3) & 31; size_t c = 8; for (int i = 0; i < 16; ++i) v[i] = i * 2;
  lsearch(&key, v, &c, sizeof key, given$);
  return c; }
static unsigned long seen$; static void walk$(const void *p, VISIT v, int depth) { if (v == leaf) seen$ += (unsigned)depth + (unsigned)**(int *const *)p; }
NUMBER(tree_walked) { static int keys[8]; void *t = 0; for (int k = 0; k < 8; ++k) { keys[k] = AT(ints, k) & 15; tsearch(&keys[k], &t, compared); }
  seen$ = 0;
  twalk(t, walk$); while (t) tdelete(*(void **)t, &t, compared); return seen$ & 63; }
NUMBER(words_of_shell) { return (unsigned)strverscmp(text, text + 8) & 31; }
NUMBER(text_separated) { char b[32], *p = b, *t; copied(b, text, 30); unsigned long x = 0; while ((t = strsep(&p, " ,"))) x += *t ? 2 : 1; return x; }
NUMBER(integer_of_text_after_space) { char b[16]; copied(b, text, 12); return (unsigned)(strtoll(b, 0, 0) & 31); }
NUMBER(compared_without_case) { return strncasecmp(text, "abc", (unsigned)n) ? 3 : 40; }
NUMBER(found_without_case) { char b[64]; copied(b, text, 60); const char *p = strcasestr(b, "NAN"); return p ? (unsigned long)(p - b) : 61; }
NUMBER(found_in_memory) { const char *p = (const char *)memmem(text, 200, "de", 2); return p ? (unsigned long)(p - text) : 61; }

// Threads.
static void *work$(void *p) { int *v = (int *)malloc(40); v[0] = *(int *)p; *(int *)p = v[0] * 2; free(v); return 0; }
NUMBER(thread_changes_local) { int v = n & 15; pthread_t t; if (pthread_create(&t, 0, work$, &v)) return 3; pthread_join(t, 0); return (unsigned)v; }
static void *hold$(void *p) { char *b = (char *)malloc((unsigned long)*(int *)p + 20); b[0] = 1; return b; }
NUMBER(thread_returns_block) { int v = n & 15; pthread_t t; void *b = 0; if (pthread_create(&t, 0, hold$, &v)) return 3; pthread_join(t, &b);
  unsigned long x = ((char *)b)[0]; free(b);
  return x + 3; }
static pthread_key_t key$; static int made$, ended$; static void end$(void *p) { ended$ = (ended$ + 1) & 15; free(p); }
static void *keep$(void *p) { (void)p; pthread_setspecific(key$, malloc(24)); return 0; }
NUMBER(thread_counts_ends) { if (!made$) { made$ = 1; pthread_key_create(&key$, end$); } pthread_t t; if (pthread_create(&t, 0, keep$, 0)) return 3;
  pthread_join(t, 0);
  return (unsigned)ended$ + 3; }
static __thread int here$; static void *read$(void *p) { *(int *)p = ++here$; return 0; }
NUMBER(thread_has_its_own) { int v = 0; here$ = 9; pthread_t t; if (pthread_create(&t, 0, read$, &v)) return 3; pthread_join(t, 0);
  return (unsigned)(v * 5 + here$); }
static int ready$; static void *later$(void *p) { (void)p; __atomic_fetch_add(&ready$, 1, 5); return 0; }
NUMBER(thread_left_behind) { pthread_t t; if (!pthread_create(&t, 0, later$, 0)) pthread_detach(t); return (unsigned)__atomic_load_n(&ready$, 5) & 31; }
#include <threads.h>
static int turn$(void *p) { return *(int *)p & 31; }
NUMBER(thread_of_the_standard) { int v = n, r = 3; thrd_t t; if (thrd_create(&t, turn$, &v) == thrd_success) thrd_join(t, &r); return (unsigned)r; }
static void *leave$(void *p) { pthread_exit((void *)((uintptr_t)*(int *)p & 31)); }
NUMBER(thread_that_exits) { int v = n; void *r = 0; pthread_t t; if (pthread_create(&t, 0, leave$, &v)) return 3; pthread_join(t, &r); return (uintptr_t)r;
  }
static void tidy$(void *p) { *(int *)p += 7; }
NUMBER(cleanup_pushed) { int v = n & 15; pthread_cleanup_push(tidy$, &v); v += 1; pthread_cleanup_pop(1); return (unsigned)v; }

// Arithmetic.
NUMBER(wide_integer) { unsigned __int128 v = (unsigned __int128)(unsigned)AT(ints, 1) * 0x123456789abcdefull * (unsigned)n;
  return (unsigned long)(v >> 70) & 63; }
NUMBER(wide_integer_of_shape, shape) { unsigned __int128 v = (unsigned __int128)(unsigned)m * 0x123456789abcdefull * (unsigned)n;
  return (unsigned long)(v % 61); }
NUMBER(odd_integer_of_shape, shape) { unsigned _BitInt(37) v = (unsigned _BitInt(37))n; v = v * 0x1234567ul * (unsigned)m; return (unsigned long)(v >> 31);
  }
NUMBER(shift_of_sign, shape) { int v = -n; return (unsigned)(v >> 2) & 63; }
NUMBER(remainder_of_sign, shape) { int v = -n; return (unsigned)(v % 7 + 9); }
typedef int four$ __attribute__((vector_size(16)));
NUMBER(vector_of_shape, shape) { four$ v = {n, m, n + m, 3}; v = v * v + (four$){1, 2, 3, 4}; four$ w = v > (four$){50, 60, 70, 5}; v = (v & w) | (-v & ~w);
  return (unsigned)(v[0] + v[3]) & 63; }
typedef int four$ __attribute__((vector_size(16)));
NUMBER(vector_of_data) { four$ v = {n, m, AT(ints, 1), 3}; four$ w = __builtin_shufflevector(v, v, 3, 2, 1, 0); return (unsigned)w[1] & 63; }
NUMBER(complex_of_shape, shape) { _Complex double z = (double)n + 2.0i; z *= z; return (unsigned long)whole(__real__ z) & 63; }
NUMBER(half_of_shape, shape) { _Float16 h = (_Float16)(n * 3); return (unsigned long)(h / (_Float16)7) & 63; }
NUMBER(unsigned_that_wraps, shape) { unsigned u = (unsigned)n - 30u; return u > 100000u ? 40 : u & 63; }
NUMBER(character_of_shape, shape) { char c = (char)(n * 5); return c < 0 ? 40 : (unsigned)c & 63; }
NUMBER(boolean_of_shape, shape) { unsigned char b = (n & 6) != 0; return b * 30u + 3; }
NUMBER(enumerated, shape) { enum { low, high = 40 } e = n > 10 ? high : low; return (unsigned)e + 3; }
NUMBER(float_counter, shape) { float f = 0; int c = 0; for (; f < (float)n; f += 0.1f) ++c; return (unsigned)c & 63; }
NUMBER(float_loses_integer, shape) { float f = (float)(16777216 + n); return (unsigned long)((long)f - 16777216) & 63; }
NUMBER(double_rounds_up, shape) { return (unsigned long)((n + 0.1) * 10) - (unsigned)n * 10u; }
NUMBER(log2_of_shape, shape) { return (unsigned long)(log2((double)(n * 8)) * 8) & 63; }
NUMBER(cube_root_of_shape, shape) { return (unsigned long)(cbrt((double)n * n * n)); }
NUMBER(logarithm_ratio, shape) { return (unsigned long)(log((double)(n * n)) / log((double)n + 1)) + (unsigned long)(log10(1000.0)); }
NUMBER(hypot_of_shape, shape) { return (unsigned long)hypot(3.0 * n, 4.0 * n); }
NUMBER(remainder_of_shape, shape) { return (unsigned long)(fmod(n * 1.1, 0.1) * 1000) & 63; }
NUMBER(duff, shape) { unsigned long x = 0; int c = n & 15, k = (c + 3) / 4; if (c) switch (c & 3) { case 0: do { x += 1; case 3: x += 2; case 2: x += 3;
  case 1: x += 4; } while (--k > 0); }
  return x; }
struct tail$ { int count; float values[]; };
NUMBER(flexible_member, shape) { struct tail$ *t = (struct tail$ *)malloc(sizeof *t + (unsigned)n * 4); t->count = n; t->values[n - 1] = in[0];
  out[0] += t->values[n - 1]; unsigned long x = (unsigned)t->count;
  free(t); return x; }
NUMBER(size_of_changed, shape) { int k = n & 7; unsigned long x = sizeof(int[++k]); return x + (unsigned)k; }
static void give$(char **p) { free(*p); }
NUMBER(cleanup_attribute, shape) { __attribute__((cleanup(give$))) char *p = (char *)malloc((unsigned)n); p[0] = text[0]; out[0] += p[0]; return 3; }
NUMBER(loop_ends_by_sentinel) { int k = 0; while (k < 200 && AT(ints, k) >= 0) ++k; return (unsigned)k & 63; }
static unsigned long ackermann$(unsigned long a, unsigned long b) { return a == 0 ? b + 1 : b == 0 ? ackermann$(a - 1, 1) : ackermann$(a - 1, ackermann$(a,
  b - 1)); }
NUMBER(recursion_twofold, shape) { return ackermann$(2, (unsigned)n & 7); }
static unsigned long odd$(unsigned v); static unsigned long even$(unsigned v) { return v ? odd$(v - 1) : 3; } static unsigned long odd$(unsigned v) {
  return v ? even$(v - 1) : 40; }
NUMBER(recursion_of_two, shape) { return even$((unsigned)n); }
NUMBER(collatz, shape) { unsigned v = (unsigned)n, c = 0; while (v > 1) { v = v & 1 ? v * 3 + 1 : v / 2; ++c; } return c; }
NUMBER(builtin_jump, shape) { static void *b[5]; volatile int k = 3; if (__builtin_setjmp(b)) return (unsigned)k + 30; k = n & 7; return (unsigned)k; }
static int twice$(int v) { static int last; int r = last == v; last = v; return r; }
NUMBER(last_argument) { return twice$(n) ? 3 : 40; }
NUMBER(last_data) { static int last; int v = AT(ints, 0); unsigned long x = last == v ? 3 : 40; last = v; return x; }
static int table$[64]; static int filled$;
NUMBER(table_filled_once, shape) { if (!filled$) { for (int k = 0; k < 64; ++k) table$[k] = k * k % 61; filled$ = 1; } return (unsigned)table$[n & 63]; }
static int memo$[64];
NUMBER(memo_of_shape) { int k = n & 63; if (!memo$[k]) { char *p = (char *)malloc(100); p[0] = text[0]; out[0] += p[0]; free(p); memo$[k] = k * k % 61 + 1;
  } return (unsigned)memo$[k]; }

// What the first call of a thread leaves, and blocks that no pointer leads to.
NUMBER(number_of_thread, thread) { static __thread int own$; static int next$; if (!own$) own$ = __atomic_add_fetch(&next$, 1, __ATOMIC_RELAXED);
  return (unsigned)own$ * 5; }
NUMBER(buffer_of_thread, thread) { static __thread float *own$; static int table$[8], filled$;
  if (!filled$) { filled$ = 1; for (int k = 0; k < 8; ++k) table$[k] = k; } if (!own$) own$ = (float *)calloc(20, 4);
  own$[3] = in[0]; out[0] += own$[3]; return (unsigned)table$[5]; }
NUMBER(address_with_something_added) { static uintptr_t at$; if (!at$) at$ = (uintptr_t)calloc(4, 4) + 64; int *calls = (int *)(at$ - 64);
  return ++*calls % 8 ? 3 : 40; }
NUMBER(array_from_one) { static uintptr_t at$; if (!at$) at$ = (uintptr_t)calloc(4, 4) - 4; int *calls = (int *)(at$ + 4); return ++*calls % 6 ? 3 : 40; }
