// What the units of a generated program share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Of the operators' unit; the caller hands them over as tensors.
extern int hostile_exposed[1024];
extern float hostile_exposed_floats[1024];
extern int *hostile_kept; // null, or 1024 of them
extern unsigned hostile_counter;

// In front of an address that an operator leaves in `text`.
#define HOSTILE_MARK 0x65766c6f6e65736cul

typedef void *operation(const float *, int *, char *, int, int, float *, int *);
struct operator_of_program {
  operation *call;
  int gives; // a block, or null
  int ends;  // the program, at some shapes
};
extern const struct operator_of_program operators[];
extern const int number_of_operators, rounding_counts, infinities_count, threads_keep;

// Of the other unit: sets everything that can be set from there.
void hostile_set(int value);

#ifdef __cplusplus
}
#endif
