// One player: what is known, energy, games, and what operators did.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { dataSection, endGameButton, energyForm, showWays } from "./admin-deeds.js";
import { failure, heading, moment, number, pages, searchLink, signed } from "./admin-views.js";
import { nameForm } from "./admin-names.js";
import { trailColumns, trailRow } from "./admin-trail.js";

const reasons = {
    registration: "Registration", import: "Taken over", game: "Game", purchase: "Purchase", client_report: "Report of the app",
    support: "Support", refund: "Refund", lottery: "Lottery",
    refill: "Refill", daily: "Word of the day", challenge: "Challenge", merge: "Merge",
};
const states = { playing: "Running", won: "Won", lost: "Lost" };
const kinds = { game: "Ordinary", daily: "Word of the day,", archive: "Word of a past day,", challenge: "Challenge" };
const marks = { c: ["correct", "in place"], p: ["present", "elsewhere"], a: ["absent", "not in the word"] };

/** Shows a player by the id. */
export async function showPlayer(place, id) {
    const player = await ask("player", { id });
    const isAppOnly = player.name === undefined;
    const title = heading(player.name ?? "Player of the app");
    const known = h("div", {}, facts(player));
    const ways = h("section", { id: "ways" });
    const ledger = h("section", { id: "ledger" });
    const trail = h("section", { id: "done" });
    const games = h("section", { id: "games" });
    const lists = () => Promise.all([
        showLedger(ledger, id), showDone(trail, id),
        ...isAppOnly ? [] : [showWays(ways, id, changed), showGames(games, id, changed)],
    ]);
    const changed = async () => {
        try {
            known.replaceChildren(facts(await ask("player", { id })));
            await lists();
        } catch (error) {
            known.append(failure(error));
        }
    };
    // What only players of /v2 have is left out of the app's.
    const ofV2 = (...parts) => isAppOnly ? [] : parts;
    place.append(
        title,
        h("p", {}, h("code", {}, player.id)),
        ...ofV2(h("p", {}, h("a", { href: `#together/${encodeURIComponent(id)}` }, "Leagues and challenges"))),
        known, energyForm(place, id, changed),
        ...ofV2(nameForm(player, (name) => {
            title.textContent = name;
            return showDone(trail, id);
        }), ways),
        ledger, games, trail, dataSection(place, player, changed));
    await lists();
}

function facts(player) {
    const { statistics } = player;
    const rows = [
        ["Energy", h("strong", { id: "balance" }, number(player.energy))], ["Since (UTC)", moment(player.createdAt)], ["Wins", number(player.wins)],
        ["Words played", number(player.wordsPlayed)],
    ];
    if (statistics) {
        rows.push(
            ["Refill", player.due === undefined ? "–" : h("span", {}, `${number(player.due)} due`, ...player.moreAt ? [", more at ", moment(player.moreAt)] : [])],
            ["Finished games", `${number(statistics.played)}, won ${number(statistics.won)}`],
            ["Running", number(player.running)],
            ["Days won in a row", `${number(statistics.days.currentStreak)}, the longest ${number(statistics.days.longestStreak)}`],
            ["Wins in a row", `${number(statistics.currentStreak)}, the longest ${number(statistics.longestStreak)}`],
            ["Won with 1 to 6", statistics.distribution.map(number).join(" · ")],
            ["Devices", number(player.sessions)],
            ["Last used (UTC)", player.lastUsedAt ? `${player.lastUsedAt.slice(0, 10)}, hour ${player.lastUsedAt.slice(11, 13)}` : "–"]);
    }
    if (player.account) {
        rows.push(["Claimed", h("span", {}, searchLink(player.account, h("code", {}, player.account)), ", ", moment(player.claimedAt))]);
    }
    if (player.merged) rows.push(["Merged into this one", number(player.merged)]);
    return h("dl", { class: "facts" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

async function showLedger(place, id) {
    const list = await pages("Ledger", ["Time (UTC)", "Reason", "About", "#Change", "#Balance"], async (before) => {
        const { entries, next } = await ask("ledger", { id, before });
        return {
            next,
            rows: entries.map((entry) => [
                moment(entry.at), reasons[entry.reason] ?? entry.reason,
                reference(entry),
                signed(entry.delta), number(entry.balance),
            ]),
        };
    }, "The ledger has no entries.");
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

async function showGames(place, id, changed) {
    const list = await pages("Games that the service judged", ["Begun (UTC)", "Kind", "State", "Guesses", "Word"],
        async (before) => {
            const { games, next } = await ask("games", { id, before });
            return {
                next,
                rows: games.map((game) => [
                    h("span", {}, moment(game.startedAt), h("br"), h("code", { class: "fine" }, game.id)),
                    [kinds[game.kind] ?? game.kind, game.day, game.hard && "(hard)"].filter(Boolean).join(" "),
                    state(place, id, game, changed), board(game),
                    game.secret ? h("strong", {}, game.secret) : "sealed",
                ]),
            };
        }, "No games.");
    place.replaceChildren(h("h2", { tabindex: -1 }, "Games"), list);
}

function state(place, id, game, changed) {
    const text = game.reward ? `${states[game.state]}, ${signed(game.reward)} energy` : states[game.state];
    if (game.state !== "playing") return text;
    return h("span", {}, text, h("br"), endGameButton(place, id, game, changed));
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
