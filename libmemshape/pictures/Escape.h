// Foreign text in XML and HTML.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <string_view>

namespace memshape {

/// Text as the content of an element or as the value of a quoted attribute: none of it is markup. What XML cannot hold
/// (control characters, U+FFFE, U+FFFF, bytes that are no UTF-8) becomes U+FFFD, and so does what turns the direction of
/// reading.
std::string escaped(std::string_view Text);

/// At most Most bytes of Text, in UTF-8; three points stand for what is cut off.
std::string shortened(const std::string &Text, std::size_t Most);

} // namespace memshape
