// What lies on the desk: the word of the day, a word of one's own, a past day, a challenge, or a game of the past, by the
// address's fragment.

import { Problem } from "./api.js";
import { Board, stagger } from "./board.js";
import { dayAfter, dayInWords, dayNumber, noteDay, secondsUntil, timeUntil, today } from "./clock.js";
import { comes, soon, Unreachable, untilAnswered } from "./connection.js";
import { close } from "./dialogs.js";
import { $, h, has, movesLess } from "./dom.js";
import { quiet } from "./forms.js";
import { newKey } from "./hex.js";
import { Keyboard } from "./keyboard.js";
import { late, lateFailure } from "./late.js";
import { capital, describe, knownMarks } from "./letters.js";
import { awayPanel, awayTitle, dailyPanel, emptyPanel, gamePanel, hintParts, lostPanel, nextStep, overPanel, showNext, sorryPanel, strangerPanel } from "./panels.js";
import { Play, isAhead } from "./play.js";
import { player } from "./player.js";
import { firstSeen, sealContent, showSeal } from "./seal.js";
import { resultText, share } from "./share.js";
import { chosenList, energyRules, forgetService, lettersOfList, lists, service, serviceIfKnown } from "./service.js";
import { read, write } from "./storage.js";
import { foreignName, languageName, parts, t } from "./texts.js";

export class Desk {
    /** Whether a game is being started, perhaps with a new player for it: nothing else is read meanwhile. */
    isStarting = false;

    #route = "";
    /** The token of the player whose games were shown last. */
    #token;
    /** The game that was kept last. */
    #kept;
    /** Whether a request that the service does not answer is not repeated. */
    #asksOnce = false;
    /** Ends what the last route began. */
    #leaving = new AbortController();
    #play;
    #daily;
    /** What stands above what is offered, where no game says it. */
    #headline;
    #told = 0;
    #judged = 0;
    /** What is for delight alone, when it is here. */
    #delight;
    #wasOver = false;
    #settling;
    /** The day whose end was told last. */
    #toldDay;
    /** The energy that decided what is offered, where that depends on it. */
    #offered;
    /** Whether the focus goes to what is offered next. */
    #isAiming = false;

    #board = new Board($("board"));
    #keyboard = new Keyboard($("keyboard"), {
        isInUse: () => this.#play !== undefined && !this.#play.isOver,
        type: (...letters) => {
            this.#say("");
            this.#play?.type(...letters);
            this.#feel("key");
            if (this.#play) this.#announce(letters.map((letter) => capital(letter, this.#play.game.language)).join(" "));
        },
        write: (letters) => {
            this.#say("");
            this.#play?.write(letters);
            this.#feel("key");
            return this.#play?.draft ?? [];
        },
        erase: () => {
            this.#say("");
            this.#play?.erase();
            this.#announce(t("play.deleted"));
        },
        submit: () => {
            // Enter once more, after a guess.
            if (this.#play?.draft.length === 0) return;
            this.#say("");
            if (this.#play) comes(this.#play.submit());
        },
        foreign: (letter) => this.#complain(t("play.foreign", {
            letter, language: languageName(this.#play.game.language),
        })),
        aim: () => this.#board.focus(),
    });

    constructor() {
        $("resign-now").addEventListener("click", () => {
            close("resign");
            if (this.#play) comes(this.#play.resign()).catch(ignoreAbort);
        });
        setInterval(() => this.#tick(), 1000);
        let width = innerWidth;
        addEventListener("resize", () => {
            // A window of another width has another place for the board, as has a phone that is turned.
            if (innerWidth !== width) holdField("");
            width = innerWidth;
            this.#placeMessage();
        });
        player.addEventListener("change", () => this.#paid());
    }

    /**
     * Goes to a route: "daily", "game", "lottery", or "game/", "day/", "challenge/" or "league/" and what names the one. `how`: "look" when
     * the player has not asked for it, "again" when they try once more what could not be seen.
     */
    async open(route, how) {
        this.#leave();
        this.#route = route;
        this.#play = undefined;
        this.#offered = undefined;
        delete $("panel").dataset.game;
        clearTimeout(this.#settling);
        // What was said stays for a look: a window that gets its focus back.
        if (how !== "look") this.#say("");
        this.#markTab(route);
        // Nothing of another player stays.
        if (this.#token !== player.token) this.#clear();
        if (this.#token && this.#token !== player.token) write("last", undefined);
        this.#token = player.token;
        await this.#guarded(() => this.#loadOrKept(how));
    }

    /** Looks at the game again: another tab, or another device, may have gone on with it. */
    async refresh() {
        const play = this.#play;
        if (this.isStarting) return;
        // Parts that come later read again by themselves.
        if (!play) return isLate(this.#route) ? undefined : this.open(this.#route, "look");
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

    /** Whether the day whose word was shown is over. */
    get isPast() { return this.#daily !== undefined && secondsUntil(this.#daily.endsAt) === 0; }

    /** Shows that the service knows the player no more. */
    lose() {
        this.#leave();
        clearTimeout(this.#settling);
        this.#offer(lostPanel());
    }

    /** Says who is back. */
    greet() {
        this.#say(player.isNameless ? t("signIn.back") : t("signIn.backAs", { name: player.name }));
    }

    /** Says what was done elsewhere in the page. */
    say(text) { this.#say(text); }

    /** Ends what is under way, a start that waits as well. */
    #leave() {
        this.#leaving.abort();
        this.#leaving = new AbortController();
        this.#asksOnce = false;
        this.isStarting = false;
    }

    /** Takes what is for delight alone. */
    delight(part) {
        this.#delight = part;
        for (const place of document.querySelectorAll("#panel .example:not(:has(.tile))")) part.showExample(place);
    }

    /** What the dialog of the seal shows. */
    async sealContent() {
        return sealContent(this.#play?.seal.commitment ?? this.#daily?.commitment ?? "", this.#play);
    }

    // Loading.

    /**
     * Loads what the route names. While nobody answers, the player's last game is there, which this browser has kept, if the route names
     * that; else it says what cannot be seen.
     */
    async #loadOrKept(how) {
        const { signal } = this.#leaving;
        let reason;
        this.#asksOnce = true;
        try {
            const load = this.#load();
            return await (how === "look" ? load : comes(load));
        } catch (error) {
            if (!(error instanceof Unreachable) || error.needsReload) throw error;
            reason = error.reason;
        } finally {
            if (!signal.aborted) this.#asksOnce = false;
        }
        signal.throwIfAborted();
        const { player: owner, game } = read("last") ?? {};
        const isMine = game && owner === player.kept?.id;
        if (isMine && isOf(this.#route, game)) {
            this.#put(game);
        } else {
            const again = () => this.open(this.#route, "again");
            this.#offer(awayPanel(this.#route, reason, again, isMine && game), undefined, awayTitle(this.#route));
        }
        if (how === "again") this.#say(t("away.still"));
        await this.#load();
    }

    async #load() {
        const [kind, id] = this.#route.split("/");
        if (kind === "daily") {
            await this.#loadDaily();
            await this.#learn(this.#daily);
            if (this.#daily.game) this.#put(this.#daily.game);
            else this.#offer(dailyPanel(this.#daily, () => this.#start(() => this.#startDaily())), this.#daily.commitment);
        } else if (kind === "day") {
            const { showDay } = await this.#late(() => import("./calendar.js"));
            await showDay(this.#hand, id);
        } else if (kind === "challenge") {
            const { showChallenge } = await this.#late(() => import("./together.js"));
            await showChallenge(this.#hand, id);
        } else if (kind === "league") {
            const { showInvite } = await this.#late(() => import("./together.js"));
            await showInvite(this.#hand, id);
        } else if (kind === "lottery") {
            await this.#ask("GET", "service");
            location.replace(kind);
        } else if (id) {
            const game = await this.#ask("GET", `games/${encodeURIComponent(id)}`);
            await this.#learn(game);
            if (game.day === today() && game.kind === "daily") await this.#loadDaily();
            this.#put(game);
        } else {
            const game = player.token && (await this.#running());
            if (game) await this.#learn(game);
            if (game) this.#put(game);
            else await this.#offerGame();
        }
    }

    /**
     * Waits for what the service says of itself, where that matters before a word is shown, and as far as it can be asked: in which
     * time zone it is today; which letters a language has that is not the page's, and from which day on words are of another.
     */
    async #learn({ kind, language }) {
        if (kind !== "daily" && !foreignName(language)) return;
        const { signal } = this.#leaving;
        await serviceIfKnown();
        signal.throwIfAborted();
    }

    async #loadDaily() {
        const daily = await this.#ask("GET", "daily");
        firstSeen(`day ${daily.day}`, daily.commitment, (daily.game?.state ?? "playing") === "playing");
        if (daily.tomorrow) firstSeen(`day ${dayAfter(daily.day)}`, daily.tomorrow.commitment, true);
        // On another day it may name another time zone.
        if (this.#daily && this.#daily.day !== daily.day) forgetService();
        this.#daily = daily;
        noteDay(daily);
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
        // Nobody begins a word while the service does not answer. It has told who plays that it does.
        if (!player.token) forgetService();
        await Promise.all([
            player.token ? serviceIfKnown() : this.#answered(service),
            player.token && player.energy === undefined ? player.refresh({ signal }) : undefined,
        ]);
        signal.throwIfAborted();
        if (player.energy === undefined || player.energy >= energyRules.price) {
            return this.#offer(gamePanel(() => this.#start(() => this.#startGame())));
        }
        await this.#loadDaily();
        this.#offer(emptyPanel(this.#daily, () => this.#takeRefill()));
        this.#offered = energyState();
    }

    /** Takes the energy that is due; after that something else is offered. */
    #takeRefill() {
        this.#isAiming = true;
        return this.#guarded(() => player.takeRefill());
    }

    /** The energy has changed: what is offered when there is too little of it may change too. */
    #paid() {
        const isSame = this.#offered === undefined || this.#offered === energyState();
        if (isSame || this.isStarting || this.#token !== player.token) return;
        this.#offered = undefined;
        if (!this.#play && this.#route === "game") return this.#guarded(() => this.#offerGame());
        if (!this.#play?.isOver) return;
        // What else is shown may be read, and stays.
        showNext($("panel"), this.#next());
        this.#offered = energyState();
        this.#aim();
    }

    // Starting.

    /** What parts that come later do with the desk. */
    #hand = {
        ask: (...request) => this.#ask(...request),
        put: (game) => this.#put(game),
        offer: (...panel) => this.#offer(...panel),
        act: (action) => {
            this.#leave();
            return this.#act(action);
        },
        start: (begin) => this.#hand.act(() => this.#begin(begin)),
    };

    /** Loads a part that comes later, when it can be loaded. */
    #late(load) { return this.#answered(() => late(load)); }

    /** What something brings that the network may keep from it: it is tried until it does, or once. */
    async #answered(attempt) {
        const { signal } = this.#leaving;
        const answer = await (this.#asksOnce ? attempt() : untilAnswered(attempt, signal));
        signal.throwIfAborted();
        return answer;
    }

    /** Does something in the name of the player, who is made for it if there is none. Throws its errors, until the route is left. */
    async #act(action) {
        const { signal } = this.#leaving;
        this.isStarting = true;
        this.#say("");
        try {
            const isSame = await player.ensure();
            if (signal.aborted) return;
            // A player who has signed in meanwhile has other games.
            if (!isSame) return this.open(this.#route);
            this.#token = player.token;
            await action();
        } catch (error) {
            if (!signal.aborted) throw error;
        } finally {
            if (!signal.aborted) this.isStarting = false;
        }
    }

    #start(begin) {
        // Answers to earlier requests would show the state before the start.
        this.#leave();
        return this.#guarded(() => this.#act(() => this.#begin(begin)));
    }

    async #begin(begin) {
        const letter = $("panel").querySelector(".letter-shape")?.getBoundingClientRect();
        const game = await begin();
        write("changed", { game: game.id, guesses: game.guesses.length });
        this.#put(game);
        this.#board.focus();
        if (letter) this.#delight?.openLetter(letter, $("board"));
    }

    async #startDaily() {
        const { game } = await this.#ask("POST", "daily/game", { body: mode() });
        // A new day may have begun since.
        if (game.day !== this.#daily?.day) await this.#loadDaily();
        return game;
    }

    /**
     * Pays for a game. The request and its key are on the disk until there is an answer, so that it is paid once whatever happens.
     */
    async #startGame() {
        const { key, body } = read("start") ?? { key: newKey(), body: { ...mode(), ...wantedList() } };
        write("start", { key, body });
        try {
            const { game, energy, isReplay } = await this.#ask("POST", "games", { body, key });
            write("start", undefined);
            if (!isReplay) {
                player.pay(energy);
                // The payment may start the time until more energy comes.
                player.refresh({ isOnce: true }).catch(ignoreFailure);
                return game;
            }
            // It is the first answer once more: much may have happened since.
            await player.refresh({ signal: this.#leaving.signal });
            const latest = await this.#ask("GET", `games/${game.id}`);
            return latest.state === "playing" ? latest : await this.#startGame();
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
            write("start", undefined);
            if (error.code === "game-unfinished") return this.#ask("GET", `games/${error.body.game.id}`);
            throw error;
        }
    }

    #ask(method, path, options = {}) {
        return player.ask(method, path, { isOnce: this.#asksOnce, ...options, signal: this.#leaving.signal });
    }

    /** Runs what asks the service, and says what it could not do. */
    async #guarded(action) {
        const { signal } = this.#leaving;
        try {
            await action();
        } catch (error) {
            if (signal.aborted) return;
            if (error instanceof Unreachable && error.needsReload) return this.#offer(lateFailure(error));
            if (!(error instanceof Problem)) throw error;
            if (error.code === "energy-insufficient") {
                player.pay(error.body.energy);
                await player.refresh({ signal });
                await this.#guarded(() => this.#offerGame());
            } else if (error.code === "list-unknown") {
                write("list", undefined);
                forgetService();
                await this.#guarded(() => this.#offerGame());
                this.#say(t("game.listGone"));
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

    #put(answer) {
        holdField("");
        $("note").style.minHeight = "";
        // A guess may have been answered while this answer was on its way.
        const known = this.#play?.game;
        const game = known?.id === answer.id && isAhead(known, answer) ? known : answer;
        if ($("panel").dataset.game !== game.id) this.#offered = undefined;
        const play = new Play(game, this.#leaving.signal);
        this.#play = play;
        this.#told = game.guesses.length;
        this.#judged = game.guesses.length;
        this.#wasOver = play.isOver;
        const listen = (name, action) => play.addEventListener(name, (event) => play === this.#play && action(event));
        listen("change", () => this.#draw());
        listen("stale", () => this.refresh());
        listen("complaint", ({ detail }) => this.#complain(detail));
        if (!play.isOver && game.kind === "game") this.#markTab("game");
        if (game.kind === "daily" && game.day === today()) this.#markTab("daily");
        this.#draw();
        // Its list may have letters that the keys are without.
        if (!play.isOver) serviceIfKnown().then(() => play === this.#play && !play.isOver && this.#draw());
    }

    /** Keeps the last game, to be there without a network. */
    #keep(game) {
        if (game === this.#kept) return;
        this.#kept = game;
        write("last", { player: player.kept?.id, game });
    }

    /** Sounds and touches, for those who have switched them on. */
    #feel(...what) {
        if (read("sounds") || read("haptics")) this.#delight?.feel(...what);
    }

    #complain(text) {
        this.#feel("no");
        this.#say(text);
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
        this.#headline = undefined;
        this.#title();
    }

    #draw() {
        const play = this.#play;
        this.#keep(play.game);
        $("field").hidden = false;
        this.#title();
        showSeal(play.seal.commitment, play.isOver);
        const judged = play.game.guesses.length > this.#judged ? play.game.guesses.at(-1) : undefined;
        this.#judged = play.game.guesses.length;
        if (judged) this.#feel("turn", judged.marks, stagger / 1000);
        this.#board.show(play);
        this.#keyboard.mirror(play.draft);
        clearTimeout(this.#settling);
        const wait = this.#board.settledAt - performance.now();
        if (wait > 0) this.#settling = setTimeout(() => this.#settle(), wait);
        else this.#settle();
    }

    /** What waits until the tiles have turned. */
    #settle() {
        const { game, draft, isOver } = this.#play;
        for (const guess of game.guesses.slice(this.#told)) {
            this.#told += 1;
            this.#announce(t("play.told", { number: this.#told, guess: describe(guess, game.language) }));
        }
        this.#keyboard.show(game, knownMarks(game.guesses), lettersOfList(game));
        this.#keyboard.mirror(draft);
        if (!isOver) {
            $("keyboard").hidden = false;
            $("panel").hidden = true;
            // Nothing hidden goes on, such as countdowns.
            $("panel").replaceChildren();
            // Loads what the end needs before the game ends.
            if (game.guesses.length > 0) this.#ending().catch(ignoreFailure);
        } else if (!this.#wasOver || $("panel").dataset.game !== game.id || $("panel").hidden) this.#showEnd();
        this.#placeMessage();
    }

    async #showEnd() {
        const play = this.#play;
        const isFresh = !this.#wasOver;
        this.#wasOver = true;
        // The board stays where it is when what comes at the end takes the place of the keys.
        if (isFresh) holdField(`${$("field").offsetHeight}px`);
        if (isFresh && play.game.state === "won") {
            if (!movesLess()) this.#board.cheer();
            this.#delight?.celebrate($("board"));
        }
        if (isFresh) this.#feel(play.game.state);
        const { game } = play;
        const isToday = this.#isDaily(game) && !this.isPast;
        const [part, more = []] = await comes(
            Promise.all([this.#aboutEnd(game, isToday, isFresh), this.#afterGame(game)]
                .map((something) => soon(something.catch(ignoreFailure), patience))));
        if (play !== this.#play) return;
        const days = () => (isToday && game.state === "won" ? player.statistics?.days.currentStreak : 0);
        const text = () => resultText(game, days());
        this.#showPanel([...overPanel(play, {
            endsAt: isToday ? this.#daily.endsAt : undefined,
            next: this.#next(),
            share: async () => this.#say(await share(text())),
            shareImage: part && (async () => this.#say(await part.shareImage(game, text(), days()))),
            about: part?.about,
        }), ...more], "is-over");
        this.#offered = energyState();
        $("keyboard").hidden = true;
        $("panel").dataset.game = game.id;
        this.#placeMessage();
        if (isFresh) $("panel").querySelector("h3").focus();
    }

    /** What to do after the game that is over. */
    #next() {
        const isDaily = this.#isDaily(this.#play.game);
        return nextStep({
            start: this.#route === "game" ? () => this.#start(() => this.#startGame()) : undefined, take: () => this.#takeRefill(),
            isDailyOver: isDaily || (this.#daily?.game?.state ?? "playing") !== "playing",
            isNewDay: isDaily && this.isPast,
        });
    }

    /** Whether a game is of the word of the day that was shown, a day that may be over. */
    #isDaily({ kind, day }) { return kind === "daily" && day === this.#daily?.day; }

    #ending() { return late(() => import("./ending.js")); }

    /** What the end of a game is to the player. Throws when the service cannot be asked. */
    async #aboutEnd(game, isToday, isFresh) {
        const { signal } = this.#leaving;
        const [part] = await Promise.all([
            this.#ending(), isFresh || !player.statistics ? player.refresh({ signal }) : undefined, serviceIfKnown(),
        ]);
        // A player without energy for another word may still have the word of the day.
        if (player.energy < energyRules.price && !this.#isDaily(game)) await this.#loadDaily();
        return { about: await part.aboutEnd(game, isToday), shareImage: part.shareImage };
    }

    /** What a game that is over leads to: the results of its challenge, another day, or friends who are to find the same word. */
    async #afterGame(game) {
        try {
            if (game.challenge && has("challenges")) {
                const { resultsPart } = await late(() => import("./together.js"));
                return [resultsPart(game.challenge)];
            }
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
        }
        return [
            game.kind === "archive" && has("daysGoneBy")
                && h("p", { class: "fine" }, h("button", { type: "button", class: "quiet", "data-opens": "calendar" }, t("over.days"))),
            game.kind !== "daily" && game.kind !== "challenge" && has("challenges")
                && h("p", { class: "fine" }, quiet(t("over.challenge"), () => this.#guarded(async () => {
                    const { challengeWith } = await comes(this.#late(() => import("./together.js")));
                    challengeWith(game);
                }))),
        ].filter(Boolean);
    }

    #offer(content, commitment, headline) {
        this.#play = undefined;
        this.#offered = undefined;
        this.#headline = headline;
        $("note").style.minHeight = "";
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
        // A panel that is there already stays, and keeps the focus.
        if (bare($("panel")) !== bare(panel)) {
            const focused = $("panel").contains(document.activeElement) && document.activeElement.outerHTML;
            $("panel").replaceChildren(...panel.childNodes);
            if (focused) ([...$("panel").querySelectorAll("a, button, select, input")].find(({ outerHTML }) => outerHTML === focused) ?? $("panel").querySelector("h3"))?.focus();
        }
        this.#aim();
        if (this.#delight) this.delight(this.#delight);
    }

    /** Lets what is offered have the focus, if it is to. */
    #aim() {
        if (this.#isAiming) ($("panel").querySelector(".button.is-main") ?? $("panel").querySelector("h3"))?.focus();
        this.#isAiming = false;
    }

    #title() {
        const game = this.#play?.game;
        const day = game ? game.day : this.#route === "daily" ? today() : undefined;
        // A day's word has the day as its heading.
        if (day) $("heading").textContent = dayInWords(day);
        else if (game) $("heading").textContent = game.challenge ? t("head.challenge") : t("head.letters", { count: game.length });
        else $("heading").textContent = this.#headline ?? t("head.new");
        if ($("days")) $("days").hidden = !day && !this.#route.startsWith("day/");
        $("hint").replaceChildren(...(game ? hintParts(game) : []));
        this.#note();
    }

    #note() {
        const game = this.#play?.game;
        const isDaily = game ? this.#isDaily(game) : this.#route === "daily" && this.#daily;
        const isToday = isDaily && !this.isPast;
        let text = "";
        if (isToday) text = t("head.today", { number: this.#daily.number, time: timeUntil(this.#daily.endsAt) });
        else if (game?.day) text = t("head.past", { number: dayNumber(game.day) });
        else if (game && !this.#play.isOver) text = t("head.left", { count: game.maximumGuesses - game.guesses.length });
        else if (game) text = t(`head.${game.state}`);
        else if (isDaily) text = t("day.new");
        if (game?.hard) text = t("head.hard", { text });
        // Any word may be of any language.
        const foreign = foreignName(game?.anyWord ? undefined : (game ?? (isToday && this.#daily))?.language);
        if (foreign) text = t("head.language", { text, language: foreign });
        const canResign = game && game.kind !== "daily" && game.state === "playing" && game.guesses.length > 0;
        const content = canResign
            ? parts("head.resign", { text, link: h("button", { type: "button", class: "quiet", "data-opens": "resign" }, t("resign.do")) })
            : [text || "\u00a0"];
        // Not replaced every second: a button that is being pressed must stay the same element.
        const shown = content.length + text;
        if ($("note").dataset.shown === shown) return;
        $("note").dataset.shown = shown;
        $("note").replaceChildren(...content);
        // What is below stays where it is when less is said.
        if (game) $("note").style.minHeight = `${$("note").offsetHeight}px`;
    }

    /** Every second. The end of a day is told; what is shown stays, and the way to the new word is beside it. */
    #tick() {
        if (!$("panel").hidden || this.#play) this.#note();
        if (!this.isPast || this.#toldDay === this.#daily.day || $("panel").hidden) return;
        this.#toldDay = this.#daily.day;
        if (this.#play ? this.#isDaily(this.#play.game) : this.#route === "daily") this.#announce(t("day.new"));
    }

    #say(text) {
        tell($("message"), text);
        this.#placeMessage();
    }

    /** Beside a board what is said lies below the row that is being typed, at the end above the panel; else it has a place of its own. */
    #placeMessage() {
        const message = $("message");
        if ($("field").hidden || !message.textContent) return;
        const isOver = $("keyboard").hidden;
        const place = isOver ? $("panel") : this.#board.row;
        if (!place) return;
        message.style.setProperty("--room", `${(isOver ? place : $("field")).offsetWidth}px`);
        message.style.setProperty("--way", "none");
        const [from, to] = [message, place].map((element) => element.getBoundingClientRect());
        const down = isOver ? to.top - from.bottom : to.bottom + 4 - from.top;
        message.style.setProperty("--way", `${(to.left + to.right - from.left - from.right) / 2}px ${down}px`);
    }

    #announce(text) { tell($("announcer"), text); }
}

/** Writes what a screen reader is to read. It does not read what has not changed, and so the same text is another one. */
function tell(place, text) {
    place.textContent = text && place.dataset.told === text ? `${text}\u00a0` : text;
    if (text) place.dataset.told = place.textContent;
}

/** The markup of a panel without the moving example in it. */
function bare(panel) {
    const copy = panel.cloneNode(true);
    for (const example of copy.querySelectorAll(".example")) example.replaceChildren();
    return copy.innerHTML;
}

/** Whether a game is what a route names, as far as that can be told without the service. */
function isOf(route, { id, kind, day, challenge, state }) {
    const [place, name] = route.split("/");
    if (place === "daily") return kind === "daily" && day === today();
    if (place === "game") return name ? name === id : kind === "game" && state === "playing";
    return place === "day" ? kind === "archive" && name === day : place === "challenge" && name === challenge;
}

/** Whether a route is a part's that comes later. */
const isLate = (route) => /^(day|challenge|league)\//.test(route);

/** The mode that new games are begun in. */
const mode = () => (read("hard") ? { hard: true } : {});

/** The list that a word of the player's own is wanted of; what the service knows of lists may not have been told. */
function wantedList() {
    const list = lists.languages.length > 0 ? lists.languages.length > 1 && chosenList() : read("list");
    return list ? { language: list.language, length: list.length } : {};
}

/** Holds the board's place at a height, or with an empty one at what there is. */
function holdField(height) {
    $("field").style.minHeight = height;
    $("field").style.height = height;
}

/** What a choice of what to do next depends on. */
const energyState = () => JSON.stringify([player.energy, player.refill]);

/** How long the end of a game waits for what completes it, in milliseconds. */
const patience = 3000;

/** Ignores the errors that asking the service can end with. */
function ignoreFailure(error) {
    if (!(error instanceof Unreachable)) ignoreAbort(error);
}

function ignoreAbort(error) {
    if (error?.name !== "AbortError" && !(error instanceof Problem)) throw error;
}
