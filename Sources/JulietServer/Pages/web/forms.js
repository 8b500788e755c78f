// Fields and buttons that ask the service, and say what became of it; some ask the player first.

import { Problem } from "./api.js";
import { comes, Unreachable, whenBack } from "./connection.js";
import { h } from "./dom.js";
import { excess, nameFault } from "./letters.js";
import { t } from "./texts.js";

/** What went wrong, in a text for the player. */
export class Said extends Error {}

/** Names something by what `action` does with the name, of at most so many characters. Throws a `Said` when it cannot be one. */
export async function naming(name, most, action) {
    const reason = excess(name, most);
    if (reason) throw new Said(nameFault({ reason }, most));
    try {
        return await action(name);
    } catch (error) {
        throw error instanceof Problem && error.code === "name-refused" ? new Said(nameFault(error.body, most)) : error;
    }
}

/** Says something on the desk, where the dialog that it is about is closed. */
export const sayOnDesk = (text) => dispatchEvent(new CustomEvent("juliet-said", { detail: text }));

/** How many questions were asked. */
let questions = 0;

/** The same action, which does nothing while it is under way: a form that is sent twice is sent once. */
export function single(action) {
    let isBusy = false;
    return async (...values) => {
        if (isBusy) return;
        isBusy = true;
        try {
            await action(...values);
        } finally {
            isBusy = false;
        }
    };
}

/**
 * A field with its button. While `submit` is under way, nothing more is sent. `refusals` are texts by code or status. With `most`
 * among the attributes it is the field of a name of at most so many characters.
 */
export function form(label, verb, attributes, submit, refusals) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const { most, ...others } = attributes;
    const field = h("input", others);
    const send = single(() => attempt(() => (most === undefined ? submit(field.value) : naming(field.value, most, submit)), outcome, refusals));
    return h("form", { class: "form", novalidate: true, submit: (event) => {
        event.preventDefault();
        send();
    } }, h("label", {}, label, field), h("button", { class: "button" }, verb), outcome);
}

export const button = (text, click, className = "") => h("button", { type: "button", class: `button ${className}`.trim(), click }, text);

/** A button that is as quiet as a link. */
export const quiet = (text, click, attributes = {}) => h("button", { type: "button", class: "quiet", click, ...attributes }, text);

/** What stands where something comes; it is seen when that takes long. */
export const comingLine = () => h("p", { class: "coming", "aria-hidden": "true" }, t("coming")); // `comes` announces it.

/**
 * Does something and says what became of it. Returns whether it was done. `refusals` are texts by reason, code or status, and `network`
 * is the one for no answer.
 */
export async function attempt(action, outcome, refusals = {}) {
    // A line that is there stays, and nothing below it moves.
    if (outcome.textContent !== "") outcome.textContent = "\u00a0";
    try {
        outcome.textContent = (await comes(action())) ?? "";
        return true;
    } catch (error) {
        if (error instanceof Said) outcome.textContent = error.message;
        else if (error instanceof Unreachable) outcome.textContent = refusals.network ?? t("failure.network");
        else if (error instanceof Problem) {
            const { body: { reason }, code, status } = error;
            outcome.textContent = refusals[reason] ?? refusals[code] ?? refusals[status] ?? t("failure.other");
        } else {
            outcome.textContent = t("failure.other");
            throw error;
        }
        // On a small screen it may stand below what is in sight.
        outcome.scrollIntoView({ block: "nearest" });
        return false;
    }
}

/** The same for what a view shows: where it was not done there is a button to try again, and the network's return does it too. */
export async function attemptAgain(action, outcome, refusals) {
    const hadFocus = outcome.contains(document.activeElement);
    if (await attempt(action, outcome, refusals)) {
        if (hadFocus && !outcome.contains(document.activeElement)) {
            outcome.tabIndex = -1;
            outcome.focus();
        }
        return;
    }
    const again = quiet(t("again"), () => attemptAgain(action, outcome, refusals));
    outcome.append(" ", again);
    if (hadFocus) again.focus();
    whenBack(again, () => again.click());
}

/** Where a button says what became of it: `[button, outcome]`. `refusals` are texts by reason, code or status. */
export function deed(text, action, refusals = {}, className = "") {
    const outcome = h("p", { role: "status", class: "outcome" });
    const element = button(text, async () => {
        element.disabled = true;
        try {
            await attempt(action, outcome, refusals);
        } finally {
            element.disabled = false;
        }
        // A button that was disabled has lost the focus, and nothing else has it.
        if (element.isConnected && [document.body, element.closest("dialog")].includes(document.activeElement)) element.focus();
    }, className);
    return [element, outcome];
}

/**
 * A button that asks first: in its place come a question and the two answers. `question` returns what to ask, or a promise of it;
 * `refusals` are texts by reason, code or status. When it was done `action` has drawn anew what there is, or returns what to say.
 */
export function asking(verb, question, action, { stay = t("asking.keep"), refusals = {}, className = "" } = {}) {
    const place = h("div", { class: "asking" });
    const outcome = h("p", { role: "status", class: "outcome" });
    const rest = () => place.replaceChildren(button(verb, ask, className), outcome);
    async function ask() {
        let text;
        if (!await attempt(async () => { text = await question(); }, outcome)) return;
        questions += 1;
        const id = `question-${questions}`;
        const yes = button(verb, async () => {
            yes.disabled = true;
            let isDone = false;
            try {
                isDone = await attempt(action, outcome, refusals);
            } finally {
                yes.disabled = isDone;
                // A button that was disabled has lost the focus.
                if (!isDone && yes.isConnected) yes.focus();
            }
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

/** Several choices of which one holds. The title is read out, and seen where the choices do not say what they are of. */
export function choice(name, title, values, chosen, choose, isTitleSeen = false) {
    return h("fieldset", { class: "choices" }, h("legend", { class: isTitleSeen ? "" : "unseen" }, title), ...values.map(([value, text]) =>
        h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen, change: () => choose(value) }),
            h("span", {}, text))));
}
