// The keys on the screen, and the real ones.

import { isAnyOpen } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { capital, isLetter, labelOf } from "./letters.js";
import { t } from "./texts.js";

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
    /** The letters that words of this language may have; undefined: any. */
    #alphabet;
    /** Whether the focus was moved by the keyboard: then Enter is for what it is on. */
    #isAiming = false;

    /**
     * - `actions`: `type(letter)`, `erase()` and `submit()`; `isInUse()` says whether they would do anything. `foreign(letter)`
     *   is told of a letter that no word has, and `aim()` moves the focus to where the letters go.
     */
    constructor(element, actions) {
        this.#element = element;
        this.#actions = actions;
        // A key that took the focus by a touch would be pressed again by the real Enter.
        element.addEventListener("pointerdown", (event) => event.preventDefault());
        element.addEventListener("mousedown", (event) => event.preventDefault());
        document.addEventListener("keydown", (event) => this.#pressed(event));
        document.addEventListener("pointerdown", () => { this.#isAiming = false; });
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
        const layout = layouts[language.split("-")[0]];
        this.#alphabet = layout && new Set(layout.join(""));
        const rows = (layout ?? layouts.en).map((letters) =>
            h("div", { class: "keys" }, ...Array.from(letters, (letter) =>
                h("button", { type: "button", class: "key", "data-letter": letter, click: () => this.#actions.type(letter) },
                    capital(letter, language)))));
        const wide = (name, action) => h("button", {
            type: "button", class: "key is-wide", "data-key": name, "aria-label": t(`keyboard.${name}`), click: () => action(),
        }, picture(name));
        rows.at(-1).prepend(wide("enter", this.#actions.submit));
        rows.at(-1).append(wide("erase", this.#actions.erase));
        this.#element.replaceChildren(...rows);
    }

    #pressed(event) {
        const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
        if (isShortcut || event.isComposing || isAnyOpen() || !this.#actions.isInUse()) return;
        const isOnControl = event.target.closest("a, button") !== null;
        if (event.key === "Tab") {
            this.#isAiming = true;
            return;
        }
        if (event.key === "Enter") {
            // Enter means a button or link if the focus came there by keys. After a click, or a dialog that a click opened, the
            // focus is there as well: then Enter means the word.
            if (isOnControl && this.#isAiming) return;
            if (!event.repeat) this.#actions.submit();
        } else if (event.key === "Backspace") {
            this.#actions.erase();
        } else if (isLetter(event.key) && !event.repeat) {
            this.#isAiming = false;
            if (isOnControl) this.#actions.aim();
            const letter = event.key.normalize("NFC").toLocaleLowerCase(this.#language);
            if (this.#alphabet?.has(letter) ?? true) this.#actions.type(event.key);
            else this.#actions.foreign(event.key);
        } else {
            return;
        }
        event.preventDefault();
    }
}
