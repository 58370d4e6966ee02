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
  MUST(hipMalloc(&a, 1000));
  came(DEVICE, 1000);
  MUST(hipExtMallocWithFlags(&b, 200, 1)); /* calls hipMalloc, counts once */
  came(DEVICE, 200);
  MUST(hipMallocManaged(&c, 7000, 1));
  came(MANAGED, 7000);
  MUST(hipMallocHost(&d, 500));
  came(PINNED, 500);
  MUST(hipMallocAsync(&e, 4096, 0));
  came(DEVICE, 4096);
  MUST(hipMallocPitch(&f, &pitch, 100, 30));
  came(DEVICE, pitch * 30);
  MUST(hipArrayCreate(&g, &form));
  came(DEVICE, 100 * 50 * 2 * 2);
  if (hipMalloc(&none, (size_t)1 << 60) == 0)
    return 4;
  MUST(hipFree(b));
  gone(DEVICE, 200);
  MUST(hipFree(c));
  gone(MANAGED, 7000);
  MUST(hipHostFree(d));
  gone(PINNED, 500);
  MUST(hipFreeAsync(e, 0));
  gone(DEVICE, 4096);
  MUST(hipFree(f));
  gone(DEVICE, pitch * 30);
  MUST(hipArrayDestroy(g));
  gone(DEVICE, 100 * 50 * 2 * 2);
  LEAVE;
  printTruth();
  return 0;
}
