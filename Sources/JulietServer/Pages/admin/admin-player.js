// One player: what is known, energy, games, and what operators did.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { changing, field, heading, moment, number, pages, searchLink, signed } from "./admin-views.js";
import { nameForm } from "./admin-names.js";
import { trailColumns, trailRow } from "./admin-trail.js";

const reasons = {
    registration: "Registration", import: "Taken over", game: "Game", purchase: "Purchase", client_report: "Report of the app",
    support: "Support", refund: "Refund", lottery: "Lottery",
    refill: "Came back", daily: "Word of the day", challenge: "Challenge", merge: "Merge",
};
const states = { playing: "Running", won: "Won", lost: "Lost" };
const kinds = { game: "Own word", daily: "Word of the day,", archive: "Word of a day gone by,", challenge: "Challenge" };
const marks = { c: ["correct", "in place"], p: ["present", "elsewhere"], a: ["absent", "not in the word"] };

/** Shows a player by the id. */
export async function showPlayer(place, id) {
    const player = await ask("player", { id });
    const title = heading(player.name ?? "Player of the app");
    const energy = h("strong", { id: "balance" }, number(player.energy));
    const ledger = h("section", { id: "ledger" });
    const trail = h("section", { id: "done" });
    const games = h("section", { id: "games" });
    place.append(
        title,
        h("p", {}, h("code", {}, player.id)),
        player.name !== undefined
            && h("p", {}, h("a", { href: `#together/${encodeURIComponent(id)}` }, "Leagues and challenges")),
        facts(player, energy),
        grantForm(id, (balance) => {
            energy.textContent = number(balance);
            return Promise.all([showLedger(ledger, id), showDone(trail, id)]);
        }),
        player.name !== undefined && nameForm(player, (name) => {
            title.textContent = name;
            return showDone(trail, id);
        }),
        ledger, games, trail);
    await Promise.all([
        showLedger(ledger, id), player.name === undefined ? undefined : showGames(games, id), showDone(trail, id),
    ]);
}

function facts(player, energy) {
    const { statistics } = player;
    const rows = [
        ["Energy", energy], ["Since (UTC)", moment(player.createdAt)], ["Wins", number(player.wins)],
        ["Words played", number(player.wordsPlayed)],
    ];
    if (statistics) {
        rows.push(
            ["Comes back", player.due === undefined ? "–" : h("span", {}, `${number(player.due)} due`, ...player.moreAt ? [", more at ", moment(player.moreAt)] : [])],
            ["Games over", `${number(statistics.played)}, won ${number(statistics.won)}`],
            ["Running", number(player.running)],
            ["Streak", `${number(statistics.currentStreak)}, the longest ${number(statistics.longestStreak)}`],
            ["Won with 1 to 6", statistics.distribution.map(number).join(" · ")],
            ["Devices", number(player.sessions)],
            ["Used last (UTC)", player.lastUsedAt ? `${player.lastUsedAt.slice(0, 10)}, hour ${player.lastUsedAt.slice(11, 13)}` : "–"]);
    }
    if (player.account) {
        rows.push(["Claimed", h("span", {}, searchLink(player.account, h("code", {}, player.account)), ", ", moment(player.claimedAt))]);
    }
    if (player.merged) rows.push(["Merged into this one", number(player.merged)]);
    return h("dl", { class: "facts" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function grantForm(id, granted) {
    const amount = h("input", { type: "number", name: "amount", required: true, min: 1, max: 1_000_000, step: 1, inputmode: "numeric" });
    const reason = h("input", { type: "text", name: "reason", required: true, maxlength: 500, autocomplete: "off" });
    const form = h("form", { class: "card", id: "grant", "aria-label": "Grant energy" },
        h("h2", {}, "Grant energy"),
        h("div", { class: "line" },
            field("Amount", amount, "1 to 1,000,000"),
            field("Reason", reason, "A ticket’s number, say. The ledger keeps it for good: no names."),
            h("button", { class: "button is-main" }, "Grant")));
    return changing(form, async (key) => {
        const given = Number(amount.value);
        const answer = await change("grants", { id }, { amount: given, reason: reason.value }, key);
        form.reset();
        await granted(answer.balance);
        return answer.isReplay
            ? `It was granted before: ${number(given)}. The balance was ${number(answer.balance)} then.`
            : `Granted ${number(given)}. The balance is ${number(answer.balance)}.`;
    });
}

async function showLedger(place, id) {
    const list = await pages("Ledger", ["Time (UTC)", "Why", "For", "#Change", "#Balance"], async (before) => {
        const { entries, next } = await ask("ledger", { id, before });
        return {
            next,
            rows: entries.map((entry) => [
                moment(entry.at), reasons[entry.reason] ?? entry.reason,
                reference(entry),
                signed(entry.delta), number(entry.balance),
            ]),
        };
    }, "No entry of the ledger is here.");
    place.replaceChildren(h("h2", {}, "Ledger"), list);
}

/** What an entry is about, with a link to whose it is. */
function reference({ reason, reference }) {
    if (reference === undefined) return "";
    if (reason === "game" || reason === "daily" || reason === "merge") return searchLink(reference, h("code", {}, reference));
    if (reason === "purchase" || reason === "refund") return searchLink(reference.split("/").at(-1), reference);
    if (reason === "challenge") return h("a", { href: `#together/${encodeURIComponent(reference)}` }, h("code", {}, reference));
    return reference;
}

async function showGames(place, id) {
    const list = await pages("Games that the service judged", ["Begun (UTC)", "Kind", "State", "Guesses", "Word"],
        async (before) => {
            const { games, next } = await ask("games", { id, before });
            return {
                next,
                rows: games.map((game) => [
                    h("span", {}, moment(game.startedAt), h("br"), h("code", { class: "fine" }, game.id)),
                    [kinds[game.kind] ?? game.kind, game.day, game.hard && "(hard)"].filter(Boolean).join(" "),
                    game.reward ? `${states[game.state]}, ${signed(game.reward)} energy` : states[game.state], board(game),
                    game.secret ? h("strong", {}, game.secret) : "sealed",
                ]),
            };
        }, "No games.");
    place.replaceChildren(h("h2", {}, "Games"), list);
}

function board(game) {
    const letters = [...game.guesses];
    const rows = [];
    for (let start = 0; start < letters.length; start += game.length) {
        const tiles = letters.slice(start, start + game.length).map((letter, index) => {
            const [name, words] = marks[game.marks[start + index]];
            return h("span", { class: `mark is-${name}`, title: `${letter}: ${words}` }, letter, h("span", { class: "unseen" }, ` ${words}, `));
        });
        rows.push(h("span", { class: "guess" }, ...tiles));
    }
    return rows.length === 0 ? "none" : h("span", { class: "board" }, ...rows);
}

async function showDone(place, id) {
    const list = await pages("What operators did", trailColumns.filter((name) => name !== "Whom"), async (before) => {
        const { actions, next } = await ask("trail", { id, before });
        return { next, rows: actions.map((action) => trailRow(action).toSpliced(trailColumns.indexOf("Whom"), 1)) };
    }, "Nothing yet.");
    place.replaceChildren(h("h2", {}, "What operators did"), list);
}
