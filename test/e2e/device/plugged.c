/* CUDA in nobody's scope but a plug-in's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "../run/programs/instrumented.h"
#include "truth.h"

#include <dlfcn.h>

int main(int count, char **words) {
  void *plugin = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*work)(size_t) = NULL;
  if (plugin)
    *(void **)&work = dlsym(plugin, "pluginWork");
  if (!work)
    return 5;
  ENTER("work", 1);
  MUST(work(1234));
  came(DEVICE, 1234);
  gone(DEVICE, 1234);
  LEAVE;
  printTruth();
  return 0;
}
