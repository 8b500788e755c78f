// Fields and buttons that ask the service, and say what became of it.

import { Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

/** A field with its button. `refusals` are texts by code or status. */
export function form(label, verb, attributes, submit, refusals) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const field = h("input", attributes);
    return h("form", { class: "form", novalidate: true, submit: (event) => {
        event.preventDefault();
        attempt(() => submit(field.value), outcome, refusals);
    } }, h("label", {}, label, field), h("button", { class: "button" }, verb), outcome);
}

export const button = (text, click, className = "") => h("button", { type: "button", class: `button ${className}`.trim(), click }, text);

/** A button that is as quiet as a link. */
export const quiet = (text, click, attributes = {}) => h("button", { type: "button", class: "quiet", click, ...attributes }, text);

/** Does something and says what became of it. Returns whether it was done. */
export async function attempt(action, outcome, refusals = {}) {
    outcome.textContent = "…";
    try {
        outcome.textContent = (await action()) ?? "";
        return true;
    } catch (error) {
        if (error instanceof Unreachable) outcome.textContent = t("failure.network");
        else if (error instanceof Problem) outcome.textContent = refusals[error.code] ?? refusals[error.status] ?? t("failure.other");
        else throw error;
        return false;
    }
}

/** Several choices of which one holds. */
export function choice(name, title, values, chosen, choose) {
    return h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, title), ...values.map(([value, text]) =>
        h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen, change: () => choose(value) }),
            h("span", {}, text))));
}
