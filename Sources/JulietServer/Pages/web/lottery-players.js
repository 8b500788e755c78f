// Who takes part: the two documents of the lottery, put together as its app does, and taking part oneself.

import { ask, Problem } from "./api.js";
import { h } from "./dom.js";
import { entriesInWords } from "./lottery-stage.js";
import { onForeignWrite, read, write } from "./storage.js";

const most = 60;

/** The list of those who take part, and the button to be one of them. */
export class Players {
    #section;
    #entries = [];
    #looks = 0;

    constructor(section) {
        this.#section = section;
        onForeignWrite((name) => (name === null || name === "player" || name === "ticket") && this.refresh());
    }

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

    #draw(outcome = "") {
        const entries = this.#entries;
        const mine = ticket();
        const isIn = entries.some(({ userId }) => userId === mine);
        const chip = ({ userId, name, void: isVoid }) => h("li", { class: `chip${isVoid ? " is-void" : ""}${userId === mine ? " is-me" : ""}` },
            isVoid ? h("s", {}, name) : name, isVoid && h("span", { class: "unseen" }, " (void)"), userId === mine && h("span", {}, " (you)"));
        this.#section.hidden = false;
        this.#section.replaceChildren(
            h("h3", { id: "players-title" }, "Who takes part"),
            h("p", { class: "note" }, capital(entriesInWords(entries.length)),
                entries.some((entry) => entry.void) ? "; whoever is struck out is void: drawn tenth, they leave it without a winner." : "."),
            ...(entries.length > 0 ? [h("ul", { class: "chips" },
                ...ordered(entries, mine).map(chip),
                entries.length > most && h("li", { class: "chip is-rest" }, `and ${(entries.length - most).toLocaleString("en")} more`))] : []),
            ...this.#invitation(isIn, outcome));
    }

    #invitation(isIn, outcome) {
        if (read("player")?.token === undefined) {
            return [h("p", { class: "fine" }, "Players of the game can take part: ", h("a", { href: "./" }, "play a word"), ", then come back.")];
        }
        const status = h("p", { class: "fine", role: "status", id: "taking-part" }, isIn ? "You take part." : outcome);
        const button = h("button", { type: "button", class: "button", id: "enter", click: () => this.#enter(button, status) }, "Take part");
        return isIn ? [status] : [h("div", { class: "actions" }, button), status];
    }

    async #enter(button, status) {
        const { token } = read("player") ?? {};
        button.disabled = true;
        status.textContent = "…";
        try {
            const { userId } = await ask("PUT", "../lottery/entry", { token, isOnce: true });
            write("ticket", { userId, token });
            await this.refresh();
        } catch (error) {
            status.textContent = error instanceof Problem
                ? error.status === 401 ? "The service does not know this player any more: sign in again in the game." : error.message
                : "No connection. Try again in a moment.";
        }
        button.disabled = false;
    }
}

/** The number that this browser's player takes part under. */
function ticket() {
    const { userId, token } = read("ticket") ?? {};
    return token !== undefined && token === read("player")?.token ? userId : undefined;
}

/** As many as are shown, this browser's player among them. */
function ordered(entries, mine) {
    const shown = entries.slice(0, most);
    const own = entries.find(({ userId }) => userId === mine);
    return own === undefined || shown.includes(own) ? shown : [own, ...shown.slice(0, most - 1)];
}

async function listed(name) {
    const response = await fetch(new URL(`API/SimpleLottery/${name}.json`, document.baseURI), { cache: "no-cache", credentials: "omit" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
