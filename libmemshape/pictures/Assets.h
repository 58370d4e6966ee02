// Files that are part of every page and picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assets.cpp is made by the build from the files of this folder.

#pragma once

#include <string_view>

namespace memshape {

extern const std::string_view PageStyle;       ///< of every page: colours, text, tables, charts
extern const std::string_view PictureTemplate; ///< with <!--title-->, <!--style-->, <!--body--> and <!--script-->
extern const std::string_view PictureScript;
extern const std::string_view PictureStyle; ///< of a chart in a file of its own: plain colours, no variables

} // namespace memshape
