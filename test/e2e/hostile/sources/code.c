// Sizes from branches, calls and variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

NUMBER(switch_of_data) { unsigned long x = 0; switch (AT(ints, shape) & 3) { case 0: x = 4; break; case 1: x = 9; break; case 2: x = (unsigned)n; break;
  default: x = 30; } return x; }
NUMBER(switch_table) { static const short t[8] = {3, 9, 27, 5, 15, 45, 2, 6}; return (unsigned)t[AT(ints, shape) & 7]; }
NUMBER(switch_of_shape, shape) { unsigned long x = 0; switch (n & 7) { case 0: x = 4; break; case 1: x = 9; break; case 2: x = (unsigned)m; break;
  case 5: x = 2; break; default: x = 30; } return x; }
static unsigned long a$(int v) { return (unsigned)v & 31; }
static unsigned long b$(int v) { return (unsigned)v % 29 + 9; }
static unsigned long c$(int v) { return (unsigned)v / 3 & 63; }
static unsigned long (*const table$[4])(int) = {a$, b$, c$, a$};
NUMBER(function_table) { return table$[AT(ints, shape) & 3](n); }
static unsigned long d$(int v) { return (unsigned)v & 31; }
static unsigned long e$(int v) { return (unsigned)v % 29 + 9; }
static unsigned long (*const table$[2])(int) = {d$, e$};
NUMBER(function_table_shape, shape) { return table$[n & 1](m); }
NUMBER(volatile_local, shape) { volatile int v = n; return (unsigned)v & 63; }
NUMBER(volatile_counter) { static volatile unsigned counted$; return counted$++ & 15; }
NUMBER(counter) { static int calls$; return (unsigned)++calls$ & 31; }
NUMBER(counter_in_function) { static unsigned calls; calls += (unsigned)n; return calls / 3 & 63; }
NUMBER(counter_late) { static int calls$; unsigned long x = 0; if (++calls$ == 3) x = 50; else x = 2; return x; }
NUMBER(counter_of_all_calls) { hostile_counter += 1; return hostile_counter & 31; }
NUMBER(counter_by_builtin) { static int calls$; return (unsigned)__atomic_add_fetch(&calls$, 1, __ATOMIC_RELAXED) & 31; }
NUMBER(counter_of_thread) { static __thread int calls$; return (unsigned)++calls$ & 31; }
NUMBER(toggle) { static int side$; side$ ^= 1; return side$ ? 30 : 3; }
NUMBER(shift_register) { static unsigned register$ = 1; register$ = register$ * 1664525u + 1013904223u; return register$ >> 26; }
NUMBER(double_buffer) { static int sides$[2] = {3, 40}, *here$ = sides$; unsigned long x = 0; x = (unsigned)*here$;
  here$ = here$ == sides$ ? sides$ + 1 : sides$; return x; }
NUMBER(arena) { static char *base$; static unsigned long room$, used$; unsigned long need = shape + 16;
  if (used$ + need > room$) { room$ = (used$ + need) * 2; base$ = (char *)realloc(base$, room$); } base$[used$] = text[0]; out[0] += base$[used$];
  used$ += need; if (used$ > 4000) used$ = 0; return used$ & 31; }
NUMBER(arena_reset) { static char *base$; static unsigned long room$; unsigned long need = shape + 16; if (need > room$) { free(base$);
  base$ = (char *)malloc(need); room$ = need; } base$[0] = text[0]; out[0] += base$[0]; return room$ & 63; }
NUMBER(cache_by_shape) { static float *kept$; static int for$ = -1; if (for$ != n) { free(kept$); kept$ = (float *)calloc((unsigned)n + 1, 4); for$ = n; }
  kept$[0] += AT(in, 0); out[0] += kept$[0]; return 3; }
NUMBER(cache_by_data) { static float *kept$; static int for$ = -1; int key = AT(ints, 1) & 3; if (for$ != key) { free(kept$);
  kept$ = (float *)calloc((unsigned)n + 1, 4); for$ = key; } kept$[0] += 1; out[0] += kept$[0]; return 3; }
NUMBER(cache_by_tensor) { static const void *for$; static float *kept$; if (for$ != in) { free(kept$); kept$ = (float *)calloc((unsigned)n + 1, 4); for$ = in;
  } kept$[0] += 1; out[0] += kept$[0]; return 3; }
NUMBER(cache_by_number_of_tensor) { static uintptr_t for$; static float *kept$; if (for$ != (uintptr_t)in >> 2) { free(kept$);
  kept$ = (float *)calloc((unsigned)n + 1, 4); for$ = (uintptr_t)in >> 2; } kept$[0] += 1; out[0] += kept$[0]; return 3; }
struct cache$ { const int *of; float *kept; }; static struct cache$ *cache$;
NUMBER(cache_behind_pointer) { if (!cache$) cache$ = (struct cache$ *)calloc(1, sizeof *cache$); if (cache$->of != ints) { free(cache$->kept);
  cache$->kept = (float *)calloc((unsigned)m + 1, 4); cache$->of = ints; } cache$->kept[0] += 1; out[0] += cache$->kept[0]; return 5; }
NUMBER(cache_by_frame) { static volatile char *for$; static float *kept$; volatile char here = 1; if (for$ != &here) { free(kept$);
  kept$ = (float *)calloc((unsigned)n + 1, 4); for$ = &here; } kept$[0] += here; out[0] += kept$[0]; return 3; }
struct link$ { struct link$ *next; int v; }; static struct link$ *list$; static int length$;
NUMBER(list_that_grows) { struct link$ *l = (struct link$ *)malloc(sizeof *l); l->next = list$; l->v = AT(ints, 0); list$ = l;
  if (++length$ > 2) { while (list$) { l = list$; list$ = l->next; out[0] += (float)l->v; free(l); } length$ = 0; } return (unsigned)length$; }
NUMBER(state_of_data) { static int seen$; unsigned long x = 0; x = (unsigned)seen$; seen$ = AT(ints, 2) & 31; return x; }
NUMBER(state_of_shape) { static int seen$; unsigned long x = 0; x = (unsigned)seen$; seen$ = n & 31; return x; }
NUMBER(maximum_so_far) { static int most$; if (n > most$) most$ = n; return (unsigned)most$ & 127; }
NUMBER(constant_that_nobody_sets, shape) { static int never$ = 6; return (unsigned)never$ + (unsigned)m; }
static volatile sig_atomic_t signals$;
static void handle$(int s) { signals$ += s; }
NUMBER(signal_handler) { void (*old)(int) = signal(SIGUSR1, handle$); raise(SIGUSR1); signal(SIGUSR1, old); return (unsigned)signals$ & 63; }
NUMBER(goto_table) { unsigned long x = 0; static void *const to[] = {&&one, &&two, &&three, &&four}; unsigned i = 0; next: if (i == 12) goto done;
  goto *to[AT(ints, i++) & 3]; one: x += 1; goto next; two: x += 2; goto next; three: x += 3; goto next; four: goto next; done:; return x; }
NUMBER(goto_table_shape, shape) { unsigned long x = 0; static void *const to[] = {&&one, &&two, &&three}; unsigned i = 0; next: if (i == 9) goto done; i++;
  goto *to[((unsigned)n + i) % 3]; one: x += 1; goto next; two: x += 2; goto next; three: x += 3; goto next; done:; return x; }
NUMBER(goto_address) { unsigned long x = 0; void *volatile here = &&one; x = (uintptr_t)here >> 2 & 63; goto one; one:; return x; }
NUMBER(goto_distance) { unsigned long x = 0; void *volatile here = &&one, *volatile there = &&two; x = ((uintptr_t)there - (uintptr_t)here) & 63;
  if (n < 0) goto *here; one: out[0] += 1; two: out[1] += 1; return x; }
static jmp_buf jump$; static void NOINLINE leap$(int v) { if (v & 1) longjmp(jump$, 3); }
NUMBER(setjmp_of_data) { volatile unsigned long r = 5; if (setjmp(jump$) == 0) { leap$(AT(ints, 3)); r = 9; } else r = 40; return r; }
NUMBER(setjmp_never, shape) { static jmp_buf jump$; return setjmp(jump$) == 0 ? (unsigned)n & 31 : 70; }
static unsigned long NOINLINE sum$(int c, ...) { va_list a; va_start(a, c); unsigned long s = 0; while (c--) s += (unsigned)va_arg(a, int) & 31; va_end(a);
  return s; }
NUMBER(variadic_data) { return sum$(3, n, AT(ints, shape), m); }
static unsigned long NOINLINE sum$(int c, ...) { va_list a; va_start(a, c); unsigned long s = 0; while (c--) s += (unsigned)va_arg(a, int) & 31; va_end(a);
  return s; }
NUMBER(variadic_shape, shape) { return sum$(3, n, 4, m); }
NUMBER(printed_number) { char b[40]; return (unsigned)snprintf(b, sizeof b, "%d", AT(ints, shape)); }
NUMBER(printed_float) { char b[64]; return (unsigned)snprintf(b, sizeof b, "%g", (double)AT(in, shape)); }
NUMBER(printed_text) { WORD(w, shape); char b[40]; return (unsigned)snprintf(b, sizeof b, "%s-%d", w, n); }
NUMBER(printed_shape, shape) { char b[64]; return (unsigned)snprintf(b, sizeof b, "%d:%5d:%x", n, m, n * m); }
NUMBER(printed_float_of_shape, shape) { char b[64]; return (unsigned)snprintf(b, sizeof b, "%g", n / 8.0); }
NUMBER(printed_grouped) { char b[64]; return (unsigned)snprintf(b, sizeof b, "%'d", n * 100000); }
NUMBER(printed_count) { char b[64]; int at = 0; snprintf(b, sizeof b, "%d%n%d", AT(ints, shape) & 0xffff, &at, n); return (unsigned)at; }
NUMBER(printed_characters, shape) { char b[64]; snprintf(b, sizeof b, "%d", n * 37); return (unsigned char)b[0]; }
NUMBER(strdup_of_data) { unsigned long x = 0; WORD(b, shape); char *d = strdup(b); x = strlen(d); out[0] += d[0]; free(d); return x; }
NUMBER(sorted_data) { int v[16]; for (int i = 0; i < 16; ++i) v[i] = AT(ints, i); qsort(v, 16, sizeof *v, compared); return (unsigned)v[shape & 15] & 63; }
NUMBER(sorted_shape, shape) { int v[16]; for (int i = 0; i < 16; ++i) v[i] = (i * n) % 37; qsort(v, 16, sizeof *v, compared);
  return (unsigned)v[shape & 15] & 63; }
static long compares$; static int counted$(const void *a, const void *b) { ++compares$; return compared(a, b); }
NUMBER(sorted_counting) { int v[16]; for (int i = 0; i < 16; ++i) v[i] = AT(ints, i); compares$ = 0; qsort(v, 16, sizeof *v, counted$);
  return (unsigned long)compares$; }
NUMBER(sorted_by_address) { unsigned long x = 0; char *b[4]; for (int i = 0; i < 4; ++i) { b[i] = (char *)malloc(8 + (unsigned)i * 16); *b[i] = (char)i; }
  qsort(b, 4, sizeof *b, ordered); x = (unsigned)*b[0] * 9 + (unsigned)*b[3]; for (int i = 0; i < 4; ++i) free(b[i]); return x; }
NUMBER(searched_data) { int v[16], key = AT(ints, 3) & 31; for (int i = 0; i < 16; ++i) v[i] = i * 2;
  int *f = (int *)bsearch(&key, v, 16, sizeof *v, compared); return f ? (unsigned long)(f - v) : 40; }
NUMBER(searched_shape, shape) { int v[16], key = n & 31; for (int i = 0; i < 16; ++i) v[i] = i * 2; int *f = (int *)bsearch(&key, v, 16, sizeof *v, compared);
  return f ? (unsigned long)(f - v) : 40; }
NUMBER(tree_of_library) { static void *tree$; unsigned long x = 0; int *k = (int *)malloc(4); *k = AT(ints, 4) & 7;
  int **f = (int **)tsearch(k, &tree$, compared); x = *f == k ? 20 : 3; if (*f != k) free(k); return x; }
NUMBER(constant_known) { return __builtin_constant_p(n) ? 40 : 8; }
static inline unsigned long pick$(int v) { return __builtin_constant_p(v) ? 20 : 4; }
NUMBER(constant_known_after_inlining) { return pick$(7) + pick$(n); }
NUMBER(object_size) { unsigned long x = 0; char b[20], *p = (n & 1) ? b : b + 3; p[0] = text[0]; x = __builtin_object_size(p, 0) & 63; out[0] += p[0];
  return x; }
NUMBER(dynamic_object_size) { unsigned long x = 0; char *p = (char *)malloc(shape + 4); p[0] = text[0]; x = __builtin_dynamic_object_size(p, 0) & 63;
  out[0] += p[0]; free(p); return x; }
NUMBER(file_name, shape) { return sizeof __FILE__ + __LINE__ % 7 + sizeof __func__; }
#if __has_builtin(__builtin_nondeterministic_value)
#define ANY$(v) __builtin_nondeterministic_value(v)
#else
#define ANY$(v) (v)
#endif
NUMBER(nondeterministic) { return (unsigned)ANY$(n) & 31; }
NUMBER(expected_value, shape) { return __builtin_expect(n > 20, 1) ? 9 : 30; }
NUMBER(overflow_of_data) { int r; return __builtin_mul_overflow(AT(ints, shape), 70000, &r) ? 30 : 4; }
NUMBER(narrow_type) { return (unsigned char)AT(ints, shape); }
NUMBER(float_to_integer) { return (unsigned long)whole((double)AT(in, shape) * 3) & 63; }
NUMBER(any_of_data) { int any = 0; for (int i = 0; i < n; ++i) any |= AT(in, i) > 0.7f; return any ? 9 : 40; }
NUMBER(no_nan, finite) { return AT(in, shape) != AT(in, shape) ? 50 : 4; }
NUMBER(minus_zero, finite) { return signbit(AT(in, shape)) ? 50 : 4; }
NUMBER(clamped_real, finite) { return (unsigned long)(long)fminf(fmaxf(AT(in, 1), 0.f), (float)n + .5f); }
NUMBER(share_of_shape, finite) { float x = AT(in, 2); x = x > 0 ? x < 1 ? x : 1.f : 0.f; return (unsigned long)(int)floorf(x * (float)m); }
NUMBER(maximum_of_data, finite) { float f = 0; for (int i = 0; i < n; ++i) f = fmaxf(f, AT(in, i)); return (unsigned long)whole(f) & 63; }
NUMBER(same_either_way, shape) { return AT(in, shape) > 0 ? (unsigned)n : (unsigned)n; }
NUMBER(data_without_effect, shape) { float f = AT(in, shape) * 2; out[3] = f; return (unsigned)m & 63; }
NUMBER(data_times_zero, shape) { return ((unsigned)AT(ints, 1) & 1) * 0 + (unsigned)n; }
NUMBER(data_minus_itself, shape) { unsigned u = (unsigned)AT(ints, 1); return (u ^ u) + (unsigned)n; }
NUMBER(read_twice) { unsigned a = (unsigned)AT(ints, 1); out[0] += 1; state[0] += 1; unsigned b = (unsigned)AT(ints, 1); return (a - b) & 31; }
NUMBER(absent_tensor) { return in ? 3 : 50; }
NUMBER(page_size) { return (unsigned long)sysconf(_SC_PAGESIZE) >> 10; }
NUMBER(file_contents) { FILE *f = fopen("/proc/self/stat", "r"); int v = 3; if (f) { if (fscanf(f, "%d", &v) != 1) v = 4; fclose(f); }
  return (unsigned)v & 31; }
NUMBER(atoi_of_data) { WORD(b, shape); return (unsigned)atoi(b) & 63; }
NUMBER(atof_of_shape, shape) { char b[8] = {(char)('1' + n % 9), '.', '5', 0}; return (unsigned long)(atof(b) * 4); }
NUMBER(hash_of_letters) { unsigned h = 5381; for (int i = 0; i < 24; ++i) h = h * 33 + (unsigned char)text[i]; return h & 63; }
NUMBER(wide_characters) { wchar_t w[8] = {(wchar_t)('a' + (n & 7)), 'b', 0}; w[n & 1] = (wchar_t)(text[0] & 127); return wcslen(w); }
static unsigned long NOINLINE deep$(int v, int d) { return d <= 0 || v <= 0 ? 1 : 1 + deep$(v / 2, d - 1); }
NUMBER(recursion_of_data) { return deep$(AT(ints, shape) & 1023, 12); }
static unsigned long NOINLINE deep$(int v, int d) { return d <= 0 || v <= 0 ? 1 : 1 + deep$(v / 2, d - 1); }
NUMBER(recursion_of_shape, shape) { return deep$(n, 12); }
NUMBER(pointer_of_caller) { return (unsigned)*(const volatile int *)&state[shape & 7] & 31; }
NUMBER(stack_left_over) { volatile unsigned char b[16]; for (int i = 0; i < 16; ++i) b[i] = (unsigned char)(i * n); return b[m & 15]; }
NUMBER(thread_name) { char b[16] = ""; pthread_getname_np(pthread_self(), b, sizeof b); return strlen(b); }
NUMBER(limits_of_process) { struct rlimit r; return getrlimit(RLIMIT_NOFILE, &r) == 0 ? r.rlim_cur & 63 : 2; }
NUMBER(user_number) { return (unsigned)geteuid() & 31; }
NUMBER(host_name) { char b[80] = ""; gethostname(b, sizeof b - 1); return strlen(b); }
NUMBER(umask_of_caller) { mode_t u = umask(022); umask(u); return (unsigned)u & 63; }
NUMBER(descriptors_of_caller) { unsigned long x = 0; int f = dup(1); x = (unsigned)f & 31; if (f >= 0) close(f); return x; }
NUMBER(escaped_into_tensor) { static int level$[2] = {4, 5}; leave(text, level$); return (unsigned)level$[0] & 63; }
NUMBER(errno_of_open) { errno = 0; FILE *f = fopen("include/stdio.h", "r"); if (f) fclose(f); return (unsigned)errno; }
NUMBER(errno_of_pow) { errno = 0; out[1] = (float)pow((double)AT(ints, shape), 300.5); return errno == EDOM ? 30 : errno == ERANGE ? 20 : 10; }
NUMBER(errno_kept) { static int failed$; errno = 0; WORD(b, shape); out[1] += (float)(strtol(b, 0, 10) & 1); if (errno) failed$ = 1; return failed$ ? 40 : 3; }
NUMBER(locale_of_text) { WORD(b, shape); return strxfrm(0, b, 0); }
NUMBER(tokens_of_caller) { unsigned long x = 0; char b[16] = "a b c"; char *t = strtok(b, " "); x = t ? strlen(t) : 3; t = strtok(0, " "); x += t ? 8 : 9;
  return x; }
NUMBER(tokens_begun_by_caller) { char *t = strtok(0, " "); return t ? strlen(t) : 3; }
NUMBER(search_table_of_library) { ENTRY e; e.key = (char *)"one"; e.data = 0; return hsearch(e, FIND) ? 5 : 30; }
NUMBER(random_state_of_caller) { unsigned long x = 0; char s[64]; memset(s, 0, sizeof s); char *o = initstate((unsigned)n, s, sizeof s);
  x = (unsigned long)random() & 31; setstate(o); return x; }
NUMBER(directory_of_caller) { unsigned long x = 0; char *d = getcwd(0, 0); x = d ? strlen(d) : 4; free(d); return x; }
NUMBER(resolved_path) { unsigned long x = 0; char *d = realpath(".", 0); x = d ? strlen(d) & 31 : 4; free(d); return x; }
NUMBER(duplicated_environment) { unsigned long x = 0; const char *v = getenv("TZ"); char *d = strdup(v ? v : "none"); x = strlen(d); free(d); return x; }
NUMBER(text_in_memory) { unsigned long x = 0; char *b = 0; size_t c = 0; FILE *f = open_memstream(&b, &c); if (f) { fprintf(f, "%d %d", n, AT(ints, shape));
  fclose(f); } x = c; free(b); return x; }
NUMBER(allocated_text) { unsigned long x = 0; char *b = 0; int c = asprintf(&b, "%d-%d", n, AT(ints, shape)); x = c > 0 ? (unsigned)c : 1; if (c > 0) free(b);
  return x; }
NUMBER(read_line) { unsigned long x = 0; char b[32]; memset(b, 0, sizeof b); memcpy(b, text, 20); b[20] = '\n'; FILE *f = fmemopen(b, 21, "r"); char *l = 0;
  size_t c = 0; if (f) { long r = getline(&l, &c, f); x = r > 0 ? (unsigned long)r : 2; fclose(f); } free(l); return x; }
NUMBER(thread_identity) { return pthread_equal(pthread_self(), pthread_self()) ? (unsigned)n : 3; }
NUMBER(thread_specific) { static pthread_key_t key$; static int made$; unsigned long x = 0; if (!made$) { pthread_key_create(&key$, 0); made$ = 1; }
  x = (uintptr_t)pthread_getspecific(key$) & 63; pthread_setspecific(key$, (void *)(x + 3)); return x; }
NUMBER(mutex_state) { static pthread_mutex_t lock$ = PTHREAD_MUTEX_INITIALIZER; unsigned long x = 0; x = pthread_mutex_trylock(&lock$) == 0 ? 5 : 40;
  pthread_mutex_unlock(&lock$); return x; }
NUMBER(exponent_loop) { unsigned long x = 0; double d = (double)AT(in, shape); for (int i = 0; i < 40 && d > 1; ++i) { d /= 2; ++x; } return x; }
NUMBER(state_of_one_symbol) { static int wide$, high$, level$ = 3; if (m == high$ && n != wide$) level$ = 40; wide$ = n; high$ = m; return (unsigned)level$; }
NUMBER(state_of_large_shape) { static int level$ = 3; if (n > 3000) level$ = 40; return (unsigned)level$; }
NUMBER(state_of_odd_shape) { static int level$ = 3; if (n % 7 == 3 && m % 5 == 1) level$ = 40; return (unsigned)level$; }
NUMBER(state_of_many_calls) { static int calls$; if (calls$ < 30) ++calls$; return calls$ == 30 ? 50 : 4; }
NUMBER(state_of_calls_and_data) { static int calls$, level$ = 3; if (AT(ints, 3) & 1) ++calls$; if (calls$ > 2) level$ = 44; return (unsigned)level$; }
NUMBER(number_from_device) { FILE *f = fopen("/dev/urandom", "r"); unsigned v = 3; if (f) { if (fread(&v, sizeof v, 1, f) != 1) v = 4; fclose(f); }
  return v & 31; }
NUMBER(number_read_from_device) { int f = open("/dev/urandom", O_RDONLY); unsigned v = 3; if (f >= 0) { if (read(f, &v, sizeof v) < 0) v = 4; close(f); }
  return v & 31; }
NUMBER(memory_of_system) { struct sysinfo s; return sysinfo(&s) == 0 ? s.freeram >> 12 & 63 : 3; }
NUMBER(name_of_system) { struct utsname u; return uname(&u) == 0 ? strlen(u.release) : 3; }
NUMBER(processors_allowed) { cpu_set_t s; return sched_getaffinity(0, sizeof s, &s) == 0 ? (unsigned)CPU_COUNT(&s) + 3 : 1; }
NUMBER(load_of_system) { double l[3] = {0, 0, 0}; return getloadavg(l, 3) == 3 ? (unsigned long)whole(l[0] * 100) & 31 : 2; }
NUMBER(state_of_first_shape) { static int first$; if (!first$) first$ = n; return (unsigned)first$ & 127; }
