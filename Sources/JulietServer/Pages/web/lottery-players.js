// Who takes part: the two documents of the lottery, put together as its app does, and taking part oneself.

import { ask, Problem } from "./api.js";
import { comes } from "./connection.js";
import { h } from "./dom.js";
import { entriesInWords } from "./lottery-stage.js";
import { onForeignWrite, read, write } from "./storage.js";
import { t } from "./texts.js";

const most = 60;

/** The list of those who take part, and where one becomes one of them. */
export class Players {
    #section;
    #invitation;
    #entries = [];
    #looks = 0;
    /** The parts of the section, once it is shown. */
    #place;

    constructor(section, invitation) {
        this.#section = section;
        this.#invitation = invitation;
        onForeignWrite((name) => (name === null || name === "player" || name === "ticket") && this.refresh());
    }

    /** Shows who takes part, unless it is shown already. */
    show() { return this.#looks > 0 ? undefined : this.refresh(); }

    /** Looks who takes part. */
    async refresh() {
        this.#looks += 1;
        const look = this.#looks;
        try {
            const [{ items }, { lotteryList }] = await Promise.all([listed("users"), listed("usersInLottery")]);
            if (look !== this.#looks) return;
            const names = new Map(items.map(({ userId, name }) => [userId, name]));
            this.#entries = lotteryList.map((entry) => ({ ...entry, name: names.get(entry.userId) ?? "" }));
        } catch {
            return; // The banner says that the service is away.
        }
        this.#draw();
    }

    /** Only what has changed is drawn anew: who is typing goes on typing when somebody new takes part. */
    #draw() {
        const entries = this.#entries;
        this.#place ??= this.#lay();
        const { note, form, field, chips } = this.#place;
        if (entries.length <= most) field.value = "";
        note.textContent = t(entries.some((entry) => entry.void) ? "lottery.whoVoid" : "lottery.whoCount",
            { entries: capital(entriesInWords(entries.length)) });
        form.hidden = entries.length <= most;
        chips.hidden = entries.length === 0;
        this.#showFound();
        const way = read("player")?.token === undefined ? "game" : entries.some(({ userId }) => userId === ticket()) ? "in" : "enter";
        if (this.#invitation.dataset.way !== way) this.#invitation.replaceChildren(...this.#wayIn(way));
        this.#invitation.dataset.way = way;
    }

    /** The empty places of the section. */
    #lay() {
        const [note, found] = [h("p", { class: "note" }), h("p", { class: "unseen", role: "status" })];
        const field = h("input", { type: "search", id: "search", autocomplete: "off", input: () => this.#showFound() });
        const form = h("p", { class: "form" }, h("label", {}, t("lottery.search"), field));
        const chips = h("ul", { class: "chips" });
        this.#section.hidden = false;
        this.#section.replaceChildren(h("h3", { id: "players-title" }, t("lottery.who")), note, form, found, chips);
        return { note, found, field, form, chips };
    }

    /** Shows those who are searched for. */
    #showFound() {
        const { found, field, chips } = this.#place;
        const [entries, mine, wanted] = [this.#entries, ticket(), folded(field.value)];
        const those = wanted === "" ? ordered(entries, mine) : entries.filter(({ name }) => folded(name).includes(wanted));
        found.textContent = wanted === "" ? "" : t("lottery.found", { count: those.length });
        chips.replaceChildren(...those.slice(0, most).map((entry) => chip(entry, mine)),
            ...(those.length > most ? [h("li", { class: "chip is-rest" }, t("lottery.rest", { count: those.length - most }))] : []),
            ...(those.length === 0 ? [h("li", { class: "chip is-rest" }, t("lottery.found", { count: 0 }))] : []));
    }

    /** The way to take part: to the game, for those who play it not yet; a button; or that one does. */
    #wayIn(way) {
        if (way === "game") {
            return [
                h("div", { class: "actions" }, h("a", { class: "button is-main", href: "./" }, t("lottery.inviteLink"))),
                h("p", { class: "fine" }, t("lottery.invite")),
            ];
        }
        const status = h("p", { class: "fine", role: "status", id: "taking-part", tabindex: -1 }, way === "in" ? t("lottery.in") : "");
        const button = h("button", { type: "button", class: "button is-main", id: "enter", click: () => this.#enter(button, status) }, t("lottery.enter"));
        return way === "in" ? [status] : [h("div", { class: "actions" }, button), status];
    }

    async #enter(button, status) {
        const { token } = read("player") ?? {};
        button.disabled = true;
        status.textContent = "";
        try {
            const { userId } = await comes(ask("PUT", "../lottery/entry", { token, isOnce: true }));
            write("ticket", { userId, token });
            await this.refresh();
            status.textContent = "";
            // The button is gone, so the focus moves.
            this.#invitation.querySelector("#taking-part").focus({ preventScroll: true });
        } catch (error) {
            status.textContent = error instanceof Problem
                ? t(error.status === 401 ? "lottery.unknown" : "lottery.refused")
                : t("failure.network");
        }
        button.disabled = false;
    }
}

/** The number that this browser's player takes part under. */
function ticket() {
    const { userId, token } = read("ticket") ?? {};
    return token !== undefined && token === read("player")?.token ? userId : undefined;
}

/** Everybody who takes part; this browser's player is among those who are shown. */
function ordered(entries, mine) {
    const own = entries.findIndex(({ userId }) => userId === mine);
    return own < most ? entries : [entries[own], ...entries.slice(0, own), ...entries.slice(own + 1)];
}

function chip({ userId, name, void: isVoid }, mine) {
    return h("li", { class: `chip${isVoid ? " is-void" : ""}${userId === mine ? " is-me" : ""}` },
        isVoid ? h("s", {}, name) : name,
        isVoid && h("span", { class: "unseen" }, ` (${t("lottery.isVoid")})`),
        userId === mine && h("span", {}, ` (${t("you")})`));
}

/** A name as it is compared: without case and accents. */
const folded = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

async function listed(name) {
    const response = await fetch(new URL(`API/SimpleLottery/${name}.json`, document.baseURI), { cache: "no-cache", credentials: "omit" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
