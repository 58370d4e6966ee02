// A comparison as annotations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line `::error file=a.cpp,line=3,title=...::message` in a log becomes an annotation. For escaping see escapeData()
// and escapeProperty() in GitHub's toolkit, packages/core/src/command.ts.

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Escapes.h"

namespace memshape {

static std::string escaped(const std::string &Text, std::string_view Special) {
  std::string Out;
  for (char C : Text)
    if (Special.find(C) == std::string_view::npos) {
      Out += C;
    } else {
      Out += '%';
      Out += "0123456789ABCDEF"[static_cast<unsigned char>(C) >> 4];
      Out += "0123456789ABCDEF"[static_cast<unsigned char>(C) & 15];
    }
  return Out;
}

static std::string messageOf(const std::string &Text) { return escaped(Text, "%\r\n"); }
static std::string propertyOf(const std::string &Text) { return escaped(Text, "%\r\n:,"); }

std::string checkGithub(const Comparison &Found, const Presentation &Shown) {
  std::string Text;
  for (const CheckNote &Note : Found.Notes)
    Text += "::notice title=memshape::" + messageOf(oneLine(Note.Text)) + "\n";
  for (const Finding &F : Found.Findings) {
    const CodePlace Place = shownPlace(F, Shown);
    std::string At = "file=" + propertyOf(Place.File) + ",line=" + std::to_string(Place.Line);
    if (Place.Column)
      At += ",col=" + std::to_string(Place.Column);
    std::string Message = oneLine(F.Operator) + ": " + oneLine(F.Message);
    for (const FigureChange &Change : F.Figures)
      Message += "\n" + Change.Figure + ": " + figureText(Change) + (Change.At.empty() ? "" : " at " + Change.At);
    for (std::size_t I = 0; I < F.Sites.size() && I < 3; ++I)
      Message += "\n" + placeText(F.Sites[I].Place, Shown) + " " + siteText(F.Sites[I]);
    Text += std::string(F.How == Severity::Error ? "::error " : "::notice ") + At +
            ",title=" + propertyOf("memshape: " + F.Rule) + "::" + messageOf(Message) + "\n";
  }
  return Text + "memshape check: " + summaryLine(Found, Shown) + "\n";
}

} // namespace memshape
