// A thread that looks at the limits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Pressure.h"

#include <functional>
#include <thread>

namespace memshape::out_of_core {

class BudgetWatch {
public:
  /// Calls Look every tenth of a second, and at once when there is pressure, until it is destroyed.
  BudgetWatch(const std::string &Root, std::function<void(bool IsPressed, Pressure::Time Now)> Look);
  BudgetWatch(const BudgetWatch &) = delete;
  ~BudgetWatch();

private:
  void watch();

  Pressure Signs;
  std::function<void(bool, Pressure::Time)> Look;
  Descriptor Ends;
  std::thread Thread;
};

} // namespace memshape::out_of_core
