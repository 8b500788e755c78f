// What happened on the last days, weeks and months: charts, and the days as a table and as a file.

import { ask } from "./admin-api.js";
import { chart } from "./admin-chart.js";
import { h } from "./dom.js";
import { heading, moment, table } from "./admin-views.js";
import { language, number, parts, t } from "./texts.js";

const ranges = [7, 30, 90, 365];
const kinds = ["app", "game", "daily", "challenge", "archive"].map((kind) => [kind, t(`begun.${kind}`)]);
const reasons = Object.fromEntries([
    "registration", "import", "game", "purchase", "client_report", "support", "refund", "lottery", "refill", "daily", "challenge", "merge",
].map((reason) => [reason, t(`energy.${reason}`)]));
// More kinds of energy than these are drawn as one.
const mostReasons = 6;
const [short, long, month] = [{ day: "numeric", month: "short" }, { weekday: "short", day: "numeric", month: "short", year: "numeric" },
    { month: "long", year: "numeric" }]
    .map((form) => new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...form, timeZone: "UTC" }));
const dayLength = 86_400_000;

const time = (day) => Date.parse(`${day}T00:00:00Z`);
const dayAfter = (day, count) => new Date(time(day) + count * dayLength).toISOString().slice(0, 10);
const sum = (values) => values.reduce((total, value) => total + (value ?? 0), 0);

/** Shows the figures of as many days as the address says. */
export async function showFigures(place, rest) {
    const range = ranges.some((days) => String(days) === rest) ? Number(rest) : 30;
    const note = h("p", { class: "fine", id: "waiting" }, t("figures.reading"));
    place.append(heading(t("figures.title")),
        h("div", { class: "ranges", role: "group", "aria-label": t("figures.range") }, ...ranges.map((days) =>
            h("a", { href: `#figures/${days}`, class: "button", "aria-current": days === range && "true" },
                days === 365 ? t("figures.year") : t("figures.days", { count: days })))), note);
    const { readAt, open, kept } = await ask("figures", { days: range });
    const known = new Map([...open, ...kept.days].map((day) => [day.day, day]));
    const today = open.at(-1).day;
    const names = Array.from({ length: range }, (_, index) => dayAfter(today, index - range + 1));
    const days = names.map((name) => known.get(name));
    const labels = names.map((name) => ({
        short: short.format(time(name)), long: long.format(time(name)), open: name === today,
    }));
    const left = days.filter((day) => !day).length;
    note.replaceChildren(...parts("figures.note", { time: moment(readAt) }), " ",
        left ? h("strong", { id: "left" }, t("figures.left", { count: left })) : "");
    const perDay = (title, about, series) => {
        const shown = series.map(([name, value, tone]) => ({ name, tone, values: days.map((day) => day && value(day)) }));
        return chart(title, about).show(labels, shown);
    };
    place.append(
        tiles(days, known, kept, today),
        h("div", { class: "charts" },
            perDay(t("figures.activeDay"), t("figures.activeDayWhat"), [[t("figures.players"), (day) => day.active]]),
            periods(t("figures.activeWeek"), kept.weeks.slice(-Math.max(8, Math.ceil(range / 7))),
                (week) => ({ short: short.format(time(week.day)), long: t("figures.weekFrom", { day: long.format(time(week.day)) }) })),
            periods(t("figures.activeMonth"), kept.months,
                (one) => ({ short: month.format(time(one.day)).slice(0, 3), long: month.format(time(one.day)) })),
            perDay(t("figures.new"), t("figures.newWhat"), [[t("figures.players"), (day) => day.registered]]),
            perDay(t("figures.begun"), t("figures.begunWhat"),
                kinds.map(([kind, name]) => [name, (day) => day.begun[kind] ?? 0])),
            perDay(t("figures.ended"), t("figures.endedWhat"),
                [[t("figures.won"), (day) => day.won], [t("figures.lost"), (day) => day.lost]]),
            energy(perDay, days, "brought", t("figures.in"), t("figures.inWhat")),
            energy(perDay, days, "took", t("figures.out"), t("figures.outWhat")),
            perDay(t("figures.purchases"), t("figures.purchasesWhat"),
                [[t("figures.bought"), (day) => day.entries.purchase ?? 0], [t("figures.refunded"), (day) => day.entries.refund ?? 0]]),
            outcomes(days, today)),
        retention(kept.weeks),
        asTable(days.filter(Boolean).toReversed()));
}

/** What is asked most. */
function tiles(days, known, kept, today) {
    const yesterday = known.get(dayAfter(today, -1));
    const [week, last] = [kept.weeks.at(-1), kept.months.at(-1)];
    const facts = [
        ["active-today", t("figures.activeToday"), known.get(today).active],
        ["active-yesterday", t("figures.activeYesterday"), yesterday?.active],
        ["active-week", week
            ? t("figures.activeFrom", { from: short.format(time(week.day)), to: short.format(time(week.day) + 6 * dayLength) })
            : t("figures.activeLastWeek"), week?.active],
        ["active-month", last ? t("figures.activeIn", { month: month.format(time(last.day)) }) : t("figures.activeLastMonth"), last?.active],
        ["registered", t("figures.newAll"), sum(days.map((day) => day?.registered))],
        ["begun", t("figures.begunAll"), sum(days.map((day) => day && sum(Object.values(day.begun))))],
    ];
    return h("dl", { class: "facts tiles" }, ...facts.map(([id, name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", { id }, value === undefined ? t("figures.uncounted") : number(value)))));
}

/** A chart of weeks or months that are over. */
function periods(title, list, label) {
    return list.length
        ? chart(title, t("figures.periods")).show(list.map(label), [{ name: t("figures.players"), values: list.map((one) => one.active) }])
        : h("figure", { class: "chart" }, h("figcaption", {}, h("h2", {}, title), h("p", { class: "fine" }, t("figures.noPeriod"))));
}

/** A chart of energy by reason, the most first. */
function energy(perDay, days, key, title, about) {
    const total = (reason) => sum(days.map((day) => day?.[key][reason]));
    const found = Object.keys(reasons).filter(total).sort((one, other) => total(other) - total(one));
    const [shown, others] = [found.slice(0, mostReasons), found.slice(mostReasons)];
    const series = shown.map((reason) => [reasons[reason], (day) => day[key][reason] ?? 0]);
    if (others.length) series.push([t("figures.others"), (day) => sum(others.map((reason) => day[key][reason]))]);
    return perDay(title, about, series.length ? series : [[t("figures.energy"), () => 0]]);
}

/** How many players needed how many guesses for the word of a day that can be chosen. */
function outcomes(days, today) {
    const list = days.filter(Boolean).toReversed();
    const select = h("select", { id: "outcomes-day" }, ...list.map((day) =>
        h("option", { value: day.day }, day.day === today ? t("figures.notOver", { day: long.format(time(day.day)) }) : long.format(time(day.day)))));
    if (list.length > 1) select.selectedIndex = 1;
    const picture = chart(t("figures.outcomes"), t("figures.outcomesWhat"));
    const show = () => {
        const { outcomes: counts } = list[select.selectedIndex];
        picture.show(counts.map((_, index) => index < 6
            ? { short: `${index + 1}`, long: t("figures.wonWith", { count: index + 1 }) }
            : { short: t("figures.lost"), long: t("figures.lost") }),
        [{ name: t("figures.players"), values: counts }]);
    };
    select.addEventListener("change", show);
    picture.querySelector("figcaption").append(h("label", { for: "outcomes-day" }, t("figures.day")), select);
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
    const share = (value) => t("figures.share", { share: Math.round(100 * value) });
    const body = rows.map(([day, size, later]) => h("tr", {}, h("th", { scope: "row" }, t("figures.from", { day: short.format(time(day)) })),
        h("td", { class: "is-number" }, number(size)),
        ...Array.from({ length: longest }, (_, index) => later[index] === undefined ? h("td", {})
            : h("td", { class: "is-number", "data-share": Math.ceil(later[index] * 10) }, share(later[index])))));
    const nothing = h("p", { class: "fine" }, t("figures.retentionNone"));
    return h("section", { id: "retention" }, h("h2", {}, t("figures.retention")),
        h("p", { class: "fine" }, t("figures.retentionWhat")),
        longest || rows.length ? h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": t("figures.retentionTable") },
            h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("figures.week")), h("th", { scope: "col", class: "is-number" }, t("figures.newShort")),
                ...Array.from({ length: longest }, (_, index) => h("th", { scope: "col", class: "is-number" }, t("figures.weekNumber", { number: index + 1 }))))),
            h("tbody", {}, ...body))) : nothing);
}

/** A name within a line: German writes nouns with a capital there too. */
const within = (name) => language === "en" ? name.toLowerCase() : name;

/** The columns of table and file. */
const columns = [
    [t("figures.active"), (day) => day.active], [t("figures.new"), (day) => day.registered],
    ...kinds.map(([kind, name]) => [t("figures.begunOf", { kind: within(name) }), (day) => day.begun[kind] ?? 0]),
    [t("figures.hard"), (day) => day.hard], [t("figures.won"), (day) => day.won], [t("figures.lost"), (day) => day.lost],
    [t("figures.challenges"), (day) => day.challenges], [t("figures.bought"), (day) => day.entries.purchase ?? 0],
    [t("figures.refunded"), (day) => day.entries.refund ?? 0],
    ...Object.entries(reasons).flatMap(([reason, name]) => [
        [t("figures.inOf", { reason: within(name) }), (day) => day.brought[reason] ?? 0],
        [t("figures.outOf", { reason: within(name) }), (day) => day.took[reason] ?? 0]]),
    ...[1, 2, 3, 4, 5, 6, 7].map((guesses) => [guesses < 7 ? t("figures.dailyIn", { guesses }) : t("figures.dailyLost"),
        (day) => day.outcomes[guesses - 1]]),
];

/** The days as a file of comma-separated values (RFC 4180), the oldest first. */
export const csv = (days) => [[t("figures.day"), ...columns.map(([name]) => name)].map((name) => `"${name}"`).join(","),
    ...days.toReversed().map((day) => [day.day, ...columns.map(([, value]) => value(day))].join(","))].join("\r\n") + "\r\n";

/** The days as a table behind a fold, which is made when it is opened, and as a file. Columns without a number are left out. */
function asTable(days) {
    const fold = h("details", { id: "days" }, h("summary", {}, t("figures.table")));
    fold.addEventListener("toggle", () => {
        if (!fold.open || fold.querySelector("table")) return;
        const shown = columns.filter(([, value]) => days.some(value));
        fold.append(h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": t("figures.table") },
            table(t("figures.tableWhat"), [t("figures.day"), ...shown.map(([name]) => `#${name}`)],
                days.map((day) => [day.day, ...shown.map(([, value]) => number(value(day)))]))));
    });
    const save = h("a", { class: "button", id: "csv", download: `juliet-${days.at(-1)?.day}-${days[0]?.day}.csv`,
        href: `data:text/csv;charset=utf-8,${encodeURIComponent(csv(days))}` }, t("figures.csv"));
    return h("section", {}, fold, h("p", {}, save));
}
