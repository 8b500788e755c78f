// Who found today's word in the fewest guesses, and who has won most.

import { Problem } from "./api.js";
import { duration } from "./clock.js";
import { comes, Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { choice, comingLine } from "./forms.js";
import { lateFailure } from "./late.js";
import { player } from "./player.js";
import { number, t } from "./texts.js";

const named = (values) => values.map((value) => [value, t(`boards.${value}`)]);
const boards = named(["daily", "wins"]);
const periods = named(["day", "week", "month", "all"]);
const chosen = { board: "daily", period: "week" };

/** Fills the dialog. */
export function showLeaderboards(content) {
    const list = h("div", { "aria-live": "polite" });
    const show = () => {
        period.hidden = chosen.board === "daily";
        draw(list);
    };
    const choices = (name, values) => choice(name, t(`boards.${name}`), values, chosen[name], (value) => {
        chosen[name] = value;
        show();
    });
    const period = choices("period", periods);
    content.replaceChildren(choices("board", boards), period, list);
    show();
}

const draw = (list) => comes(load(list));

async function load(list) {
    const { board, period } = chosen;
    const isCurrent = () => board === chosen.board && period === chosen.period;
    const show = (...children) => isCurrent() && list.replaceChildren(...children);
    if (!list.querySelector("table")) show(comingLine());
    try {
        const isDaily = board === "daily";
        const path = isDaily ? `daily/${(await player.ask("GET", "daily", { isOnce: true })).day}/leaderboard` : "leaderboards/wins";
        const page = await player.ask("GET", `${path}?limit=20${isDaily ? "" : `&period=${period}`}`, { isOnce: true });
        if (page.entries.length === 0) {
            return show(h("p", {}, t(isDaily ? "boards.noneToday" : "boards.none")));
        }
        show(table(page, isDaily), h("p", { class: "fine" }, summary(page, isDaily)));
    } catch (error) {
        if (error instanceof Unreachable) show(...lateFailure(error, () => draw(list)));
        else if (!(error instanceof Problem)) throw error;
        else if (error.status === 401) show(h("p", {}, t("boards.players")));
        else show(h("p", { role: "alert" }, t("boards.failure")));
    }
}

function table({ entries, me }, isDaily) {
    const columns = (isDaily ? ["guesses", "time"] : ["won"]).map((name) => t(`boards.${name}`));
    const values = (entry) => (isDaily ? [number(entry.guesses), duration(entry.seconds)] : [number(entry.wins)]);
    const row = (entry) => h("tr", { class: entry.isMe ? "is-me" : "" },
        h("td", {}, number(entry.rank)),
        h("td", { class: "wide" }, entry.name, entry.isMe && h("span", { class: "unseen" }, ` (${t("you")})`)),
        ...values(entry).map((value) => h("td", {}, value)));
    const isListed = !me || entries.some(({ isMe }) => isMe);
    const gap = () => h("tr", { class: "is-gap", "aria-hidden": "true" }, h("td", { colspan: String(columns.length + 2) }, "⋯"));
    return h("table", {},
        h("thead", {}, h("tr", {},
            h("th", { scope: "col" }, t("boards.rank")), h("th", { scope: "col", class: "wide" }, t("boards.player")),
            ...columns.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...entries.map(row), ...(isListed ? [] : [gap(), row(me)])));
}

const summary = ({ players }, isDaily) => t(isDaily ? "boards.playedToday" : "boards.wonThen", { count: players });
