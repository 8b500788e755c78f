// One player: what is known, energy, games, and what operators did.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { dataSection, endGameButton, energyForm, showWays } from "./admin-deeds.js";
import { failure, heading, moment, pages, searchLink, signed, table, usedAt } from "./admin-views.js";
import { nameForm } from "./admin-names.js";
import { deeds } from "./admin-trail.js";
import { hasText, number, parts, t } from "./texts.js";

const marks = { c: "correct", p: "present", a: "absent" };

/** The text of a name; for what a service of a newer release knows, the word itself. */
const named = (name, word) => hasText(name) ? t(name) : word;

/** Shows a player by the id. */
export async function showPlayer(place, id) {
    const player = await ask("player", { id });
    const isAppOnly = player.name === undefined;
    const title = heading(player.name ?? t("players.ofApp"));
    // Whom the sentences of the trail are about.
    const me = { id, name: player.name ?? t("trail.player", { id }) };
    const known = h("div", {}, facts(player));
    const ways = h("section", { id: "ways" });
    const ledger = h("section", { id: "ledger" });
    const trail = h("section", { id: "done" });
    const games = h("section", { id: "games" });
    const lists = () => Promise.all([
        showLedger(ledger, id), showDone(trail, me),
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
        ...ofV2(h("p", {}, h("a", { href: `#together/${encodeURIComponent(id)}` }, t("player.shared")))),
        known, energyForm(place, id, changed),
        ...ofV2(nameForm(player, (name) => {
            title.textContent = name;
            me.name = name;
            return showDone(trail, me);
        }), ways),
        ledger, games, trail, dataSection(place, player, changed));
    await lists();
}

function facts(player) {
    const { statistics } = player;
    const rows = [
        [t("player.energy"), h("strong", { id: "balance" }, number(player.energy))], [t("column.since"), moment(player.createdAt)],
        [t("player.wins"), number(player.wins)], [t("player.words"), number(player.wordsPlayed)],
    ];
    if (statistics) {
        rows.push(
            [t("player.refill"), player.due === undefined ? "–" : h("span", {}, ...player.moreAt
                ? parts("player.dueMore", { count: player.due, time: moment(player.moreAt) }) : parts("player.due", { count: player.due }))],
            [t("player.finished"), t("player.finishedOf", { count: statistics.played, won: statistics.won })],
            [t("player.running"), number(player.running)],
            [t("player.days"), longest(statistics.days)],
            [t("player.streak"), longest(statistics)],
            [t("player.distribution"), statistics.distribution.map(number).join(" · ")],
            [t("player.devices"), number(player.sessions)],
            [t("column.used"), player.lastUsedAt ? usedAt(player.lastUsedAt) : "–"]);
    }
    if (player.account) {
        rows.push([t("player.claimed"), h("span", {}, ...parts("player.claimedAt",
            { account: searchLink(player.account, h("code", {}, player.account)), time: moment(player.claimedAt) }))]);
    }
    if (player.merged) rows.push([t("player.merged"), number(player.merged)]);
    return h("dl", { class: "facts" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

const longest = ({ currentStreak, longestStreak }) => t("player.longest", { count: currentStreak, longest: longestStreak });

async function showLedger(place, id) {
    const columns = [t("column.time"), t("reason"), t("ledger.about"), `#${t("ledger.change")}`, `#${t("ledger.balance")}`];
    const list = await pages(table(t("ledger.title"), columns), async (before) => {
        const { entries, next } = await ask("ledger", { id, before });
        return {
            next,
            rows: entries.map((entry) => [
                moment(entry.at), named(`ledger.${entry.reason}`, entry.reason),
                reference(entry),
                signed(entry.delta), number(entry.balance),
            ]),
        };
    }, t("ledger.none"));
    place.replaceChildren(h("h2", {}, t("ledger.title")), list);
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
    const columns = [t("games.begun"), t("games.kind"), t("column.state"), t("games.guesses"), t("column.word")];
    const list = await pages(table(t("games.caption"), columns),
        async (before) => {
            const { games, next } = await ask("games", { id, before });
            return {
                next,
                rows: games.map((game) => [
                    h("span", {}, moment(game.startedAt), h("br"), h("code", { class: "fine" }, game.id)),
                    [named(`games.kind.${game.kind}`, game.kind), game.day, game.hard && t("games.hard")].filter(Boolean).join(" "),
                    state(place, id, game, changed), board(game),
                    game.secret ? h("strong", {}, game.secret) : t("games.sealed"),
                ]),
            };
        }, t("games.none"));
    place.replaceChildren(h("h2", { tabindex: -1 }, t("games.title")), list);
}

function state(place, id, game, changed) {
    const word = t(`games.${game.state}`);
    const text = game.reward ? t("games.reward", { state: word, reward: signed(game.reward) }) : word;
    if (game.state !== "playing") return text;
    return h("span", {}, text, h("br"), endGameButton(place, id, game, changed));
}

function board(game) {
    const letters = [...game.guesses];
    const rows = [];
    for (let start = 0; start < letters.length; start += game.length) {
        const tiles = letters.slice(start, start + game.length).map((letter, index) => {
            const mark = game.marks[start + index];
            const words = t(`mark.${mark}`);
            return h("span", { class: `mark is-${marks[mark]}`, title: t("mark.letter", { letter, mark: words }) },
                letter, h("span", { class: "unseen" }, ` ${words}, `));
        });
        rows.push(h("span", { class: "guess" }, ...tiles));
    }
    return rows.length === 0 ? t("games.noGuess") : h("span", { class: "board" }, ...rows);
}

async function showDone(place, me) {
    const list = await deeds(me);
    place.replaceChildren(h("h2", {}, t("trail.done")), list);
}
