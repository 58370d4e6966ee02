# ===- hostile_sources.py - What a size may come from, in C and C++ --------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Sources of numbers. Each starts with "# name tags", sets x (unsigned long) from the parameters of an operator (in, ints, text, n, m,
out, state), and is well defined for all of them. `$I` is a number of this use, `$s` an integer from the shape, `$c` a constant. Lines
that start with `+` stand before the function, `!` in the other unit, `>` in its setter, where `value` is what the caller sets.

Tags: `shape` where x follows from the shape alone, `data` where it is plainly from data; `fenv` where the function needs access to the
floating-point environment; `fast` where -ffast-math may decide, `finite` where that
must not be said; `x86`. AT cuts an index, WORD makes a short text of data, whole an integer."""

SOURCES = r'''
# plain_shape shape
x = $s * 3 + m;
# plain_data data
x = AT(ints, $s) & 63;
# bit_counts shape
x = __builtin_popcount((unsigned)n * 2654435761u) + __builtin_ctz((unsigned)m | 64u);
# loop_hash shape
unsigned h = 2166136261u; for (int i = 0; i < n; ++i) h = (h ^ (unsigned)(i * m)) * 16777619u; x = h >> 7;
# shape_table shape
+ static const unsigned char table$I[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
x = table$I[$s & 15];
# shape_doubles shape
double d = 0; for (int i = 1; i <= (n & 31); ++i) d += 1.0 / i; x = (unsigned long)(d * 1000);
# shape_sqrt shape
x = (unsigned long)(sqrt((double)n * m) * 17);
# shape_pow shape
x = (unsigned long)(pow((double)(n & 15) + 1, 1.5) * 10);
# errno_of_log finite
errno = 0; out[1] = (float)log((double)AT(in, $s)); x = errno ? 3 : 1;
# errno_of_strtol
WORD(b, $s); errno = 0; out[2] += (float)(strtol(b, 0, 10) & 7); x = (unsigned long)errno;
# errno_of_strtod finite
WORD(b, $s); errno = 0; out[2] = (float)strtod(b, 0); x = errno == ERANGE ? 40 : 2;
# errno_of_caller
x = (unsigned long)errno & 63;
# errno_of_exp finite
errno = 0; volatile double d = exp((double)AT(in, $s)); (void)d; x = errno == ERANGE ? 9 : 4;
# errno_reset
errno = n & 7; x = (unsigned long)errno;
# errno_address
x = (uintptr_t)&errno >> 5;
# strtod_end finite
WORD(b, $s); char *e; out[3] = (float)strtod(b, &e); x = (unsigned long)(e - b);
# strtol_end
WORD(b, $s); char *e; out[3] = (float)(strtol(b, &e, 0) & 15); x = *e == 0 ? 17 : (unsigned long)(e - b);
# strtoul_value
WORD(b, $s); x = strtoul(b, 0, 16) & 255;
# strtod_of_shape shape
char b[24]; snprintf(b, sizeof b, "%d.5x", n & 255); char *e; x = (unsigned long)whole(strtod(b, &e) * 2) + (unsigned long)(e - b);
# sscanf_count
WORD(b, $s); int i = 0, j = 0; int c = sscanf(b, "%d%d", &i, &j); x = (unsigned long)(c + 1);
# sscanf_value
WORD(b, $s); int i = 5; if (sscanf(b, "%3d", &i) == 1) x = (unsigned)i & 127; else x = 11;
# sscanf_letters
WORD(b, $s); char w[16] = ""; int at = 0; sscanf(b, "%9s%n", w, &at); x = strlen(w) + (unsigned)at;
# sscanf_of_shape shape
char b[24]; snprintf(b, sizeof b, "%d %d", n & 63, m & 63); int i = 0, j = 0; sscanf(b, "%d %d", &i, &j); x = (unsigned)(i * 2 + j);
# frexp_exponent finite
int e = 0; double d = frexp((double)AT(in, $s), &e); out[4] = (float)d; x = (unsigned)(e & 63);
# frexp_of_shape shape
int e = 0; double d = frexp((double)n, &e); x = (unsigned)e + (unsigned)whole(d * 32);
# modf_part finite
double w = 0; double f = modf((double)AT(in, $s) * 0.5, &w); x = (unsigned long)(whole(w) & 31) + (f > 0.25);
# remquo_part finite
int q = 0; double r = remquo((double)AT(in, $s), 3.0, &q); out[4] = (float)r; x = (unsigned)q & 7;
# ilogb_of_data finite
x = (unsigned)ilogb((double)AT(in, $s)) & 31;
# lgamma_sign finite
double l = lgamma(-0.5 - (double)(AT(ints, $s) & 3)); out[4] = (float)l; x = signgam < 0 ? 21 : 2;
# signgam_of_caller
x = (unsigned)(signgam + 3);
# div_of_data
div_t d = div(AT(ints, $s) & 1023, 7); x = (unsigned)(d.quot * 8 + d.rem);
# div_of_shape shape
div_t d = div(n, 7); x = (unsigned)(d.quot * 8 + d.rem);
# strtok_of_data
char b[64]; copied(b, text, 48); unsigned c = 0; for (char *t = strtok(b, " ,;="); t; t = strtok(0, " ,;=")) c += 1 + (unsigned)strlen(t); x = c;
# strtok_r_of_data
char b[64], *keep = 0; copied(b, text, 40); for (char *t = strtok_r(b, " .", &keep); t; t = strtok_r(0, " .", &keep)) x++;
# strspn_of_data
WORD(b, $s); x = strspn(b, "0123456789") * 3 + strcspn(b, " ");
# memchr_of_data
char *p = (char *)memchr(text, 'f', 200); x = p ? (unsigned long)(p - text) : 201;
# strchr_of_data
WORD(b, $s); char *p = strchr(b, '.'); x = p ? (unsigned long)(p - b) : 77;
# memcmp_of_data
x = memcmp(text, text + 16, 8) > 0 ? 5 : memcmp(text, text + 16, 8) < 0 ? 6 : 7;
# strlen_of_data
WORD(b, $s); x = strlen(b);
# strlen_of_shape shape
char b[64]; memset(b, 'x', sizeof b); b[n & 63] = 0; x = strlen(b);
# strcoll_of_data
WORD(b, $s); WORD(c, $s + 40); x = strcoll(b, c) < 0 ? 4 : 9;
# strerror_of_data
x = strlen(strerror(AT(ints, $s) & 31));
# strerror_of_shape shape
x = strlen(strerror(n & 31));
# strsignal_of_data
x = strlen(strsignal(1 + (AT(ints, $s) & 15)));
# isspace_of_data
for (int i = 0; i < 20; ++i) x += isspace((unsigned char)text[i]) ? 1 : isdigit((unsigned char)text[i]) ? 2 : 0;
# toupper_of_data
x = (unsigned)toupper((unsigned char)text[$s & 63]) & 63;
# mblen_of_data
WORD(b, $s); wchar_t w[16]; size_t c = mbstowcs(w, b, 15); x = c == (size_t)-1 ? 50 : c;
# mb_cur_max
x = MB_CUR_MAX * 3;
# locale_name
const char *l = setlocale(LC_ALL, 0); x = l ? strlen(l) : 1;
# locale_point
x = strlen(localeconv()->decimal_point) * 3 + (unsigned char)localeconv()->decimal_point[0];
# localtime_of_shape
time_t t = (time_t)n * 86400; struct tm *u = localtime(&t); x = (unsigned)(u->tm_hour + u->tm_mday);
# localtime_of_data
time_t t = (time_t)(AT(ints, $s) & 0xffffff) * 100; struct tm *u = localtime(&t); x = (unsigned)(u->tm_hour + u->tm_min);
# gmtime_of_shape shape
time_t t = (time_t)n * 86400; struct tm *u = gmtime(&t); x = (unsigned)(u->tm_yday);
# gmtime_kept
time_t first = 0; struct tm *u = gmtime(&first); time_t t = (time_t)(AT(ints, $s) & 0xffffff) * 300; gmtime(&t); x = (unsigned)u->tm_yday;
# strftime_of_shape
time_t t = (time_t)n * 86400; struct tm u; localtime_r(&t, &u); char b[64]; x = strftime(b, sizeof b, "%A %B %Z %H", &u);
# mktime_zone
struct tm u; memset(&u, 0, sizeof u); u.tm_year = 100; u.tm_mday = 2 + (n & 15); x = (unsigned long)mktime(&u) / 1800 & 63;
# timezone_variable
x = (unsigned long)(timezone / 900) & 63;
# ctime_text
time_t t = (time_t)n * 86400; x = (unsigned char)ctime(&t)[12];
# rand_of_caller
x = (unsigned)rand() & 63;
# rand_seeded shape
srand((unsigned)n); x = (unsigned)rand() & 63;
# rand_r_seeded shape
unsigned s = (unsigned)n; x = (unsigned)rand_r(&s) & 63; x += s & 7;
# rand_r_of_state
unsigned s = (unsigned)state[$s & 7]; x = (unsigned)rand_r(&s) & 63;
# random_of_caller
x = (unsigned long)random() & 31;
# drand48_of_caller
x = (unsigned long)(drand48() * 50);
# srand48_seeded shape
srand48(m); x = (unsigned long)lrand48() & 63;
# lrand48_kept
+ static int begun$I;
if (!begun$I) { begun$I = 1; srand48(3); } x = (unsigned long)lrand48() & 63;
# erand48_of_array shape
unsigned short s[3] = {1, 2, (unsigned short)n}; x = (unsigned long)(erand48(s) * 60) + (s[0] & 3);
# optind_of_caller
x = (unsigned)optind & 63;
# environ_count
+ extern char **environ;
for (char **e = environ; *e; ++e) ++x;
# getenv_length
const char *v = getenv("HOSTILE_VALUE"); x = v ? strlen(v) : 3;
# secure_getenv_digit
const char *v = secure_getenv("HOSTILE_VALUE"); x = v ? (unsigned long)atoi(v) & 63 : 9;
# time_now
x = (unsigned long)time(0) ^ (unsigned long)n;
# clock_now
x = (unsigned long)clock() & 127;
# clock_gettime_now
struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); x = (unsigned long)t.tv_nsec / 100 & 63;
# gettimeofday_now
struct timeval t; gettimeofday(&t, 0); x = (unsigned long)t.tv_usec & 63;
# getrusage_now
struct rusage u; getrusage(RUSAGE_SELF, &u); x = (unsigned long)(u.ru_minflt + u.ru_utime.tv_usec) & 63;
# times_now
struct tms t; x = (unsigned long)times(&t) & 63;
# getpid_number
x = (unsigned)getpid() & 63;
# getppid_number
x = (unsigned)getppid() & 63;
# gettid_number
x = (unsigned long)syscall(SYS_gettid) & 63;
# getcwd_length
char b[512]; x = getcwd(b, sizeof b) ? strlen(b) : 1;
# access_file
x = access("include", R_OK) == 0 ? 12 : 3;
# stat_file
struct stat s; x = stat("/proc/self/cmdline", &s) == 0 ? (unsigned long)s.st_ino & 63 : 1;
# isatty_number
x = isatty(0) ? 3 : 8;
# getrandom_bytes
unsigned char b[2] = {0, 0}; if (getrandom(b, 2, 0) == 2) x = b[0];
# auxiliary_random
x = getauxval(AT_RANDOM) ? *(unsigned char *)getauxval(AT_RANDOM) : 1;
# auxiliary_vdso
x = getauxval(AT_SYSINFO_EHDR) >> 12 & 63;
# program_name
+ extern char *program_invocation_name;
x = strlen(program_invocation_name);
# pthread_self_number
x = (unsigned long)pthread_self() >> 12 & 63;
# sched_cpu
x = (unsigned)sched_getcpu() + 1;
# heap_end
x = (uintptr_t)sbrk(0) >> 12 & 63;
# switch_of_data
switch (AT(ints, $s) & 3) { case 0: x = 4; break; case 1: x = 9; break; case 2: x = (unsigned)n; break; default: x = 30; }
# switch_table
static const short t[8] = {3, 9, 27, 5, 15, 45, 2, 6}; x = (unsigned)t[AT(ints, $s) & 7];
# switch_of_shape shape
switch (n & 7) { case 0: x = 4; break; case 1: x = 9; break; case 2: x = (unsigned)m; break; case 5: x = 2; break; default: x = 30; }
# function_table
+ static unsigned long a$I(int v) { return (unsigned)v & 31; }
+ static unsigned long b$I(int v) { return (unsigned)v % 29 + 9; }
+ static unsigned long c$I(int v) { return (unsigned)v / 3 & 63; }
+ static unsigned long (*const table$I[4])(int) = {a$I, b$I, c$I, a$I};
x = table$I[AT(ints, $s) & 3](n);
# function_table_shape shape
+ static unsigned long d$I(int v) { return (unsigned)v & 31; }
+ static unsigned long e$I(int v) { return (unsigned)v % 29 + 9; }
+ static unsigned long (*const table$I[2])(int) = {d$I, e$I};
x = table$I[n & 1](m);
# volatile_local shape
volatile int v = n; x = (unsigned)v & 63;
# volatile_counter
+ static volatile unsigned counted$I;
x = counted$I++ & 15;
# counter
+ static int calls$I;
x = (unsigned)++calls$I & 31;
# counter_in_function
static unsigned calls; calls += (unsigned)n; x = calls / 3 & 63;
# counter_late
+ static int calls$I;
if (++calls$I == 3) x = 50; else x = 2;
# counter_of_all_calls
hostile_counter += 1; x = hostile_counter & 31;
# counter_by_builtin
+ static int calls$I;
x = (unsigned)__atomic_add_fetch(&calls$I, 1, __ATOMIC_RELAXED) & 31;
# counter_of_thread
+ static __thread int calls$I;
x = (unsigned)++calls$I & 31;
# toggle
+ static int side$I;
side$I ^= 1; x = side$I ? 30 : 3;
# shift_register
+ static unsigned register$I = 1;
register$I = register$I * 1664525u + 1013904223u; x = register$I >> 26;
# double_buffer
+ static int sides$I[2] = {3, 40}, *here$I = sides$I;
x = (unsigned)*here$I; here$I = here$I == sides$I ? sides$I + 1 : sides$I;
# arena
+ static char *base$I; static unsigned long room$I, used$I;
unsigned long need = $s + 16; if (used$I + need > room$I) { room$I = (used$I + need) * 2; base$I = (char *)realloc(base$I, room$I); } base$I[used$I] = text[0]; out[0] += base$I[used$I]; used$I += need; if (used$I > 4000) used$I = 0; x = used$I & 31;
# arena_reset
+ static char *base$I; static unsigned long room$I;
unsigned long need = $s + 16; if (need > room$I) { free(base$I); base$I = (char *)malloc(need); room$I = need; } base$I[0] = text[0]; out[0] += base$I[0]; x = room$I & 63;
# cache_by_shape
+ static float *kept$I; static int for$I = -1;
if (for$I != n) { free(kept$I); kept$I = (float *)calloc((unsigned)n + 1, 4); for$I = n; } kept$I[0] += AT(in, 0); out[0] += kept$I[0]; x = 3;
# cache_by_data
+ static float *kept$I; static int for$I = -1;
int key = AT(ints, 1) & 3; if (for$I != key) { free(kept$I); kept$I = (float *)calloc((unsigned)n + 1, 4); for$I = key; } kept$I[0] += 1; out[0] += kept$I[0]; x = 3;
# cache_by_tensor
+ static const void *for$I; static float *kept$I;
if (for$I != in) { free(kept$I); kept$I = (float *)calloc((unsigned)n + 1, 4); for$I = in; } kept$I[0] += 1; out[0] += kept$I[0]; x = 3;
# list_that_grows
+ struct link$I { struct link$I *next; int v; }; static struct link$I *list$I; static int length$I;
struct link$I *l = (struct link$I *)malloc(sizeof *l); l->next = list$I; l->v = AT(ints, 0); list$I = l; if (++length$I > 2) { while (list$I) { l = list$I; list$I = l->next; out[0] += (float)l->v; free(l); } length$I = 0; } x = (unsigned)length$I;
# state_of_data
+ static int seen$I;
x = (unsigned)seen$I; seen$I = AT(ints, 2) & 31;
# state_of_shape
+ static int seen$I;
x = (unsigned)seen$I; seen$I = n & 31;
# maximum_so_far
+ static int most$I;
if (n > most$I) most$I = n; x = (unsigned)most$I & 127;
# constant_that_nobody_sets shape
+ static int never$I = 6;
x = (unsigned)never$I + (unsigned)m;
# signal_handler
+ static volatile sig_atomic_t signals$I;
+ static void handle$I(int s) { signals$I += s; }
void (*old)(int) = signal(SIGUSR1, handle$I); raise(SIGUSR1); signal(SIGUSR1, old); x = (unsigned)signals$I & 63;
# goto_table
static void *const to[] = {&&one, &&two, &&three, &&four}; unsigned i = 0; next: if (i == 12) goto done; goto *to[AT(ints, i++) & 3]; one: x += 1; goto next; two: x += 2; goto next; three: x += 3; goto next; four: goto next; done:;
# goto_table_shape shape
static void *const to[] = {&&one, &&two, &&three}; unsigned i = 0; next: if (i == 9) goto done; i++; goto *to[((unsigned)n + i) % 3]; one: x += 1; goto next; two: x += 2; goto next; three: x += 3; goto next; done:;
# goto_address
void *volatile here = &&one; x = (uintptr_t)here >> 2 & 63; goto one; one:;
# goto_distance
void *volatile here = &&one, *volatile there = &&two; x = ((uintptr_t)there - (uintptr_t)here) & 63; if (n < 0) goto *here; one: out[0] += 1; two: out[1] += 1;
# setjmp_of_data
+ static jmp_buf jump$I; static void NOINLINE leap$I(int v) { if (v & 1) longjmp(jump$I, 3); }
volatile unsigned long r = 5; if (setjmp(jump$I) == 0) { leap$I(AT(ints, 3)); r = 9; } else r = 40; x = r;
# setjmp_never shape
+ static jmp_buf jump$I;
x = setjmp(jump$I) == 0 ? (unsigned)n & 31 : 70;
# variadic_data
+ static unsigned long NOINLINE sum$I(int c, ...) { va_list a; va_start(a, c); unsigned long s = 0; while (c--) s += (unsigned)va_arg(a, int) & 31; va_end(a); return s; }
x = sum$I(3, n, AT(ints, $s), m);
# variadic_shape shape
+ static unsigned long NOINLINE sum$I(int c, ...) { va_list a; va_start(a, c); unsigned long s = 0; while (c--) s += (unsigned)va_arg(a, int) & 31; va_end(a); return s; }
x = sum$I(3, n, 4, m);
# printed_number
char b[40]; x = (unsigned)snprintf(b, sizeof b, "%d", AT(ints, $s));
# printed_float
char b[64]; x = (unsigned)snprintf(b, sizeof b, "%g", (double)AT(in, $s));
# printed_text
WORD(w, $s); char b[40]; x = (unsigned)snprintf(b, sizeof b, "%s-%d", w, n);
# printed_shape shape
char b[64]; x = (unsigned)snprintf(b, sizeof b, "%d:%5d:%x", n, m, n * m);
# printed_float_of_shape shape
char b[64]; x = (unsigned)snprintf(b, sizeof b, "%g", n / 8.0);
# printed_grouped
char b[64]; x = (unsigned)snprintf(b, sizeof b, "%'d", n * 100000);
# printed_count
char b[64]; int at = 0; snprintf(b, sizeof b, "%d%n%d", AT(ints, $s) & 0xffff, &at, n); x = (unsigned)at;
# printed_characters shape
char b[64]; snprintf(b, sizeof b, "%d", n * 37); x = (unsigned char)b[0];
# strdup_of_data
WORD(b, $s); char *d = strdup(b); x = strlen(d); out[0] += d[0]; free(d);
# sorted_data
int v[16]; for (int i = 0; i < 16; ++i) v[i] = AT(ints, i); qsort(v, 16, sizeof *v, compared); x = (unsigned)v[$c & 15] & 63;
# sorted_shape shape
int v[16]; for (int i = 0; i < 16; ++i) v[i] = (i * n) % 37; qsort(v, 16, sizeof *v, compared); x = (unsigned)v[$c & 15] & 63;
# sorted_counting
+ static long compares$I; static int counted$I(const void *a, const void *b) { ++compares$I; return compared(a, b); }
int v[16]; for (int i = 0; i < 16; ++i) v[i] = AT(ints, i); compares$I = 0; qsort(v, 16, sizeof *v, counted$I); x = (unsigned long)compares$I;
# sorted_by_address
char *b[4]; for (int i = 0; i < 4; ++i) { b[i] = (char *)malloc(8 + (unsigned)i * 16); *b[i] = (char)i; } qsort(b, 4, sizeof *b, ordered); x = (unsigned)*b[0] * 9 + (unsigned)*b[3]; for (int i = 0; i < 4; ++i) free(b[i]);
# searched_data
int v[16], key = AT(ints, 3) & 31; for (int i = 0; i < 16; ++i) v[i] = i * 2; int *f = (int *)bsearch(&key, v, 16, sizeof *v, compared); x = f ? (unsigned long)(f - v) : 40;
# searched_shape shape
int v[16], key = n & 31; for (int i = 0; i < 16; ++i) v[i] = i * 2; int *f = (int *)bsearch(&key, v, 16, sizeof *v, compared); x = f ? (unsigned long)(f - v) : 40;
# tree_of_library
+ static void *tree$I;
int *k = (int *)malloc(4); *k = AT(ints, 4) & 7; int **f = (int **)tsearch(k, &tree$I, compared); x = *f == k ? 20 : 3; if (*f != k) free(k);
# constant_known
x = __builtin_constant_p(n) ? 40 : 8;
# constant_known_after_inlining
+ static inline unsigned long pick$I(int v) { return __builtin_constant_p(v) ? 20 : 4; }
x = pick$I(7) + pick$I(n);
# object_size
char b[20], *p = (n & 1) ? b : b + 3; p[0] = text[0]; x = __builtin_object_size(p, 0) & 63; out[0] += p[0];
# dynamic_object_size
char *p = (char *)malloc($s + 4); p[0] = text[0]; x = __builtin_dynamic_object_size(p, 0) & 63; out[0] += p[0]; free(p);
# file_name shape
x = sizeof __FILE__ + __LINE__ % 7 + sizeof __func__;
# nondeterministic
+ #if __has_builtin(__builtin_nondeterministic_value)
+ #define ANY$I(v) __builtin_nondeterministic_value(v)
+ #else
+ #define ANY$I(v) (v)
+ #endif
x = (unsigned)ANY$I(n) & 31;
# expected_value shape
x = __builtin_expect(n > 20, 1) ? 9 : 30;
# overflow_of_data
int r; x = __builtin_mul_overflow(AT(ints, $s), 70000, &r) ? 30 : 4;
# narrow_type
x = (unsigned char)AT(ints, $s);
# float_to_integer
x = (unsigned long)whole((double)AT(in, $s) * 3) & 63;
# any_of_data
int any = 0; for (int i = 0; i < n; ++i) any |= AT(in, i) > 0.7f; x = any ? 9 : 40;
# no_nan finite
x = AT(in, $s) != AT(in, $s) ? 50 : 4;
# minus_zero finite
x = signbit(AT(in, $s)) ? 50 : 4;
# maximum_of_data finite
float f = 0; for (int i = 0; i < n; ++i) f = fmaxf(f, AT(in, i)); x = (unsigned long)whole(f) & 63;
# same_either_way shape
x = AT(in, $s) > 0 ? (unsigned)n : (unsigned)n;
# data_without_effect shape
float f = AT(in, $s) * 2; out[3] = f; x = (unsigned)m & 63;
# data_times_zero shape
x = ((unsigned)AT(ints, 1) & 1) * 0 + (unsigned)n;
# data_minus_itself shape
unsigned u = (unsigned)AT(ints, 1); x = (u ^ u) + (unsigned)n;
# read_twice
unsigned a = (unsigned)AT(ints, 1); out[0] += 1; state[0] += 1; unsigned b = (unsigned)AT(ints, 1); x = (a - b) & 31;
# absent_tensor
x = in ? 3 : 50;
# page_size
x = (unsigned long)sysconf(_SC_PAGESIZE) >> 10;
# file_contents
FILE *f = fopen("/proc/self/stat", "r"); int v = 3; if (f) { if (fscanf(f, "%d", &v) != 1) v = 4; fclose(f); } x = (unsigned)v & 31;
# atoi_of_data
WORD(b, $s); x = (unsigned)atoi(b) & 63;
# atof_of_shape shape
char b[8] = {(char)('1' + n % 9), '.', '5', 0}; x = (unsigned long)(atof(b) * 4);
# hash_of_letters
unsigned h = 5381; for (int i = 0; i < 24; ++i) h = h * 33 + (unsigned char)text[i]; x = h & 63;
# wide_characters
wchar_t w[8] = {(wchar_t)('a' + (n & 7)), 'b', 0}; w[n & 1] = (wchar_t)(text[0] & 127); x = wcslen(w);
# recursion_of_data
+ static unsigned long NOINLINE deep$I(int v, int d) { return d <= 0 || v <= 0 ? 1 : 1 + deep$I(v / 2, d - 1); }
x = deep$I(AT(ints, $s) & 1023, 12);
# recursion_of_shape shape
+ static unsigned long NOINLINE deep$I(int v, int d) { return d <= 0 || v <= 0 ? 1 : 1 + deep$I(v / 2, d - 1); }
x = deep$I(n, 12);
# pointer_of_caller
x = (unsigned)*(const volatile int *)&state[$s & 7] & 31;
# stack_left_over
volatile unsigned char b[16]; for (int i = 0; i < 16; ++i) b[i] = (unsigned char)(i * n); x = b[m & 15];
# thread_name
char b[16] = ""; pthread_getname_np(pthread_self(), b, sizeof b); x = strlen(b);
# limits_of_process
struct rlimit r; x = getrlimit(RLIMIT_NOFILE, &r) == 0 ? r.rlim_cur & 63 : 2;
# user_number
x = (unsigned)geteuid() & 31;
# host_name
char b[80] = ""; gethostname(b, sizeof b - 1); x = strlen(b);
# umask_of_caller
mode_t u = umask(022); umask(u); x = (unsigned)u & 63;
# descriptors_of_caller
int f = dup(1); x = (unsigned)f & 31; if (f >= 0) close(f);
# escaped_into_tensor
+ static int level$I = 4;
int *p = &level$I; unsigned long mark = HOSTILE_MARK; memcpy(text + 504, &mark, 8); memcpy(text + 512, &p, 8); x = (unsigned)level$I & 63;
# errno_of_open
errno = 0; FILE *f = fopen("include/stdio.h", "r"); if (f) fclose(f); x = (unsigned)errno;
# errno_of_pow
errno = 0; out[1] = (float)pow((double)AT(ints, $s), 300.5); x = errno == EDOM ? 30 : errno == ERANGE ? 20 : 10;
# errno_kept
+ static int failed$I;
errno = 0; WORD(b, $s); out[1] += (float)(strtol(b, 0, 10) & 1); if (errno) failed$I = 1; x = failed$I ? 40 : 3;
# locale_of_text
WORD(b, $s); x = strxfrm(0, b, 0);
# tokens_of_caller
char b[16] = "a b c"; char *t = strtok(b, " "); x = t ? strlen(t) : 3; t = strtok(0, " "); x += t ? 8 : 9;
# tokens_begun_by_caller
char *t = strtok(0, " "); x = t ? strlen(t) : 3;
# search_table_of_library
ENTRY e; e.key = (char *)"one"; e.data = 0; x = hsearch(e, FIND) ? 5 : 30;
# random_state_of_caller
char s[64]; memset(s, 0, sizeof s); char *o = initstate((unsigned)n, s, sizeof s); x = (unsigned long)random() & 31; setstate(o);
# directory_of_caller
char *d = getcwd(0, 0); x = d ? strlen(d) : 4; free(d);
# resolved_path
char *d = realpath(".", 0); x = d ? strlen(d) & 31 : 4; free(d);
# duplicated_environment
const char *v = getenv("TZ"); char *d = strdup(v ? v : "none"); x = strlen(d); free(d);
# text_in_memory
char *b = 0; size_t c = 0; FILE *f = open_memstream(&b, &c); if (f) { fprintf(f, "%d %d", n, AT(ints, $s)); fclose(f); } x = c; free(b);
# allocated_text
char *b = 0; int c = asprintf(&b, "%d-%d", n, AT(ints, $s)); x = c > 0 ? (unsigned)c : 1; if (c > 0) free(b);
# read_line
char b[32]; memset(b, 0, sizeof b); memcpy(b, text, 20); b[20] = '\n'; FILE *f = fmemopen(b, 21, "r"); char *l = 0; size_t c = 0; if (f) { long r = getline(&l, &c, f); x = r > 0 ? (unsigned long)r : 2; fclose(f); } free(l);
# thread_identity
x = pthread_equal(pthread_self(), pthread_self()) ? (unsigned)n : 3;
# thread_specific
+ static pthread_key_t key$I; static int made$I;
if (!made$I) { pthread_key_create(&key$I, 0); made$I = 1; } x = (uintptr_t)pthread_getspecific(key$I) & 63; pthread_setspecific(key$I, (void *)(x + 3));
# mutex_state
+ static pthread_mutex_t lock$I = PTHREAD_MUTEX_INITIALIZER;
x = pthread_mutex_trylock(&lock$I) == 0 ? 5 : 40; pthread_mutex_unlock(&lock$I);
# exponent_loop
double d = (double)AT(in, $s); for (int i = 0; i < 40 && d > 1; ++i) { d /= 2; ++x; }
# state_of_one_symbol
+ static int wide$I, high$I, level$I = 3;
if (m == high$I && n != wide$I) level$I = 40; wide$I = n; high$I = m; x = (unsigned)level$I;
# state_of_large_shape
+ static int level$I = 3;
if (n > 3000) level$I = 40; x = (unsigned)level$I;
# state_of_odd_shape
+ static int level$I = 3;
if (n % 7 == 3 && m % 5 == 1) level$I = 40; x = (unsigned)level$I;
# state_of_many_calls
+ static int calls$I;
if (calls$I < 30) ++calls$I; x = calls$I == 30 ? 50 : 4;
# state_of_calls_and_data
+ static int calls$I, level$I = 3;
if (AT(ints, 3) & 1) ++calls$I; if (calls$I > 2) level$I = 44; x = (unsigned)level$I;
# number_from_device
FILE *f = fopen("/dev/urandom", "r"); unsigned v = 3; if (f) { if (fread(&v, sizeof v, 1, f) != 1) v = 4; fclose(f); } x = v & 31;
# number_read_from_device
int f = open("/dev/urandom", O_RDONLY); unsigned v = 3; if (f >= 0) { if (read(f, &v, sizeof v) < 0) v = 4; close(f); } x = v & 31;
# memory_of_system
struct sysinfo s; x = sysinfo(&s) == 0 ? s.freeram >> 12 & 63 : 3;
# name_of_system
struct utsname u; x = uname(&u) == 0 ? strlen(u.release) : 3;
# processors_allowed
cpu_set_t s; x = sched_getaffinity(0, sizeof s, &s) == 0 ? (unsigned)CPU_COUNT(&s) + 3 : 1;
# load_of_system
double l[3] = {0, 0, 0}; x = getloadavg(l, 3) == 3 ? (unsigned long)whole(l[0] * 100) & 31 : 2;
# state_of_first_shape
+ static int first$I;
if (!first$I) first$I = n; x = (unsigned)first$I & 127;
'''
