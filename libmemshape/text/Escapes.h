// Foreign text that is shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names come from files and programs of strangers. Whoever looks at them, in a terminal, an editor or a review, is to
// see what is there: no character may move the cursor, end a line or turn the direction of reading.

#pragma once

#include <string>
#include <string_view>

namespace memshape {

/// The bytes of the character of UTF-8 at the beginning of Text; 0 where what stands there is none.
std::size_t characterAt(std::string_view Text);

/// The bytes of the character at the beginning of Text that controls the terminal, the line or the direction of reading;
/// 0 where there is another one.
std::size_t controlAt(std::string_view Text);

/// Foreign text on one line: characters that control the terminal, the line or the direction become blanks, invalid
/// UTF-8 becomes question marks.
std::string oneLine(std::string_view Text);

/// A text of JSON, with such characters as \u009b: what it says stays the same.
std::string escapedJson(std::string_view Text);

/// A document as text, on one line or indented. Invalid UTF-8, which JSON does not allow, is replaced.
template <class Document> std::string jsonText(const Document &Value, int Indent = -1) {
  return escapedJson(Value.dump(Indent, ' ', false, Document::error_handler_t::replace));
}

} // namespace memshape
