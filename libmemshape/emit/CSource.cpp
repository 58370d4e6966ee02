// A header in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/Notation.h"
#include "libmemshape/emit/Writing.h"

#include <cctype>

namespace memshape {

namespace {

const auto AsItIs = [](const std::string &Number) { return Number; };

std::string literal(std::int64_t Value) {
  return Value == INT64_MAX  ? "INT64_MAX"
         : Value > INT32_MAX ? "INT64_C(" + std::to_string(Value) + ")"
                             : std::to_string(Value);
}

const Conditions Words = {" && ", " || ", "1", true, literal};

/// Of one line, so that no name ends the comment.
std::string comment(std::string Text) {
  for (std::size_t At = 0; (At = Text.find("*/", At)) != std::string::npos;)
    Text.replace(At, 2, "* /");
  for (std::size_t At = 0; (At = Text.find("/*", At)) != std::string::npos;)
    Text.replace(At, 2, "/ *");
  return Text;
}

class CWriter {
public:
  explicit CWriter(const Written &W) : W(W) {}

  std::string run() {
    begin();
    for (const EmittedFigure &Each : W.Of.Figures)
      if (Each.IsThere)
        figure(Each);
    domain();
    for (std::size_t I = 0; I < W.Symbols.size(); ++I)
      if (W.Of.Symbols[I].IsParameter)
        largest(I);
    Text += "\n#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n#endif\n";
    return std::move(Text);
  }

private:
  void begin() {
    Text = "/* " + comment(W.Of.Head.front()) + "\n";
    for (std::size_t I = 1; I < W.Of.Head.size(); ++I)
      Text += (W.Of.Head[I].empty() ? "" : "   ") + comment(W.Of.Head[I]) + "\n";
    Text.insert(Text.size() - 1, " */");
    std::string Guard = "MEMSHAPE_EMITTED_" + W.Function + "_H";
    for (char &Each : Guard)
      Each = static_cast<char>(std::toupper(static_cast<unsigned char>(Each)));
    Text += "#ifndef " + Guard + "\n#define " + Guard +
            "\n\n#include <stdint.h>\n\n#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
            "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n\n";
    Text += preludeOf(W, PreludeOfC, "\n");
  }

  /// "int64_t ni, int64_t nx"
  std::string declared(std::size_t Without = SIZE_MAX) const {
    return W.parameters([&](std::size_t I) { return "int64_t " + W.Symbols[I]; }, ", ", Without);
  }

  /// "ni < 0 || ni > 2147483647": there is no such call.
  std::string outside(std::size_t Without = SIZE_MAX) const {
    return W.parameters(
        [&](std::size_t I) {
          const std::int64_t Largest = W.Of.Symbols[I].Largest;
          return W.Symbols[I] + " < 0" + (Largest == INT64_MAX ? "" : " || " + W.Symbols[I] + " > " + literal(Largest));
        },
        " || ", Without);
  }

  void function(const std::string &What, const std::string &Head, const std::string &Parameters) {
    Text += "\n/* " + comment(What) + " */\nstatic inline " + Head + "(" + (Parameters.empty() ? "void" : Parameters) +
            ") {\n";
  }

  void figure(const EmittedFigure &Of) {
    function(Of.What, "uint64_t " + W.name(Of.Name), declared());
    if (const std::string Outside = outside(); !Outside.empty())
      Text += "  if (" + Outside + ")\n    return UINT64_MAX;\n";
    for (std::size_t I = 0; I < Of.Cases.size(); ++I) {
      const std::string Inside = Of.isLast(I) ? "" : W.inside(Of.Cases[I].Where, Words);
      Text += (Inside.empty() ? "  return " : "  if (" + Inside + ")\n    return ") + "memshape_bytes(" +
              CallNotation{"memshape_", AsItIs, W.Symbols}.of(Of.Cases[I].Value) + ");\n";
    }
    Text += Of.Cases.empty() || !Of.Everywhere ? "  return UINT64_MAX;\n}\n" : "}\n";
  }

  void domain() {
    function("1 where all of these formulas were verified", "int " + W.Function + "_in_domain", declared());
    if (const std::string Outside = outside(); !Outside.empty())
      Text += "  if (" + Outside + ")\n    return 0;\n";
    Text += "  return " + W.verified(Words) + ";\n}\n";
  }

  void largest(std::size_t Symbol) {
    const std::string &Name = W.Symbols[Symbol], Others = declared(Symbol);
    if (W.searchesBySpans(Symbol))
      span(Symbol);
    function("the greatest " + Name + " such that it and all smaller ones from 1 on fit the memory; 0 where 1 does not",
             "int64_t " + W.Function + "_largest_" + Name,
             "uint64_t " + W.local("memory") + (Others.empty() ? "" : ", " + Others));
    if (W.Of.upper().Cases.empty()) {
      unused(Symbol);
      body("  (void)$memory;\n  return 0;\n}\n");
    } else if (W.searchesBySpans(Symbol))
      bySpans(Symbol);
    else
      byHalving(Symbol);
  }

  void body(const std::string &Lines) { Text += W.withLocals(Lines); }

  /// Parameters beside the symbol that a formula may not have.
  void unused(std::size_t Symbol) {
    Text += W.parameters([&](std::size_t I) { return "  (void)" + W.Symbols[I] + ";\n"; }, "", Symbol);
  }

  /// The bound is proven never to fall where the symbol grows.
  void byHalving(std::size_t Symbol) {
    const auto Fits = [&](const std::string &Value) {
      return "memshape_within(" + W.name("upper") + "(" + W.namesWith(Symbol, Value) + "), $memory)";
    };
    body("  int64_t $low = 1, $high = " + literal(W.Of.Symbols[Symbol].Largest) + ";\n  if (!" + Fits("1") +
         ")\n    return 0;\n  while ($low < $high) {\n    const int64_t $middle = $low + ($high - $low - 1) / 2 + 1;\n"
         "    if (" +
         Fits("$middle") + ")\n      $low = $middle;\n    else\n      $high = $middle - 1;\n  }\n  return $low;\n}\n");
  }

  /// All values of the bound in a range of the symbol, or none where cases meet in it.
  void span(std::size_t Symbol) {
    const auto SpanAt = [](const std::string &Number) { return "memshape_span_at(" + Number + ")"; };
    const std::vector<EmittedCase> &Cases = W.Of.upper().Cases;
    const CallNotation Spans{"memshape_span_", SpanAt, W.spansOfSymbols("memshape_span_", Symbol)};
    const std::string Others = declared(Symbol), Low = W.local("low"), High = W.local("high");
    function("what upper_bytes lies between", "memshape_span " + spanName(Symbol),
             "int64_t " + Low + ", int64_t " + High + (Others.empty() ? "" : ", " + Others));
    unused(Symbol);
    for (std::size_t I = 0; I < Cases.size() && !W.Of.upper().isLast(I); ++I) {
      const Range &Along = Cases[I].Where.Ranges[Symbol];
      const std::string Least = literal(Along.Low), Most = literal(Along.High),
                        Beside = W.inside(Cases[I].Where, Words, Symbol), And = Beside.empty() ? "" : Beside + " && ";
      Text += "  if (" + And + Low + " >= " + Least + " && " + High + " <= " + Most + ")\n    return " +
              Spans.of(Cases[I].Value) + ";\n  if (" + And + High + " >= " + Least + " && " + Low + " <= " + Most +
              ")\n    return memshape_span_at(MEMSHAPE_NONE);\n";
    }
    Text += "  return " +
            (W.Of.upper().Everywhere ? Spans.of(Cases.back().Value) : std::string("memshape_span_at(MEMSHAPE_NONE)")) +
            ";\n}\n";
  }

  std::string spanName(std::size_t Symbol) const { return W.Function + "_upper_along_" + W.Symbols[Symbol]; }

  void bySpans(std::size_t Symbol) {
    const std::string Largest = literal(W.Of.Symbols[Symbol].Largest), Outside = outside(Symbol);
    const std::string Others = W.names(Symbol);
    body("  int64_t $last = 0, $step = 1;\n  int $ranges;\n" +
         (Outside.empty() ? "" : "  if (" + Outside + ")\n    return 0;\n") +
         "  for ($ranges = 0; $ranges < 1000000 && $last < " + Largest + "; ++$ranges) {\n    if ($step > " + Largest +
         " - $last)\n      $step = " + Largest + " - $last;\n    if ($step == 1 ? memshape_within(" + W.name("upper") +
         "(" + W.namesWith(Symbol, "$last + 1") + "), $memory)\n                  : memshape_span_within(" +
         spanName(Symbol) + "($last + 1, $last + $step" + (Others.empty() ? "" : ", " + Others) +
         "), $memory)) {\n      $last += $step;\n      $step *= $step < INT64_MAX / 2 ? 2 : 1;\n"
         "    } else if ($step == 1) {\n      break;\n    } else {\n      $step /= 2;\n    }\n  }\n"
         "  return $last;\n}\n");
  }

  const Written &W;
  std::string Text;
};

} // namespace

std::string cSource(const Written &Of) { return CWriter(Of).run(); }

} // namespace memshape
