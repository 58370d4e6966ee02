//===- Assets.h - Files that are part of every page and picture -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assets.cpp is made by the build from the files of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_LIBMEMSHAPE_PICTURES_ASSETS_H
#define MEMSHAPE_LIBMEMSHAPE_PICTURES_ASSETS_H

#include <string_view>

namespace memshape {

extern const std::string_view PageStyle;       ///< of every page: colours, text, tables, charts
extern const std::string_view PictureTemplate; ///< with <!--title-->, <!--style-->, <!--body--> and <!--script-->
extern const std::string_view PictureScript;
extern const std::string_view PictureStyle; ///< of a chart in a file of its own: plain colours, no variables

} // namespace memshape

#endif // MEMSHAPE_LIBMEMSHAPE_PICTURES_ASSETS_H
