// A look back at a game that is over: how many words could still be the one, guess by guess.

import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { attempt, quiet, Said } from "./forms.js";
import { capitals } from "./letters.js";
import { player } from "./player.js";
import { t } from "./texts.js";

/** The way to a game's look back, which takes its place. Empty for a game that has none: without guesses, or of any word. */
export function lookBack(game) {
    if (game.anyWord || game.guesses.length === 0) return [];
    const outcome = h("p", { class: "outcome", role: "status" });
    const place = h("div", { class: "review" },
        h("p", { class: "fine" }, quiet(t("review.do"), () => attempt(show, outcome, { 429: t("review.wait") }))), outcome);
    async function show() {
        const { guesses } = await reviewOf(game);
        const heading = h("h4", { tabindex: "-1" }, t("review.title"));
        place.replaceChildren(heading, h("ol", {}, ...guesses.map((guess) => h("li", {}, ...sentences(guess, game)))),
            h("p", { class: "fine" }, t("review.what")));
        heading.focus();
    }
    return [place];
}

async function reviewOf({ id }) {
    try {
        return await player.ask("GET", `games/${id}/review`, { isOnce: true });
    } catch (error) {
        // Too many in a minute, which end soon.
        if (error instanceof Unreachable && error.retryAfter > 0) throw new Said(t("review.wait"));
        throw error;
    }
}

/** What a guess was worth: how many words it left, of how many, and what could be expected of it and of the best one. */
function sentences({ word, before, left, expected, best }, { secret, language }) {
    const shown = capitals(word, language);
    if (word === secret) return [t("review.found", { word: shown, count: before })];
    if (before === 1) return [t("review.only", { word: shown })];
    const sentence = t("review.left", { word: shown, count: left, before, expected: rounded(expected) });
    if (!best) return [sentence];
    const isBetter = rounded(best.expected) < rounded(expected);
    return [sentence, " ", isBetter
        ? t("review.best", { word: capitals(best.word, language), count: rounded(best.expected) }) : t("review.noBetter")];
}

/** A mean as it is shown: with one decimal, where that says something. */
const rounded = (mean) => (mean < 10 ? Math.round(mean * 10) / 10 : Math.round(mean));
