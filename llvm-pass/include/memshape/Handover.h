// What the clang plugin leaves for the pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AST action and the pass run in one process, the action first. Its facts are kept here until the pass, at the
// start of the optimisation pipeline, turns them into metadata of the module. After that the pass reads the metadata
// only. Shared by clang-plugin and llvm-pass; plain data.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

enum class ParameterRole { Shape, Setting, Tensor, Object, Function };

/// The word for it in documents.
constexpr const char *wordOf(ParameterRole Role) {
  constexpr const char *Words[] = {"shape", "setting", "tensor", "object", "function"};
  return Words[static_cast<int>(Role)];
}

/// One parameter of an operator, in source order.
struct ParameterFact {
  std::string Name; ///< as in the source; "" for an unnamed one
  ParameterRole Role = ParameterRole::Object;
  unsigned Bits = 0;        ///< width of an integer or floating-point parameter; 1 for bool
  bool Signed = false;      ///< for integers
  std::string Default = {}; ///< the number that it has where nobody gives another; "" where it has none
};

/// An argument that a builder makes.
struct BuiltArgument {
  std::string Name, Type; ///< its type as in the source, without the reference or the pointer to it
};

/// One operator defined in the translation unit.
struct OperatorFact {
  std::string Name;   ///< display name: qualified, without parameters: "gst3d", "imaging::smooth"
  std::string Symbol; ///< the linker's name
  std::string File;
  unsigned Line = 0;
  bool HasThis = false; ///< a non-static member function: one pointer stands before the parameters
  std::vector<ParameterFact> Parameters;
  /// Where parameters are of class type: the function of TranslationUnitFacts::BuilderBitcode that builds them, its own
  /// parameters, and what it builds. "" where there is none; Unbuilt then says why.
  std::string Builder;
  /// The function of BuilderBitcode that reads the values of these parameters: it takes what the operator does, and then
  /// a pointer to the symbols, one to the settings, and a mask of the arguments that may be read. "" where none can.
  std::string Reader;
  std::vector<ParameterFact> BuilderParameters;
  std::vector<BuiltArgument> Built;
  /// Symbols of what the operator returns or leaves in its arguments, which the builder tells by their numbers.
  std::vector<std::string> Results;
  std::string Unbuilt;
  /// What the source promises of its peak: "at_most:4*n", "exactly:4*n" (memshape/operator.h).
  std::vector<std::string> Contracts;
};

/// Source location of one instruction of the unoptimised module; Line 0 means none.
struct InstructionLocation {
  unsigned Opcode = 0; ///< llvm::Instruction opcode, to check that both modules correspond
  unsigned File = 0;   ///< index into TranslationUnitFacts::Files
  unsigned Line = 0;
  unsigned Column = 0;
};

/// Locations of all instructions of one function, in layout order, debug intrinsics left out.
struct FunctionLocations {
  std::string Symbol;
  std::string Name; ///< display name: qualified, without parameters
  unsigned File = 0;
  unsigned Line = 0;
  std::vector<InstructionLocation> Instructions;
};

/// All facts of the translation unit being compiled.
struct TranslationUnitFacts {
  bool Enabled = false;     ///< the plugin ran; false in a process that only loads the pass (opt)
  bool LevelKnown = true;   ///< the pipeline is that of the compilation; false for bitcode that a front end has left
  bool Bodies = true;       ///< keep the optimised module for predictions; bodies=no
  uint64_t SyntaxBytes = 0; ///< of the unit's syntax tree: how much was parsed and instantiated
  std::string FeaturesJson; ///< one memshape.features/1 document, "" where the unit has no operators
  std::vector<OperatorFact> Operators;
  /// Linker's names of const objects that constructors initialise; only where the unit has operators.
  std::vector<std::string> Constants;
  /// Filled only when the unit has operators and is compiled without -g, so that sites and decisions have lines.
  std::vector<std::string> Files;
  std::vector<FunctionLocations> Locations;
  std::string BuilderBitcode;     ///< functions that build arguments of class type; "" where there are none
  std::vector<std::string> Notes; ///< what could not be had of the unit, to be displayed
};

/// The facts of the compilation that this process is doing.
TranslationUnitFacts &handover();

} // namespace memshape
