// The skeletons of a project, in one archive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/project/UnitBuild.h"
#include "libmemshape/skeletons/Installation.h"

#include <functional>

namespace memshape {

struct ProjectQuestion {
  std::string Commands;               ///< a compile_commands.json
  std::string Archive;                ///< to be written; its objects lie beside it, in a folder ARCHIVE.objects
  std::size_t Jobs = 0;               ///< units at a time; 0: one for each processor
  std::vector<std::string> Operators; ///< as -fplugin-arg-memshape-operator= takes them; none: all
  std::string Clang;                  ///< "22"; empty: the newest that has a module here
};

struct ProjectBuild {
  std::string Archive, Clang;
  std::vector<BuiltUnit> Units;
  std::size_t Operators = 0, Skeletons = 0; ///< of the archive
  std::size_t count(UnitState State) const;
};

/// Told before each unit: what is compiled, how many are done, and of how many.
using BuildProgress = std::function<void(const std::string &Source, std::size_t Done, std::size_t All)>;

/// Fails where there is nothing to put into the archive.
Result<ProjectBuild> buildProject(const ProjectQuestion &Asked, const Installation &Installed,
                                  const BuildProgress &Tell);

std::string buildPage(const ProjectBuild &Of);
std::string buildJson(const ProjectBuild &Of);

} // namespace memshape
