// What the parts of the page are made of. Everything that somebody wrote goes in as text.

import { Problem, Unanswered } from "./admin-api.js";
import { $, h } from "./dom.js";
import { newKey } from "./hex.js";
import { number, t } from "./texts.js";

/** A change of a balance with its sign. */
export const signed = (value) => (value > 0 ? "+" : "") + number(value).replace("-", "−");

/** A moment, in UTC to the second. */
export const moment = (text) =>
    h("time", { datetime: text }, momentText(text));

/** A moment as text, in UTC to the second. */
export const momentText = (text) => text.slice(0, 19).replace("T", " ");

/** An hour in which something was used last. */
export const usedAt = (hour) => t("hour", { day: hour.slice(0, 10), hour: hour.slice(11, 13) });

/** The title of what is shown. */
export const heading = (text) => h("h1", {}, text);

/** Says something to a screen reader. */
export const announce = (text) => { $("announcer").textContent = text; };

/** What went wrong, for people. */
export const failure = (error) => h("p", { class: "message is-bad", role: "alert" }, explain(error));

/** What went wrong, in words. */
export function explain(error) {
    if (error instanceof Problem) return error.message;
    if (error instanceof Unanswered) return t("unanswered.again", { problem: error.message });
    console.error(error);
    return t("broken");
}

/** Where a player is shown. */
export const playerLink = (id, text = id) => h("a", { href: `#player/${encodeURIComponent(id)}` }, text);

/** Where an id, a code or another text is looked for among players. */
export const searchLink = (text, shown = text) => h("a", { href: `#players/${encodeURIComponent(text)}` }, shown);

/** The pseudonym of a deleted player has a tab in it, and no player can be shown for it. */
export const isPseudonym = (id) => id.includes("\t");

/**
 * A table. Columns are names, with a "#" in front of those that hold numbers; rows are arrays of text or elements. On a
 * narrow screen each row stands as a block, so roles are set explicitly.
 */
export function table(caption, columns, rows = []) {
    const body = h("tbody", { role: "rowgroup" });
    const names = columns.map((name) => name.replace(/^#/, ""));
    const head = names.map((name, index) =>
        h("th", { scope: "col", role: "columnheader", class: columns[index] === name ? undefined : "is-number" }, name));
    const element = h("table", { role: "table" },
        h("caption", { class: "unseen" }, caption),
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...head)), body);
    element.add = (cells) => body.append(h("tr", { role: "row" }, ...cells.map((cell, index) =>
        h("td", {
            role: "cell", "data-label": names[index], class: columns[index] === names[index] ? undefined : "is-number",
        }, cell ?? ""))));
    for (const row of rows) element.add(row);
    return element;
}

/** A list of sentences, which are arrays of text and elements. */
export function sentences(caption) {
    const element = h("ol", { class: "sentences", "aria-label": caption });
    element.add = (content) => element.append(h("li", {}, ...content));
    return element;
}

/**
 * A table, or a list of sentences, that comes in pages. `load(before)` answers `{rows, next}`; what is missing is said. A page
 * may be empty and not the last one.
 */
export async function pages(list, load, nothing, label = t("older")) {
    const more = h("button", { type: "button", class: "button", hidden: true }, label);
    const note = h("p", { class: "fine" });
    const box = h("div", { class: "list" }, list, note, more);
    let next;
    let isBusy = false;
    async function read() {
        if (isBusy) return;
        isBusy = true;
        note.textContent = "";
        try {
            const page = await load(next);
            page.rows.forEach(list.add);
            next = page.next ?? undefined;
        } catch (error) {
            note.textContent = explain(error);
        }
        isBusy = false;
        more.hidden = next === undefined;
        list.hidden = list.querySelector("td, li") === null;
        if (list.hidden && note.textContent === "") note.textContent = next === undefined ? nothing : t("noneSoFar");
    }
    more.addEventListener("click", read);
    await read();
    return box;
}

/** A label and its field, one below the other. */
export function field(label, input, hint) {
    const id = `field-${newKey().slice(0, 8)}`;
    input.id = id;
    const about = hint && h("span", { class: "fine", id: `${id}-hint` }, hint);
    if (about) input.setAttribute("aria-describedby", about.id);
    return h("div", { class: "field" }, h("label", { for: id }, label), input, about ?? false);
}

/**
 * Has a form change something once. `send(key, button)` sends it and answers what to say. The key stays as long as the
 * same thing is asked and no answer has come; so a second click, or a second try, changes nothing more.
 */
export function changing(form, send) {
    const message = h("p", { class: "message", role: "status" });
    let key = newKey();
    let isBusy = false;
    form.append(message);
    form.addEventListener("input", () => { key = newKey(); });
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (isBusy) return;
        isBusy = true;
        form.setAttribute("aria-busy", "true");
        message.className = "message";
        message.textContent = "…";
        try {
            const text = await send(key, event.submitter);
            key = newKey();
            message.classList.add("is-good");
            message.textContent = text;
        } catch (error) {
            message.classList.add("is-bad");
            message.textContent = error instanceof Unanswered
                ? t("unanswered.change", { problem: error.message }) : explain(error);
            if (!(error instanceof Unanswered)) key = newKey();
        }
        form.removeAttribute("aria-busy");
        isBusy = false;
    });
    return form;
}

/** The field that says why. */
export const reasonField = (hint = t("reason.hint")) => {
    const input = h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
    return [input, field(t("reason"), input, hint)];
};

/**
 * Asks whether something is to be done, and why. `send(reason, key)` does it; then the dialog closes, and `done` gets what
 * was answered. Until there is an answer it stays, so that a second try is the same deed.
 */
export function question(place, { title, verb, notes = [], fields = [], reason = "", send, done }) {
    const [input, line] = reasonField();
    input.value = reason;
    const cancel = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("cancel"));
    const form = changing(
        h("form", { "aria-labelledby": "question" }, ...notes, ...fields, line,
            h("div", { class: "actions" }, h("button", { class: "button is-main" }, verb), cancel)),
        async (key) => {
            const answer = await send(input.value, key);
            dialog.close();
            await done(answer);
            return "";
        });
    const dialog = h("dialog", { "aria-labelledby": "question", close: () => dialog.remove() },
        h("h2", { id: "question" }, title), form);
    place.append(dialog);
    dialog.showModal();
    form.querySelector("input").focus();
}

/** A button that asks. */
export const asking = (text, ask, label) =>
    h("button", { type: "button", class: "button", "aria-haspopup": "dialog", "aria-label": label, click: ask }, text);
