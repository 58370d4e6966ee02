# ===- hostile_sources_units.py - Sizes that other units decide ------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""More entries of hostile_sources.py: what another unit defines, replaces, sets, or does before main."""

SOURCES = r'''
# function_set_by_others
+ static unsigned long f$I(int v) { return (unsigned)v & 31; }
+ unsigned long (*hostile_step$I)(int) = f$I;
! extern unsigned long (*hostile_step$I)(int);
! static unsigned long other_step$I(int v) { return (unsigned)v % 50 + 20; }
> hostile_step$I = value & 1 ? other_step$I : hostile_step$I;
x = hostile_step$I(n);
# volatile_set_by_others
+ volatile int hostile_volatile$I = 4;
! extern volatile int hostile_volatile$I;
> hostile_volatile$I = value;
x = (unsigned)hostile_volatile$I;
# set_by_others
+ int hostile_level$I = 4;
! extern int hostile_level$I;
> hostile_level$I = value & 63;
x = (unsigned)hostile_level$I;
# set_by_others_through_pointer
+ static int level$I = 4;
+ EXPORTED int *hostile_level_of$I(void) { return &level$I; }
! EXPORTED int *hostile_level_of$I(void);
> *hostile_level_of$I() = value & 63;
x = (unsigned)level$I;
# set_by_own_setter
+ static int level$I = 4;
+ EXPORTED void hostile_set_level$I(int v) { level$I = v & 63; }
! EXPORTED void hostile_set_level$I(int v);
> hostile_set_level$I(value);
x = (unsigned)level$I;
# set_in_record
+ struct settings$I { float f; int block, *more; }; static int more$I = 2; struct settings$I hostile_settings$I = {1.f, 4, &more$I};
! struct settings$I { float f; int block, *more; }; extern struct settings$I hostile_settings$I;
> hostile_settings$I.block = value & 63; *hostile_settings$I.more = value & 15;
x = (unsigned)(hostile_settings$I.block + *hostile_settings$I.more);
# handed_out
+ static int *handed$I;
+ EXPORTED int **hostile_handed$I(void) { return &handed$I; }
! EXPORTED int **hostile_handed$I(void);
! static int others$I;
> others$I = value & 63; *hostile_handed$I() = &others$I;
x = handed$I ? (unsigned)*handed$I : 5;
# constant_of_others
+ extern const int hostile_constant$I;
! extern const int hostile_constant$I = 21;
x = (unsigned)hostile_constant$I;
# weak_function
+ EXPORTED __attribute__((weak)) int hostile_padding$I(int v) { return 8 + (v & 1); }
! EXPORTED int hostile_padding$I(int v) { return v & 63; }
x = (unsigned)hostile_padding$I(n);
# weak_variable
+ __attribute__((weak)) int hostile_weak$I = 8;
! int hostile_weak$I = 37;
x = (unsigned)hostile_weak$I;
# weak_constant
+ extern const int hostile_weak_constant$I; __attribute__((weak)) const int hostile_weak_constant$I = 8;
! extern const int hostile_weak_constant$I; const int hostile_weak_constant$I = 37;
x = (unsigned)hostile_weak_constant$I;
# weak_undefined
+ EXPORTED int hostile_maybe$I(int) __attribute__((weak));
x = hostile_maybe$I ? (unsigned)hostile_maybe$I(n) & 31 : 6;
# weak_defined_elsewhere
+ EXPORTED int hostile_surely$I(int) __attribute__((weak));
! EXPORTED int hostile_surely$I(int v) { return v & 15; }
x = hostile_surely$I ? (unsigned)hostile_surely$I(n) : 60;
# function_of_others
+ EXPORTED int hostile_elsewhere$I(int v);
! EXPORTED int hostile_elsewhere$I(int v) { return v % 23; }
x = (unsigned)hostile_elsewhere$I(n);
# counter_of_others
+ EXPORTED int hostile_counted$I(void);
! EXPORTED int hostile_counted$I(void) { static int calls; return ++calls & 31; }
x = (unsigned)hostile_counted$I();
# constructor_sets
+ static int begun$I = 1;
+ __attribute__((constructor)) static void begin$I(void) { const char *v = getenv("HOSTILE_VALUE"); begun$I = v ? (int)strlen(v) + 9 : 3; }
x = (unsigned)begun$I;
# constructor_counts shape
+ static int begun$I = 1;
+ __attribute__((constructor)) static void begin$I(void) { begun$I = 12; }
x = (unsigned)begun$I + (unsigned)n;
# escaped_to_others
+ static int level$I = 4;
+ EXPORTED void hostile_take$I(int *p);
! static int *taken$I;
! EXPORTED void hostile_take$I(int *p) { taken$I = p; }
> if (taken$I) *taken$I = value & 63;
hostile_take$I(&level$I); x = (unsigned)level$I;
# escaped_into_block
+ static int **kept$I;
+ EXPORTED int ***hostile_kept_of$I(void) { return &kept$I; }
! EXPORTED int ***hostile_kept_of$I(void);
> if (*hostile_kept_of$I()) **(*hostile_kept_of$I()) = value & 63;
if (!kept$I) { kept$I = (int **)malloc(sizeof *kept$I); *kept$I = (int *)malloc(4); **kept$I = n & 63; } x = (unsigned)**kept$I;
# filled_by_others
+ EXPORTED void hostile_fill$I(int *p);
! static int level$I = 6;
! EXPORTED void hostile_fill$I(int *p) { *p = level$I; }
> level$I = value & 63;
int v = 3; hostile_fill$I(&v); x = (unsigned)v;
# returned_by_others
+ EXPORTED const int *hostile_table$I(void);
! static int table$I[4] = {5, 6, 7, 8};
! EXPORTED const int *hostile_table$I(void) { return table$I; }
> table$I[1] = value & 63;
x = (unsigned)hostile_table$I()[1];
# called_back
+ static int seen$I;
+ static void note$I(int v) { seen$I = v; }
+ EXPORTED void hostile_visit$I(void (*f)(int), int n);
! static int level$I = 6;
! EXPORTED void hostile_visit$I(void (*f)(int), int n) { f(n + level$I); }
> level$I = value & 31;
hostile_visit$I(note$I, n); x = (unsigned)seen$I;
# errno_read_in_others
+ EXPORTED int hostile_errno$I(void);
! EXPORTED int hostile_errno$I(void) { return errno; }
errno = 0; out[1] += (float)strtol("99999999999999999999", 0, 10); x = (unsigned)hostile_errno$I() & 63;
# weak_alias
+ EXPORTED __attribute__((used)) int hostile_usual$I(int v) { return 8 + (v & 1); }
+ EXPORTED int hostile_aliased$I(int v) __attribute__((weak, alias("hostile_usual$I")));
! EXPORTED int hostile_aliased$I(int v) { return (v & 31) + 30; }
x = (unsigned)hostile_aliased$I(n);
# constant_function
+ EXPORTED __attribute__((const)) int hostile_block$I(int v);
! EXPORTED int hostile_block$I(int v) { return (v & 31) + 9; }
x = (unsigned)hostile_block$I(n);
# pure_function
+ EXPORTED __attribute__((pure)) int hostile_level_of$I(int v);
! static int level$I = 4;
! EXPORTED int hostile_level_of$I(int v) { return level$I + (v & 7); }
> level$I = value & 31;
x = (unsigned)hostile_level_of$I(n);
# section_of_others
+ __attribute__((section("hostile_set$I"), used)) static int first$I = 3;
+ extern int __start_hostile_set$I[], __stop_hostile_set$I[];
! __attribute__((section("hostile_set$I"), used)) static int others$I[5] = {4, 5, 6, 7, 8};
x = (unsigned long)(__stop_hostile_set$I - __start_hostile_set$I) * 5 + (unsigned)first$I;
# thread_variable_set_by_others
+ __thread int hostile_thread$I = 4;
! extern __thread int hostile_thread$I;
> hostile_thread$I = value & 31;
x = (unsigned)hostile_thread$I;
# public_pointer_to_own
+ static int level$I = 4; int *hostile_public$I = &level$I;
! extern int *hostile_public$I;
> *hostile_public$I = value & 31;
x = (unsigned)level$I;
# public_array_of_pointers
+ static int level$I = 4; int *const hostile_publics$I[2] = {&level$I, 0}; EXPORTED int *hostile_first$I(void) { return hostile_publics$I[0]; }
! EXPORTED int *hostile_first$I(void);
> *hostile_first$I() = value & 31;
x = (unsigned)level$I;
'''
