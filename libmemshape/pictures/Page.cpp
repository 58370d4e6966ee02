// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Page.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

std::string filled(std::string_view Template, std::span<const std::pair<std::string_view, std::string_view>> Parts) {
  std::string Page;
  for (const auto &[Mark, Text] : Parts) {
    const std::size_t Place = Template.find(Mark);
    Page += Template.substr(0, Place);
    Page += Text;
    Template = Place == std::string_view::npos ? "" : Template.substr(Place + Mark.size());
  }
  Page += Template;
  return Page;
}

std::string picturePage(const std::string &Title, const std::string &Body) {
  const std::string Safe = escaped(Title);
  const std::pair<std::string_view, std::string_view> Parts[] = {{"<!--title-->", Safe},
                                                                 {"<!--style-->", PageStyle},
                                                                 {"<!--title-->", Safe},
                                                                 {"<!--body-->", Body},
                                                                 {"<!--script-->", PictureScript}};
  return filled(PictureTemplate, Parts);
}

std::string paragraph(const std::string &Words) { return "<p>" + escaped(Words) + "</p>\n"; }

std::string facts(const std::vector<std::pair<std::string, std::string>> &Rows) {
  std::string Text = "<dl class=\"facts\">\n";
  for (const auto &[What, Said] : Rows)
    Text += "<div><dt>" + escaped(What) + "</dt><dd>" + escaped(Said) + "</dd></div>\n";
  return Text + "</dl>\n";
}

std::string figure(const Chart &Of, const std::string &Id) {
  return "<figure class=\"part\">\n<figcaption>" + escaped(Of.Title) + "</figcaption>\n" + chartElement(Of, Id) +
         "<p class=\"said quiet\" role=\"status\"></p>\n" + "<p class=\"quiet small\">" +
         escaped(Of.Description + (Of.Note.empty() ? "" : " " + Of.Note)) + "</p>\n</figure>\n";
}

std::string tableTitle(std::size_t Most, std::size_t All, const std::string &What, const std::string &Whole) {
  return All <= Most ? Whole
                     : "The first " + std::to_string(Most) + " of " + grouped(All) + " " + What + " (--json has all)";
}

std::string foldedTable(const std::string &Summary, const std::vector<std::string> &Titles,
                        const std::vector<std::vector<std::string>> &Rows, const std::vector<bool> &Right) {
  const auto Number = [&](std::size_t I) { return Right[I] ? std::string(" class=\"number\"") : std::string(); };
  std::string Text = "<details class=\"part\"><summary>" + escaped(Summary) +
                     "</summary>\n<div class=\"scroll\" role=\"group\" aria-label=\"" + escaped(Summary) +
                     "\" tabindex=\"0\"><table>\n<thead><tr>";
  for (std::size_t I = 0; I < Titles.size(); ++I)
    Text += "<th scope=\"col\"" + Number(I) + ">" + escaped(Titles[I]) + "</th>";
  Text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string> &Row : Rows) {
    Text += "<tr>";
    for (std::size_t I = 0; I < Row.size(); ++I)
      Text += "<td" + Number(I) + ">" + escaped(Row[I]) + "</td>";
    Text += "</tr>\n";
  }
  return Text + "</tbody></table></div></details>\n";
}

std::string notes(const std::vector<std::string> &Sentences) {
  if (Sentences.empty())
    return "";
  std::string Text = "<ul class=\"notes\">\n";
  for (const std::string &Each : Sentences)
    Text += "<li>" + escaped(Each) + "</li>\n";
  return Text + "</ul>\n";
}

} // namespace memshape
