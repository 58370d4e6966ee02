// Files that are part of every HTML report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HtmlAssets.cpp is made by the build from the files in html/ and from D3.

#pragma once

#include <string_view>

namespace memshape {

extern const std::string_view HtmlTemplate; ///< with <!--style-->, <!--data-->, <!--charts--> and <!--script-->
extern const std::string_view HtmlStyle;    ///< beside that of every page
extern const std::string_view HtmlScript;
extern const std::string_view HtmlCharts; ///< D3, with its licence

} // namespace memshape
