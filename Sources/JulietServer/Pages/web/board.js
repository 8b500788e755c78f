// The rows of guesses.

import { animate, h, movesLess } from "./dom.js";
import { capital, directionOf, labelOf, lettersOf } from "./letters.js";
import { t } from "./texts.js";

const turn = 500;
/** Each tile turns this many milliseconds after the tile before it. */
export const stagger = 220;

export class Board {
    #element;
    #game;
    #judged = 0;
    /** When the tiles that turn have turned, by `performance.now()`. */
    settledAt = 0;

    constructor(element) { this.#element = element; }

    /** Draws a game. Guesses that were not there when the same game was drawn last are turned over. */
    show({ game, draft, isSending }) {
        const isNew = game.id !== this.#game;
        if (isNew) this.#lay(game);
        for (let index = 0; index < game.maximumGuesses; index += 1) {
            const row = this.#element.children[index];
            const guess = game.guesses[index];
            const isCurrent = !guess && index === game.guesses.length && game.state === "playing";
            row.classList.toggle("is-sent", isCurrent && isSending);
            if (guess) this.#showGuess(row, guess, game);
            else this.#showDraft(row, isCurrent ? draft : [], game, isCurrent);
        }
        if (!isNew && game.guesses.length > this.#judged) this.#turn(game, this.#judged);
        this.#judged = game.guesses.length;
    }

    /** The row that is being typed. */
    get row() { return this.#element.children[this.#judged]; }

    /** Shakes that row. */
    shake() { if (this.row) animate(this.row, "is-shaken"); }

    focus() { this.#element.focus({ preventScroll: true }); }

    #lay(game) {
        this.#game = game.id;
        this.settledAt = 0;
        this.#element.style.setProperty("--columns", game.length);
        this.#element.style.setProperty("--rows", game.maximumGuesses);
        this.#element.replaceChildren(...Array.from({ length: game.maximumGuesses }, (_, index) =>
            h("div", { class: "row", role: "group", "aria-label": t("board.guess", { number: index + 1 }) },
                ...Array.from({ length: game.length }, () => h("span", { class: "tile", role: "img" })))));
        for (const row of this.#element.children) {
            Array.from(row.children).forEach((tile, index) => tile.style.setProperty("--delay", `${index * stagger}ms`));
        }
    }

    #showGuess(row, guess, game) {
        const letters = lettersOf(guess.word);
        row.removeAttribute("aria-hidden");
        row.dir = directionOf(letters);
        letters.forEach((letter, index) => {
            draw(row.children[index], capital(letter, game.language), guess.marks[index]);
        });
    }

    #showDraft(row, draft, game, isCurrent) {
        // Screen readers skip empty rows.
        row.toggleAttribute("aria-hidden", false);
        if (!isCurrent) row.setAttribute("aria-hidden", "true");
        row.dir = directionOf(draft);
        Array.from(row.children).forEach((tile, index) => {
            draw(tile, draft[index] === undefined ? "" : capital(draft[index], game.language));
        });
    }

    #turn(game, first) {
        if (!movesLess()) this.settledAt = performance.now() + turn + (game.length - 1) * stagger;
        for (let index = first; index < game.guesses.length; index += 1) animate(this.#element.children[index], "is-turned");
    }

    /** Lets the row that found the word hop. */
    cheer() { this.#element.children[this.#judged - 1].classList.add("is-won"); }
}

function draw(tile, text, mark) {
    if (tile.textContent !== text) {
        tile.textContent = text;
        tile.classList.toggle("is-typed", text !== "");
        tile.classList.toggle("is-new", text !== "" && mark === undefined);
    }
    if (mark) tile.dataset.mark = mark;
    else delete tile.dataset.mark;
    tile.setAttribute("aria-label", text === "" ? t("board.empty") : labelOf(text, mark));
}

/** The marks of guesses without their letters, small. */
export const pattern = (guesses) => h("span", { class: "pattern", "aria-hidden": "true" }, ...guesses.map((marks) =>
    h("i", {}, ...marks.map((mark) => h("b", { "data-mark": mark })))));
