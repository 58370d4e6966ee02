/* The last word of a process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include "record/record.h"

/* Writes how this process ends, with its resident peak. Callable at any moment, in signal handlers too. Does nothing in
   a child of vfork, which shares its parent's memory, and where an ending was already written. Returns whether it was
   written. */
int memshape_ending(enum memshape_record_state state);

/* An exec that was announced has failed: the process goes on. */
void memshape_ending_withdrawn(void);
