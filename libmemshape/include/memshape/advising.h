/* What a change of one line would bring.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For Operator::advise() of <memshape/memshape.h>. Sizes are bytes. */

#pragma once

#include "planning.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memshape::v1 {

/// What is changed, from what takes least work to what takes most.
enum class Remedy {
  reserve, ///< a block that grows has its last size from the start
  close,   ///< a block is freed once it is not used any more
  move,    ///< a block is handed on instead of being copied
  without, ///< a line does not allocate: in place, by reference
  thin,    ///< a block has half of its bytes: float in the place of double
  chunk    ///< a block holds a part of an extent at a time
};

/// A line, its change, and the peak with it.
struct Advice {
  std::string file;
  std::uint32_t line = 0;
  std::string function, source; ///< source: the line's text; empty where it is not known
  Remedy remedy = Remedy::reserve;
  std::string text;                         ///< what is to be done, as in "request the last size at once"
  bool supposed = false;                    ///< whether that is possible is not known, and text says what it takes
  std::uint64_t peak_bytes = 0;             ///< with this change alone
  std::uint64_t lower_bytes = 0;            ///< of that peak
  std::optional<std::uint64_t> upper_bytes; ///< of that peak; nothing where no bound exists
  bool exact = false;                       ///< peak_bytes is proven
  std::uint64_t saved_bytes = 0;
  std::string formula; ///< of peak_bytes; empty where no closed form holds at the shape

  template <class Visitor> void members(Visitor &&v) const {
    v("file", file), v("line", line), v("function", function), v("source", source), v("remedy", remedy);
    v("text", text), v("supposed", supposed), v("peak_bytes", peak_bytes), v("lower_bytes", lower_bytes);
    v("upper_bytes", upper_bytes), v("exact", exact), v("saved_bytes", saved_bytes);
    v("formula", formula.empty() ? std::nullopt : std::optional(formula));
  }
};

/// Members have the names of memshape.advice/1.
struct MEMSHAPE_API AdviceList {
  std::string operator_name;
  std::vector<std::pair<std::string, std::int64_t>> shape; ///< in the order of the parameters
  std::uint64_t peak_bytes = 0;                            ///< as the program is
  bool exact = false;                                      ///< that is proven
  std::string formula;                                     ///< of it; empty where no closed form holds at the shape
  std::vector<Advice> advice;                              ///< what saves most first
  std::vector<Note> notes;

  /// memshape.advice/1, as `memshape advise --json` prints it, with a newline at the end.
  std::string json() const;
  /// The page that `memshape advise` prints.
  std::string text() const;
  /// SARIF 2.1.0. Names of files are told from the folder `root`, an absolute path.
  std::string sarif(const std::string &root) const;

  template <class Visitor> void members(Visitor &&v) const {
    v("schema", "memshape.advice/1");
    v("operator", operator_name);
    v("shape", [this](auto &&in) {
      for (const auto &[name, value] : shape)
        in(name, value);
    });
    v("peak_bytes", peak_bytes), v("exact", exact);
    v("formula", formula.empty() ? std::nullopt : std::optional(formula));
    v("advice", advice);
    std::vector<std::string> sentences;
    for (const Note &each : notes)
      sentences.push_back(each.text);
    v("notes", sentences);
  }
};

} // namespace memshape::v1
