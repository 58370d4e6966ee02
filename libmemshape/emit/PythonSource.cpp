// A module in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Notation.h"
#include "libmemshape/emit/Writing.h"

#include <algorithm>

namespace memshape {

namespace {

std::string number(std::int64_t Value) { return std::to_string(Value); }

const Conditions Words = {" and ", " or ", "True", false, number};

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
    Text += preludeOf(W, PreludeOfPython, "\n\n");
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
    function(W.name(Of.Name), W.names(), Of.What);
    checked("None");
    if (Of.Cases.empty()) {
      Text += "    return None\n";
      return;
    }
    const bool MayFail =
        std::any_of(Of.Cases.begin(), Of.Cases.end(), [](const EmittedCase &Each) { return mayFail(Each.Value); });
    const std::string Indent = MayFail ? "        " : "    ";
    Text += MayFail ? "    try:\n" : "";
    for (std::size_t I = 0; I < Of.Cases.size(); ++I) {
      const std::string Inside = Of.isLast(I) ? "" : W.inside(Of.Cases[I].Where, Words);
      Text += Indent + (Inside.empty() ? "" : "if " + Inside + ":\n    " + Indent) + "return _bytes(" +
              inPython(Of.Cases[I].Value, W.Symbols) + ")\n";
    }
    Text += MayFail ? "    except ArithmeticError:\n        return None\n" : "";
    Text += Of.Everywhere ? "" : "    return None\n";
  }

  void domain() {
    function(W.Function + "_in_domain", W.names(), "True where all of these formulas were verified");
    checked("False");
    Text += "    return " + W.verified(Words) + "\n";
  }

  void largest(std::size_t Symbol) {
    const std::string &Name = W.Symbols[Symbol], Others = W.names(Symbol);
    if (W.searchesBySpans(Symbol))
      span(Symbol);
    function(W.Function + "_largest_" + Name, W.local("memory") + (Others.empty() ? "" : ", " + Others),
             "The greatest " + Name +
                 " such that it and all smaller ones from 1 on fit the memory; 0 where 1 does not");
    if (W.Of.upper().Cases.empty())
      Text += "    return 0\n";
    else if (W.searchesBySpans(Symbol))
      bySpans(Symbol);
    else
      byHalving(Symbol);
  }

  void body(const std::string &Lines) { Text += W.withLocals(Lines); }

  void byHalving(std::size_t Symbol) {
    const auto Fits = [&](const std::string &Value) {
      return "_within(" + W.name("upper") + "(" + W.namesWith(Symbol, Value) + "), $memory)";
    };
    body("    $low, $high = 1, " + std::to_string(W.Of.Symbols[Symbol].Largest) + "\n    if not " + Fits("1") +
         ":\n        return 0\n    while $low < $high:\n        $middle = ($low + $high + 1) // 2\n        if " +
         Fits("$middle") +
         ":\n            $low = $middle\n        else:\n            $high = $middle - 1\n    return $low\n");
  }

  /// All values of the bound in a range of the symbol; no value where cases meet in it.
  void span(std::size_t Symbol) {
    const auto SpanAt = [](const std::string &Number) { return "_span_at(" + Number + ")"; };
    const std::vector<EmittedCase> &Cases = W.Of.upper().Cases;
    const CallNotation Spans{"_span_", SpanAt, W.spansOfSymbols("_span_", Symbol)};
    const std::string Others = W.names(Symbol), Low = W.local("low"), High = W.local("high");
    function(spanName(Symbol), Low + ", " + High + (Others.empty() ? "" : ", " + Others),
             "What upper_bytes lies between");
    for (std::size_t I = 0; I < Cases.size() && !W.Of.upper().isLast(I); ++I) {
      const Range &Along = Cases[I].Where.Ranges[Symbol];
      const std::string Least = std::to_string(Along.Low), Most = std::to_string(Along.High),
                        Beside = W.inside(Cases[I].Where, Words, Symbol), And = Beside.empty() ? "" : Beside + " and ";
      Text += "    if " + And + Low + " >= " + Least + " and " + High + " <= " + Most + ":\n        return " +
              Spans.of(Cases[I].Value) + "\n    if " + And + High + " >= " + Least + " and " + Low + " <= " + Most +
              ":\n        raise ArithmeticError(\"cases meet\")\n";
    }
    Text += W.Of.upper().Everywhere ? "    return " + Spans.of(Cases.back().Value) + "\n"
                                    : "    raise ArithmeticError(\"no case\")\n";
  }

  std::string spanName(std::size_t Symbol) const { return "_" + W.Function + "_upper_along_" + W.Symbols[Symbol]; }

  void bySpans(std::size_t Symbol) {
    const std::string Largest = std::to_string(W.Of.Symbols[Symbol].Largest), Others = W.names(Symbol);
    checked("0", Symbol);
    body("    $last, $step, $ranges = 0, 1, 0\n    while $last < " + Largest +
         " and $ranges < 1000000:\n        $ranges += 1\n        $step = _least($step, " + Largest +
         " - $last)\n        if $step == 1:\n            $fits = _within(" + W.name("upper") + "(" +
         W.namesWith(Symbol, "$last + 1") +
         "), $memory)\n        else:\n            try:\n                $fits = _span_within(" + spanName(Symbol) +
         "($last + 1, $last + $step" + (Others.empty() ? "" : ", " + Others) +
         "), $memory)\n            except ArithmeticError:\n                $fits = False\n        if $fits:\n"
         "            $last, $step = $last + $step, 2 * $step\n        elif $step == 1:\n            break\n"
         "        else:\n            $step //= 2\n    return $last\n");
  }

  const Written &W;
  std::string Text;
};

} // namespace

std::string pythonSource(const Written &Of) { return PythonWriter(Of).run(); }

} // namespace memshape
