// What a structure's hidden part leads to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users see a pointer to a structure without members. What lies there may point back to where they found it, as a part
// that belongs to one stream alone; whether it does is a decision.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.2.o
// RUN: %memshape predict %t.2.o --shape s.avail=3,n=10 | FileCheck %s
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %memshape predict %t.0.o --shape s.avail=3,n=10 | FileCheck %s
// CHECK: peak heap {{.*}} 10 bytes at most: data decides
// CHECK: at least {{.*}} 0 bytes
// CHECK: part->of != s

#include <memshape/operator.h>
#include <stdlib.h>

struct hidden;
struct stream {
  int avail;
  struct hidden *state;
};
struct part {
  struct stream *of;
  char *window;
};

MEMSHAPE_OPERATOR int update(struct stream *s, int n) {
  struct part *part = (struct part *)s->state;
  if (part->of != s)
    return -2;
  part->window = malloc(n);
  return 0;
}
