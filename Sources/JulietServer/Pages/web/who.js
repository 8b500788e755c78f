// Who plays: at the head of the page, and wherever a name is asked for.

import { open } from "./dialogs.js";
import { $, h } from "./dom.js";
import { form, naming, Said, single } from "./forms.js";
import { nameLength } from "./letters.js";
import { player } from "./player.js";
import { everybody, isNamed } from "./players.js";
import { t } from "./texts.js";

/** What a player of this browser is called. */
export const nameOf = (kept) => kept.name ?? t("players.unnamed");

/** What is shown, to know whether that has changed. */
let state;

/** Shows who plays, from now on; where several play, each of them, to switch to. */
export function prepareWho() {
    player.addEventListener("change", show);
    show();
}

function show() {
    const all = everybody();
    const shown = all.length > 1 ? all : all.filter(isNamed);
    const next = JSON.stringify([player.token, ...shown.map(({ token, name }) => [token, name])]);
    // What has the focus stays, unless something has changed.
    if (next === state) return;
    state = next;
    const place = $("who");
    const hasFocus = place.contains(document.activeElement);
    place.replaceChildren(...shown.map((kept) => {
        const name = nameOf(kept);
        const isTurn = kept.token === player.token;
        return h("button", {
            type: "button", "aria-current": isTurn && "true", "aria-label": t(isTurn ? "who.plays" : "players.switch", { name }),
            click: () => (isTurn ? open("settings") : player.switchTo(kept)),
        }, h("span", { class: "initial", "aria-hidden": "true" }, initial(name)), h("span", { class: "name" }, name));
    }));
    if (hasFocus) place.querySelector("[aria-current]")?.focus();
}

/** What stands for a name where there is no room for it. */
const initial = (name) => (Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment) : Array.from(name))[0];

// Asking for a name. Nobody must have one: an empty field leaves things as they are.

const attributes = { name: "name", autocomplete: "nickname", dir: "auto" };

/**
 * A field for the name of a player who has chosen none: `element` for a form, and `take`, which gives the name to who plays by then, and
 * throws a `Said` when it cannot be one. `element` is missing where the player has a name.
 */
export function nameField() {
    if (!player.isNameless) return { take: async () => {} };
    const field = h("input", attributes);
    return {
        element: h("label", {}, t("name.may"), field),
        async take() {
            const name = field.value.trim();
            if (name === "" || name === player.name || !player.isNameless) return;
            // Beside other fields: which one is meant.
            try {
                await naming(name, nameLength, (name) => player.rename(name, player.token));
            } catch (error) {
                field.focus();
                throw error instanceof Said ? new Said(`${t("name.ask")}: ${error.message}`) : error;
            }
        },
    };
}

/** What a panel offers, with such a field above it: Enter does what its first button does, once at a time. */
export function panelForm(name, submit, ...buttons) {
    const send = single(submit);
    return h("form", { class: "form", novalidate: true, submit: (event) => {
        event.preventDefault();
        send();
    } }, name.element, h("div", { class: "actions" }, ...buttons));
}

/** A form for a name alone. `submit` takes the name. */
export const nameForm = (verb, submit, { label = t("name.ask"), value = "" } = {}) =>
    form(label, verb, { ...attributes, value, most: nameLength }, submit);
