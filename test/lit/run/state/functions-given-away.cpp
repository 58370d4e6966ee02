// Functions of the operator's unit that its caller can call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operator stores the address of a function, or an object with virtual functions, where the caller sees it. The
// caller may call the function between two calls of the operator, so what it sets is no fact.
//
// RUN: %held -std=c++17 -O2
// HELD -DGIVE=tensor n=100 --bounds 124..420
// HELD -O0 -DGIVE=tensor n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=variable n=100 --bounds 124..420
// HELD -DGIVE=object n=100 --bounds 124..420
// HELD -DGIVE=made n=100 --bounds 132..428
// HELD -DGIVE=table n=100 --bounds 124..420
// HELD -DGIVE=calling n=100 --bounds 124..420
//
// The operator may call a function that others call as well: what it sets is what they have set.
//
// HELD -DGIVE=visible n=100 --bounds 0..none --because unbounded_size
// HELD -O0 -DGIVE=visible n=100 --bounds 0..none --because unbounded_size
//
// A handler runs at other shapes than this one, and so does what a jump leads back to.
//
// HELD -DGIVE=handled n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=handled_by_call n=100 --bounds 0..none --because unbounded_size
// HELD -DGIVE=jumped n=100 --bounds 0..none --because unbounded_size
//
// What the operator alone calls sets what it always sets.
//
// HELD -DGIVE=own n=100
// HELD -O0 -DGIVE=own n=100

#include "../Inputs/twice.h"
#include <csetjmp>
#include <functional>

enum { tensor, variable, object, made, table, calling, visible, handled, handled_by_call, jumped, own };

namespace {

int level = 3;

void raise_level() { level = 40; }
void raise_by_another() { raise_level(); }

struct Hook {
  virtual ~Hook() = default;
  virtual void call() { level = 40; }
};
Hook hook;

void (*const hooks[])() = {raise_level, raise_by_another};

struct Local {
  virtual ~Local() = default;
  virtual void call(int to) { level = to; }
};

} // namespace

void (*called_later)();
__attribute__((noinline)) void raise_for_all() { level = 40; }
static void *volatile used;
static jmp_buf start;
__attribute__((noinline)) static void handle() { level = 40; }
extern "C" MEMSHAPE_OPERATOR void sized(int n, void **where) {
  if (GIVE == tensor)
    *(void (**)())where = raise_level;
  if (GIVE == variable)
    called_later = raise_level;
  if (GIVE == object)
    *(Hook **)where = &hook;
  if (GIVE == made)
    *(Hook **)where = new Hook;
  if (GIVE == table)
    *(void (**)())where = hooks[n & 1];
  if (GIVE == calling)
    *(void (**)())where = raise_by_another;
  if (GIVE == own) {
    Local local;
    Local *volatile any = &local;
    any->call(3);
    std::function<void(int)> again = [](int to) { level = to; };
    again(3);
  }
  char *block = (char *)malloc(level * 8 + n);
  used = block;
  free(block);
  if (GIVE == handled) {
    try {
      if (n > 500)
        throw 3;
    } catch (int) {
      level = 40;
    }
    used = &level;
  }
  if (GIVE == handled_by_call) {
    try {
      if (n > 500)
        throw 3;
    } catch (int) {
      handle();
    }
    used = &level;
  }
  if (GIVE == jumped) {
    if (setjmp(start))
      handle();
    else if (n > 500)
      longjmp(start, 1);
    used = &level;
  }
  if (GIVE == visible) {
    raise_for_all();
    used = &level;
    level = 3;
  }
}

static void *given;

static void call_given() {
  if (GIVE == object || GIVE == made)
    ((Hook *)given)->call();
  else if (GIVE == visible)
    raise_for_all();
  else if (GIVE == variable)
    called_later();
  else if (GIVE < handled)
    ((void (*)())given)();
}

TWICE((sized((int)number(1), &given), call_given()))
