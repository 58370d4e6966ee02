// A skeleton as a file carries it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/InstrumentedFile.h"
#include "libmemshape/skeletons/Note.h"
#include "memshape/SkeletonCodes.h"

#include <atomic>
#include <map>
#include <memory>

namespace memshape {

enum class Role { Shape, Setting, Tensor, Object, Function };

struct Parameter {
  std::string Name;
  Role What = Role::Object;
  unsigned Bits = 0; ///< of an integer or floating-point number; 1 for a bool
  bool Signed = false;
  std::string Default = {}; ///< the number that it has where nobody gives another; "" where it has none
  bool Unread = false;      ///< nothing depends on it
  bool Optional = false;    ///< only what an argument takes depends on it: 1 where it is not given and has no default
};

/// A place in the source; Line 0 where none is known.
struct SourcePlace {
  std::string File;
  std::string Function;
  std::uint32_t Line = 0;
  std::uint32_t Column = 0;
  std::string Text = {}; ///< the line, without comments; "" where it is not known
};

struct SkeletonSite {
  SourcePlace Place;
  std::string Space;
  std::string Allocator;
  std::vector<SourcePlace> Chain; ///< the calls that lead there, innermost first
  SourcePlace From = {};          ///< the operator's call that leads to Place, where Place is in a system header
  std::string Elements = {};      ///< the type under which its blocks are written; "" where that is not one
  bool UsesKnown = false;         ///< the next two lists are complete
  /// Sites, by id: once one has allocated, nobody looks at blocks of this one. And those whose blocks are a copy, the
  /// last use there is.
  std::vector<std::uint32_t> UnusedAfter = {}, MovedTo = {};
  std::vector<std::uint32_t> CopiedTo = {}; ///< sites whose blocks are given what is in one of this

  /// It stands for an argument of class type, named Allocator, which the caller has built: its bytes are no heap. Its
  /// place has the type in the place of a function.
  bool isArgument() const { return Space == "arguments"; }
  /// It stands for an extent, named Allocator, of what the operator returns or leaves in an argument.
  bool isResult() const { return Space == "results"; }
  /// It stands for the bytes, from the first that is used to the last, behind the pointer named Allocator.
  bool isReach() const { return Space == "reach"; }
  /// It stands for what the operator keeps on the stack: nothing tells it where Place is an array that has no bound, or
  /// a function that calls itself (Allocator: "recursion").
  bool isFrames() const { return Space == "frames"; }
  /// By data, at Place, whose text is the condition: nothing tells it.
  bool isDecidedByData() const { return isResult() && Place.Line; }
  /// It is a place that allocates.
  bool allocates() const { return !isArgument() && !isResult() && !isReach() && !isFrames(); }
};

struct SkeletonDecision {
  SourcePlace Place;
  SourcePlace Inside;   ///< in a library's header, which Place leads to; no line where Place is all
  bool IsValue = false; ///< an integer that comes from data, not a branch
  bool InLoop = false;
  bool Bounded = false; ///< a value that makes nothing but sizes whose bounds the skeleton knows
  std::string Condition;
  DecisionEffect Effect = DecisionEffect::Size;
  bool Succeeds = false; ///< a library call before it is taken to succeed
  /// What it asks is whether this tensor is there, by its number; nothing where it asks something else.
  std::optional<std::uint32_t> Tensor = {};
  bool OneIsNull = false; ///< and 1 says that it is not
};

/// A tensor that the operator asks for whether it is there.
struct TensorPresence {
  std::uint32_t Tensor = 0; ///< its number
  std::string Name;
  SourcePlace Place; ///< of the first question
};

/// A result that can leave its type on the way to a size.
struct SizeWrap {
  SourcePlace Place; ///< its text is the expression as written; "" where it is not known
  std::uint32_t Bits = 0;
  bool Signed = false;
  std::vector<std::uint32_t> Sites; ///< whose sizes it reaches
};

/// A variable through which the operator allocates, taken to hold the function of its definition.
struct InitialFunction {
  std::string Variable;
  std::string Function;
  SourcePlace Place; ///< of the first call
};

struct UnknownCall {
  std::string Symbol;
  SourcePlace Place;
  bool Dropped = false; ///< not executed in the skeleton; otherwise called for real
  CallReason Reason = CallReason::NoBody;
  std::string Text = {};        ///< of its summary, where the reason is CallReason::Conditional
  bool RequestsNothing = false; ///< taken to: the program chooses the function, and it gives back no pointer
  bool MayFree = false;         ///< blocks of the operator
};

/// docs/formats.md, section 3.
struct Skeleton {
  std::string Operator;
  std::string Symbol;
  SourcePlace Place;     ///< of its definition
  std::string Directory; ///< that files with relative names lie in; "" where it is not known
  bool Available = false;
  bool Replayed = false; ///< the operator itself: nothing was sliced away
  std::string Reason;    ///< why it is not available
  std::string Compiler;  ///< "clang 22", "rustc 1.95"
  std::string Level;     ///< "-O2"; "" where it is not known
  std::vector<Parameter> Parameters;
  std::vector<SkeletonSite> Sites;         ///< by id
  std::vector<SkeletonDecision> Decisions; ///< by id
  std::vector<UnknownCall> Unknown;
  std::vector<InitialFunction> Initial;
  std::vector<TensorPresence> Presences;
  std::vector<SizeWrap> Wraps;        ///< by id
  std::vector<std::string> Contracts; ///< what its source promises of its peak: "at_most:4*n", "exactly:4*n"
  std::vector<std::string> Machine;   ///< what its sizes depend on beside shape and settings, as in "cpuid"
  bool Rounds = false;                ///< it computes with floating-point numbers
  bool Interferes = false;            ///< it depends on what threads that it starts tell each other
  bool MakesNumbers = false;          ///< of addresses, other than by comparing them
  bool BesideData = false;            ///< a decision comes from a number that lies in memory beside data
  std::vector<std::string> Changing;  ///< variables that a call may change, to be displayed
  std::vector<std::string> Recalled;  ///< what calls at other shapes may have left and is used, to be displayed
  std::vector<std::string> Libraries; ///< sonames that calls made for real are in
  std::vector<std::string> Taken;     ///< names of the source that a size from data might be given by mistake
  std::vector<std::string> Undefined; ///< linker's names of what it uses and its own unit does not define
  std::vector<Note> Notes;
  std::uint64_t Flattened = 0, Kept = 0; ///< instructions
  std::string Bitcode;
  std::string Object; ///< the same as machine code; may be empty
  /// True once an evaluation has waited for something that does not come: nobody is to wait for the next one. Copies
  /// share it.
  std::shared_ptr<std::atomic<bool>> Sleeps = std::make_shared<std::atomic<bool>>(false);

  std::vector<std::string> shapeSymbols() const;
  std::vector<Parameter> parametersOf(Role What) const;
  /// Tensors with a name, by the numbers that the runner knows them by.
  std::map<std::uint32_t, std::string> namedTensors() const;
};

/// Parses the payload of a skeleton record. Messages continue a sentence that starts with the file's name.
Result<Skeleton> parseSkeleton(std::string_view Payload);

/// "clang 22 -O2", as far as it is known.
std::string compiledBy(const Skeleton &S);

/// All skeletons of a file, in order; one per symbol.
Result<std::vector<Skeleton>> skeletonsOf(const InstrumentedFile &File);
Result<std::vector<Skeleton>> skeletonsOf(const std::vector<InstrumentedFile> &Files);

/// Those that Name fits best: by symbol or with parameters, as in "smooth(float*, int)", else as memshape/OperatorName.h
/// tells.
std::vector<const Skeleton *> meant(const std::vector<Skeleton> &Skeletons, const std::string &Name);

/// The operator that the user means; Name may be empty when the file has one. A Failure suggests or lists names.
Result<const Skeleton *> chooseOperator(const std::vector<Skeleton> &Skeletons, const std::string &Name,
                                        const std::string &Path);

} // namespace memshape
