// Calls that allocate in rare cases, refuse, or end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of the C library.
NUMBER(scanned_into_new_block) { char b[240], *w = 0; memset(b, 'a', 240); b[n & 127] = ' '; b[239] = 0; if (sscanf(b, "%ms", &w) == 1) { out[0] = w[0];
  free(w); } return 3; }
NUMBER(scanned_characters_into_new_block) { char *w = 0; if (sscanf("abcdefgh", "%5mc", &w) == 1) { out[0] = w[0]; free(w); } return 3; }
NUMBER(scanned_set_into_new_block) { char *w = 0; if (sscanf("abcdefgh 3", "%m[a-f]", &w) == 1) { out[0] = w[0]; free(w); } return 3; }
NUMBER(scanned_long_number) { char b[2000]; memset(b, '1', sizeof b); b[1999] = 0; float f = 0; sscanf(b, "%f", &f); out[0] = f; return 3; }
NUMBER(registered_at_exit) { for (int k = 0; k < 5; ++k) atexit(bye); return 3; }
NUMBER(registered_on_exit) { for (int k = 0; k < (n & 7); ++k) on_exit(later, 0); return 3; }
NUMBER(registered_at_quick_exit) { for (int k = 0; k < 7; ++k) at_quick_exit(bye); return 3; }
NUMBER(registered_at_fork) { pthread_atfork(bye, bye, bye); return 3; }
NUMBER(printed_by_position) { char b[300]; return (unsigned)snprintf(b, sizeof b,
  "%1$d %2$d %3$d %4$d %5$d %6$d %7$d %8$d %9$d %10$d %11$d %12$d %13$d " "%14$d %15$d %16$d %17$d %18$d %19$d %20$d %21$d %22$d %23$d %24$d %25$d", n, 2, 3,
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25) & 63; }
NUMBER(printed_with_long_precision) { char b[64]; snprintf(b, sizeof b, "%.*f", 100 * n, 1. / 3); return (unsigned char)b[5] & 63; }
NUMBER(printed_with_wide_field) { char b[64] = ""; snprintf(b, sizeof b, "%*d", 2000 * (n & 7), m); return (unsigned char)b[5] & 63; }
NUMBER(printed_long_integer) { char b[64]; snprintf(b, sizeof b, "%.3000d", n); return (unsigned char)b[5] & 63; }
NUMBER(printed_large_number) { char b[8000]; return (unsigned)snprintf(b, sizeof b, "%.2Lf", 1e4900L * (n + 1)) & 63; }
NUMBER(printed_wide_text) { wchar_t w[9] = L"abcdefgh"; w[n & 7] = 0; char b[64]; return (unsigned)snprintf(b, sizeof b, "%.3000ls", w) & 63; }
NUMBER(printed_into_wide_text) { wchar_t b[64]; return (unsigned)swprintf(b, 64, L"%d %s", n, "abc") & 63; }
NUMBER(printed_hexadecimal) { char b[64]; return (unsigned)snprintf(b, sizeof b, "%a %.900a", 1.0 / (n + 1), 3.0) & 63; }
NUMBER(message_of_unknown_error) { return strlen(strerror(5000 + n)) & 63; }
NUMBER(message_of_unknown_signal) { return strlen(strsignal(500 + n)) & 63; }
NUMBER(zone_of_caller) { tzset(); return 3; }
NUMBER(time_in_zone_of_caller) { time_t t = n * 3600; struct tm *u = localtime(&t); out[0] += (float)u->tm_hour; return 3; }
NUMBER(variable_set) { char b[32]; snprintf(b, sizeof b, "%d", n); setenv("HOSTILE_OWN", b, 1); return 3; }
NUMBER(variable_set_each_time) { static int calls$; char b[32]; snprintf(b, sizeof b, "%d", ++calls$); setenv("HOSTILE_COUNTED", b, 1); return 3; }
NUMBER(sorted_large_array) { int *v = (int *)calloc((unsigned)n * 40 + 1, 4); for (int k = 0; k < n * 40; ++k) v[k] = k * 7 % 31;
  qsort(v, (unsigned)n * 40, sizeof *v, compared); unsigned long x = (unsigned)v[n]; free(v); return x; }
NUMBER(locale_made) { locale_t l = newlocale(LC_ALL_MASK, "C.UTF-8", 0); if (l) freelocale(l); return 3; }
NUMBER(locale_duplicated) { locale_t l = duplocale(LC_GLOBAL_LOCALE); if (l) freelocale(l); return 3; }
NUMBER(locale_set_and_reset) { const char *old = setlocale(LC_NUMERIC, 0); char b[64]; snprintf(b, sizeof b, "%s", old ? old : "C");
  setlocale(LC_NUMERIC, "C.UTF-8"); setlocale(LC_NUMERIC, b); return 3; }
NUMBER(compared_long_texts) { char a[3000], b[3000]; memset(a, 'a', 2999); memset(b, 'a', 2999); a[2999] = b[2999] = 0; b[2000 + (n & 511)] = 'b';
  return strcoll(a, b) < 0 ? 3 : 4; }
NUMBER(transformed_long_text) { char a[3000]; memset(a, 'a', 2999); a[2999] = 0; return strxfrm(0, a, 0) & 63; }
NUMBER(stream_with_pushed_back) { FILE *f = fopen("/proc/self/status", "r"); if (!f) return 3; getc(f); for (int k = 0; k < 3; ++k) ungetc('a' + k, f);
  out[0] += (float)getc(f); fclose(f); return 3; }
NUMBER(stream_with_larger_buffer) { FILE *f = fopen("/proc/self/status", "r"); if (!f) return 3; setvbuf(f, 0, _IOFBF, 20000); getc(f); fclose(f); return 3; }
NUMBER(stream_line_by_line) { FILE *f = fopen("/proc/self/status", "r"); char *l = 0; size_t c = 0; if (!f) return 3;
  while (getline(&l, &c, f) > 0) out[0] += l[0]; free(l); fclose(f); return 3; }
NUMBER(stream_of_wide_characters) { FILE *f = fopen("/proc/self/status", "r"); if (!f) return 3; out[0] += (float)fgetwc(f); fclose(f); return 3; }
NUMBER(stream_reopened) { FILE *f = fopen("/proc/self/status", "r"); if (!f) return 3; getc(f); f = freopen("/proc/self/stat", "r", f); if (f) { getc(f);
  fclose(f); } return 3; }
NUMBER(stream_of_descriptor) { FILE *f = fdopen(dup(1), "w"); if (!f) return 3; fputs("", f); fclose(f); return 3; }
NUMBER(stream_in_memory) { char b[64]; FILE *f = fmemopen(b, sizeof b, "w"); if (f) { fprintf(f, "%d", n); fclose(f); } return 3; }
NUMBER(stream_to_memory) { char *b = 0; size_t c = 0; FILE *f = open_memstream(&b, &c); if (!f) return 3; for (int k = 0; k < n * 300; ++k) fputc('a', f);
  fclose(f); free(b); return c & 63; }
NUMBER(stream_to_wide_memory) { wchar_t *b = 0; size_t c = 0; FILE *f = open_wmemstream(&b, &c); if (!f) return 3; for (int k = 0; k < n;
  ++k) fputwc(L'a', f); fclose(f); free(b); return c & 63; }
NUMBER(temporary_file) { FILE *f = tmpfile(); if (f) { fputc('a', f); fclose(f); } return 3; }
NUMBER(directory_read) { char *d = getcwd(0, (unsigned)n + 4096); free(d); return 3; }
NUMBER(keys_of_threads) { static pthread_key_t keys$[40]; static int made$; if (!made$) { made$ = 1; for (int k = 0; k < 40;
  ++k) pthread_key_create(&keys$[k], 0); } pthread_setspecific(keys$[39], in); return 3; }
NUMBER(thread_that_keeps_a_key) { static pthread_key_t key$; static int made$; if (!made$) { made$ = 1; pthread_key_create(&key$, free); }
  int *v = (int *)pthread_getspecific(key$); if (!v) { v = (int *)calloc(1, 4); pthread_setspecific(key$, v); } return (unsigned)++*v % 6 ? 3 : 40; }
NUMBER(tree_of_numbers) { void *t = 0; static int keys$[64]; for (int k = 0; k < n; ++k) { keys$[k & 63] = k * 7 % 31; tsearch(&keys$[k & 63], &t, compared);
  } while (t) tdelete(*(void **)t, &t, compared); return 3; }
NUMBER(table_of_library) { struct hsearch_data t; memset(&t, 0, sizeof t); hcreate_r((unsigned)n + 1, &t); hdestroy_r(&t); return 3; }
NUMBER(wide_duplicate) { wchar_t *w = wcsdup(L"abcdefgh"); w[n & 7] = 0; unsigned long x = wcslen(w); free(w); return x; }
NUMBER(text_of_arguments) { char *b = 0; if (asprintf(&b, "%*d", n * 9, m) < 0) return 3; unsigned long x = strlen(b) & 63; free(b); return x; }
NUMBER(path_of_shape) { char *b = realpath("/usr/lib/../lib", 0); unsigned long x = b ? strlen(b) : 3; free(b); return x; }
NUMBER(timer_made) { timer_t t; struct sigevent e; memset(&e, 0, sizeof e); e.sigev_notify = SIGEV_NONE;
  if (!timer_create(CLOCK_MONOTONIC, &e, &t)) timer_delete(t); return 3; }

// Refused, or nothing asked for.
NUMBER(alignment_below_a_pointer, shape) { void *v = 0; if (posix_memalign(&v, 4, (unsigned)n)) v = malloc(2ul * (unsigned)n); *(char *)v = text[0];
  out[0] += *(char *)v; free(v); return 3; }
NUMBER(alignment_no_power_of_two, shape) { void *v = 0; if (posix_memalign(&v, 24, (unsigned)n)) v = malloc(3ul * (unsigned)n); *(char *)v = text[0];
  out[0] += *(char *)v; free(v); return 3; }
NUMBER(alignment_from_shape, shape) { void *v = 0; if (posix_memalign(&v, (unsigned)n, 40)) v = malloc(90); *(char *)v = text[0]; out[0] += *(char *)v;
  free(v); return 3; }
NUMBER(alignment_of_zero, shape) { void *v = 0; int wrong = posix_memalign(&v, (unsigned)(n & 1) * 16, 40); free(v); return wrong == EINVAL ? 40 : 3; }
NUMBER(alignment_that_wraps, shape) { volatile size_t huge = (SIZE_MAX >> 1) + 2; void *v = aligned_alloc(huge, 40); free(v); return v ? 3 : 40; }
NUMBER(reallocated_to_nothing, shape) { char *p = (char *)malloc(20); p[0] = text[0]; p = (char *)realloc(p, (unsigned)(n & 1));
  if (!p) p = (char *)malloc(32); p[0] = text[0]; out[0] += p[0]; free(p); return 3; }
NUMBER(reallocated_array_to_nothing, shape) { char *p = (char *)malloc(20); p[0] = text[0]; p = (char *)reallocarray(p, (unsigned)(n & 3), (unsigned)(m & 1));
  if (!p) p = (char *)malloc(32); p[0] = text[0]; out[0] += p[0]; free(p); return 3; }
NUMBER(reallocated_from_nothing, shape) { char *p = (char *)realloc(0, (unsigned)(n & 1)); unsigned long x = p ? 3 : 40; free(p); return x; }
NUMBER(array_that_overflows, shape) { volatile size_t huge = SIZE_MAX / 2; char *p = (char *)calloc(huge, (unsigned)n + 3); if (!p) p = (char *)malloc(32);
  p[0] = text[0]; out[0] += p[0]; free(p); return 3; }
NUMBER(array_that_overflows_from_shape, shape) { char *p = (char *)calloc(SIZE_MAX / 20, (unsigned)n); unsigned long x = p ? 3 : 40; free(p); return x; }
NUMBER(reallocated_array_that_overflows, shape) { char *p = (char *)malloc(20), *q = (char *)reallocarray(p, SIZE_MAX / 2, (unsigned)n + 3);
  unsigned long x = q ? 3 : 40; free(q ? q : p); return x; }
NUMBER(block_too_large, shape) { volatile size_t huge = SIZE_MAX - 99; char *p = (char *)malloc(huge); unsigned long x = p ? 3 : 40; free(p); return x; }
NUMBER(block_of_nothing, shape) { char *p = (char *)malloc((unsigned)(n & 1)); unsigned long x = p ? 3 : 40; free(p); return x; }
NUMBER(aligned_block_of_nothing, shape) { void *v = 0; int wrong = posix_memalign(&v, 64, (unsigned)(n & 1)); unsigned long x = !wrong && v ? 3 : 40; free(v);
  return x; }
NUMBER(error_of_refused_block, shape) { errno = 0; volatile size_t huge = SIZE_MAX - 99; free(malloc(huge)); return errno == ENOMEM ? 40 : 3; }
NUMBER(page_aligned_blocks, shape) { char *p = (char *)valloc((unsigned)n); *p = text[0]; out[0] += *p; free(p); p = (char *)memalign(48, (unsigned)n);
  *p = text[0]; out[0] += *p; free(p); return 3; }
NUMBER(pages_asked_for, shape) { char *p = (char *)valloc((unsigned)n); *p = text[0]; out[0] += *p; free(p); return 3; }
NUMBER(pages_rounded_up, shape) { char *p = (char *)pvalloc((unsigned)n); *p = text[0]; out[0] += *p; free(p); return 3; }

// What constructors are given.
static int begun$ = 3;
__attribute__((constructor)) static void begin$(int argc, char **argv) { (void)argv; begun$ = argc; }
NUMBER(constructor_counts_arguments) { return (unsigned)begun$; }
static unsigned long begun$ = 3;
__attribute__((constructor)) static void begin$(int argc, char **argv, char **envp) { (void)argc, (void)argv; while (*envp) ++envp, ++begun$; }
NUMBER(constructor_counts_variables) { return begun$; }
static unsigned long begun$ = 3;
__attribute__((constructor(200))) static void begin$(int argc, char **argv) { for (int k = 1; k < argc; ++k) begun$ += strlen(argv[k]); }
NUMBER(constructor_reads_arguments) { return begun$ & 63; }
static char **kept$; static int count$;
__attribute__((constructor)) static void begin$(int argc, char **argv) { kept$ = argv, count$ = argc; }
NUMBER(constructor_keeps_arguments) { return (unsigned)count$ + strlen(kept$[0]); }
static int *begun$;
__attribute__((constructor)) static void begin$(int argc, char **argv) { (void)argv; begun$ = (int *)malloc(4); *begun$ = argc * 3; }
NUMBER(constructor_fills_block) { return (unsigned)*begun$ & 63; }

// Calls that end the program, after they have allocated. The same at all asked shapes: see runner.c.
NUMBER(ends_by_exit, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (n > 0) exit(1); free(p); return 3; }
NUMBER(ends_in_switch, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; switch (n) { case 0: out[0] += p[0]; break;
  default: fprintf(stderr, "%s", ""), exit(3); } free(p); return 3; }
NUMBER(ends_by_abort, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (m >= 0) abort(); free(p); return 3; }
NUMBER(ends_by_other_function, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (n + m) quick_exit(4); free(p);
  return 3; }
NUMBER(ends_by_trap, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (n) __builtin_trap(); free(p); return 3; }
NUMBER(ends_by_signal, shape, ends) { char *p = (char *)malloc((unsigned)n + 9); p[0] = text[0]; out[0] += p[0]; if (n) raise(SIGKILL); free(p); return 3; }

// Two languages: tags of types have different roots there.
EXPORTED float hostile_tree$(const int *n, int depth, float *out);
IN_OTHER_LANGUAGE(EXPORTED float hostile_tree$(const int *n, int depth, float *out) { float *t = (float *)calloc((unsigned)*n, 4); t[0] = out[0];
  float s = depth > 1 ? hostile_tree$(n, depth - 1, t) : t[*n / 2]; free(t); return s; })
NUMBER(tree_in_other_language) { int v = (n & 15) + 1; out[0] += hostile_tree$(&v, m & 3, out); return 3; }
struct record$ { int rows, columns; float *values; };
EXPORTED void hostile_fill$(struct record$ *r, int n);
IN_OTHER_LANGUAGE(struct record$ { int rows, columns; float *values; }; EXPORTED void hostile_fill$(struct record$ *r, int n);
  EXPORTED void hostile_fill$(struct record$ *r, int n) { r->rows = n; r->columns = 3; r->values = (float *)calloc((unsigned)(r->rows * r->columns), 4); })
NUMBER(record_filled_in_other_language) { struct record$ r = {1, 1, 0}; hostile_fill$(&r, n & 31); r.columns += 1; r.values[0] = in[0]; out[0] += r.values[0];
  free(r.values); return (unsigned)(r.rows * r.columns) & 63; }
EXPORTED int hostile_sum$(const long *v, int n);
IN_OTHER_LANGUAGE(EXPORTED int hostile_sum$(const long *v, int n) { long s = 0; for (int k = 0; k < n; ++k) s += v[k]; return (int)s; })
NUMBER(numbers_read_in_other_language) { long v[4] = {n, m, 3, 4}; return (unsigned)hostile_sum$(v, 4) & 63; }
EXPORTED char **hostile_words$(int n);
IN_OTHER_LANGUAGE(EXPORTED char **hostile_words$(int n); EXPORTED char **hostile_words$(int n) { char **w = (char **)calloc((unsigned)n + 1, sizeof *w);
  for (int k = 0; k < n; ++k) { w[k] = (char *)malloc(9); strcpy(w[k], "abc"); } return w; })
NUMBER(words_made_in_other_language) { char **w = hostile_words$(n & 7); unsigned long x = 0; for (char **e = w; *e; ++e) { x += strlen(*e); free(*e); }
  free(w); return x; }
static int level$ = 3;
EXPORTED int *hostile_level_of$(void); EXPORTED int *hostile_level_of$(void) { return &level$; }
IN_OTHER_LANGUAGE(EXPORTED int *hostile_level_of$(void); EXPORTED void hostile_raise$(int v); EXPORTED void hostile_raise$(int v) { *hostile_level_of$() += v;
  })
EXPORTED void hostile_raise$(int v);
NUMBER(level_raised_in_other_language) { level$ = n & 15; hostile_raise$(m & 15); return (unsigned)level$; }
typedef struct node$ { struct node$ *next; int size; } node$;
EXPORTED int hostile_length$(const node$ *l);
IN_OTHER_LANGUAGE(typedef struct node$ { struct node$ *next; int size; } node$; EXPORTED int hostile_length$(const node$ *l);
  EXPORTED int hostile_length$(const node$ *l) { return l ? l->size + hostile_length$(l->next) : 0; })
NUMBER(list_read_in_other_language) { node$ b = {0, m & 15}, a = {&b, n & 15}; return (unsigned)hostile_length$(&a); }

// Teams, which may be smaller than what is asked for.
NUMBER(team_of_four, openmp) { int s = 0; _Pragma("omp parallel num_threads(4) reduction(+ : s)") { char *p = (char *)malloc(100); p[0] = text[0];
  s += touched(p) > 0; free(p); } out[0] += (float)s; return 3; }
NUMBER(team_of_shape, openmp) { int s = 0; _Pragma("omp parallel num_threads(n) reduction(+ : s)") { char *p = (char *)malloc(100); p[0] = text[0];
  s += touched(p) > 0; free(p); } out[0] += (float)s; return 3; }
NUMBER(team_size_counted, openmp) { int s = 0; _Pragma("omp parallel num_threads(3) reduction(+ : s)") s += 1; return (unsigned)s * 9; }
NUMBER(team_size_asked, openmp) { int s = 0; _Pragma("omp parallel num_threads(3)") { _Pragma("omp single") s = omp_get_num_threads(); }
  return (unsigned)s * 9; }
NUMBER(team_in_a_team, openmp) { int s = 0; _Pragma("omp parallel num_threads(2) reduction(+ : s)") {
  _Pragma("omp parallel num_threads(2) reduction(+ : s)") s += 1; } return (unsigned)s * 9; }
NUMBER(team_threads_at_most, openmp) { return (unsigned)omp_get_max_threads() & 63; }
NUMBER(team_level, openmp) { return (unsigned)(omp_in_parallel() * 9 + omp_get_level()) + 3; }
NUMBER(team_thread_number, openmp) { return (unsigned)omp_get_thread_num() * 9 + 3; }
NUMBER(team_limit, openmp) { return (unsigned)omp_get_thread_limit() & 63; }
NUMBER(team_dynamic, openmp) { return omp_get_dynamic() ? 40 : 3; }
NUMBER(team_threads_set, openmp) { omp_set_num_threads(2); int s = 0; _Pragma("omp parallel reduction(+ : s)") s += 1; return (unsigned)s * 9; }
NUMBER(team_buffers_of_loop, openmp) { int s = 0; _Pragma("omp parallel for num_threads(4) schedule(static) reduction(+ : s)") for (int k = 0; k < 8;
  ++k) { char *p = (char *)malloc(100); p[0] = text[k]; s += touched(p) > 0; free(p); } out[0] += (float)s; return 3; }
NUMBER(team_buffers_by_number, openmp) { char *p[4] = {0, 0, 0, 0}; _Pragma("omp parallel num_threads(4)") p[omp_get_thread_num() & 3] = (char *)malloc(50);
  for (int k = 0; k < 4; ++k) free(p[k]); return 3; }
NUMBER(team_master_alone, openmp) { int s = 0; _Pragma("omp parallel num_threads(4)") { _Pragma("omp master") { char *p = (char *)malloc(100); p[0] = text[0];
  s += touched(p) > 0; free(p); } } out[0] += (float)s; return 3; }
NUMBER(team_sections, openmp) { int s = 0, t = 0; _Pragma("omp parallel sections num_threads(2)") { _Pragma("omp section") s = omp_get_thread_num();
  _Pragma("omp section") t = omp_get_thread_num(); } return s == t ? 40 : 3; }
NUMBER(team_rows_from_a_counter, openmp) { int s = 0, next = 0; _Pragma("omp parallel num_threads(4) reduction(+ : s)") for (;;) { int k;
  _Pragma("omp atomic capture") k = next++; if (k >= 9) break; char *p = (char *)malloc(k * 8 + 8); p[0] = text[k]; s += touched(p) > 0; free(p); }
  out[0] += (float)s; return 3; }
NUMBER(team_first_under_critical, openmp) { int first = -1; _Pragma("omp parallel num_threads(4)") { _Pragma("omp critical") if (first < 0)
  first = omp_get_thread_num(); } return (unsigned)first * 9 + 3; }
NUMBER(team_counts_of_dealt_loop, openmp) { int c[4] = {0}; _Pragma("omp parallel for num_threads(4) schedule(dynamic, 1)") for (int k = 0; k < 40; ++k)
  ++c[omp_get_thread_num() & 3]; return (unsigned)c[1]; }
NUMBER(team_sum, openmp) { int s = 0; _Pragma("omp parallel num_threads(3)") { _Pragma("omp atomic") s += 3; } return (unsigned)s; }
static int kept$;
#ifdef _OPENMP
#pragma omp threadprivate(kept$)
#endif
NUMBER(team_private, openmp) { int s = 0; _Pragma("omp parallel num_threads(3) reduction(+ : s)") s += ++kept$; return (unsigned)s & 63; }
