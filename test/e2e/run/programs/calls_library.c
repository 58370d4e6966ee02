/* Instrumented code above a library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "instrumented.h"

#include <stdlib.h>

void *libraryMakes(size_t bytes);

static void *below(size_t bytes) { return libraryMakes(bytes); /* line 10 */ }

int main(void) {
  ENTER("work", 1);
  void *large = below(1000000);
  void *other = libraryMakes(2000000); /* line 15 */
  void *small = libraryMakes(1000);    /* of the library alone */
  LEAVE;
  free(large);
  free(other);
  free(small);
  return 0;
}
