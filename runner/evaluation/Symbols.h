// What the names in a skeleton stand for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are looked up in this order: the runner's own functions, the process with its C and C++ libraries, the
// libraries of the request. The latter are opened one after another, and only while a name is found nowhere else. So a
// prediction that does not need a library works where it is not installed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memshape {

class Symbols {
public:
  /// Unwinding: exceptions and jumps use the C++ and C library's own functions, which a replay needs.
  explicit Symbols(std::vector<std::string> LibraryNames, bool Unwinding = false)
      : LibraryNames(std::move(LibraryNames)), Unwinding(Unwinding) {}

  struct Found {
    void *Address = nullptr;
    bool KeepsState = true; ///< calling it may change something that outlives the call
  };

  /// Address null where no library defines Name; Problem says so, or that a library cannot be opened.
  Found find(const std::string &Name, std::string &Problem);

  bool openedLibraries() const { return !Handles.empty(); }
  bool unwinding() const { return Unwinding; }

private:
  /// Opens the next library; one that cannot be opened defines nothing. False when there are no more.
  bool openNext();

  std::vector<std::string> LibraryNames;
  std::vector<void *> Handles; ///< of the libraries that were opened so far, in their order; null where opening failed
  std::string NotOpened;       ///< why the first of those could not be opened
  bool Unwinding = false;
};

/// Functions of the C and C++ libraries whose result and effect depend on their arguments alone.
bool isStateless(std::string_view Name);

} // namespace memshape
