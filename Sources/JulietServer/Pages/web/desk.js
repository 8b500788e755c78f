// What lies on the desk: the word of the day, a word of one's own, or a game of the past, by the address's fragment.

import { newKey, now, Problem } from "./api.js";
import { Board } from "./board.js";
import { Unreachable } from "./connection.js";
import { dayInWords, secondsUntil, timeUntil } from "./clock.js";
import { close } from "./dialogs.js";
import { $, h, movesLess } from "./dom.js";
import { Keyboard } from "./keyboard.js";
import { capital, describe, knownMarks } from "./letters.js";
import { late } from "./late.js";
import { dailyPanel, emptyPanel, gamePanel, lostPanel, nextStep, overPanel, sorryPanel, strangerPanel } from "./panels.js";
import { Play } from "./play.js";
import { player } from "./player.js";
import { firstSeen, sealContent, showSeal } from "./seal.js";
import { resultText, share } from "./share.js";
import { energyRules, serviceIfKnown } from "./service.js";
import { read, write } from "./storage.js";
import { language, parts, t } from "./texts.js";

export class Desk {
    /** Whether a game is being started, a player made for it perhaps: nothing else is looked at meanwhile. */
    isStarting = false;

    #route = "";
    /** Whose games were shown last. */
    #token;
    /** Ends what the last route began. */
    #leaving = new AbortController();
    #play;
    #daily;
    #told = 0;
    #wasOver = false;
    #settling;
    #silence;
    /** The energy by which was chosen what is offered, where that depends on it. */
    #offered;
    /** Whether the focus goes to what is offered next. */
    #isAiming = false;

    #board = new Board($("board"));
    #keyboard = new Keyboard($("keyboard"), {
        isInUse: () => this.#play !== undefined && !this.#play.isOver,
        type: (letter) => {
            this.#say("");
            this.#play?.type(letter);
            if (this.#play) this.#announce(capital(letter, this.#play.game.language));
        },
        erase: () => {
            this.#say("");
            this.#play?.erase();
            this.#announce(t("play.deleted"));
        },
        submit: () => {
            this.#say("");
            this.#play?.submit();
        },
        foreign: (letter) => this.#complain(t("play.foreign", {
            letter, language: new Intl.DisplayNames(language, { type: "language" }).of(this.#play.game.language),
        }), 6000),
        aim: () => this.#board.focus(),
    });

    constructor() {
        $("resign-now").addEventListener("click", () => {
            close("resign");
            this.#play?.resign().catch(ignoreAbort);
        });
        setInterval(() => this.#tick(), 1000);
        player.addEventListener("change", () => this.#paid());
    }

    /** Goes to a route: "daily", "game", or "game/" and an identifier. */
    async open(route) {
        this.#leaving.abort();
        this.#leaving = new AbortController();
        this.#route = route;
        this.#play = undefined;
        clearTimeout(this.#settling);
        this.#say("");
        this.#markTab(route);
        // Of another player nothing stays.
        if (this.#token !== player.token) this.#clear();
        this.#token = player.token;
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

    /** Shows that the service knows the player no more. */
    lose() {
        this.#leaving.abort();
        this.#leaving = new AbortController();
        clearTimeout(this.#settling);
        this.#offer(lostPanel());
    }

    /** What the dialog of the seal shows. */
    async sealContent() {
        return sealContent(this.#play?.seal.commitment ?? this.#daily?.commitment ?? "", this.#play);
    }

    // Loading.

    async #load() {
        const [kind, id] = this.#route.split("/");
        if (kind === "daily") {
            await this.#loadDaily();
            if (this.#daily.game) this.#put(this.#daily.game);
            else this.#offer(dailyPanel(this.#daily, () => this.#start()), this.#daily.commitment);
        } else if (id) {
            const game = await this.#ask("GET", `games/${encodeURIComponent(id)}`);
            if (game.day === today() && game.kind === "daily") await this.#loadDaily();
            this.#put(game);
        } else {
            const game = player.token && (await this.#running());
            if (game) this.#put(game);
            else await this.#offerGame();
        }
    }

    async #loadDaily() {
        const daily = await this.#ask("GET", "daily");
        firstSeen(`day ${daily.day}`, daily.commitment, (daily.game?.state ?? "playing") === "playing");
        if (daily.tomorrow) firstSeen(`day ${dayAfter(daily.day)}`, daily.tomorrow.commitment, true);
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
        const { signal } = this.#leaving;
        await Promise.all([
            serviceIfKnown(), player.token && player.energy === undefined ? player.refresh({ signal }) : undefined,
        ]);
        if (player.energy === undefined || player.energy >= energyRules.price) return this.#offer(gamePanel(() => this.#start()));
        await this.#loadDaily();
        this.#offer(emptyPanel(this.#daily, () => this.#takeRefill()));
        this.#offered = energyState();
    }

    /** Takes the energy that is due: what is offered then is another thing. */
    #takeRefill() {
        this.#isAiming = true;
        return this.#guarded(() => player.takeRefill());
    }

    /** There is other energy than before: what was offered for want of it may be another thing now. */
    #paid() {
        if (this.#offered === undefined || this.#offered === energyState() || this.isStarting) return;
        this.#offered = undefined;
        if (this.#play) this.#showEnd();
        else this.#guarded(() => this.#offerGame());
    }

    // Starting.

    async #start() {
        this.isStarting = true;
        await this.#guarded(async () => {
            await player.ensure();
            this.#token = player.token;
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
                // When more comes begins anew with it.
                player.refresh({ isOnce: true }).catch(ignoreFailure);
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
                this.#offer(sorryPanel(t("sorry.game")));
            } else if (error.status === 401) {
                this.#offer(player.token ? lostPanel() : strangerPanel());
            } else {
                this.#say(t("failure.other"));
            }
        }
    }

    // Showing.

    #put(game) {
        $("field").style.minHeight = "";
        const play = new Play(game, this.#leaving.signal);
        this.#play = play;
        this.#told = game.guesses.length;
        this.#wasOver = play.isOver;
        const listen = (name, action) => play.addEventListener(name, (event) => play === this.#play && action(event));
        listen("change", () => this.#draw());
        listen("stale", () => this.refresh());
        listen("complaint", ({ detail }) => this.#complain(detail, 3000));
        if (!play.isOver && game.kind === "game") this.#markTab("game");
        if (game.kind === "daily" && game.day === today()) this.#markTab("daily");
        this.#draw();
    }

    #complain(text, duration) {
        this.#say(text, duration);
        this.#board.shake();
    }

    #markTab(route) {
        for (const link of document.querySelectorAll(".tabs a")) {
            if (link.hash.slice(1) === route) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }
    }

    #clear() {
        for (const id of ["field", "keyboard", "panel", "seal"]) $(id).hidden = true;
        this.#daily = undefined;
        this.#title();
    }

    #draw() {
        const play = this.#play;
        $("field").hidden = false;
        this.#title();
        showSeal(play.seal.commitment, play.isOver);
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
            this.#announce(t("play.told", { number: this.#told, guess: describe(guess, game.language) }));
        }
        this.#keyboard.show(game.language, knownMarks(game.guesses));
        if (!isOver) {
            $("keyboard").hidden = false;
            $("panel").hidden = true;
            // What the end needs is there by then.
            if (game.guesses.length > 0) this.#ending().catch(ignoreFailure);
        } else if (!this.#wasOver || $("panel").dataset.game !== game.id || $("panel").hidden) this.#showEnd();
    }

    async #showEnd() {
        const play = this.#play;
        const isFresh = !this.#wasOver;
        this.#wasOver = true;
        // The board stays where it is when what comes at the end takes the place of the keys.
        if (isFresh) $("field").style.minHeight = `${$("field").offsetHeight}px`;
        const isOwn = this.#route === "game";
        if (isFresh && play.game.state === "won" && !movesLess()) this.#board.cheer();
        const { game } = play;
        const isToday = game.kind === "daily" && game.day === this.#daily?.day;
        const part = await soon(this.#aboutEnd(game, isToday, isFresh));
        if (play !== this.#play) return;
        const result = { text: resultText(game, isToday ? this.#daily.number : undefined), number: isToday ? this.#daily.number : undefined };
        this.#showPanel(overPanel(play, {
            endsAt: isToday ? this.#daily.endsAt : undefined,
            next: nextStep({
                start: isOwn ? () => this.#start() : undefined, take: () => this.#takeRefill(),
                isDailyOver: isToday || (this.#daily?.game?.state ?? "playing") !== "playing",
            }),
            share: async () => this.#say(await share(result.text), 2500),
            shareImage: part && (async () => this.#say(await part.shareImage(game, result), 2500)),
            about: part?.about,
        }), "is-over");
        this.#offered = energyState();
        $("keyboard").hidden = true;
        $("panel").dataset.game = game.id;
        if (isFresh) $("panel").querySelector("h3").focus();
    }

    #ending() { return late(() => import("./ending.js")); }

    /** What the end of a game is to the player. Throws when the service cannot be asked. */
    async #aboutEnd(game, isToday, isFresh) {
        const { signal } = this.#leaving;
        const [part] = await Promise.all([
            this.#ending(), isFresh || !player.statistics ? player.refresh({ signal }) : undefined, serviceIfKnown(),
        ]);
        // Who can pay for no other word may still have that of the day.
        if (player.energy < energyRules.price && !isToday) await this.#loadDaily();
        return { about: await part.aboutEnd(game, isToday), shareImage: part.shareImage };
    }

    #offer(content, commitment) {
        this.#play = undefined;
        this.#offered = undefined;
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
        if (this.#isAiming) $("panel").querySelector(".button.is-main, h3").focus();
        this.#isAiming = false;
    }

    #title() {
        const game = this.#play?.game;
        const day = game ? game.day : this.#route === "daily" ? today() : undefined;
        // The tab says whose word it is.
        if (day) $("heading").textContent = dayInWords(day);
        else $("heading").textContent = game ? t("head.letters", { count: game.length }) : t("head.new");
        this.#note();
    }

    #note() {
        const game = this.#play?.game;
        const isToday = game ? game.kind === "daily" && game.day === this.#daily?.day : this.#route === "daily" && this.#daily;
        let text = "";
        if (isToday) text = t("head.today", { number: this.#daily.number, time: timeUntil(this.#daily.endsAt) });
        else if (game?.day) text = t("tabs.daily");
        else if (game && !this.#play.isOver) text = t("head.left", { count: game.maximumGuesses - game.guesses.length });
        else if (game) text = t(`head.${game.state}`);
        const canResign = game?.kind === "game" && game.state === "playing" && game.guesses.length > 0;
        const content = canResign
            ? parts("head.resign", { text, link: h("button", { type: "button", class: "quiet", "data-opens": "resign" }, t("resign.do")) })
            : [text || "\u00a0"];
        // Not every second anew: a button that is being pressed must stay the same.
        const shown = content.length + text;
        if ($("note").dataset.shown === shown) return;
        $("note").dataset.shown = shown;
        $("note").replaceChildren(...content);
    }

    /** Every second. A new day brings a new word, unless one is still being guessed. */
    #tick() {
        if (!$("panel").hidden || this.#play) this.#note();
        if (this.#route !== "daily" || !this.#daily || secondsUntil(this.#daily.endsAt) > 0) return;
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

const today = () => new Date(now()).toISOString().slice(0, 10);
const dayAfter = (day) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** What a choice of what to do next depends on. */
const energyState = () => JSON.stringify([player.energy, player.refill]);

/** How long the end of a game waits for what makes it whole, in milliseconds. */
const patience = 3000;

/** What something brings, if it brings it soon; undefined otherwise. */
function soon(something) {
    return Promise.race([
        something.catch(ignoreFailure), new Promise((resolve) => { setTimeout(resolve, patience); }),
    ]);
}

/** Passes over what asking the service can end with. */
function ignoreFailure(error) {
    if (!(error instanceof Unreachable)) ignoreAbort(error);
}

function ignoreAbort(error) {
    if (error?.name !== "AbortError" && !(error instanceof Problem)) throw error;
}
