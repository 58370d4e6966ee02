// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Chart.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/pictures/Page.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

static std::string classOf(const std::string &Class) { return Class.empty() ? "" : " class=\"" + Class + "\""; }

static std::string attribute(const char *Name, double Value) {
  return std::string(" ") + Name + "=\"" + coordinate(Value) + "\"";
}

static std::string opening(const Chart &Of, const std::string &Id) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"group\" aria-labelledby=\"" + Id +
         "-title\" aria-describedby=\"" + Id + "-desc\" viewBox=\"0 0 " + coordinate(Of.Width) + " " +
         coordinate(Of.Height) + "\">\n<title id=\"" + Id + "-title\">" + escaped(Of.Title) + "</title>\n<desc id=\"" +
         Id + "-desc\">" + escaped(Of.Description) + "</desc>\n";
}

std::string coordinate(double Value) {
  std::string Number = format("%.2f", Value);
  while (Number.back() == '0')
    Number.pop_back();
  if (Number.back() == '.')
    Number.pop_back();
  return Number == "-0" ? "0" : Number;
}

std::string rectangle(double X, double Y, double Width, double Height, const std::string &Class) {
  return "<rect" + classOf(Class) + attribute("x", X) + attribute("y", Y) + attribute("width", Width) +
         attribute("height", Height) + "/>";
}

std::string line(double X1, double Y1, double X2, double Y2, const std::string &Class) {
  return "<line" + classOf(Class) + attribute("x1", X1) + attribute("y1", Y1) + attribute("x2", X2) +
         attribute("y2", Y2) + "/>";
}

std::string circle(double X, double Y, double Radius, const std::string &Class) {
  return "<circle" + classOf(Class) + attribute("cx", X) + attribute("cy", Y) + attribute("r", Radius) + "/>";
}

std::string label(double X, double Y, const std::string &Words, const char *Anchor, const std::string &Class) {
  return "<text" + classOf(Class) + attribute("x", X) + attribute("y", Y) + " text-anchor=\"" + Anchor + "\">" +
         escaped(Words) + "</text>";
}

std::string group(const std::string &Class, const std::string &Elements) {
  return "<g class=\"" + Class + "\">" + Elements + "</g>\n";
}

std::string mark(const std::string &Words, const std::string &Elements) {
  return "<g class=\"mark\" role=\"img\" tabindex=\"-1\"><title>" + escaped(Words) + "</title>" + Elements + "</g>\n";
}

std::string chartElement(const Chart &Of, const std::string &Id) { return opening(Of, Id) + Of.Body + "</svg>\n"; }

std::string chartFile(const Chart &Of) {
  Chart Noted = Of;
  if (!Of.Note.empty()) {
    Noted.Height += 20;
    Noted.Body += label(8, Noted.Height - 8, Of.Note) + "\n";
  }
  std::string Text = opening(Noted, "chart") + "<style>\n";
  Text += PictureStyle;
  return Text + "</style>\n" + rectangle(0, 0, Noted.Width, Noted.Height, "ground") + "\n" + Noted.Body + "</svg>\n";
}

} // namespace memshape
