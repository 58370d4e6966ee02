// What the pointer or the keyboard is on is said below its chart. Arrow keys go from mark to mark, Home and End to the ends.
"use strict";
for (const figure of document.querySelectorAll("figure")) {
  const marks = [...figure.querySelectorAll(".mark")], said = figure.querySelector(".said");
  if (!marks.length) continue;
  const say = (event) => {
    const mark = event.target.closest(".mark");
    if (mark) said.textContent = mark.querySelector("title").textContent;
  };
  figure.addEventListener("pointerover", say);
  figure.addEventListener("focusin", say);
  marks[0].setAttribute("tabindex", "0");
  figure.addEventListener("keydown", (event) => {
    const at = marks.indexOf(event.target.closest(".mark"));
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: marks.length - 1 }[event.key];
    if (at === -1 || to === undefined || !marks[to]) return;
    marks[at].setAttribute("tabindex", "-1");
    marks[to].setAttribute("tabindex", "0");
    marks[to].focus();
    event.preventDefault();
  });
}
