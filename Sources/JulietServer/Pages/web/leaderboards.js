// Who opened today's word in the fewest guesses, and who has won most.

import { Problem } from "./api.js";
import { duration } from "./clock.js";
import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { count } from "./letters.js";
import { player } from "./player.js";

const boards = [["daily", "Word of the day"], ["wins", "Most wins"]];
const periods = [["day", "Today"], ["week", "Week"], ["month", "Month"], ["all", "Ever"]];
const chosen = { board: "daily", period: "week" };

/** Fills the dialog. */
export function showLeaderboards(content) {
    const list = h("div", { "aria-live": "polite" });
    const show = () => {
        period.hidden = chosen.board === "daily";
        draw(list);
    };
    const period = choice("period", "Period", periods, show);
    content.replaceChildren(choice("board", "Board", boards, show), period, list);
    show();
}

function choice(name, title, values, show) {
    return h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, title), ...values.map(([value, text]) =>
        h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen[name], change: () => {
            chosen[name] = value;
            show();
        } }), h("span", {}, text))));
}

async function draw(list) {
    const { board, period } = chosen;
    const isCurrent = () => board === chosen.board && period === chosen.period;
    const show = (...children) => isCurrent() && list.replaceChildren(...children);
    try {
        const isDaily = board === "daily";
        const path = isDaily ? `daily/${(await player.ask("GET", "daily", { isOnce: true })).day}/leaderboard` : "leaderboards/wins";
        const page = await player.ask("GET", `${path}?limit=20${isDaily ? "" : `&period=${period}`}`, { isOnce: true });
        if (page.entries.length === 0) {
            return show(h("p", {}, isDaily ? "Nobody has opened today's word yet." : "Nobody has won yet."));
        }
        show(table(page, isDaily), h("p", { class: "fine" }, summary(page, isDaily)));
    } catch (error) {
        if (error instanceof Unreachable) show(h("p", { role: "alert" }, "No connection. Try again in a moment."));
        else if (!(error instanceof Problem)) throw error;
        else if (error.status === 401) show(h("p", {}, "Leaderboards are for players here: play your first game."));
        else show(h("p", { role: "alert" }, "The board cannot be shown."));
    }
}

function table({ entries, me }, isDaily) {
    const columns = isDaily ? ["Guesses", "Time"] : ["Wins"];
    const values = (entry) => (isDaily ? [entry.guesses, duration(entry.seconds)] : [entry.wins]);
    const row = (entry) => h("tr", { class: entry.isMe ? "is-me" : "" },
        h("td", {}, String(entry.rank)),
        h("td", { class: "wide" }, entry.name, entry.isMe && h("span", { class: "unseen" }, " (you)")),
        ...values(entry).map((value) => h("td", {}, String(value))));
    const isListed = !me || entries.some(({ isMe }) => isMe);
    return h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Rank"), h("th", { scope: "col", class: "wide" }, "Player"),
            ...columns.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...entries.map(row),
            ...(isListed ? [] : [h("tr", { class: "is-gap", "aria-hidden": "true" }, h("td", { colspan: String(columns.length + 2) }, "⋯")), row(me)])));
}

function summary({ players }, isDaily) {
    return isDaily
        ? `${count(players, "player")} ended today's game. Fewer guesses first, then less time.`
        : `${count(players, "player")} won in this time.`;
}
