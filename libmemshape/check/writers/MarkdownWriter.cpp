// A comparison as a comment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Escapes.h"

namespace memshape {

/// Text in which no character has a meaning in Markdown, inside a table as well.
static std::string plain(const std::string &Text) {
  std::string Out;
  for (char C : oneLine(Text)) {
    if (C == '<')
      Out += "&lt;";
    else if (C == '>')
      Out += "&gt;";
    else if (C == '&')
      Out += "&amp;";
    else {
      if (std::string_view("\\`*_{}[]|#~").find(C) != std::string_view::npos)
        Out += '\\';
      Out += C;
    }
  }
  return Out;
}

/// A code span. Bars end table cells even inside one.
static std::string code(const std::string &Text) {
  std::string Inside, Fence = "`";
  for (char C : oneLine(Text))
    Inside += C == '|' ? std::string("\\|") : std::string(1, C);
  while (Inside.find(Fence) != std::string::npos)
    Fence += '`';
  const bool Pad = Inside.starts_with('`') || Inside.ends_with('`');
  return Fence + (Pad ? " " : "") + Inside + (Pad ? " " : "") + Fence;
}

static std::string section(const Finding &F, const Presentation &Shown) {
  static constexpr const char *Words[] = {"**Regression**", "Improvement", "Note"};
  const std::string Place = F.Place ? placeText(*F.Place, Shown) : "";
  std::string Text = "- " + std::string(Words[static_cast<unsigned>(F.How)]) + " in " + code(F.Operator) +
                     (Place.empty() ? "" : ", " + code(Place)) + ": " + plain(F.Message) + "\n";
  if (!F.Figures.empty()) {
    Text += "\n  | figure | formula before | formula now | at | bytes |\n  |---|---|---|---|---|\n";
    for (const FigureChange &Change : F.Figures)
      Text += "  | " + plain(Change.Figure) + " | " + (Change.Before ? code(*Change.Before) : "") + " | " +
              (Change.After ? code(*Change.After) : "") + " | " + (Change.At.empty() ? "" : code(Change.At)) + " | " +
              plain(figureText(Change)) + " |\n";
    Text += "\n";
  }
  constexpr std::size_t ShownSites = 5;
  for (std::size_t I = 0; I < F.Sites.size() && I < ShownSites; ++I) {
    const SiteChange &Change = F.Sites[I];
    const std::string At = placeText(Change.Place, Shown);
    Text += "  - " + code(At.empty() ? Change.Place.Function : At) + " " + plain(siteText(Change)) +
            (Change.Place.Code.empty() ? "" : ": " + code(Change.Place.Code)) + "\n";
  }
  if (F.Sites.size() > ShownSites)
    Text += "  - and " + std::to_string(F.Sites.size() - ShownSites) + " more sites\n";
  return Text;
}

std::string checkMarkdown(const Comparison &Found, const Presentation &Shown) {
  std::string Text = "### Memory of operators\n\n" + plain(summaryLine(Found, Shown)) + "\n";
  if (!Found.Notes.empty())
    Text += "\n";
  for (const CheckNote &Note : Found.Notes)
    Text += "> " + plain(Note.Text) + "\n";
  if (!Found.Findings.empty())
    Text += "\n";
  for (const Finding &F : Found.Findings)
    Text += section(F, Shown);
  return Text;
}

} // namespace memshape
