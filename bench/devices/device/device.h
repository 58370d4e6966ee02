// What the test device is asked by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum device_space { DEVICE, PINNED, MANAGED, DEVICE_SPACES };

/// Bytes handed in by calls since device_begin: greatest sum at one time, sum in all, what is left.
struct device_count {
  int64_t peak[DEVICE_SPACES], total[DEVICE_SPACES], left[DEVICE_SPACES];
};

void device_begin(void);
struct device_count device_end(void);

/// Memory of the host that stands for the device's, counted in a space; and back again.
void *device_take(size_t bytes, enum device_space space);
void device_give(void *block);

/// A property of the device: the number in the environment variable, or the usual one.
size_t device_property(const char *variable, size_t usual);

#ifdef __cplusplus
}
#endif
