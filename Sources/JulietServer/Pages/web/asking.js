// Buttons that ask before they do what cannot be undone.

import { h } from "./dom.js";
import { attempt, button, quiet } from "./forms.js";
import { t } from "./texts.js";

/** A quiet button that asks `question`, and does it when that is answered with `verb`. `refusals` are texts by status or code. */
export function asking(text, question, verb, action, refusals) {
    const place = h("div", { class: "asking" });
    const rest = () => place.replaceChildren(quiet(text, ask));
    function ask() {
        const outcome = h("p", { class: "outcome", role: "status" });
        place.replaceChildren(
            h("p", {}, question),
            h("div", { class: "actions" }, button(verb, () => attempt(action, outcome, refusals), "is-danger"), quiet(t("asking.no"), () => {
                rest();
                place.querySelector("button").focus();
            })),
            outcome);
        place.querySelector("button").focus();
    }
    rest();
    return place;
}
