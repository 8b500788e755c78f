// One game on this device: the game as the service tells it, and the word that is being typed.

import { Problem } from "./api.js";
import { capital, lettersOf } from "./letters.js";
import { player } from "./player.js";
import { firstSeen } from "./seal.js";
import { read, write } from "./storage.js";
import { t } from "./texts.js";

/** Whether a game has gone on from where another answer of it stood. */
export const isAhead = (game, other) =>
    game.guesses.length > other.guesses.length || (game.state !== "playing" && other.state === "playing");

/**
 * Tells `change` when there is something to draw, and `complaint`, with the reason, when a guess is not taken.
 *
 * The typed word is on the disk with every letter, and with its number once it is sent. So whatever happens to page and
 * network, the same guess is sent again and counts once.
 */
export class Play extends EventTarget {
    /** The game as the service told last. */
    game;
    /** The letters as they were typed: the service knows what they are in lower case. */
    draft = [];
    /** Whether the draft is on its way. */
    isSending = false;
    #signal;

    constructor(game, signal) {
        super();
        this.game = game;
        this.#signal = signal;
        /** The commitment this device saw first, and when: what the word is checked against at the end. */
        this.seal = firstSeen(sealName(game), game.commitment, !this.isOver);
        const kept = read(this.#name);
        if (this.isOver) return this.#keep();
        if (!kept || (kept.number ?? this.number) !== this.number) return;
        this.draft = lettersOf(kept.word).slice(0, game.length);
        if (kept.number) this.submit();
    }

    get isOver() { return this.game.state !== "playing"; }

    /** The number of the guess that is due. */
    get number() { return this.game.guesses.length + 1; }

    type(...letters) { this.write([...this.draft, ...letters]); }

    erase() { this.write(this.draft.slice(0, -1)); }

    /** Takes these letters instead of what was typed, as many as there is room for. */
    write(letters) {
        if (this.isOver || this.isSending) return;
        const draft = lettersOf(letters.join("")).slice(0, this.game.length);
        if (draft.join("") === this.draft.join("")) return;
        this.draft = draft;
        this.#keep();
        this.#tell("change");
    }

    /** Sends the typed word, until the service has judged it. */
    async submit() {
        if (this.isOver || this.isSending) return;
        if (this.draft.length < this.game.length) return this.#complain(t("play.short", { count: this.game.length }));
        const word = this.draft.join("");
        const number = this.number;
        this.isSending = true;
        this.#keep(number);
        this.#tell("change");
        try {
            const game = await player.ask("POST", `games/${this.game.id}/guesses`, {
                body: { word, number }, signal: this.#signal,
            });
            this.isSending = false;
            this.draft = [];
            this.adopt(game);
        } catch (error) {
            this.isSending = false;
            if (this.#signal.aborted) return; // the stored word is sent when the game is opened again
            if (!(error instanceof Problem)) throw error;
            this.#keep();
            this.#refused(error);
        }
    }

    /** Gives up. */
    async resign() {
        this.adopt(await player.ask("POST", `games/${this.game.id}/resign`, { body: {}, signal: this.#signal }));
    }

    /** Takes what the service tells, unless it is older than what is known. */
    adopt(game) {
        if (!isAhead(game, this.game)) return this.#tell("change");
        this.game = game;
        if (this.isOver) this.draft = [];
        if (!this.isSending) this.#keep();
        write("changed", { game: game.id, guesses: game.guesses.length, state: game.state });
        this.#tell("change");
    }

    #refused({ code, body }) {
        if (body.game) {
            this.adopt(body.game);
            return this.#complain(t("play.elsewhere"));
        }
        this.#tell("change");
        if (code === "guess-hard") this.#complain(hardText(body.rule, this.game.language));
        else if (code === "word-unknown") this.#complain(t(this.game.anyWord ? "play.letters" : "play.unknown"));
        else this.#complain(t("play.refused"));
        if (code === "guess-early") this.#tell("stale");
    }

    #keep(number) {
        const isNothing = this.isOver || this.draft.length === 0;
        write(this.#name, isNothing ? undefined : { word: this.draft.join(""), number });
    }

    get #name() { return `draft ${this.game.id}`; }

    #complain(reason) { this.dispatchEvent(new CustomEvent("complaint", { detail: reason })); }
    #tell(name) { this.dispatchEvent(new Event(name)); }
}

/** Under what name this browser keeps the seal of a game: a day's and a challenge's were told before the game. */
function sealName({ id, day, challenge }) {
    if (day) return `day ${day}`;
    return challenge ? `challenge ${challenge}` : `game ${id}`;
}

/** What a guess of a hard game leaves out. */
function hardText({ letter, position, count }, language) {
    const shown = capital(letter, language);
    return position ? t("play.hardPlace", { letter: shown, position }) : t("play.hardLetter", { letter: shown, count });
}
