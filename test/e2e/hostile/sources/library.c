// Sizes from the C library and the system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

NUMBER(plain_shape, shape) { return shape * 3 + m; }
NUMBER(plain_data, data) { return AT(ints, shape) & 63; }
NUMBER(bit_counts, shape) { return __builtin_popcount((unsigned)n * 2654435761u) + __builtin_ctz((unsigned)m | 64u); }
NUMBER(loop_hash, shape) { unsigned h = 2166136261u; for (int i = 0; i < n; ++i) h = (h ^ (unsigned)(i * m)) * 16777619u; return h >> 7; }
static const unsigned char table$[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
NUMBER(shape_table, shape) { return table$[shape & 15]; }
NUMBER(shape_doubles, shape) { double d = 0; for (int i = 1; i <= (n & 31); ++i) d += 1.0 / i; return (unsigned long)(d * 1000); }
NUMBER(shape_sqrt, shape) { return (unsigned long)(sqrt((double)n * m) * 17); }
NUMBER(shape_pow, shape) { return (unsigned long)(pow((double)(n & 15) + 1, 1.5) * 10); }
NUMBER(errno_of_log, finite) { errno = 0; out[1] = (float)log((double)AT(in, shape)); return errno ? 3 : 1; }
NUMBER(errno_of_strtol) { WORD(b, shape); errno = 0; out[2] += (float)(strtol(b, 0, 10) & 7); return (unsigned long)errno; }
NUMBER(errno_of_strtod, finite) { WORD(b, shape); errno = 0; out[2] = (float)strtod(b, 0); return errno == ERANGE ? 40 : 2; }
NUMBER(errno_of_caller) { return (unsigned long)errno & 63; }
NUMBER(errno_of_exp, finite) { errno = 0; volatile double d = exp((double)AT(in, shape)); (void)d; return errno == ERANGE ? 9 : 4; }
NUMBER(errno_reset) { errno = n & 7; return (unsigned long)errno; }
NUMBER(errno_address) { return (uintptr_t)&errno >> 5; }
NUMBER(strtod_end, finite) { WORD(b, shape); char *e; out[3] = (float)strtod(b, &e); return (unsigned long)(e - b); }
NUMBER(strtol_end) { WORD(b, shape); char *e; out[3] = (float)(strtol(b, &e, 0) & 15); return *e == 0 ? 17 : (unsigned long)(e - b); }
NUMBER(strtoul_value) { WORD(b, shape); return strtoul(b, 0, 16) & 255; }
NUMBER(strtod_of_shape, shape) { char b[24]; snprintf(b, sizeof b, "%d.5x", n & 255); char *e;
  return (unsigned long)whole(strtod(b, &e) * 2) + (unsigned long)(e - b); }
NUMBER(sscanf_count) { WORD(b, shape); int i = 0, j = 0; int c = sscanf(b, "%d%d", &i, &j); return (unsigned long)(c + 1); }
NUMBER(sscanf_value) { unsigned long x = 0; WORD(b, shape); int i = 5; if (sscanf(b, "%3d", &i) == 1) x = (unsigned)i & 127; else x = 11; return x; }
NUMBER(sscanf_letters) { WORD(b, shape); char w[16] = ""; int at = 0; sscanf(b, "%9s%n", w, &at); return strlen(w) + (unsigned)at; }
NUMBER(sscanf_of_shape, shape) { char b[24]; snprintf(b, sizeof b, "%d %d", n & 63, m & 63); int i = 0, j = 0; sscanf(b, "%d %d", &i, &j);
  return (unsigned)(i * 2 + j); }
NUMBER(frexp_exponent, finite) { int e = 0; double d = frexp((double)AT(in, shape), &e); out[4] = (float)d; return (unsigned)(e & 63); }
NUMBER(frexp_of_shape, shape) { int e = 0; double d = frexp((double)n, &e); return (unsigned)e + (unsigned)whole(d * 32); }
NUMBER(modf_part, finite) { double w = 0; double f = modf((double)AT(in, shape) * 0.5, &w); return (unsigned long)(whole(w) & 31) + (f > 0.25); }
NUMBER(remquo_part, finite) { int q = 0; double r = remquo((double)AT(in, shape), 3.0, &q); out[4] = (float)r; return (unsigned)q & 7; }
NUMBER(ilogb_of_data, finite) { return (unsigned)ilogb((double)AT(in, shape)) & 31; }
NUMBER(lgamma_sign, finite) { double l = lgamma(-0.5 - (double)(AT(ints, shape) & 3)); out[4] = (float)l; return signgam < 0 ? 21 : 2; }
NUMBER(signgam_of_caller) { return (unsigned)(signgam + 3); }
NUMBER(div_of_data) { div_t d = div(AT(ints, shape) & 1023, 7); return (unsigned)(d.quot * 8 + d.rem); }
NUMBER(div_of_shape, shape) { div_t d = div(n, 7); return (unsigned)(d.quot * 8 + d.rem); }
NUMBER(strtok_of_data) { char b[64]; copied(b, text, 48); unsigned c = 0; for (char *t = strtok(b, " ,;="); t;
  t = strtok(0, " ,;=")) c += 1 + (unsigned)strlen(t); return c; }
NUMBER(strtok_r_of_data) { unsigned long x = 0; char b[64], *keep = 0; copied(b, text, 40); for (char *t = strtok_r(b, " .", &keep); t;
  t = strtok_r(0, " .", &keep)) x++; return x; }
NUMBER(strspn_of_data) { WORD(b, shape); return strspn(b, "0123456789") * 3 + strcspn(b, " "); }
NUMBER(memchr_of_data) { char *p = (char *)memchr(text, 'f', 200); return p ? (unsigned long)(p - text) : 201; }
NUMBER(strchr_of_data) { WORD(b, shape); char *p = strchr(b, '.'); return p ? (unsigned long)(p - b) : 77; }
NUMBER(memcmp_of_data) { return memcmp(text, text + 16, 8) > 0 ? 5 : memcmp(text, text + 16, 8) < 0 ? 6 : 7; }
NUMBER(strlen_of_data) { WORD(b, shape); return strlen(b); }
NUMBER(strlen_of_shape, shape) { unsigned long x = 0; char b[64]; memset(b, 'x', sizeof b); b[n & 63] = 0; x = strlen(b); return x; }
NUMBER(strcoll_of_data) { WORD(b, shape); WORD(c, shape + 40); return strcoll(b, c) < 0 ? 4 : 9; }
NUMBER(strerror_of_data) { return strlen(strerror(AT(ints, shape) & 31)); }
NUMBER(strerror_of_shape, shape) { return strlen(strerror(n & 31)); }
NUMBER(strsignal_of_data) { return strlen(strsignal(1 + (AT(ints, shape) & 15))); }
NUMBER(isspace_of_data) { unsigned long x = 0; for (int i = 0; i < 20;
  ++i) x += isspace((unsigned char)text[i]) ? 1 : isdigit((unsigned char)text[i]) ? 2 : 0; return x; }
NUMBER(toupper_of_data) { return (unsigned)toupper((unsigned char)text[shape & 63]) & 63; }
NUMBER(mblen_of_data) { WORD(b, shape); wchar_t w[16]; size_t c = mbstowcs(w, b, 15); return c == (size_t)-1 ? 50 : c; }
NUMBER(mb_cur_max) { return MB_CUR_MAX * 3; }
NUMBER(locale_name) { const char *l = setlocale(LC_ALL, 0); return l ? strlen(l) : 1; }
NUMBER(locale_point) { return strlen(localeconv()->decimal_point) * 3 + (unsigned char)localeconv()->decimal_point[0]; }
NUMBER(localtime_of_shape) { time_t t = (time_t)n * 86400; struct tm *u = localtime(&t); return (unsigned)(u->tm_hour + u->tm_mday); }
NUMBER(localtime_of_data) { time_t t = (time_t)(AT(ints, shape) & 0xffffff) * 100; struct tm *u = localtime(&t); return (unsigned)(u->tm_hour + u->tm_min); }
NUMBER(gmtime_of_shape, shape) { time_t t = (time_t)n * 86400; struct tm *u = gmtime(&t); return (unsigned)(u->tm_yday); }
NUMBER(gmtime_kept) { time_t first = 0; struct tm *u = gmtime(&first); time_t t = (time_t)(AT(ints, shape) & 0xffffff) * 300; gmtime(&t);
  return (unsigned)u->tm_yday; }
NUMBER(strftime_of_shape) { time_t t = (time_t)n * 86400; struct tm u; localtime_r(&t, &u); char b[64]; return strftime(b, sizeof b, "%A %B %Z %H", &u); }
NUMBER(mktime_zone) { struct tm u; memset(&u, 0, sizeof u); u.tm_year = 100; u.tm_mday = 2 + (n & 15); return (unsigned long)mktime(&u) / 1800 & 63; }
NUMBER(timezone_variable) { return (unsigned long)(timezone / 900) & 63; }
NUMBER(ctime_text) { time_t t = (time_t)n * 86400; return (unsigned char)ctime(&t)[12]; }
NUMBER(rand_of_caller) { return (unsigned)rand() & 63; }
NUMBER(rand_seeded, shape) { srand((unsigned)n); return (unsigned)rand() & 63; }
NUMBER(rand_r_seeded, shape) { unsigned long x = 0; unsigned s = (unsigned)n; x = (unsigned)rand_r(&s) & 63; x += s & 7; return x; }
NUMBER(rand_r_of_state) { unsigned s = (unsigned)state[shape & 7]; return (unsigned)rand_r(&s) & 63; }
NUMBER(random_of_caller) { return (unsigned long)random() & 31; }
NUMBER(drand48_of_caller) { return (unsigned long)(drand48() * 50); }
NUMBER(srand48_seeded, shape) { srand48(m); return (unsigned long)lrand48() & 63; }
NUMBER(lrand48_kept) { static int begun$; if (!begun$) { begun$ = 1; srand48(3); } return (unsigned long)lrand48() & 63; }
NUMBER(erand48_of_array, shape) { unsigned short s[3] = {1, 2, (unsigned short)n}; return (unsigned long)(erand48(s) * 60) + (s[0] & 3); }
NUMBER(optind_of_caller) { return (unsigned)optind & 63; }
extern char **environ;
NUMBER(environ_count) { unsigned long x = 0; for (char **e = environ; *e; ++e) ++x; return x; }
NUMBER(getenv_length) { const char *v = getenv("HOSTILE_VALUE"); return v ? strlen(v) : 3; }
NUMBER(secure_getenv_digit) { const char *v = secure_getenv("HOSTILE_VALUE"); return v ? (unsigned long)atoi(v) & 63 : 9; }
NUMBER(time_now) { return (unsigned long)time(0) ^ (unsigned long)n; }
NUMBER(clock_now) { return (unsigned long)clock() & 127; }
NUMBER(clock_gettime_now) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (unsigned long)t.tv_nsec / 100 & 63; }
NUMBER(gettimeofday_now) { struct timeval t; gettimeofday(&t, 0); return (unsigned long)t.tv_usec & 63; }
NUMBER(getrusage_now) { struct rusage u; getrusage(RUSAGE_SELF, &u); return (unsigned long)(u.ru_minflt + u.ru_utime.tv_usec) & 63; }
NUMBER(times_now) { struct tms t; return (unsigned long)times(&t) & 63; }
NUMBER(getpid_number) { return (unsigned)getpid() & 63; }
NUMBER(getppid_number) { return (unsigned)getppid() & 63; }
NUMBER(gettid_number) { return (unsigned long)syscall(SYS_gettid) & 63; }
NUMBER(getcwd_length) { char b[512]; return getcwd(b, sizeof b) ? strlen(b) : 1; }
NUMBER(access_file) { return access("include", R_OK) == 0 ? 12 : 3; }
NUMBER(stat_file) { struct stat s; return stat("/proc/self/cmdline", &s) == 0 ? (unsigned long)s.st_ino & 63 : 1; }
NUMBER(isatty_number) { return isatty(0) ? 3 : 8; }
NUMBER(getrandom_bytes) { unsigned long x = 0; unsigned char b[2] = {0, 0}; if (getrandom(b, 2, 0) == 2) x = b[0]; return x; }
NUMBER(auxiliary_random) { return getauxval(AT_RANDOM) ? *(unsigned char *)getauxval(AT_RANDOM) : 1; }
NUMBER(auxiliary_vdso) { return getauxval(AT_SYSINFO_EHDR) >> 12 & 63; }
extern char *program_invocation_name;
NUMBER(program_name) { return strlen(program_invocation_name); }
NUMBER(pthread_self_number) { return (unsigned long)pthread_self() >> 12 & 63; }
NUMBER(sched_cpu) { return (unsigned)sched_getcpu() + 1; }
NUMBER(heap_end) { return (uintptr_t)sbrk(0) >> 12 & 63; }
