// Pages for browsers that need nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/pictures/Chart.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memshape {

/// A template with texts in place of its marks, which come in this order. What is put in is not searched for marks.
std::string filled(std::string_view Template, std::span<const std::pair<std::string_view, std::string_view>> Parts);

/// A whole page, HTML that is XML, too. Title is plain text, Body are elements.
std::string picturePage(const std::string &Title, const std::string &Body);

/// Elements of a body; all words are plain text.
std::string paragraph(const std::string &Words);
/// What, and what is said of it.
std::string facts(const std::vector<std::pair<std::string, std::string>> &Rows);
/// With its title, its note, and the line that says what the pointer is on.
std::string figure(const Chart &Of, const std::string &Id);
/// What is said of a table that has no more than Most of All: "The first 200 of 1,000 nodes (--json has all)".
std::string tableTitle(std::size_t Most, std::size_t All, const std::string &What, const std::string &Whole);
/// Folded. The columns of Right are numbers.
std::string foldedTable(const std::string &Summary, const std::vector<std::string> &Titles,
                        const std::vector<std::vector<std::string>> &Rows, const std::vector<bool> &Right);
std::string notes(const std::vector<std::string> &Sentences);

/// Files that are part of every page and picture: Assets.cpp is made by the build from the files of this folder.
extern const std::string_view PageStyle;       ///< of every page: colours, text, tables, charts
extern const std::string_view PictureTemplate; ///< with <!--title-->, <!--style-->, <!--body--> and <!--script-->
extern const std::string_view PictureScript;
extern const std::string_view PictureStyle; ///< of a chart in a file of its own: plain colours, no variables

} // namespace memshape
