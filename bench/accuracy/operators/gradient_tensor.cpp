// Six products of three gradients.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=40,36,50 tensors=ni*nx*ns,ni*nx*ns

#include "job.h"

#include <array>
#include <vector>

ACCURACY_OPERATOR void gradient_tensor(const float *In, int ni, int nx, int ns, float *Out) {
  long Volume = static_cast<long>(ni) * nx * ns, Steps[] = {static_cast<long>(nx) * ns, ns, 1};
  std::array<std::vector<float>, 3> Gradient;
  for (int Axis = 0; Axis < 3; ++Axis) {
    Gradient[Axis].resize(Volume);
    for (long At = Steps[0]; At < Volume - Steps[0]; ++At)
      Gradient[Axis][At] = (In[At + Steps[Axis]] - In[At - Steps[Axis]]) / 2;
  }
  for (int A = 0; A < 3; ++A)
    for (int B = A; B < 3; ++B) {
      std::vector<float> Product(Volume);
      for (long At = 0; At < Volume; ++At)
        Product[At] = Gradient[A][At] * Gradient[B][At];
      for (long At = 1; At < Volume - 1; ++At)
        Out[At] += (Product[At - 1] + Product[At] + Product[At + 1]) / 3;
    }
}
