// What the end of a game is to the player: streak, rank among everybody today, the distribution of their wins.

import { Problem } from "./api.js";
import { comes, soon, Unreachable } from "./connection.js";
import { h, has } from "./dom.js";
import { quiet } from "./forms.js";
import { drawResult } from "./picture.js";
import { player } from "./player.js";
import { lookBack } from "./review.js";
import { save } from "./share.js";
import { chart } from "./statistics.js";
import { number, percent, t } from "./texts.js";
import { nameForm } from "./who.js";

/** In how many leagues the rank is told. */
const mostLeagues = 3;

/** How long the rest waits for what others have done, in milliseconds. */
const patience = 1500;

/** The part for a game that is over: what it counts for, and the way to a look back. Throws when the service cannot be asked. */
export async function aboutEnd(game, isToday) {
    return [...askForName(game), ...await standingAfter(game, isToday), ...lookBack(game)];
}

/** At the first win of a player without a name: what they are called, if they like. */
function askForName(game) {
    if (game.state !== "won" || !player.asksName(game.id)) return [];
    const { token } = player;
    const place = h("div", { class: "first-name" });
    const say = (...said) => {
        place.replaceChildren(h("p", { role: "status", tabindex: "-1" }, ...said));
        place.firstChild.focus();
    };
    const form = nameForm(t("name.take"), async (name) => {
        await player.rename(name, token);
        say(t("who.plays", { name }));
    });
    form.querySelector("button").after(quiet(t("name.skip"), () => {
        player.skipName(token);
        say(t("name.later"));
    }));
    place.append(form);
    return [place];
}

/** The player's figures with this game in them. Empty for one that counts nowhere. */
async function standingAfter(game, isToday) {
    if (!["game", "daily"].includes(game.kind) || !player.statistics) return [];
    const { played, won, currentStreak, longestStreak, distribution, days } = player.statistics;
    const [board, leagues = []] = isToday ? await Promise.all([soon(boardOf(game.day), patience), soon(leagueRanks(), patience)]) : [];
    const figures = [
        days.currentStreak > 0 && [number(days.currentStreak), t("statistics.days")],
        board?.me && [t("over.rank", { rank: board.me.rank }), t("over.ofToday", { count: board.players })],
        ...(game.kind === "daily" ? [!board?.me && days.longestStreak > 0 && [number(days.longestStreak), t("statistics.longestDays")]]
            : [currentStreak > 0 && [number(currentStreak), t("statistics.streak")],
                days.currentStreak === 0 && longestStreak > 0 && [number(longestStreak), t("statistics.longest")]]),
        [number(played), t("statistics.played")],
        [percent(played === 0 ? 0 : won / played), t("statistics.won")],
    ].filter(Boolean);
    return [
        h("dl", { class: "figures" }, ...figures.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        ...(leagues.length > 0 ? [h("ul", { class: "standings" }, ...leagues)] : []),
        ...chart("h4", distribution, game.state === "won" ? game.guesses.length : 0),
    ];
}

/** The day's board with the player's own entry; undefined where the service does not show it. */
async function boardOf(day) {
    return asked(`daily/${day}/leaderboard?limit=1`);
}

/** The player's rank today in their leagues, a line each, which says it when it has come. */
async function leagueRanks() {
    const leagues = has("leagues") ? (await asked("leagues"))?.leagues ?? [] : [];
    return leagues.slice(0, mostLeagues).map((league) => {
        const text = h("span", { role: "status", tabindex: "-1" });
        const line = h("li", {}, text);
        text.textContent = t("coming");
        comes(showRank(text, league));
        return line;
    });
}

/** Says a rank; where the table cannot be loaded it says so, with a button that tries again. */
async function showRank(text, league) {
    const { id, name } = league;
    const table = await asked(`leagues/${id}/table?period=day`);
    const me = table?.entries.find(({ isMe }) => isMe);
    // Who ended the word after its day sees a table without this day.
    text.parentElement.hidden = table?.withoutToday === true;
    text.replaceChildren(...(me
        ? [t("over.league", { name, rank: me.rank, count: table.endedToday, members: table.entries.length })]
        : [t("over.noLeague", { name }), " ", quiet(t("again"), async () => {
            await showRank(text, league);
            text.focus();
        })]));
}

/** What the service answers; undefined when it does not. */
async function asked(path) {
    try {
        return await player.ask("GET", path, { isOnce: true });
    } catch (error) {
        if (error instanceof Problem || error instanceof Unreachable) return undefined;
        throw error;
    }
}

/** Hands the result of a game, the last of so many days in a row, on as a picture, in the way this device has. Returns what to say of it. */
export async function shareImage(game, text, days) {
    const wins = game.kind === "game" && game.state === "won" ? player.statistics?.currentStreak : 0;
    const blob = await drawResult(game, days > 1 ? t("share.days", { count: days }) : wins > 1 && t("leave.streak", { count: wins }));
    const name = t("picture.fileName");
    const file = new File([blob], name, { type: blob.type });
    if (navigator.canShare?.({ files: [file], text }) && matchMedia("(pointer: coarse)").matches) {
        try {
            await navigator.share({ files: [file], text });
            return "";
        } catch (error) {
            if (error.name === "AbortError") return "";
        }
    }
    save(name, blob);
    return t("picture.saved");
}
