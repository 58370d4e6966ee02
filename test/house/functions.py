# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts braces in a source that clang-format has laid out. It knows no types, so it needs no compiler."""

import re

# Comments, string and character literals. A digit separator is no quote.
TOKENS = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)"""
    r"""|(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:[^"\\\n]|\\.|\\\n)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+')""", re.S)
SCOPE = re.compile(r"(?:^|[ ;>])(?:namespace|class|struct|union|enum|extern)\b")
# What may stand between the parameters of a function and its body.
QUALIFIERS = re.compile(r"(?: |const\b|noexcept\b|override\b|final\b|mutable\b|try\b|&|-> ?.*|[A-Z_]{3,}\b)*")


def kind_of(declaration):
    """What a brace behind the declaration opens: a function, a scope of declarations, or an initialiser."""
    words = " ".join(declaration.split())
    before, closes, behind = words.rpartition(")")
    if words.endswith("]") or (closes and (QUALIFIERS.fullmatch(behind) or re.search(r"\)[^()]*->[^;]*$", words))):
        return "function"
    # A member's, behind a constructor's parameters, or a variable's.
    if (closes and behind.lstrip(" ,:")) or words.endswith("="):
        return "initialiser"
    return "scope" if SCOPE.search(words) else "initialiser"


def blanked(code):
    """The code without what is not code, every line where it was. Of preprocessor branches the first stays."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0]) if match["comment"] else '""' + re.sub(r"[^\n]", "", match[0])

    lines, dropped, goes_on = [], [], False
    for line in TOKENS.sub(blank, code).split("\n"):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if directive and not goes_on:
            word = directive[1]
            if word.startswith("if"):
                dropped.append(False)
            elif word in ("else", "elif") and dropped:
                dropped[-1] = True
            elif word == "endif" and dropped:
                dropped.pop()
        is_directive = bool(directive) or goes_on
        goes_on = is_directive and line.rstrip().endswith("\\")
        lines.append("" if is_directive or any(dropped) else line)
    return "\n".join(lines)


def functions(code):
    """(name, first line, last line) of each function outside of functions, from its declaration to its last brace."""
    text, found = blanked(code), []
    scopes, pending = [], 0  # what each open brace is; where the current declaration begins
    for match in re.finditer(r"[{};]", text):
        at, brace = match.start(), match[0]
        inside = any(kind != "scope" for kind, *_ in scopes)
        if brace == "{":
            declaration = re.sub(r"(?:public|private|protected)\s*:(?!:)", "", text[pending:at])
            if inside:
                scopes.append(("block",))
            else:
                kind = kind_of(declaration)
                if kind == "scope":
                    pending = at + 1
                begins = pending + re.match(r"(?:public:|private:|protected:|\s)*", text[pending:at]).end()
                name = re.search(r"([~\w:]+|operator\W{1,3})\s*\(", declaration)
                scopes.append((kind, name[1] if name else "?", begins))
        elif brace == "}" and scopes:
            kind, *more = scopes.pop()
            if kind == "function":
                found.append((more[0], text.count("\n", 0, more[1]) + 1, text.count("\n", 0, at) + 1))
            if kind in ("function", "scope"):
                pending = at + 1
        elif brace == ";" and not inside:
            pending = at + 1
    return found


def is_excused(lines, first):
    """A comment right above line number first says why the function is long."""
    at = first - 2
    while at >= 0 and re.match(r"\s*(//|/?\*)", lines[at]):
        if re.match(r"\s*(?://|/\*|\*) Long: \S", lines[at]):
            return True
        at -= 1
    return False
