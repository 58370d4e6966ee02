// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/Course.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

using graph::Node;

/// A name between quotes, different for different ids, that is shown as the id. In a label a backslash and an ampersand
/// begin something else, and control characters cannot be drawn; U+FFFE and U+FFFF can be in no SVG.
static std::string quoted(const std::string &Id) {
  std::string Text = "\"";
  for (std::size_t At = 0; At < Id.size(); ++At) {
    const char C = Id[At];
    const bool IsFffe = Id.compare(At, 3, "\xEF\xBF\xBE") == 0;
    if (IsFffe || Id.compare(At, 3, "\xEF\xBF\xBF") == 0) {
      Text += IsFffe ? "&#65533;" : "&#xfffd;"; // shown as the same, and yet two names
      At += 2;
      continue;
    }
    if (C == '"' || C == '\\')
      Text += std::string("\\") + C;
    else if (C == '&')
      Text += "&amp;";
    else if (C == '\n')
      Text += "\\n";
    else if (static_cast<unsigned char>(C) < 0x20 || C == 0x7F)
      Text += "&#x24" +
              std::string(1, C == 0x7F  ? '2'
                             : C < 0x10 ? '0'
                                        : '1') +
              (C == 0x7F ? '1' : "0123456789abcdef"[C % 16]) + ";";
    else if (const std::size_t Control = controlAt(std::string_view(Id).substr(At))) {
      Text += "&#92;" + escapedJson(Id.substr(At, Control)).substr(1); // no other backslash is written so
      At += Control - 1;
    } else
      Text += C;
  }
  return Text + '"';
}

std::string scheduleDot(const graph::Graph &Of, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  const Course In = courseOf(Of, Answer);
  std::vector<std::size_t> Place(Of.size());
  for (std::size_t At = 0; At < Answer.Order.size(); ++At)
    Place[Answer.Order[At]] = At + 1;
  std::vector<bool> Critical(Of.size(), false);
  if (!In.Steps.empty())
    Critical[In.Steps[In.Peak].While] = true;
  std::string Text = "digraph schedule {\n  graph [label=\"peak " + inUnits(Answer.Peak) + " (" + grouped(Answer.Peak) +
                     " bytes)\"];\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (Node Each : Answer.Order) {
    const std::string Name = quoted(Ids[Each]);
    std::string Shown = Name;
    Shown.pop_back();
    Shown += "\\n" + std::to_string(Place[Each]) + ": " + grouped(Of[Each].Output) + " bytes";
    if (Of[Each].ownWork() > 0)
      Shown += " + " + grouped(Of[Each].ownWork()) + " work";
    Text += "  " + Name + " [label=" + Shown + "\"";
    if (Critical[Each])
      Text += ", style=filled, fillcolor=\"#d98324\", penwidth=2, tooltip=\"most is held here\"";
    Text += "];\n";
  }
  for (Node Each : Answer.Order)
    for (Node Input : Of.inputs(Each))
      Text += "  " + quoted(Ids[Input]) + " -> " + quoted(Ids[Each]) + ";\n";
  if (Answer.Edges)
    for (const graph::Edge &Each : Answer.Edges->Edges)
      Text += "  " + quoted(Ids[Each.From]) + " -> " + quoted(Ids[Each.To]) +
              " [style=dashed, constraint=false, tooltip=\"keeps any execution within the memory\"];\n";
  return Text + "}\n";
}

} // namespace memshape
