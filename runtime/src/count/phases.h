/* Parts of a program's life with a name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A phase is a window on the whole process, over all threads and operator calls, from its begin to its end. In the
   record it is an operator of kind phase, without a shape, and each time it was entered is a call. */

#pragma once

/* Those of <memshape/annotate.h>. */
void memshape_annotate_phase_begin(const char *name);
void memshape_annotate_phase_end(const char *name);

/* At the program's exit: phases that are still open end. In a section. */
void memshape_phases_end(void);

/* In a forked child, after memshape_calls_forked: open phases go on. */
void memshape_phases_forked(void);
