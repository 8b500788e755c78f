// What lies on the desk: the word of the day, a word of one's own, or a game of the past, by the address's fragment.

import { newKey, Problem } from "./api.js";
import { Board } from "./board.js";
import { dayInWords, timeUntil } from "./clock.js";
import { close } from "./dialogs.js";
import { $, h, movesLess } from "./dom.js";
import { Keyboard } from "./keyboard.js";
import { capital, count, describe, knownMarks, lengthInWords } from "./letters.js";
import { cost, dailyPanel, emptyPanel, gamePanel, overPanel, sorryPanel } from "./panels.js";
import { Play } from "./play.js";
import { player } from "./player.js";
import { firstSeen, sealContent, showSeal } from "./seal.js";
import { resultText, share } from "./share.js";
import { read, write } from "./storage.js";

export class Desk {
    /** Whether a game is being started, a player made for it perhaps: nothing else is looked at meanwhile. */
    isStarting = false;

    #route = "";
    /** Ends what the last route began. */
    #leaving = new AbortController();
    #play;
    #daily;
    #told = 0;
    #wasOver = false;
    #settling;
    #silence;

    #board = new Board($("board"));
    #keyboard = new Keyboard($("keyboard"), {
        isInUse: () => this.#play !== undefined && !this.#play.isOver,
        type: (letter) => {
            this.#play?.type(letter);
            if (this.#play) this.#announce(capital(letter, this.#play.game.language));
        },
        erase: () => {
            this.#play?.erase();
            this.#announce("deleted");
        },
        submit: () => this.#play?.submit(),
    });

    constructor() {
        $("resign-now").addEventListener("click", () => {
            close("resign");
            this.#play?.resign().catch(ignoreAbort);
        });
        setInterval(() => this.#tick(), 1000);
    }

    /** Goes to a route: "daily", "game", or "game/" and an identifier. */
    async open(route) {
        this.#leaving.abort();
        this.#leaving = new AbortController();
        this.#route = route;
        this.#play = undefined;
        clearTimeout(this.#settling);
        this.#say("");
        document.querySelectorAll(".tabs a").forEach((link) => {
            const isHere = link.hash.slice(1) === route;
            if (isHere) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        });
        await this.#guarded(() => this.#load());
    }

    /** Looks at the game again: another tab, or another device, may have gone on with it. */
    async refresh() {
        const play = this.#play;
        if (this.isStarting) return;
        if (!play) return this.open(this.#route);
        if (play.isSending) return;
        await this.#guarded(async () => {
            if (!play.isOver) {
                const game = await this.#ask("GET", `games/${play.game.id}`);
                if (!play.isSending) play.adopt(game);
            } else if (this.#route === "game") {
                const game = await this.#running();
                if (game) this.#put(game);
            }
        });
    }

    /** What the dialog of the seal shows. */
    async sealContent() {
        return sealContent(this.#play?.commitment ?? this.#daily?.commitment ?? "", this.#play);
    }

    // Loading.

    async #load() {
        const [kind, id] = this.#route.split("/");
        if (kind === "daily") {
            await this.#loadDaily();
            if (this.#daily.game) this.#put(this.#daily.game);
            else this.#offer(dailyPanel(this.#daily, () => this.#start()), this.#daily.commitment);
        } else if (id) {
            this.#put(await this.#ask("GET", `games/${encodeURIComponent(id)}`));
        } else {
            const game = player.token && (await this.#running());
            if (game) this.#put(game);
            else await this.#offerGame();
        }
    }

    async #loadDaily() {
        const daily = await this.#ask("GET", "daily");
        firstSeen(`day ${daily.day}`, daily.commitment);
        if (daily.tomorrow) firstSeen(`day ${dayAfter(daily.day)}`, daily.tomorrow.commitment);
        this.#daily = daily;
    }

    /** The running game that was paid for, if there is one. */
    async #running() {
        let next;
        do {
            const page = await this.#ask("GET", `games?state=playing&limit=10${next ? `&before=${encodeURIComponent(next)}` : ""}`);
            const game = page.games.find(({ kind }) => kind === "game");
            if (game) return game;
            next = page.next;
        } while (next);
        return undefined;
    }

    async #offerGame() {
        if (player.token && player.energy === undefined) await player.refresh({ signal: this.#leaving.signal });
        if (player.energy === undefined || player.energy >= cost) return this.#offer(gamePanel(() => this.#start()));
        await this.#loadDaily();
        this.#offer(emptyPanel(this.#daily));
    }

    // Starting.

    async #start() {
        this.isStarting = true;
        await this.#guarded(async () => {
            await player.ensure();
            const game = this.#route === "daily" ? await this.#startDaily() : await this.#startGame();
            write("changed", { game: game.id, guesses: game.guesses.length });
            this.#put(game);
            this.#board.focus();
        });
        this.isStarting = false;
    }

    async #startDaily() {
        return (await this.#ask("POST", "daily/game", { body: {} })).game;
    }

    /** Pays for a game. The key is on the disk until there is an answer, so that it is paid once whatever happens. */
    async #startGame() {
        const key = read("start") ?? newKey();
        write("start", key);
        try {
            const { game, energy, isReplay } = await this.#ask("POST", "games", { body: {}, key });
            write("start", undefined);
            if (!isReplay) {
                player.pay(energy);
                return game;
            }
            // The first answer once more: much may have happened since.
            await player.refresh({ signal: this.#leaving.signal });
            return this.#ask("GET", `games/${game.id}`);
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
            write("start", undefined);
            if (error.code === "game-unfinished") return this.#ask("GET", `games/${error.body.game.id}`);
            throw error;
        }
    }

    #ask(method, path, options = {}) {
        return player.ask(method, path, { ...options, signal: this.#leaving.signal });
    }

    /** Runs what asks the service, and says what it could not do. */
    async #guarded(action) {
        const { signal } = this.#leaving;
        try {
            await action();
        } catch (error) {
            if (signal.aborted) return;
            if (!(error instanceof Problem)) throw error;
            if (error.code === "energy-insufficient") {
                player.pay(error.body.energy);
                await player.refresh({ signal });
                await this.#guarded(() => this.#offerGame());
            } else if (error.status === 404) {
                this.#offer(sorryPanel("This game is not here"));
            } else if (error.status !== 401) {
                this.#say("That did not work. Try again in a moment.");
            }
        }
    }

    // Showing.

    #put(game) {
        const play = new Play(game, this.#leaving.signal);
        this.#play = play;
        this.#told = game.guesses.length;
        this.#wasOver = play.isOver;
        play.addEventListener("change", () => this.#draw());
        play.addEventListener("stale", () => this.refresh());
        play.addEventListener("complaint", ({ detail }) => {
            this.#say(detail, 3000);
            this.#board.shake();
        });
        this.#draw();
    }

    #draw() {
        const play = this.#play;
        $("field").hidden = false;
        this.#title();
        showSeal(play.commitment, play.isOver);
        this.#board.show(play);
        clearTimeout(this.#settling);
        const wait = this.#board.settledAt - performance.now();
        if (wait > 0) this.#settling = setTimeout(() => this.#settle(), wait);
        else this.#settle();
    }

    /** What waits until the tiles have turned. */
    #settle() {
        const { game, isOver } = this.#play;
        for (const guess of game.guesses.slice(this.#told)) {
            this.#told += 1;
            this.#announce(`Guess ${this.#told}: ${describe(guess, game.language)}`);
        }
        this.#keyboard.show(game.language, knownMarks(game.guesses));
        $("keyboard").hidden = isOver;
        if (!isOver) $("panel").hidden = true;
        else if (!this.#wasOver || $("panel").dataset.game !== game.id || $("panel").hidden) this.#showEnd();
    }

    async #showEnd() {
        const play = this.#play;
        const isFresh = !this.#wasOver;
        this.#wasOver = true;
        if (isFresh) {
            if (play.game.state === "won" && !movesLess()) this.#board.cheer();
            await player.refresh({ signal: this.#leaving.signal }).catch(ignoreAbort);
            if (play !== this.#play) return;
        }
        const { game } = play;
        const isToday = game.kind === "daily" && game.day === this.#daily?.day;
        const text = resultText(game, isToday ? this.#daily.number : undefined);
        this.#showPanel(overPanel(play, {
            endsAt: isToday ? this.#daily.endsAt : undefined,
            next: this.#route === "game" ? () => this.#start() : undefined,
            share: async () => this.#say(await share(text), 2500),
        }), "is-over");
        $("panel").dataset.game = game.id;
        if (isFresh) $("panel").querySelector("h3").focus();
    }

    #offer(content, commitment) {
        this.#play = undefined;
        this.#title();
        $("field").hidden = true;
        $("keyboard").hidden = true;
        showSeal(commitment, false);
        this.#showPanel(content, "is-start");
    }

    #showPanel(content, className) {
        const panel = h("section", {}, ...content);
        delete $("panel").dataset.game;
        $("panel").className = `panel ${className}`;
        $("panel").hidden = false;
        // What is there already keeps the focus.
        if ($("panel").innerHTML !== panel.innerHTML) $("panel").replaceChildren(...panel.childNodes);
    }

    #title() {
        const game = this.#play?.game;
        const isDaily = game ? game.kind === "daily" : this.#route === "daily";
        $("heading").textContent = isDaily ? "Word of the day" : "Your word";
        this.#note();
    }

    #note() {
        const game = this.#play?.game;
        const isToday = game ? game.kind === "daily" && game.day === this.#daily?.day : this.#route === "daily" && this.#daily;
        let text = "";
        if (isToday) text = `No. ${this.#daily.number}, ${timeUntil(this.#daily.endsAt)} left`;
        else if (game?.day) text = dayInWords(game.day);
        else if (game) text = `${lengthInWords(game.length)}, ${count(game.maximumGuesses - game.guesses.length, "guess")} left`;
        if (this.#play?.isOver && game.kind === "game") text = lengthInWords(game.length);
        const canResign = game?.kind === "game" && game.state === "playing" && game.guesses.length > 0;
        const parts = canResign ? [`${text}. `, h("button", { type: "button", class: "quiet", "data-opens": "resign" }, "Give up")] : [text];
        // Not every second anew: a button that is being pressed must stay the same.
        const shown = parts.length + text;
        if ($("note").dataset.shown === shown) return;
        $("note").dataset.shown = shown;
        $("note").replaceChildren(...parts);
    }

    /** Every second. A new day brings a new word, unless one is still being guessed. */
    #tick() {
        this.#note();
        if (this.#route !== "daily" || !this.#daily || timeUntil(this.#daily.endsAt) !== "0:00:00") return;
        if (this.#play && !this.#play.isOver) return;
        this.#daily = undefined;
        this.open("daily");
    }

    #say(text, duration) {
        clearTimeout(this.#silence);
        $("message").textContent = text;
        if (duration) this.#silence = setTimeout(() => { $("message").textContent = ""; }, duration);
    }

    #announce(text) {
        // The same text again would be no change, and so not be read.
        const { textContent } = $("announcer");
        $("announcer").textContent = textContent === text ? `${text}\u00a0` : text;
    }
}

const dayAfter = (day) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

function ignoreAbort(error) {
    if (error?.name !== "AbortError" && !(error instanceof Problem)) throw error;
}
