// One counted call of an operator of a project.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   //@ NAME SHAPE [; SETTINGS [; ASSUMED]] [| SHAPE [; SETTINGS [; ASSUMED]]]...
//   OPERATOR(label) { arguments, as the project's users make them; COUNTED(call); }
//
// SHAPE is what `predict --shape` is given, SETTINGS what `--set` is, ASSUMED what `--assume` is. NUMBER(i) is the value
// of the i-th of the first two.

#pragma once

#include "tensor.h"

static double numbers[64];
static const char *kind;

#define NUMBER(i) (numbers[i])
#define INTEGER(i) ((int)numbers[i])
#define OPERATOR(label) static void label##_called(void)
#define COUNTED(...)                                                                                                   \
  do {                                                                                                                 \
    counting_begin();                                                                                                  \
    __VA_ARGS__;                                                                                                       \
    show(counting_end());                                                                                              \
  } while (0)

/// Elements of a type: 'f', 'd', 'i' or 'b', as tensor() takes it.
static void *filled(double elements, char type) { return tensor(elements, type, kind); }

/// For projects that forbid calloc by its name.
static void *zeroed(size_t count, size_t bytes) { return calloc(count, bytes); }
