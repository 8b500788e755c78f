// What happened on the last days, weeks and months: charts, and the days as a table and as a file.

import { ask } from "./admin-api.js";
import { chart } from "./admin-chart.js";
import { h } from "./dom.js";
import { heading, moment, number, table } from "./admin-views.js";

const ranges = [[7, "7 days"], [30, "30 days"], [90, "90 days"], [365, "A year"]];
const kinds = [["app", "The app’s"], ["game", "Ordinary"], ["daily", "Of the day"], ["challenge", "Challenges"], ["archive", "Past days"]];
const reasons = {
    registration: "New players", import: "Imported", game: "Games", purchase: "Purchases", client_report: "Reported by the app",
    support: "Granted", refund: "Refunds", lottery: "Lottery", refill: "Refill", daily: "Rewards of the day",
    challenge: "Challenges", merge: "Merges",
};
// More kinds of energy than these are drawn as one.
const mostReasons = 6;
const [short, long, month] = [{ day: "numeric", month: "short" }, { weekday: "short", day: "numeric", month: "short", year: "numeric" },
    { month: "long", year: "numeric" }]
    .map((form) => new Intl.DateTimeFormat("en-GB", { ...form, timeZone: "UTC" }));
const dayLength = 86_400_000;

const time = (day) => Date.parse(`${day}T00:00:00Z`);
const dayAfter = (day, count) => new Date(time(day) + count * dayLength).toISOString().slice(0, 10);
const sum = (values) => values.reduce((total, value) => total + (value ?? 0), 0);

/** Shows the figures of as many days as the address says. */
export async function showFigures(place, rest) {
    const range = ranges.some(([days]) => String(days) === rest) ? Number(rest) : 30;
    const note = h("p", { class: "fine", id: "waiting" }, "Reading the figures …");
    place.append(heading("Figures"),
        h("div", { class: "ranges", role: "group", "aria-label": "How far back" }, ...ranges.map(([days, name]) =>
            h("a", { href: `#figures/${days}`, class: "button", "aria-current": days === range && "true" }, name))), note);
    const { readAt, open, kept } = await ask("figures", { days: range });
    const known = new Map([...open, ...kept.days].map((day) => [day.day, day]));
    const today = open.at(-1).day;
    const names = Array.from({ length: range }, (_, index) => dayAfter(today, index - range + 1));
    const days = names.map((name) => known.get(name));
    const labels = names.map((name) => ({
        short: short.format(time(name)), long: long.format(time(name)), open: name === today,
    }));
    const left = days.filter((day) => !day).length;
    note.replaceChildren("Days are in UTC. Today is not over: counted at ", moment(readAt), ". ",
        left ? h("strong", { id: "left" }, `${number(left)} of these days are not counted yet, and are missing here.`) : "");
    const perDay = (title, about, series) => {
        const shown = series.map(([name, value, tone]) => ({ name, tone, values: days.map((day) => day && value(day)) }));
        return chart(title, about).show(labels, shown);
    };
    place.append(
        tiles(days, known, kept, today),
        h("div", { class: "charts" },
            perDay("Players active a day", "Players who played, bought or were new, not those who only signed in.", [["Players", (day) => day.active]]),
            periods("Players active a week", kept.weeks.slice(-Math.max(8, Math.ceil(range / 7))),
                (week) => ({ short: short.format(time(week.day)), long: `Week from ${long.format(time(week.day))}` })),
            periods("Players active a month", kept.months,
                (one) => ({ short: month.format(time(one.day)).slice(0, 3), long: month.format(time(one.day)) })),
            perDay("New players", "Registrations in both contracts.", [["Players", (day) => day.registered]]),
            perDay("Games begun", "The app’s games are paid for, not judged by the service.",
                kinds.map(([kind, name]) => [name, (day) => day.begun[kind] ?? 0])),
            perDay("Games won and lost", "Games that the service judged; the app’s own wins have no date.",
                [["Won", (day) => day.won], ["Lost", (day) => day.lost]]),
            energy(perDay, days, "brought", "Energy that came in", "What balances gained, by reason."),
            energy(perDay, days, "took", "Energy that went out", "What balances lost, by reason."),
            perDay("Purchases and refunds", "Number of entries in the ledger; their energy is in the table.",
                [["Purchases", (day) => day.entries.purchase ?? 0], ["Refunds", (day) => day.entries.refund ?? 0]]),
            outcomes(days, today)),
        retention(kept.weeks),
        asTable(days.filter(Boolean).toReversed()));
}

/** What is asked most. */
function tiles(days, known, kept, today) {
    const yesterday = known.get(dayAfter(today, -1));
    const [week, last] = [kept.weeks.at(-1), kept.months.at(-1)];
    const facts = [
        ["active-today", "Active today so far", known.get(today).active],
        ["active-yesterday", "Active yesterday", yesterday?.active],
        ["active-week", week ? `Active from ${short.format(time(week.day))} to ${short.format(time(week.day) + 6 * dayLength)}` : "Active last week", week?.active],
        ["active-month", last ? `Active in ${month.format(time(last.day))}` : "Active last month", last?.active],
        ["registered", "New players, all these days", sum(days.map((day) => day?.registered))],
        ["begun", "Games begun, all these days", sum(days.map((day) => day && sum(Object.values(day.begun))))],
    ];
    return h("dl", { class: "facts tiles" }, ...facts.map(([id, name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", { id }, value === undefined ? "not counted yet" : number(value)))));
}

/** A chart of weeks or months that are over. */
function periods(title, list, label) {
    return list.length
        ? chart(title, "Each player counts once. Only periods that are over are shown.").show(list.map(label), [{ name: "Players", values: list.map((one) => one.active) }])
        : h("figure", { class: "chart" }, h("figcaption", {}, h("h2", {}, title), h("p", { class: "fine" }, "None is counted yet.")));
}

/** A chart of energy by reason, the most first. */
function energy(perDay, days, key, title, about) {
    const total = (reason) => sum(days.map((day) => day?.[key][reason]));
    const found = Object.keys(reasons).filter(total).sort((one, other) => total(other) - total(one));
    const [shown, others] = [found.slice(0, mostReasons), found.slice(mostReasons)];
    const series = shown.map((reason) => [reasons[reason], (day) => day[key][reason] ?? 0]);
    if (others.length) series.push(["Others", (day) => sum(others.map((reason) => day[key][reason]))]);
    return perDay(title, about, series.length ? series : [["Energy", () => 0]]);
}

/** How many players needed how many guesses for the word of a day that can be chosen. */
function outcomes(days, today) {
    const list = days.filter(Boolean).toReversed();
    const select = h("select", { id: "outcomes-day" }, ...list.map((day) =>
        h("option", { value: day.day }, day.day === today ? `${long.format(time(day.day))}, not over` : long.format(time(day.day)))));
    if (list.length > 1) select.selectedIndex = 1;
    const picture = chart("Guesses for the word of the day", "By players who ended it on its day.");
    const show = () => {
        const { outcomes: counts } = list[select.selectedIndex];
        picture.show(counts.map((_, index) => index < 6
            ? { short: `${index + 1}`, long: `Won with ${index + 1} ${index ? "guesses" : "guess"}` } : { short: "Lost", long: "Lost" }),
        [{ name: "Players", values: counts }]);
    };
    select.addEventListener("change", show);
    picture.querySelector("figcaption").append(h("label", { for: "outcomes-day" }, "Day"), select);
    show();
    return picture;
}

/** How many of those who came in a week were active again in the weeks after. */
function retention(weeks) {
    const rows = weeks.slice(-9).flatMap((week) => {
        const size = week.came;
        if (!size) return [];
        const later = weeks.filter((other) => other.day > week.day).map((other) => (other.cohorts[week.day] ?? 0) / size);
        return [[week.day, size, later]];
    });
    const longest = Math.max(0, ...rows.map(([, , later]) => later.length));
    const share = (value) => `${Math.round(100 * value)} %`;
    const body = rows.map(([day, size, later]) => h("tr", {}, h("th", { scope: "row" }, `From ${short.format(time(day))}`),
        h("td", { class: "is-number" }, number(size)),
        ...Array.from({ length: longest }, (_, index) => later[index] === undefined ? h("td", {})
            : h("td", { class: "is-number", "data-share": Math.ceil(later[index] * 10) }, share(later[index])))));
    const nothing = h("p", { class: "fine" }, "No week with new players is over and counted yet.");
    return h("section", { id: "retention" }, h("h2", {}, "New players of a week who came back"),
        h("p", { class: "fine" }, "Of those who came in a week, from Monday on, the share that was active in each week after it."),
        longest || rows.length ? h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "New players who came back" },
            h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Week"), h("th", { scope: "col", class: "is-number" }, "New"),
                ...Array.from({ length: longest }, (_, index) => h("th", { scope: "col", class: "is-number" }, `Week ${index + 1}`)))),
            h("tbody", {}, ...body))) : nothing);
}

/** The columns of table and file. */
const columns = [
    ["Active", (day) => day.active], ["New players", (day) => day.registered],
    ...kinds.map(([kind, name]) => [`Begun: ${name.toLowerCase()}`, (day) => day.begun[kind] ?? 0]),
    ["Hard", (day) => day.hard], ["Won", (day) => day.won], ["Lost", (day) => day.lost],
    ["Challenges made", (day) => day.challenges], ["Purchases", (day) => day.entries.purchase ?? 0], ["Refunds", (day) => day.entries.refund ?? 0],
    ...Object.entries(reasons).flatMap(([reason, name]) => [
        [`In: ${name.toLowerCase()}`, (day) => day.brought[reason] ?? 0], [`Out: ${name.toLowerCase()}`, (day) => day.took[reason] ?? 0]]),
    ...[1, 2, 3, 4, 5, 6, 7].map((guesses) => [guesses < 7 ? `Word of the day in ${guesses}` : "Word of the day lost",
        (day) => day.outcomes[guesses - 1]]),
];

/** The days as a file of comma-separated values (RFC 4180), the oldest first. */
export const csv = (days) => [["Day", ...columns.map(([name]) => name)].map((name) => `"${name}"`).join(","),
    ...days.toReversed().map((day) => [day.day, ...columns.map(([, value]) => value(day))].join(","))].join("\r\n") + "\r\n";

/** The days as a table behind a fold, which is made when it is opened, and as a file. Columns without a number are left out. */
function asTable(days) {
    const fold = h("details", { id: "days" }, h("summary", {}, "The days as a table"));
    fold.addEventListener("toggle", () => {
        if (!fold.open || fold.querySelector("table")) return;
        const shown = columns.filter(([, value]) => days.some(value));
        fold.append(h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "The days as a table" },
            table("The newest day first, in UTC", ["Day", ...shown.map(([name]) => `#${name}`)],
                days.map((day) => [day.day, ...shown.map(([, value]) => number(value(day)))]))));
    });
    const save = h("a", { class: "button", id: "csv", download: `juliet-${days.at(-1)?.day}-${days[0]?.day}.csv`,
        href: `data:text/csv;charset=utf-8,${encodeURIComponent(csv(days))}` }, "Download as CSV");
    return h("section", {}, fold, h("p", {}, save));
}
