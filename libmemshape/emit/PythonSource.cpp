// A module in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Notation.h"
#include "libmemshape/emit/Prelude.h"
#include "libmemshape/emit/Writing.h"

namespace memshape {

namespace {

/// Of one line, so that no name ends the text.
std::string quoted(std::string Text) {
  for (char &Each : Text)
    if (Each == '"' || Each == '\\')
      Each = '\'';
  return Text;
}

class PythonWriter {
public:
  explicit PythonWriter(const Written &W) : W(W) {}

  std::string run() {
    begin();
    for (const EmittedFigure &Each : W.Of.Figures)
      if (Each.IsThere)
        figure(Each);
    domain();
    for (std::size_t I = 0; I < W.Symbols.size(); ++I)
      if (W.Of.Symbols[I].IsParameter)
        largest(I);
    return std::move(Text);
  }

private:
  void begin() {
    Text = "\"\"\"" + quoted(W.Of.Head.front()) + "\n";
    for (std::size_t I = 1; I < W.Of.Head.size(); ++I)
      Text += quoted(W.Of.Head[I]) + "\n";
    Text += "\"\"\"\n\n" + std::string(W.hasRounding() ? "import math\n" : "") + "import operator as _operator\n\n\n";
    Text += PreludeOfPython.Numbers;
    if (W.hasRounding())
      Text += "\n\n" + std::string(PreludeOfPython.Rounding);
    if (W.needsSpans())
      Text += "\n\n" + std::string(PreludeOfPython.Spans);
    if (W.needsSpans() && W.hasRounding())
      Text += "\n\n" + std::string(PreludeOfPython.RoundedSpans);
  }

  std::string names(std::size_t Without = SIZE_MAX) const {
    return W.parameters([&](std::size_t I) { return W.Symbols[I]; }, ", ", Without);
  }

  void function(const std::string &Name, const std::string &Parameters, const std::string &What) {
    Text += "\n\ndef " + Name + "(" + Parameters + "):\n    \"\"\"" + quoted(What) + ".\"\"\"\n";
  }

  /// Whole numbers of Python, whatever was given, that the operator can be called with.
  void checked(const std::string &Otherwise, std::size_t Without = SIZE_MAX) {
    W.parameters(
        [&](std::size_t I) {
          Text += "    " + W.Symbols[I] + " = _operator.index(" + W.Symbols[I] + ")\n";
          return std::string();
        },
        "", Without);
    const std::string Inside = W.parameters(
        [&](std::size_t I) { return "0 <= " + W.Symbols[I] + " <= " + std::to_string(W.Of.Symbols[I].Largest); },
        " and ", Without);
    if (!Inside.empty())
      Text += "    if not (" + Inside + "):\n        return " + Otherwise + "\n";
  }

  void figure(const EmittedFigure &Of) {
    function(W.name(Of.Name), names(), Of.What);
    checked("None");
    if (!Of.Value) {
      Text += "    return None\n";
      return;
    }
    const std::string Value = "_bytes(" + inPython(*Of.Value, W.Symbols) + ")";
    if (mayFail(*Of.Value))
      Text += "    try:\n        return " + Value + "\n    except ArithmeticError:\n        return None\n";
    else
      Text += "    return " + Value + "\n";
  }

  void domain() {
    function(W.Function + "_in_domain", names(), "True where all of these formulas were verified");
    const std::string Inside = W.parameters(
        [&](std::size_t I) {
          const auto [Low, High] = W.Of.Symbols[I].Verified;
          return std::to_string(Low) + " <= " + W.Symbols[I] + " <= " + std::to_string(High);
        },
        " and ");
    Text += "    return " + (Inside.empty() ? "True" : Inside) + "\n";
  }

  void largest(std::size_t Symbol) {
    const std::string &Name = W.Symbols[Symbol], Others = names(Symbol);
    function(W.Function + "_largest_" + Name, W.local("memory") + (Others.empty() ? "" : ", " + Others),
             "The greatest " + Name +
                 " such that it and all smaller ones from 1 on fit the memory; 0 where 1 does not");
    if (!W.Of.upper().Value)
      Text += "    return 0\n";
    else if (W.searchesBySpans(Symbol))
      bySpans(Symbol);
    else
      byHalving(Symbol);
  }

  void body(const std::string &Lines) { Text += W.withLocals(Lines); }

  void byHalving(std::size_t Symbol) {
    const auto Fits = [&](const std::string &Value) {
      return "_within(" + W.name("upper") + "(" +
             W.parameters([&](std::size_t I) { return I == Symbol ? Value : W.Symbols[I]; }, ", ") + "), $memory)";
    };
    body("    $low, $high = 1, " + std::to_string(W.Of.Symbols[Symbol].Largest) + "\n    if not " + Fits("1") +
         ":\n        return 0\n    while $low < $high:\n        $middle = ($low + $high + 1) // 2\n        if " +
         Fits("$middle") +
         ":\n            $low = $middle\n        else:\n            $high = $middle - 1\n    return $low\n");
  }

  void bySpans(std::size_t Symbol) {
    const std::string Largest = std::to_string(W.Of.Symbols[Symbol].Largest);
    const auto SpanAt = [](const std::string &Number) { return "_span_at(" + Number + ")"; };
    const std::string Span = CallNotation{"_span_", SpanAt, W.spansOfSymbols("_span_", Symbol)}.of(*W.Of.upper().Value);
    checked("0", Symbol);
    body("    $last, $step, $ranges = 0, 1, 0\n    while $last < " + Largest +
         " and $ranges < 1000000:\n        $ranges += 1\n        $step = _least($step, " + Largest +
         " - $last)\n        try:\n            $fits = _span_within(" + Span +
         ", $memory)\n        except ArithmeticError:\n            $fits = False\n        if $fits:\n"
         "            $last, $step = $last + $step, 2 * $step\n        elif $step == 1:\n            break\n"
         "        else:\n            $step //= 2\n    return $last\n");
  }

  const Written &W;
  std::string Text;
};

} // namespace

std::string pythonSource(const Written &Of) { return PythonWriter(Of).run(); }

} // namespace memshape
