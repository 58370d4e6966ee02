// The program's modules, as its files carry them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units does an operator need beside its own? Answered from names alone, as a linker does with the
// members of an archive; nobody here looks into bitcode.

#pragma once

#include "libmemshape/files/InstrumentedFile.h"

#include <span>

namespace memshape {

/// memshape.module/1 of docs/formats.md: what one unit offers and needs. Names are the linker's.
struct ModuleHead {
  const Record *Stored = nullptr; ///< outlives the head
  std::string File;               ///< that carries it
  std::string Source;
  unsigned Llvm = 0; ///< release that wrote the bitcode
  std::vector<std::string> Operators, Defines, Repeated, Needs;
  std::string Reason;          ///< why it offers nothing; "" where it does, and where it has nothing
  std::uint64_t BitcodeAt = 0; ///< offset in the payload
};

/// The modules of all files, in order. Units that cannot be used are left out, each with a note.
std::vector<ModuleHead> modulesOf(std::span<const InstrumentedFile> Files, std::vector<std::string> &Notes);

/// Those notes alone, each behind "; ".
std::string whyUnusable(std::span<const InstrumentedFile> Files);

struct UnitChoice {
  /// Positions of the operator's own unit and of those that define what it lacks, directly and indirectly. Empty where
  /// the operator's own unit is not among the heads.
  std::vector<std::size_t> Units;
  /// A name that two units define, each in its own way; the first was taken. "" where there is none.
  std::string Ambiguous;
};

/// WholeUnit: for all that the operator's unit uses, where nobody knows what the operator does.
UnitChoice unitsOf(const std::vector<ModuleHead> &Heads, const std::string &Symbol,
                   const std::vector<std::string> &Undefined, bool WholeUnit = false);

/// A function that a program has in place of one of the C or C++ library.
struct OwnFunction {
  std::string File, Name; ///< Name as the source has it
};

/// One of Names that is one of these libraries', and that a linked file of Files defines, but no unit of Heads.
std::optional<OwnFunction> ownFunction(const std::vector<InstrumentedFile> &Files, const std::vector<ModuleHead> &Heads,
                                       const std::vector<std::string> &Names);

/// One that any program may replace, and that libraries use, too.
std::optional<OwnFunction> replacedFunction(const std::vector<InstrumentedFile> &Files);

/// The bitcode of a module.
Result<std::string> bitcodeOf(const ModuleHead &Head);

} // namespace memshape
