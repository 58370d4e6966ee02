// Functions in structures, which an operator can do without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One that the unit asks for null is taken to be null, and the answer says so. A setting has it there: what it
// requests is then not counted.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=packed %operator
// RUN: %compare %t --shape n=100,set.window=16 -- 100 16
// RUN: %predict --shape n=100,set.window=16 | FileCheck %s
// RUN: %predict --shape n=100,set.window=16 --set set.log.present=1 | FileCheck --check-prefix=LOG %s
// RUN: %predict --shape n=100,set.window=16 --set set.pack.present=1 --json | %says '"upper_bytes": null' '"exact": false'
// CHECK: peak heap {{.*}} 464 bytes exact
// CHECK: - 'set.pack' is taken to be null: --set set.pack.present=1 predicts a call with it
// CHECK: - 'set.log' is taken to be null
// LOG: peak heap {{.*}} 464 bytes at most: if 'set.log' requests nothing
//
// A run tells whether they are there.
//
// RUN: %memshape run --json %t.json -- %t 100 16
// RUN: FileCheck --check-prefix=TOLD --input-file %t.json %s
// TOLD: "set.pack.present": 0
// TOLD-NEXT: "set.log.present": 0
//
// So is a structure of functions alone, as a library's allocator, where the unit asks if there is one.
//
// RUN: %clang -std=c11 -O2 -DHOOKS -fplugin-arg-memshape-operator=framed %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %predict --shape n=100 | FileCheck --check-prefix=HOOKS %s
// RUN: %predict --shape n=100 --set hooks.present=1 | %says "peak heap {{.*}} without what 'hooks.allocate' requests"
// HOOKS: peak heap {{.*}} 400 bytes exact
// HOOKS: - 'hooks' is taken to be null: --set hooks.present=1 predicts a call with it
// HOOKS-NOT: is taken to be null
// RUN: %memshape run --json %t.json -- %t 100
// RUN: FileCheck --check-prefix=ABSENT --input-file %t.json %s
// ABSENT: "hooks.present": 0

#include "../Inputs/twice.h"

struct settings {
  int window;
  void *(*pack)(const float *, int);
  void (*log)(const char *);
};

float packed(const float *in, int n, const struct settings *set) {
  float *out = set->pack ? set->pack(in, n) : malloc(n * sizeof(float)), *window = malloc(set->window * sizeof(float));
  if (set->log != 0)
    set->log("packed");
  for (int i = 0; i < n; ++i)
    out[i] = window[i % set->window] = in[i];
  const float last = out[n - 1] + window[0];
  free(window);
  free(out);
  return last;
}

static float once(const float *in, int n, int window) {
  const struct settings set = {window, 0, 0};
  return packed(in, n, &set);
}

struct hooks {
  void *(*allocate)(size_t, void *);
  void (*release)(void *, void *);
  void *user;
};

float framed(const float *in, int n, const struct hooks *hooks) {
  if (hooks != NULL && (!hooks->allocate || !hooks->release))
    return 0;
  const size_t bytes = (size_t)n * sizeof(float);
  float *out = hooks ? hooks->allocate(bytes, hooks->user) : malloc(bytes);
  for (int i = 0; i < n; ++i)
    out[i] = in[i];
  const float last = out[n - 1];
  if (hooks)
    hooks->release(out, hooks->user);
  else
    free(out);
  return last;
}

#ifdef HOOKS
TWICE(sink = framed(data, (int)number(1), 0))
#else
TWICE(sink = once(data, (int)number(1), (int)number(2)))
#endif
