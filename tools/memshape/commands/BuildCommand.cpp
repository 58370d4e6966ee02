// memshape build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/project/ProjectBuild.h"
#include "libmemshape/text/Progress.h"
#include "tools/memshape/Commands.h"

#include <memory>

namespace memshape {

namespace {

struct BuildOptions {
  ProjectQuestion Asked;
  std::string Format = "text";
};

/// The answer is no where clang, or the plugin, refused a unit: all others are in the archive.
Result<TextOrRefusal> buildText(const BuildOptions &Given, const Installation &Installed) {
  Progress Shown("build");
  const Result<ProjectBuild> Built =
      buildProject(Given.Asked, Installed,
                   [&](const std::string &Source, std::size_t Done, std::size_t All) { Shown.at(Source, Done, All); });
  if (!Built)
    return Built.failure();
  const std::size_t Refused = Built->count(UnitState::Refused);
  return TextOrRefusal{Given.Format == "json" ? buildJson(*Built) : buildPage(*Built),
                       Refused ? std::to_string(Refused) + " of " + std::to_string(Built->Units.size()) +
                                     " units have no skeletons: clang refuses them"
                               : ""};
}

} // namespace

Run describeBuild(Options &On) {
  const auto Options = std::make_shared<BuildOptions>();
  Options->Asked.Archive = "skeletons.a";
  On.file("COMMANDS", Options->Asked.Commands, "compile_commands.json of a build with gcc or clang", true);
  On.add("-o,--output", Options->Asked.Archive, "archive to write; its objects are kept in a folder beside it",
         {.Value = "FILE", .ShowDefault = true});
  On.add("-j,--jobs", Options->Asked.Jobs, "units to compile at a time; one for each processor by default");
  On.add("--operator", Options->Asked.Operators,
         "operator, as -fplugin-arg-memshape-operator= names it; all by default");
  On.add("--clang", Options->Asked.Clang,
         "compile with this clang, as in 22; the newest that memshape has a module for");
  On.format(Options->Format, "text, or json", "text|json", "memshape.build/1");
  On.footer("Example: memshape build build/compile_commands.json -o skeletons.a");
  return [Options](const Context &In) { return deliver(buildText(*Options, In.Installed)); };
}

} // namespace memshape
