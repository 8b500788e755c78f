// A game without its letters.

import { h } from "./dom.js";

/** The marks of the guesses, small. */
export const pattern = (guesses) => h("span", { class: "pattern", "aria-hidden": "true" }, ...guesses.map((marks) =>
    h("i", {}, ...marks.map((mark) => h("b", { "data-mark": mark })))));
