// What the player has done: figures, the distribution of the wins, and every game.

import { Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { close } from "./dialogs.js";
import { h } from "./dom.js";
import { capital, lettersOf } from "./letters.js";
import { player } from "./player.js";

/** Fills the dialog. */
export async function showStatistics(content) {
    if (!player.token) {
        return content.replaceChildren(h("p", {}, "Play your first game, and it is counted here."));
    }
    if (player.statistics) draw(content);
    try {
        await player.refresh({ isOnce: true });
        draw(content);
        await addGames(content.querySelector(".games"));
    } catch (error) {
        if (error instanceof Unreachable) content.append(h("p", { role: "alert" }, "No connection: this may not be the latest."));
        else if (!(error instanceof Problem)) throw error;
    }
}

function draw(content) {
    const { played, won, currentStreak, longestStreak, distribution } = player.statistics;
    const figures = [
        [played, "played"], [played === 0 ? "–" : `${Math.round((won / played) * 100)}%`, "won"],
        [currentStreak, "streak"], [longestStreak, "longest streak"],
    ];
    content.replaceChildren(
        h("dl", { class: "figures" }, ...figures.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
        h("h3", {}, "Guesses it took"),
        chart(distribution),
        h("h3", {}, "Every game"),
        h("ul", { class: "games" }));
}

/** Bars, the longest as wide as there is room; the player's most frequent one in wax. */
function chart(distribution) {
    const most = Math.max(...distribution, 1);
    return h("ol", { class: "distribution" }, ...distribution.map((wins, index) => {
        const bar = h("span", { class: `bar${wins === 0 ? "" : wins === most ? " is-last" : " is-some"}` }, String(wins));
        bar.style.setProperty("--share", `${(wins / most) * 100}%`);
        return h("li", {}, h("span", { "aria-hidden": "true" }, String(index + 1)), h("span", { class: "track" },
            h("span", { class: "unseen" }, `${index + 1}: `), bar));
    }));
}

async function addGames(list, before) {
    const page = await player.ask("GET", `games?limit=20${before ? `&before=${encodeURIComponent(before)}` : ""}`, { isOnce: true });
    list.append(...page.games.map((game) => h("li", {}, entry(game))));
    if (!page.next) return;
    const more = h("li", {}, h("button", { type: "button", class: "button", click: () => {
        more.remove();
        addGames(list, page.next);
    } }, "More"));
    list.append(more);
}

function entry(game) {
    const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(Date.parse(game.startedAt));
    const word = game.secret
        ? lettersOf(game.secret).map((letter) => capital(letter, game.language)).join("") : "Still sealed";
    const results = { won: `${game.guesses.length} of ${game.maximumGuesses}`, lost: "not found", playing: "play on" };
    return h("a", { href: `#game/${game.id}`, click: () => close("statistics") },
        h("span", {}, h("span", { class: "word" }, word),
            h("span", { class: "fine" }, game.kind === "daily" ? `Word of the day, ${date}` : date)),
        pattern(game), h("span", {}, results[game.state]));
}

function pattern(game) {
    return h("span", { class: "pattern", "aria-hidden": "true" }, ...game.guesses.map(({ marks }) =>
        h("i", {}, ...marks.map((mark) => h("b", { "data-mark": mark })))));
}
