/* What the C library takes while it is called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   One row for each function that libraries/ lists as allocating nothing, called with arguments for which the C library
   may want memory of its own. A row runs in a process of its own, so that its first call is the first. Prints for each
   row its functions, and how often the heap was asked in the first call and in 1,000 later ones. */

#define _GNU_SOURCE
#include "library_functions.h"

#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum { Long = 1 << 18 };
static char Text[Long], Out[2 * Long];
static wchar_t Wide[Long];
static volatile double V = 0.7;
static volatile double Sum;
static char *Digits(int count) { /* so many digits, then blanks */
  memset(Text, ' ', sizeof Text - 1);
  memset(Text, '7', (size_t)count);
  return Text;
}
static const double Hard[] = {0, -0., 1. / 3, 1e300, 5e-324, 1.7976931348623157e308, INFINITY, NAN, 1e22, -7};
static double Number(int call) { return Hard[call % 10]; }

/* Text that is read and compared */
ROW(numbers, "strtol strtoul strtoll strtoull strtoimax strtoumax atoi atol atoll atof strtof strtod strtold") {
  const char *texts[] = {"12", "", " -0x1p-1074", "nan(123)", "1e999999999", Digits(call % 4 ? 40 : 200000)};
  char *end;
  for (int t = 0; t < 6; ++t) {
    Sum += strtol(texts[t], &end, 0) + strtoul(texts[t], 0, 36) + strtoll(texts[t], 0, 2) + strtoull(texts[t], 0, 16);
    Sum += strtoimax(texts[t], 0, 0) + strtoumax(texts[t], &end, 0);
    Sum += atoi(texts[t]) + atol(texts[t]) + atoll(texts[t]);
    if (t < 5 || call % 50 == 0)
      Sum += atof(texts[t]) + strtof(texts[t], 0) + strtod(texts[t], &end) + strtold(texts[t], &end);
  }
}
ROW(wide_numbers, "wcstol wcstoul wcstoll wcstoull wcstof wcstod wcstold") {
  const wchar_t *texts[] = {L"12", L"", L" -0x1p-1074", L"nan(123)", L"1e999999999", Wide};
  for (int c = 0; c < 20000; ++c)
    Wide[c] = L'7';
  for (int t = 0; t < (call % 100 ? 5 : 6); ++t)
    Sum += wcstol(texts[t], 0, 0) + wcstoul(texts[t], 0, 36) + wcstoll(texts[t], 0, 2) + wcstoull(texts[t], 0, 16) +
           wcstof(texts[t], 0) + wcstod(texts[t], 0) + wcstold(texts[t], 0);
}
ROW(places, "__errno_location __h_errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc") {
  Sum += errno + h_errno + (*__ctype_b_loc())[call & 127] + (*__ctype_tolower_loc())[call & 127] +
         (*__ctype_toupper_loc())[call & 127];
}
ROW(comparisons,
    "strcmp strncmp strcasecmp strncasecmp wcscmp wcsncmp wcschr wmemcmp memcmp bcmp strlen strspn strcspn "
    "wcslen strnlen strchr strrchr strchrnul strstr strcasestr strpbrk rawmemchr memchr memrchr memmem") {
  const char *t = Digits(call % 20 ? 300 : 100000), *needle = "7777777777777777777777777777777777777777777777777777 ";
  Sum += strcmp(t, needle) + strncmp(t, t, Long) + strcasecmp(t, "A") + strncasecmp(t, needle, 0);
  Sum += wcscmp(L"a", L"b") + wcsncmp(L"a", L"b", 9) + wmemcmp(L"a", L"b", 1) + wcslen(L"abc") + !wcschr(L"abc", L'c');
  Sum += memcmp(t, t, Long) + bcmp(t, t, 0) + strlen(t) + strspn(t, "7 ") + strcspn(t, "x") + strnlen(t, 0);
  Sum += !strchr(t, ' ') + !strrchr(t, '7') + !strchrnul(t, 'x') + !strstr(t, needle) + !strcasestr(t, needle);
  Sum += !strpbrk(t, " x") + !rawmemchr(t, ' ') + !memchr(t, 'x', Long - 1) + !memrchr(t, 'x', 0);
  Sum += !memmem(t, Long - 1, needle, strlen(needle)) + !memmem(t, Long - 1, needle, 0);
}
ROW(copies, "strcpy strncpy stpcpy stpncpy strcat strncat memccpy mempcpy memcpy memmove memset") {
  const char *t = Digits(call % 20 ? 300 : 100000);
  strcpy(Out, t), strncpy(Out, t, Long), stpcpy(Out, t), stpncpy(Out, "", Long);
  Out[9] = 0;
  strcat(Out, t), Out[9] = 0, strncat(Out, t, Long), memccpy(Out, t, 'x', Long - 1), mempcpy(Out, t, Long);
  memcpy(Out, t, Long), memmove(Out + 1, Out, Long), memset(Out, 0, Long);
}
char *__strcpy_chk(char *, const char *, size_t), *__strcat_chk(char *, const char *, size_t),
    *__stpcpy_chk(char *, const char *, size_t), *__strncpy_chk(char *, const char *, size_t, size_t),
    *__stpncpy_chk(char *, const char *, size_t, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
void *__memcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t),
    *__memmove_chk(void *, const void *, size_t, size_t), *__mempcpy_chk(void *, const void *, size_t, size_t);
ROW(checked_copies, "__memcpy_chk __memset_chk __memmove_chk __mempcpy_chk __strcpy_chk __strncpy_chk __stpcpy_chk "
                    "__stpncpy_chk __strcat_chk __strncat_chk") {
  const char *t = Digits(300);
  __strcpy_chk(Out, t, Long), __strncpy_chk(Out, t, Long, Long), __stpcpy_chk(Out, t, Long);
  __stpncpy_chk(Out, "", 99, Long), Out[9] = 0, __strcat_chk(Out, t, 2 * Long), Out[9] = 0;
  __strncat_chk(Out, t, 99, Long), __memcpy_chk(Out, t, 99, Long), __memset_chk(Out, 0, 99, Long);
  __memmove_chk(Out, t, 99, Long), __mempcpy_chk(Out, t, 99, Long);
}
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
ROW(searches, "bsearch strtok_r __strtok_r strsep strtok") {
  char *rest, words[] = "a,b,,c", *at = words, again[] = "a b";
  char *__strtok_r(char *, const char *, char **);
  Sum += !bsearch("7", Digits(9), Long - 1, 1, order) + !bsearch("7", Text, 0, 1, order);
  Sum += !strtok_r(words, ",", &rest) + !__strtok_r(0, ",", &rest) + !strsep(&at, ",") + !strtok(again, " ");
}

/* Text that is written. Formats are those that the summaries call plain. */
#define PLAIN                                                                                                          \
  "%d %s %.3f %1000.1000f %.1000e %.1000g %.1000Lf %.1000Le %0200d %.200000d %-200000s %.200000s %.1000a %c %lc %ls "  \
  "%p %% %hhd %zu %jd %td %+#x %m"
#define PLAIN_VALUES                                                                                                   \
  call, "text", Number(call), Number(call), Number(call), Number(call), 1e4932L * Number(call), 3e-4940L, call, call,  \
      "left", Digits(call % 50 ? 9 : 100000), Number(call), 'c', (wint_t)L'w', L"wide", Text, 7, (size_t)call,         \
      (intmax_t)call, (ptrdiff_t)call, 255
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...),
    __sprintf_chk(char *, int, size_t, const char *, ...);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list),
    __vsprintf_chk(char *, int, size_t, const char *, va_list);
static void listed(const char *format, ...) {
  va_list one;
  va_start(one, format), vsnprintf(Out, sizeof Out, format, one), va_end(one);
  va_start(one, format), vsprintf(Out, format, one), va_end(one);
  va_start(one, format), __vsnprintf_chk(Out, sizeof Out, 1, sizeof Out, format, one), va_end(one);
  va_start(one, format), __vsprintf_chk(Out, 1, sizeof Out, format, one), va_end(one);
}
static char Room[8 * Long];
ROW(formatted, "snprintf vsnprintf sprintf vsprintf __snprintf_chk __sprintf_chk __vsnprintf_chk __vsprintf_chk") {
  snprintf(Out, sizeof Out, PLAIN, PLAIN_VALUES), snprintf(0, 0, PLAIN, PLAIN_VALUES);
  sprintf(Room, PLAIN, PLAIN_VALUES), __snprintf_chk(Out, sizeof Out, 1, sizeof Out, PLAIN, PLAIN_VALUES);
  __sprintf_chk(Room, 1, sizeof Room, PLAIN, PLAIN_VALUES);
  snprintf(Out, sizeof Out, "%*d %.*d %*s %.*s %.*f", 200000, 1, 200000, 1, 200000, "x", 200000, "x", 1000, V);
  listed("%d %s %.1000f %*d", call, "text", Number(call), 200, 3);
}
int plain_sscanf(const char *, const char *, ...) __asm__("sscanf");
int c99_sscanf(const char *, const char *, ...) __asm__("__isoc99_sscanf");
ROW(scanned, "sscanf __isoc99_sscanf") {
  static char word[Long], text[1024];
  int whole, used;
  double real;
  void *pointer;
  const char *formats[] = {"%d%n", "%i%n", "%x%n", "%u %n"}, *reals[] = {"%lf%n", "%la%n"};
  memset(text, call % 2 ? '7' : '0', 1023);
  text[1] = call % 3 ? 'x' : text[1];
  for (int f = 0; f < 4; ++f)
    plain_sscanf(text, formats[f], &whole, &used), c99_sscanf(text, formats[f], &whole, &used);
  for (int f = 0; f < 2; ++f)
    plain_sscanf(text, reals[f], &real, &used), c99_sscanf(text, reals[f], &real, &used);
  plain_sscanf(text, "%p", &pointer);
  plain_sscanf(Digits(100000), "%1023d%*1023d%1023lf", &whole, &real);
  c99_sscanf(Text, "%1023d%*1023x%1023lf", &whole, &real);
  c99_sscanf(Text, "%s", word), c99_sscanf(Text, "%[0-9]", word), c99_sscanf(Text, "%*s%99c", word);
  c99_sscanf("infinity nan", "%lf %lf", &real, &real);
  c99_sscanf("wide", "%ls", Wide), plain_sscanf("wide", "%l[a-z]", Wide);
}
/* What is written to streams that are there before. */
int __printf_chk(int, const char *, ...), __vprintf_chk(int, const char *, va_list);
int __fprintf_chk(FILE *, int, const char *, ...), __vfprintf_chk(FILE *, int, const char *, va_list);
static void listedOut(FILE *to, const char *format, ...) {
  va_list one;
  va_start(one, format), vfprintf(to, format, one), va_end(one);
  va_start(one, format), __vfprintf_chk(to, 1, format, one), va_end(one);
  va_start(one, format), vprintf(format, one), va_end(one);
  va_start(one, format), __vprintf_chk(1, format, one), va_end(one);
}
ROW(printed, "printf fprintf vprintf vfprintf __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk") {
  FILE *to[] = {stdout, stderr};
  for (int s = 0; s < 2; ++s) {
    fprintf(to[s], PLAIN, PLAIN_VALUES), __fprintf_chk(to[s], 1, PLAIN, PLAIN_VALUES);
    listedOut(to[s], "%d %s %.1000f %*d", call, "text", Number(call), 200, 3);
  }
  printf(PLAIN, PLAIN_VALUES), __printf_chk(1, PLAIN, PLAIN_VALUES);
}
static void listedWarnings(const char *format, ...) {
  va_list one;
  va_start(one, format), vwarn(format, one), va_end(one);
  va_start(one, format), vwarnx(format, one), va_end(one);
}
ROW(warned, "warn warnx vwarn vwarnx") {
  warn("%d %s %.1000f", call, "text", V), warnx("%d %s %.1000f", call, "text", V), warn(0);
  listedWarnings("%d %s %.1000f", call, "text", V);
}
int overflow(FILE *, int) __asm__("__overflow");
ROW(put, "puts putchar fputs fputc fwrite fflush putc fputs_unlocked fputc_unlocked putc_unlocked "
         "fwrite_unlocked fflush_unlocked putchar_unlocked __overflow") {
  FILE *to[] = {stdout, stderr};
  for (int s = 0; s < 2; ++s) {
    fputs(Digits(call % 100 ? 9 : 100000), to[s]), fputs("", to[s]), fputc('a', to[s]), putc('b', to[s]);
    fwrite(Text, 1, call % 100 ? 0 : Long, to[s]), fputs_unlocked("c", to[s]), fputc_unlocked('d', to[s]);
    putc_unlocked('e', to[s]), fwrite_unlocked(Text, 1, 9, to[s]), fflush(to[s]), fflush_unlocked(to[s]);
    overflow(to[s], 'f');
  }
  puts("line"), putchar('g'), putchar_unlocked('h'), fflush(0);
}
ROW(given_buffers, "setvbuf setbuf") {
  static char mine[9000];
  FILE *to[] = {stdout, stderr, stdin};
  for (int s = 0; s < 3; ++s) {
    setvbuf(to[s], 0, call % 3 == 0 ? _IOFBF : call % 3 == 1 ? _IOLBF : _IONBF, 0);
    setvbuf(to[s], 0, _IOFBF, 100000), setvbuf(to[s], mine, _IOFBF, sizeof mine), setbuf(to[s], call % 2 ? mine : 0);
    setvbuf(to[s], mine, _IOLBF, 1);
  }
}
/* What is read, and said of streams */
int uflow(FILE *) __asm__("__uflow");
int underflow(FILE *) __asm__("__underflow");
ROW(got,
    "fgetc getc getchar fgetc_unlocked getc_unlocked getchar_unlocked __uflow __underflow fread fread_unlocked fgets "
    "fgets_unlocked") {
  Sum += fgetc(stdin) + getc(stdin) + getchar() + fgetc_unlocked(stdin) + getc_unlocked(stdin) + getchar_unlocked();
  Sum += uflow(stdin) + underflow(stdin) + fread(Out, 1, call % 50 ? 7 : 100000, stdin) + fread(Out, 0, 7, stdin);
  Sum += fread_unlocked(Out, 3, 7, stdin) + !fgets(Out, call % 50 ? 9 : 100000, stdin) + !fgets_unlocked(Out, 1, stdin);
}
ROW(moved, "fseek fseeko fseeko64 fsetpos fsetpos64 rewind ftell ftello ftello64 feof ferror fileno clearerr "
           "feof_unlocked ferror_unlocked fileno_unlocked fgetpos fgetpos64") {
  fpos_t place;
  fpos64_t wide;
  FILE *of[] = {stdin, stdout, stderr};
  for (int s = 0; s < 3; ++s) {
    fgetpos(of[s], &place), fgetpos64(of[s], &wide), fsetpos(of[s], &place), fsetpos64(of[s], &wide);
    fseek(of[s], 3, SEEK_SET), fseeko(of[s], 0, SEEK_END), fseeko64(of[s], 1, SEEK_SET), rewind(of[s]);
    Sum += ftell(of[s]) + ftello(of[s]) + ftello64(of[s]) + feof(of[s]) + ferror(of[s]) + fileno(of[s]);
    Sum += feof_unlocked(of[s]) + ferror_unlocked(of[s]) + fileno_unlocked(of[s]);
    clearerr(of[s]);
  }
}
int plain_scanf(const char *, ...) __asm__("scanf");
int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int plain_vscanf(const char *, va_list) __asm__("vscanf");
int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
static void listedIn(const char *format, ...) {
  va_list one;
  va_start(one, format), plain_vscanf(format, one), va_end(one);
  va_start(one, format), plain_vfscanf(stdin, format, one), va_end(one);
  va_start(one, format), vscanf(format, one), va_end(one);
  va_start(one, format), vfscanf(stdin, format, one), va_end(one);
}
ROW(scanned_in, "scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf") {
  static char word[Long];
  int whole;
  double real;
  scanf("%1023d%1023lf%99s", &whole, &real, word), fscanf(stdin, "%1023x%1023la%*[^7]", &whole, &real);
  plain_scanf("%1023d%1023lf%99s", &whole, &real, word), plain_fscanf(stdin, "%1023i%*1023lf", &whole);
  listedIn("%1023d%1023lf%99s", &whole, &real, word);
}
/* Characters, numbers, the order of bytes */
ROW(characters,
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower "
    "toupper toascii") {
  const int c = call % 256;
  Sum += isalnum(c) + isalpha(c) + isblank(c) + iscntrl(c) + isdigit(c) + isgraph(c) + islower(c) + isprint(c);
  Sum += ispunct(c) + isspace(c) + isupper(c) + isxdigit(c) + tolower(c) + toupper(c) + toascii(c);
}
ROW(integers, "ffs ffsl ffsll div ldiv lldiv ntohl ntohs htonl htons abs labs llabs") {
  Sum += ffs(call) + ffsl(call) + ffsll(call) + div(call, 7).rem + ldiv(call, 7).rem + lldiv(call, 7).rem;
  Sum += (ntohl)(call) + (ntohs)(1) + (htonl)(call) + (htons)(2) + abs(call) + labs(call) + llabs(call);
}
/* The machine, the process, time */
ROW(machine, "sysconf getpagesize get_nprocs get_nprocs_conf getenv secure_getenv getpid getppid gettid getuid geteuid "
             "getgid getegid sched_getcpu gethostname uname getloadavg isatty") {
  struct utsname name;
  double loads[3];
  for (int n = 0; n < 250; n += call % 40 ? 50 : 1)
    Sum += sysconf(n);
  Sum += getpagesize() + get_nprocs() + get_nprocs_conf() + !getenv("HOME") + !secure_getenv("") + getpid() + getppid();
  Sum += gettid() + getuid() + geteuid() + getgid() + getegid() + sched_getcpu() + gethostname(Out, call % 2 ? 1 : 99);
  Sum += uname(&name) + getloadavg(loads, 3) + isatty(0) + isatty(-1);
}
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t ReadWrite = PTHREAD_RWLOCK_INITIALIZER;
ROW(locks, "pthread_mutex_* pthread_rwlock_* pthread_spin_* pthread_self pthread_equal flockfile funlockfile") {
  pthread_mutex_t own;
  pthread_rwlock_t shared;
  pthread_spinlock_t spin;
  pthread_mutexattr_t kinds;
  pthread_rwlockattr_t of;
  int ceiling;
  struct timespec past = {0, 0};
  pthread_mutexattr_init(&kinds), pthread_mutexattr_settype(&kinds, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&own, &kinds), pthread_mutex_lock(&own), pthread_mutex_trylock(&own), pthread_mutex_unlock(&own);
  pthread_mutex_unlock(&own), pthread_mutex_timedlock(&own, &past), pthread_mutex_unlock(&own);
  pthread_mutex_getprioceiling(&own, &ceiling), pthread_mutex_destroy(&own);
  pthread_mutex_lock(&Mutex), pthread_mutex_unlock(&Mutex), pthread_mutexattr_destroy(&kinds);
  pthread_rwlockattr_init(&of), pthread_rwlock_init(&shared, &of), pthread_rwlock_rdlock(&shared);
  pthread_rwlock_tryrdlock(&shared), pthread_rwlock_unlock(&shared), pthread_rwlock_unlock(&shared);
  pthread_rwlock_wrlock(&ReadWrite), pthread_rwlock_trywrlock(&ReadWrite), pthread_rwlock_unlock(&ReadWrite);
  pthread_rwlock_destroy(&shared), pthread_spin_init(&spin, 0), pthread_spin_lock(&spin), pthread_spin_trylock(&spin);
  pthread_spin_unlock(&spin), pthread_spin_destroy(&spin);
  Sum += pthread_equal(pthread_self(), pthread_self());
  flockfile(stdout), funlockfile(stdout);
}
ROW(pages, "malloc_trim mallopt madvise posix_madvise mlock munlock mprotect msync") {
  static char *page;
  if (!page)
    page = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  malloc_trim(0), mallopt(M_TOP_PAD, 0), madvise(page, 4096, MADV_DONTNEED), posix_madvise(page, 4096, 0);
  mlock(page, 4096), munlock(page, 4096), mprotect(page, 4096, PROT_READ | PROT_WRITE), msync(page, 4096, MS_ASYNC);
}
ROW(random_numbers, "srand srand48 srandom rand rand_r random random_r drand48 erand48 lrand48 nrand48 mrand48 jrand48 "
                    "getrandom getentropy") {
  static struct random_data data;
  static char state[256];
  unsigned seed = (unsigned)call;
  unsigned short own[3] = {1, 2, 3};
  int32_t drawn;
  if (!call)
    initstate_r(7, state, sizeof state, &data);
  srand(seed), srand48(call), srandom(seed), random_r(&data, &drawn);
  Sum += rand() + rand_r(&seed) + random() + drand48() + erand48(own) + lrand48() + nrand48(own) + mrand48();
  Sum += jrand48(own) + getrandom(Out, 9, 0) + getentropy(Out, 9);
}
ROW(time_of_day,
    "clock time gettimeofday clock_gettime clock_getres timespec_get times getrusage difftime timegm gmtime "
    "gmtime_r localtime_r asctime asctime_r ctime_r") {
  static const time_t when[] = {0, -1, 1u << 31, 253402300800, -99999999999, 1700000000, 1720000000};
  struct timeval now;
  struct timespec fine;
  struct rusage used;
  struct tms spent;
  struct tm day;
  time_t at = when[call % 7];
  Sum += clock() + time(0) + gettimeofday(&now, 0) + clock_gettime(CLOCK_REALTIME, &fine) + clock_getres(0, &fine);
  Sum += timespec_get(&fine, TIME_UTC) + times(&spent) + getrusage(0, &used) + difftime(at, 0);
  gmtime(&at), localtime_r(&at, &day), Sum += timegm(&day), gmtime_r(&at, &day), asctime_r(&day, Out),
      ctime_r(&at, Out);
  asctime(&day);
}
int strange_strerror_r(int, char *, size_t) __asm__("__xpg_strerror_r");
ROW(errors, "strerror_r __xpg_strerror_r") {
  const int error = call % 3 ? call % 150 : 100000 + call;
  Sum += !strerror_r(error, Out, 99) + strange_strerror_r(error, Out, 99) + !strerror_r(error, Out, 1);
}
/* Files by number and by name */
ROW(numbers_of_files,
    "open open64 openat openat64 creat creat64 close dup dup2 lseek lseek64 write writev pwrite pwrite64 "
    "read pread pread64 readv ftruncate ftruncate64 fsync fdatasync posix_fadvise posix_fadvise64 flock "
    "fcntl fcntl64 fstat fstat64 pipe pipe2 poll select") {
  struct stat of;
  struct stat64 wide;
  struct iovec parts[2] = {{Out, 9}, {Out, 0}};
  int ends[2], file = open("scratch", O_RDWR | O_CREAT, 0600), other = dup(file);
  struct pollfd wait = {file, POLLIN, 0};
  struct timeval none = {0, 0};
  close(open64("scratch", O_RDONLY)), close(openat(AT_FDCWD, "none", O_RDONLY)),
      close(openat64(AT_FDCWD, "scratch", 0));
  close(creat("other", 0600)), close(creat64("other", 0600)), dup2(file, other);
  write(file, Out, 99), writev(file, parts, 2), pwrite(file, Out, 9, 0), pwrite64(file, Out, 9, 0);
  lseek(file, 0, 0), lseek64(file, 0, 0), read(file, Out, 9), pread(file, Out, 9, 0), pread64(file, Out, 9, 0);
  readv(file, parts, 2), ftruncate(file, 9), ftruncate64(file, 9), posix_fadvise(file, 0, 0, 0);
  posix_fadvise64(file, 0, 0, 0), flock(file, LOCK_SH), fcntl(file, F_GETFL), fcntl64(file, F_GETFL);
  fstat(file, &of), fstat64(file, &wide), poll(&wait, 1, 0), select(0, 0, 0, 0, &none);
  if (call < 2)
    fsync(file), fdatasync(file);
  if (!pipe(ends))
    close(ends[0]), close(ends[1]);
  if (!pipe2(ends, 0))
    close(ends[0]), close(ends[1]);
  close(other), close(file);
}
ROW(names_of_files,
    "unlink remove rename mkdir rmdir chmod access faccessat truncate truncate64 stat stat64 lstat lstat64 "
    "fstatat fstatat64 readlink mkstemp mkstemp64 mkdtemp shm_unlink shm_open sync") {
  struct stat of;
  struct stat64 wide;
  char one[] = "madeXXXXXX", two[] = "madeXXXXXX", three[] = "madeXXXXXX";
  close(mkstemp(one)), close(mkstemp64(two)), mkdtemp(three), chmod(one, 0600), access(one, R_OK);
  faccessat(AT_FDCWD, one, R_OK, AT_EACCESS), truncate(one, 9), truncate64(one, 9), stat(one, &of), stat64(one, &wide);
  lstat(one, &of), lstat64(one, &wide), fstatat(AT_FDCWD, one, &of, 0), fstatat64(AT_FDCWD, one, &wide, 0);
  readlink(one, Out, 9), rename(one, two), unlink(two), remove(one), rmdir(three), mkdir(three, 0700), remove(three);
  stat("", &of), readlink("/proc/self/exe", Out, 99), shm_unlink("/memshape-none"),
      shm_open("/memshape-none", O_RDWR, 0);
  if (!call)
    sync();
}
static void wake(int signal) { (void)signal; }
ROW(waits, "sleep usleep nanosleep clock_nanosleep pause") {
  struct timespec none = {0, 0};
  struct itimerval soon = {{0, 0}, {0, 200}};
  if (call > 20)
    return;
  sleep(0), usleep(0), nanosleep(&none, 0), clock_nanosleep(CLOCK_MONOTONIC, 0, &none, 0);
  signal(SIGALRM, wake);
  soon.it_interval = soon.it_value; /* another one, should the first come too early */
  setitimer(ITIMER_REAL, &soon, 0), pause();
  soon = (struct itimerval){{0, 0}, {0, 0}}, setitimer(ITIMER_REAL, &soon, 0);
}
ROW(handlers, "signal sigaction sigprocmask pthread_sigmask") {
  struct sigaction old;
  sigset_t all, before;
  signal(SIGUSR1, call & 1 ? wake : SIG_DFL);
  sigaction(SIGUSR1, NULL, &old), sigaction(SIGUSR1, &old, NULL);
  sigfillset(&all), sigprocmask(SIG_BLOCK, &all, &before), pthread_sigmask(SIG_SETMASK, &before, NULL);
}
static DIR *Folder;
BEFORE(folders) { Folder = opendir("/etc"); }
ROW(folders, "readdir readdir64 rewinddir") {
  Sum += !readdir(Folder) + !readdir64(Folder);
  if (call % 40 == 0)
    rewinddir(Folder);
}

/* <math.h> and its kin */
#define ONE(name) Sum += name(x) + name##f((float)x) + name##l((long double)x);
#define TWO(name) Sum += name(x, y) + name##f((float)x, (float)y) + name##l(x, y);
#define NAMES1(name) #name " " #name "f " #name "l "
#define ALL_OF_ONE_1(DO) DO(acos) DO(acosh) DO(asin) DO(asinh) DO(atan) DO(atanh) DO(cbrt) DO(ceil) DO(cos)
#define ALL_OF_ONE_2(DO) DO(cosh) DO(erf) DO(erfc) DO(exp) DO(exp2) DO(exp10) DO(expm1) DO(fabs) DO(floor)
#define ALL_OF_ONE_3(DO) DO(lgamma) DO(llrint) DO(llround) DO(log) DO(log10) DO(log1p) DO(log2) DO(logb)
#define ALL_OF_ONE_4(DO) DO(lrint) DO(lround) DO(nearbyint) DO(rint) DO(round) DO(sin) DO(sinh) DO(sqrt)
#define ALL_OF_ONE_5(DO) DO(tan) DO(tanh) DO(tgamma) DO(trunc) DO(j0) DO(j1) DO(y0) DO(y1) DO(roundeven)
#define ALL_OF_ONE_6(DO) DO(significand) DO(ilogb) DO(__isnan) DO(__isinf) DO(__finite) DO(__fpclassify)
#define ALL_OF_ONE_7(DO) DO(__signbit)
#define ALL_OF_ONE(DO)                                                                                                 \
  ALL_OF_ONE_1(DO) ALL_OF_ONE_2(DO) ALL_OF_ONE_3(DO) ALL_OF_ONE_4(DO) ALL_OF_ONE_5(DO) ALL_OF_ONE_6(DO) ALL_OF_ONE_7(DO)
#define ALL_OF_TWO_1(DO) DO(atan2) DO(copysign) DO(fdim) DO(fmax) DO(fmin) DO(fmod) DO(hypot) DO(nextafter)
#define ALL_OF_TWO_2(DO) DO(pow) DO(remainder) DO(drem) DO(scalb)
#define ALL_OF_TWO(DO) ALL_OF_TWO_1(DO) ALL_OF_TWO_2(DO)
int __fpclassify(double), __fpclassifyf(float), __fpclassifyl(long double), __signbit(double), __signbitf(float),
    __signbitl(long double), __isnan(double), __isnanf(float), __isnanl(long double), __isinf(double), __isinff(float),
    __isinfl(long double), __finite(double), __finitef(float), __finitel(long double);
ROW(functions, ALL_OF_ONE(NAMES1) ALL_OF_TWO(NAMES1) "nan nanf nanl") {
  const double x = Number(call), y = Number(call / 10);
  ALL_OF_ONE(ONE)
  ALL_OF_TWO(TWO)
  Sum += nan("123") + nanf("") + nanl("0x7");
}
ROW(functions_by_macro, "isnan isnanf isnanl isinf isinff isinfl finite finitef finitel") {
  const double x = Number(call);
  Sum += (isnan)(x) + isnanf((float)x) + isnanl(x) + (isinf)(x) + isinff((float)x) + isinfl(x) + finite(x) +
         finitef((float)x) + finitel(x);
}
ROW(functions_of_more,
    "fma fmaf fmal ldexp ldexpf ldexpl scalbn scalbnf scalbnl scalbln scalblnf scalblnl jn jnf jnl yn "
    "ynf ynl nexttoward nexttowardf nexttowardl fegetround sincos sincosf sincosl modf modff modfl "
    "frexp frexpf frexpl remquo remquof remquol lgamma_r lgammaf_r lgammal_r") {
  const double x = Number(call), y = Number(call / 10);
  double a, b;
  float fa, fb;
  long double la, lb;
  int n;
  Sum += fma(x, y, x) + fmaf((float)x, (float)y, 1) + fmal(x, y, x) + ldexp(x, 7) + ldexpf((float)x, 7) + ldexpl(x, 7);
  Sum += scalbn(x, 7) + scalbnf((float)x, 7) + scalbnl(x, 7) + scalbln(x, 7) + scalblnf((float)x, 7) + scalblnl(x, 7);
  Sum += jn(3, x) + jnf(3, (float)x) + jnl(3, x) + yn(3, x) + ynf(3, (float)x) + ynl(3, x) + fegetround();
  Sum += nexttoward(x, y) + nexttowardf((float)x, y) + nexttowardl(x, y);
  sincos(x, &a, &b), sincosf((float)x, &fa, &fb), sincosl(x, &la, &lb);
  Sum += modf(x, &a) + modff((float)x, &fa) + modfl(x, &la) + frexp(x, &n) + frexpf((float)x, &n) + frexpl(x, &n);
  Sum += remquo(x, y, &n) + remquof((float)x, (float)y, &n) + remquol(x, y, &n);
  Sum += lgamma_r(x, &n) + lgammaf_r((float)x, &n) + lgammal_r(x, &n);
}
#define COMPLEX(name) Sum += creal(name(z)) + crealf(name##f((float complex)z)) + creall(name##l(z));
#define ALL_OF_COMPLEX_1(DO) DO(cacos) DO(cacosh) DO(casin) DO(casinh) DO(catan) DO(catanh) DO(ccos) DO(ccosh)
#define ALL_OF_COMPLEX_2(DO) DO(cexp) DO(clog) DO(conj) DO(cproj) DO(csin) DO(csinh) DO(csqrt) DO(ctan) DO(ctanh)
#define ALL_OF_COMPLEX(DO) ALL_OF_COMPLEX_1(DO) ALL_OF_COMPLEX_2(DO)
ROW(complex_functions,
    ALL_OF_COMPLEX(NAMES1) "cpow cpowf cpowl cimag cimagf cimagl creal crealf creall cabs cabsf cabsl "
                           "carg cargf cargl") {
  const double complex z = Number(call) + I * Number(call / 10);
  ALL_OF_COMPLEX(COMPLEX)
  Sum +=
      creal(cpow(z, z)) + crealf(cpowf((float complex)z, 2)) + creall(cpowl(z, 2)) + cimag(z) + cimagf(z) + cimagl(z);
  Sum += cabs(z) + cabsf(z) + cabsl(z) + carg(z) + cargf(z) + cargl(z);
}
double complex __muldc3(double, double, double, double), __divdc3(double, double, double, double);
float complex __mulsc3(float, float, float, float), __divsc3(float, float, float, float);
long double complex __mulxc3(long double, long double, long double, long double),
    __divxc3(long double, long double, long double, long double);
double __powidf2(double, int);
float __powisf2(float, int);
ROW(compiler_functions, "__muldc3 __mulsc3 __divdc3 __divsc3 __mulxc3 __divxc3 __powidf2 __powisf2") {
  const double x = Number(call), y = Number(call / 10);
  Sum += creal(__muldc3(x, y, x, y)) + crealf(__mulsc3(x, y, x, y)) + creal(__divdc3(x, y, x, y));
  Sum += crealf(__divsc3(x, y, x, y)) + creall(__mulxc3(x, y, x, y)) + creall(__divxc3(x, y, x, y));
  Sum += __powidf2(x, 7) + __powisf2((float)x, 7);
}
ROW(environment,
    "fetestexcept fegetexcept feclearexcept feraiseexcept fesetexceptflag fegetenv fegetexceptflag fegetmode "
    "fesetround fesetenv feupdateenv fesetmode feholdexcept feenableexcept fedisableexcept") {
  fenv_t all;
  fexcept_t flags;
  femode_t mode;
  fegetenv(&all), fegetexceptflag(&flags, FE_ALL_EXCEPT), fegetmode(&mode), fesetround(FE_UPWARD), fesetmode(&mode);
  Sum += fetestexcept(FE_ALL_EXCEPT) + fegetexcept();
  fesetexceptflag(&flags, FE_ALL_EXCEPT), feholdexcept(&all), feraiseexcept(FE_INEXACT), feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(0), fedisableexcept(FE_ALL_EXCEPT), feupdateenv(&all), fesetenv(FE_DFL_ENV);
}
