/* Memory from HIP.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "../run/programs/instrumented.h"
#include "hip_names.h"
#include "truth.h"

int main(void) {
  enum { Half = 0x10 };
  void *a, *b, *c, *d, *e, *f, *g, *none;
  size_t pitch;
  struct hipArrayForm form = {100, 50, Half, 2};
  ENTER("work", 1);
  SITE_IN(MEMSHAPE_SPACE_DEVICE);
  TAKES(hipMalloc(&a, 1000), DEVICE, 1000);
  TAKES(hipExtMallocWithFlags(&b, 200, 1), DEVICE, 200); /* calls hipMalloc, counts once */
  TAKES(hipMallocManaged(&c, 7000, 1), MANAGED, 7000);
  TAKES(hipMallocHost(&d, 500), PINNED, 500);
  TAKES(hipMallocAsync(&e, 4096, 0), DEVICE, 4096);
  TAKES(hipMallocPitch(&f, &pitch, 100, 30), DEVICE, pitch * 30);
  TAKES(hipArrayCreate(&g, &form), DEVICE, 100 * 50 * 2 * 2);
  if (hipMalloc(&none, (size_t)1 << 60) == 0)
    return 4;
  GIVES(hipFree(b), DEVICE, 200);
  GIVES(hipFree(c), MANAGED, 7000);
  GIVES(hipHostFree(d), PINNED, 500);
  GIVES(hipFreeAsync(e, 0), DEVICE, 4096);
  GIVES(hipFree(f), DEVICE, pitch * 30);
  GIVES(hipArrayDestroy(g), DEVICE, 100 * 50 * 2 * 2);
  LEAVE;
  printTruth();
  return 0;
}
