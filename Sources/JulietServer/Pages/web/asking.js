// Buttons that ask before they do something.

import { h } from "./dom.js";
import { attempt, button } from "./forms.js";
import { t } from "./texts.js";

let count = 0;

/**
 * A button that asks first: in its place come a question and the two answers. `question` returns what to ask, or a promise of it;
 * `refusals` are texts by status. When it was done `action` has drawn anew what there is, or returns what to say.
 */
export function asking(verb, question, action, { stay = t("asking.keep"), refusals = {}, className = "" } = {}) {
    const place = h("div", { class: "asking" });
    const outcome = h("p", { role: "status", class: "outcome" });
    const rest = () => place.replaceChildren(button(verb, ask, className), outcome);
    async function ask() {
        let text;
        if (!await attempt(async () => { text = await question(); }, outcome)) return;
        count += 1;
        const id = `asking-${count}`;
        const yes = button(verb, async () => {
            yes.disabled = true;
            if (!await attempt(action, outcome, refusals)) yes.disabled = false;
        }, "is-danger");
        yes.setAttribute("aria-describedby", id);
        place.replaceChildren(h("p", { id }, text), h("div", { class: "actions" }, yes, button(stay, () => {
            outcome.textContent = "";
            rest();
            place.querySelector("button").focus();
        })), outcome);
        yes.focus();
    }
    rest();
    return place;
}
