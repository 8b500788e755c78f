// What the player has done: figures, the distribution of the wins, and every game.

import { Problem } from "./api.js";
import { pattern } from "./board.js";
import { dateOf } from "./clock.js";
import { comes, Unreachable } from "./connection.js";
import { close } from "./dialogs.js";
import { h } from "./dom.js";
import { comingLine } from "./forms.js";
import { lateFailure } from "./late.js";
import { capitals } from "./letters.js";
import { addPage } from "./paging.js";
import { player } from "./player.js";
import { number, percent, t } from "./texts.js";

/** Fills the dialog. */
export async function showStatistics(content) {
    if (!player.token) {
        return content.replaceChildren(h("p", {}, t("statistics.nobody")));
    }
    if (player.statistics) draw(content);
    else content.replaceChildren(comingLine());
    try {
        await comes(player.refresh({ isOnce: true }));
        draw(content);
        await comes(addPage(content.querySelector(".games"), "games", ({ games }) => games.map(entry)));
    } catch (error) {
        if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
        if (error instanceof Unreachable && player.statistics) return content.append(h("p", { role: "alert" }, t("statistics.old")));
        content.querySelector(".coming")?.remove();
        content.append(...lateFailure(error, () => showStatistics(content)));
    }
}

function draw(content) {
    const { played, won, currentStreak, longestStreak, distribution, days } = player.statistics;
    const figures = [
        [number(days.currentStreak), t("statistics.days")], [number(days.longestStreak), t("statistics.longestDays")],
        [number(played), t("statistics.played")], [played === 0 ? "–" : percent(won / played), t("statistics.won")],
        [number(currentStreak), t("statistics.streak")], [number(longestStreak), t("statistics.longest")],
    ];
    content.replaceChildren(
        h("dl", { class: "figures" }, ...figures.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        ...chart("h3", distribution),
        h("h3", {}, t("statistics.games")),
        h("ul", { class: "games" }));
}

/**
 * Bars below a heading, the longest as wide as there is room; in wax the player's most frequent one, or that of `marked` guesses. Empty
 * before the first win.
 */
export function chart(heading, distribution, marked) {
    const most = Math.max(...distribution);
    if (most === 0) return [];
    const isInWax = (wins, index) => (marked === undefined ? wins === most : index + 1 === marked);
    return [h(heading, {}, t("statistics.guesses")), h("ol", { class: "distribution" }, ...distribution.map((wins, index) => {
        const bar = h("span", { class: `bar${wins === 0 ? "" : isInWax(wins, index) ? " is-last" : " is-some"}` }, number(wins));
        bar.style.setProperty("--share", `${(wins / most) * 100}%`);
        return h("li", {}, h("span", { "aria-hidden": "true" }, String(index + 1)), h("span", { class: "track" },
            h("span", { class: "unseen" }, `${index + 1}: `), bar));
    }))];
}

/** How a game goes or went, in words. */
export const resultOf = (state, guesses, most = 6) => t(`statistics.${state === "won" ? "solved" : state}`, { guesses, most });

function entry(game) {
    const date = dateOf(game.startedAt);
    const word = game.secret ? capitals(game.secret, game.language) : t("statistics.secret");
    return h("a", { href: `#game/${game.id}`, click: () => close("statistics") },
        h("span", {}, h("span", { class: "word" }, word),
            h("span", { class: "fine" }, game.kind === "daily" ? t("statistics.daily", { date }) : date)),
        pattern(game.guesses.map(({ marks }) => marks)),
        h("span", {}, resultOf(game.state, game.guesses.length, game.maximumGuesses)));
}
