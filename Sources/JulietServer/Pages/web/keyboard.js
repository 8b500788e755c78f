// The keys on the screen, and the real ones.

import { isAnyOpen } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { capital, isLetter, labelOf } from "./letters.js";

const layouts = {
    en: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
    de: ["qwertzuiopü", "asdfghjklöä", "yxcvbnmß"],
    es: ["qwertyuiop", "asdfghjklñ", "zxcvbnm", "áéíóúü"],
    fr: ["azertyuiop", "qsdfghjklm", "wxcvbn", "éèêàâçîïôùûœ"],
    sv: ["qwertyuiopå", "asdfghjklöä", "zxcvbnm"],
};

export class Keyboard {
    #element;
    #actions;
    #language;

    /** - `actions`: `type(letter)`, `erase()` and `submit()`; `isInUse()` says whether they would do anything. */
    constructor(element, actions) {
        this.#element = element;
        this.#actions = actions;
        // A key that took the focus by a touch would be pressed again by the real Enter.
        element.addEventListener("pointerdown", (event) => event.preventDefault());
        element.addEventListener("mousedown", (event) => event.preventDefault());
        document.addEventListener("keydown", (event) => this.#pressed(event));
    }

    /** Shows what is known of each letter, a `Map`, on the keys of a language. */
    show(language, marks) {
        if (language !== this.#language) this.#lay(language);
        for (const key of this.#element.querySelectorAll("[data-letter]")) {
            const mark = marks.get(key.dataset.letter);
            if (mark) key.dataset.mark = mark;
            else delete key.dataset.mark;
            key.setAttribute("aria-label", labelOf(key.textContent, mark));
        }
    }

    #lay(language) {
        this.#language = language;
        const rows = (layouts[language.split("-")[0]] ?? layouts.en).map((letters) =>
            h("div", { class: "keys" }, ...Array.from(letters, (letter) =>
                h("button", { type: "button", class: "key", "data-letter": letter, click: () => this.#actions.type(letter) },
                    capital(letter, language)))));
        const { submit, erase } = this.#actions;
        rows.at(-1).prepend(h("button", { type: "button", class: "key is-wide", "data-key": "enter", "aria-label": "Enter", click: () => submit() }, picture("enter")));
        rows.at(-1).append(
            h("button", { type: "button", class: "key is-wide", "data-key": "erase", "aria-label": "Delete", click: () => erase() }, picture("erase")));
        this.#element.replaceChildren(...rows);
    }

    #pressed(event) {
        const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
        if (isShortcut || event.isComposing || isAnyOpen() || !this.#actions.isInUse()) return;
        if (event.key === "Enter") {
            // On a button or link it is that which is meant.
            if (event.target.closest("a, button") || event.repeat) return;
            this.#actions.submit();
        } else if (event.key === "Backspace") {
            this.#actions.erase();
        } else if (isLetter(event.key) && !event.repeat) {
            this.#actions.type(event.key);
        } else {
            return;
        }
        event.preventDefault();
    }
}
