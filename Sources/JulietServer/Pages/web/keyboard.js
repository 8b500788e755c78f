// The keys on the screen, and the real ones.

import { isAnyOpen } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { capital, directionOf, isLetter, labelOf, lettersOf } from "./letters.js";
import { t } from "./texts.js";

const norwegian = ["qwertyuiopå", "asdfghjkløæ", "zxcvbnm", "éèêóòôâ"];

/** The letters of each language's words, but for what a list has besides. The keys of a row go from left to right, in every script. */
const layouts = {
    ar: ["ضصثقفغعهخحج", "شسيبلاتنمكط", "ذئءؤرىةوزظد", "أإآ"],
    da: ["qwertyuiopå", "asdfghjklæø", "zxcvbnmé"],
    de: ["qwertzuiopü", "asdfghjklöä", "yxcvbnmß"],
    el: ["ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ", "άέήίόύώϊϋΐΰ"],
    en: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
    es: ["qwertyuiop", "asdfghjklñ", "zxcvbnm", "áéíóúü"],
    fr: ["azertyuiop", "qsdfghjklm", "wxcvbn", "éèêëàâæç", "îïôœùûüÿ"],
    he: ["קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"],
    it: ["qwertyuiop", "asdfghjkl", "zxcvbnm", "àèéìíîòóù"],
    nb: norwegian,
    nl: ["qwertyuiop", "asdfghjkl", "zxcvbnm", "áàéèëêíïóöúü"],
    nn: norwegian,
    no: norwegian,
    pl: ["qwertyuiop", "asdfghjkl", "zxcvbnm", "ąćęłńóśźż"],
    pt: ["qwertyuiop", "asdfghjklç", "zxcvbnm", "ãõáâàéêíóôú"],
    ru: ["йцукенгшщзхъ", "фывапролджэё", "ячсмитьбю"],
    sv: ["qwertyuiopå", "asdfghjklöä", "zxcvbnm", "éàü"],
    tr: ["qwertyuıopğü", "asdfghjklşi", "zxcvbnmöç", "âîû"],
    uk: ["йцукенгшщзхї", "фівапролджєґ", "ячсмитьбю"],
};

/** Rows of the letters of a list that its language's layout does not have, by the alphabet; eleven a row at most. */
function moreRows(language, letters = "", layout = []) {
    const known = layout.join("");
    const more = Array.from(letters).filter((letter) => !known.includes(letter)).sort(new Intl.Collator(language).compare);
    if (more.length === 0) return [];
    // In the last row Enter and Backspace take the room of three.
    const room = more.length + 3;
    const size = Math.ceil(room / Math.ceil(room / 11));
    return Array.from({ length: Math.ceil(more.length / size) }, (_, row) => more.slice(row * size, (row + 1) * size).join(""));
}

export class Keyboard {
    #element;
    #actions;
    #language;
    /** Whether any letters are words, and not those of the language alone. */
    #isAny;
    /** The letters of the game's list that the service has told; undefined: it has told none. */
    #letters;
    /** The letters that words of this language may have; undefined: any. */
    #alphabet;
    /** Where there is no key for each letter: a field for what the player's own keyboard or the clipboard has. */
    #field;
    /** Whether the player's input method has not yet decided on the letters: the field is its own until then. */
    #isComposing = false;
    /** Whether the focus was moved by the keyboard: then Enter is for what it is on. */
    #isAiming = false;

    /**
     * - `actions`: `type(...letters)`, `erase()` and `submit()`; `write(letters)` takes what stands in the field and returns what is
     *   typed then; `isInUse()` says whether they would do anything. `foreign(letter)` is told of a letter that no word has, and
     *   `aim()` moves the focus to where the letters go.
     */
    constructor(element, actions) {
        this.#element = element;
        this.#actions = actions;
        // A key that took the focus by a touch would be pressed again by the real Enter.
        for (const name of ["pointerdown", "mousedown"]) {
            element.addEventListener(name, (event) => event.target !== this.#field && event.preventDefault());
        }
        document.addEventListener("keydown", (event) => this.#pressed(event));
        document.addEventListener("paste", (event) => this.#pasted(event));
        document.addEventListener("pointerdown", () => { this.#isAiming = false; });
    }

    /** Shows what is known of each letter, a `Map`, on the keys of a game's language; `letters` are those of its list, as far as told. */
    show({ language, anyWord = false }, marks, letters) {
        if (language !== this.#language || anyWord !== this.#isAny || letters !== this.#letters) this.#lay(language, anyWord, letters);
        for (const key of this.#element.querySelectorAll("[data-letter]")) {
            const mark = marks.get(key.dataset.letter);
            if (mark) key.dataset.mark = mark;
            else delete key.dataset.mark;
            key.setAttribute("aria-label", labelOf(key.textContent, mark));
        }
    }

    /** Shows in the field what is typed. */
    mirror(draft) {
        const text = draft.join("");
        // Whatever was composed has been judged.
        if (text === "") this.#isComposing = false;
        if (this.#field && !this.#isComposing && this.#field.value.normalize("NFC") !== text) this.#field.value = text;
    }

    #lay(language, anyWord, letters) {
        this.#language = language;
        this.#isAny = anyWord;
        this.#letters = letters;
        const layout = layouts[language.split("-")[0]];
        const more = moreRows(language, letters, layout);
        const lines = [...(layout ?? (more.length > 0 ? [] : layouts.en)), ...more];
        this.#alphabet = (layout || letters) && !anyWord ? new Set(lines.join("")) : undefined;
        this.#field = this.#alphabet ? undefined : this.#makeField();
        const rows = lines.map((line) =>
            // An alphabet runs as its script does.
            h("div", { class: "keys", dir: more.includes(line) ? directionOf(line) : "ltr" }, ...Array.from(line, (letter) =>
                h("button", { type: "button", class: "key", "data-letter": letter, click: () => this.#actions.type(letter) },
                    capital(letter, language)))));
        const wide = (name, action) => h("button", {
            type: "button", class: "key is-wide", "data-key": name, "aria-label": t(`keyboard.${name}`), click: () => action(),
        }, picture(name));
        const ends = [wide("enter", this.#actions.submit), wide("erase", this.#actions.erase)];
        // Enter is on the left, whichever way the letters run.
        if (rows.at(-1).dir === "rtl") ends.reverse();
        rows.at(-1).prepend(ends[0]);
        rows.at(-1).append(ends[1]);
        this.#element.replaceChildren(...(this.#field ? [this.#field] : []), ...rows);
    }

    #makeField() {
        this.#isComposing = false;
        const write = ({ isComposing = false }) => {
            this.#isComposing = isComposing;
            this.mirror(this.#actions.write(lettersOf(this.#field.value).filter(isLetter)));
        };
        return h("input", {
            class: "letters", dir: "auto", "aria-label": t("keyboard.field"), placeholder: t("keyboard.field"), autocomplete: "off",
            autocapitalize: "none", autocorrect: "off", spellcheck: "false", enterkeyhint: "done", input: write, compositionend: write,
        });
    }

    /** Whether a letter may be in words. */
    #knows(letter) { return this.#alphabet?.has(letter.toLocaleLowerCase(this.#language)) ?? true; }

    /** Letters that are pasted wherever there is no field for them. */
    #pasted(event) {
        if (event.target.closest?.("input, textarea") || isAnyOpen() || !this.#actions.isInUse()) return;
        const letters = lettersOf(event.clipboardData?.getData("text") ?? "").filter(isLetter);
        const known = letters.filter((letter) => this.#knows(letter));
        if (known.length > 0) this.#actions.type(...known);
        else if (letters.length > 0) this.#actions.foreign(letters[0]);
        event.preventDefault();
    }

    #pressed(event) {
        const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
        // Safari ends the composition before the Enter that ends it: 229.
        if (isShortcut || event.isComposing || event.keyCode === 229 || isAnyOpen() || !this.#actions.isInUse()) return;
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
        } else if (event.target === this.#field) {
            return;
        } else if (event.key === "Backspace") {
            this.#actions.erase();
        } else if (isLetter(event.key) && !event.repeat) {
            this.#isAiming = false;
            if (isOnControl) this.#actions.aim();
            const letter = event.key.normalize("NFC");
            if (this.#knows(letter)) this.#actions.type(letter);
            else this.#actions.foreign(letter);
        } else {
            return;
        }
        event.preventDefault();
    }
}
