// Events above a level, grown by realloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C smallest=400,500 tensors=traces*samples,1

#include "job.h"

ACCURACY_OPERATOR void event_list(const float *In, int traces, int samples, float *Out) {
  long Room = 0, Count = 0;
  double *Events = nullptr;
  for (long At = 0; At < static_cast<long>(traces) * samples; ++At)
    if (In[At] > 60) {
      if (Count == Room) {
        Room = Room ? 2 * Room : 1024;
        Events = static_cast<double *>(std::realloc(Events, static_cast<std::size_t>(Room) * sizeof(double)));
      }
      Events[Count++] = In[At];
    }
  for (long I = 0; I < Count; ++I)
    *Out += static_cast<float>(Events[I]);
  std::free(Events);
}
