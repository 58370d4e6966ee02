// Sizes that other units decide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static unsigned long f$(int v) { return (unsigned)v & 31; }
unsigned long (*hostile_step$)(int) = f$;
ELSEWHERE(extern unsigned long (*hostile_step$)(int); static unsigned long other_step$(int v) { return (unsigned)v % 50 + 20; }
  SET { hostile_step$ = value & 1 ? other_step$ : hostile_step$; })
NUMBER(function_set_by_others) { return hostile_step$(n); }
volatile int hostile_volatile$ = 4;
ELSEWHERE(extern volatile int hostile_volatile$; SET { hostile_volatile$ = value; })
NUMBER(volatile_set_by_others) { return (unsigned)hostile_volatile$; }
int hostile_level$ = 4;
ELSEWHERE(extern int hostile_level$; SET { hostile_level$ = value & 63; })
NUMBER(set_by_others) { return (unsigned)hostile_level$; }
static int level$ = 4;
EXPORTED int *hostile_level_of$(void) { return &level$; }
ELSEWHERE(EXPORTED int *hostile_level_of$(void); SET { *hostile_level_of$() = value & 63; })
NUMBER(set_by_others_through_pointer) { return (unsigned)level$; }
static int level$ = 4;
EXPORTED void hostile_set_level$(int v) { level$ = v & 63; }
ELSEWHERE(EXPORTED void hostile_set_level$(int v); SET { hostile_set_level$(value); })
NUMBER(set_by_own_setter) { return (unsigned)level$; }
struct settings$ { float f; int block, *more; }; static int more$ = 2; struct settings$ hostile_settings$ = {1.f, 4, &more$};
ELSEWHERE(struct settings$ { float f; int block, *more; }; extern struct settings$ hostile_settings$; SET { hostile_settings$.block = value & 63;
  *hostile_settings$.more = value & 15; })
NUMBER(set_in_record) { return (unsigned)(hostile_settings$.block + *hostile_settings$.more); }
static int *handed$;
EXPORTED int **hostile_handed$(void) { return &handed$; }
ELSEWHERE(EXPORTED int **hostile_handed$(void); static int others$; SET { others$ = value & 63; *hostile_handed$() = &others$; })
NUMBER(handed_out) { return handed$ ? (unsigned)*handed$ : 5; }
extern const int hostile_constant$;
ELSEWHERE(extern const int hostile_constant$ = 21;)
NUMBER(constant_of_others) { return (unsigned)hostile_constant$; }
EXPORTED __attribute__((weak)) int hostile_padding$(int v) { return 8 + (v & 1); }
ELSEWHERE(EXPORTED int hostile_padding$(int v) { return v & 63; })
NUMBER(weak_function) { return (unsigned)hostile_padding$(n); }
__attribute__((weak)) int hostile_weak$ = 8;
ELSEWHERE(int hostile_weak$ = 37;)
NUMBER(weak_variable) { return (unsigned)hostile_weak$; }
extern const int hostile_weak_constant$; __attribute__((weak)) const int hostile_weak_constant$ = 8;
ELSEWHERE(extern const int hostile_weak_constant$; const int hostile_weak_constant$ = 37;)
NUMBER(weak_constant) { return (unsigned)hostile_weak_constant$; }
EXPORTED int hostile_maybe$(int) __attribute__((weak));
NUMBER(weak_undefined) { return hostile_maybe$ ? (unsigned)hostile_maybe$(n) & 31 : 6; }
EXPORTED int hostile_surely$(int) __attribute__((weak));
ELSEWHERE(EXPORTED int hostile_surely$(int v) { return v & 15; })
NUMBER(weak_defined_elsewhere) { return hostile_surely$ ? (unsigned)hostile_surely$(n) : 60; }
EXPORTED int hostile_elsewhere$(int v);
ELSEWHERE(EXPORTED int hostile_elsewhere$(int v) { return v % 23; })
NUMBER(function_of_others) { return (unsigned)hostile_elsewhere$(n); }
EXPORTED int hostile_counted$(void);
ELSEWHERE(EXPORTED int hostile_counted$(void) { static int calls; return ++calls & 31; })
NUMBER(counter_of_others) { return (unsigned)hostile_counted$(); }
static int begun$ = 1;
__attribute__((constructor)) static void begin$(void) { const char *v = getenv("HOSTILE_VALUE"); begun$ = v ? (int)strlen(v) + 9 : 3; }
NUMBER(constructor_sets) { return (unsigned)begun$; }
static int begun$ = 1;
__attribute__((constructor)) static void begin$(void) { begun$ = 12; }
NUMBER(constructor_counts, shape) { return (unsigned)begun$ + (unsigned)n; }
static int level$ = 4;
EXPORTED void hostile_take$(int *p);
ELSEWHERE(static int *taken$; EXPORTED void hostile_take$(int *p) { taken$ = p; } SET { if (taken$) *taken$ = value & 63; })
NUMBER(escaped_to_others) { hostile_take$(&level$); return (unsigned)level$; }
static int **kept$;
EXPORTED int ***hostile_kept_of$(void) { return &kept$; }
ELSEWHERE(EXPORTED int ***hostile_kept_of$(void); SET { if (*hostile_kept_of$()) **(*hostile_kept_of$()) = value & 63; })
NUMBER(escaped_into_block) { if (!kept$) { kept$ = (int **)malloc(sizeof *kept$); *kept$ = (int *)malloc(4); **kept$ = n & 63; } return (unsigned)**kept$; }
EXPORTED void hostile_fill$(int *p);
ELSEWHERE(static int level$ = 6; EXPORTED void hostile_fill$(int *p) { *p = level$; } SET { level$ = value & 63; })
NUMBER(filled_by_others) { int v = 3; hostile_fill$(&v); return (unsigned)v; }
EXPORTED const int *hostile_table$(void);
ELSEWHERE(static int table$[4] = {5, 6, 7, 8}; EXPORTED const int *hostile_table$(void) { return table$; } SET { table$[1] = value & 63; })
NUMBER(returned_by_others) { return (unsigned)hostile_table$()[1]; }
static int seen$;
static void note$(int v) { seen$ = v; }
EXPORTED void hostile_visit$(void (*f)(int), int n);
ELSEWHERE(static int level$ = 6; EXPORTED void hostile_visit$(void (*f)(int), int n) { f(n + level$); } SET { level$ = value & 31; })
NUMBER(called_back) { hostile_visit$(note$, n); return (unsigned)seen$; }
EXPORTED int hostile_errno$(void);
ELSEWHERE(EXPORTED int hostile_errno$(void) { return errno; })
NUMBER(errno_read_in_others) { errno = 0; out[1] += (float)strtol("99999999999999999999", 0, 10); return (unsigned)hostile_errno$() & 63; }
EXPORTED __attribute__((used)) int hostile_usual$(int v) { return 8 + (v & 1); }
EXPORTED int hostile_aliased$(int v) __attribute__((weak, alias("hostile_usual$")));
ELSEWHERE(EXPORTED int hostile_aliased$(int v) { return (v & 31) + 30; })
NUMBER(weak_alias) { return (unsigned)hostile_aliased$(n); }
EXPORTED __attribute__((const)) int hostile_block$(int v);
ELSEWHERE(EXPORTED int hostile_block$(int v) { return (v & 31) + 9; })
NUMBER(constant_function) { return (unsigned)hostile_block$(n); }
EXPORTED __attribute__((pure)) int hostile_level_of$(int v);
ELSEWHERE(static int level$ = 4; EXPORTED int hostile_level_of$(int v) { return level$ + (v & 7); } SET { level$ = value & 31; })
NUMBER(pure_function) { return (unsigned)hostile_level_of$(n); }
__attribute__((section("hostile_set$"), used)) static int first$ = 3;
extern int __start_hostile_set$[], __stop_hostile_set$[];
ELSEWHERE(__attribute__((section("hostile_set$"), used)) static int others$[5] = {4, 5, 6, 7, 8};)
NUMBER(section_of_others) { return (unsigned long)(__stop_hostile_set$ - __start_hostile_set$) * 5 + (unsigned)first$; }
__thread int hostile_thread$ = 4;
ELSEWHERE(extern __thread int hostile_thread$; SET { hostile_thread$ = value & 31; })
NUMBER(thread_variable_set_by_others) { return (unsigned)hostile_thread$; }
static int level$ = 4; int *hostile_public$ = &level$;
ELSEWHERE(extern int *hostile_public$; SET { *hostile_public$ = value & 31; })
NUMBER(public_pointer_to_own) { return (unsigned)level$; }
static int level$ = 4; int *const hostile_publics$[2] = {&level$, 0}; EXPORTED int *hostile_first$(void) { return hostile_publics$[0]; }
ELSEWHERE(EXPORTED int *hostile_first$(void); SET { *hostile_first$() = value & 31; })
NUMBER(public_array_of_pointers) { return (unsigned)level$; }
