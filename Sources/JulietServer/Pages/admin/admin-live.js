// What goes on now: in the process that serves this page, and in the database. It is read again every ten seconds, as long as
// the page is seen.

import { ask } from "./admin-api.js";
import { chart } from "./admin-chart.js";
import { h } from "./dom.js";
import { announce, explain, heading, moment, table } from "./admin-views.js";
import { hasText, language, number, parts, t } from "./texts.js";

const interval = 10_000;
/** What the manual has about a warning. The rows of the page about trouble have the names of alerts, and of the warnings that are none. */
const sections = {
    ready: "trouble/julietnotready", failures: "trouble/julieterrors", slow: "trouble/julietslow", lost: "trouble/julietdatabaselost",
    waiting: "trouble/julietstatementswait", refused: "trouble/julietoverloaded", log: "trouble/julietlogdrops", releases: "upgrade",
    days: "trouble/days", connections: "trouble/connections", transaction: "trouble/transaction", standby: "trouble/standby",
    archive: "trouble/archive",
};

const fixed = (value) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const bytes = (value) => value < 2 ** 30 ? `${number(Math.round(value / 2 ** 20))} MiB` : `${fixed(value / 2 ** 30)} GiB`;
const milliseconds = (value) => value === undefined ? t("live.overTenSeconds") : `${number(value / 1000)} ms`;
const clock = (text) => `${text.slice(11, 19)} UTC`;

/** A span of seconds, in its largest unit. */
function span(seconds) {
    if (seconds < 1) return t("live.seconds", { count: 0 });
    const [size, unit] = [[86_400, "days"], [3600, "hours"], [60, "minutes"], [1, "seconds"]].find(([size]) => seconds >= size);
    return t(`live.${unit}`, { count: Math.floor(seconds / size) });
}

const untold = () => h("span", { class: "fine" },
    ...parts("live.untold", { link: h("a", { href: "#manual/admin/what-goes-on-now" }, t("live.untoldLink")) }));

/** What each fact says. */
const facts = {
    game: [
        ["players", ({ lastHour }) => number(lastHour.players)],
        ["paid", ({ lastHour }) => number(lastHour.paid)],
        ["judged", ({ lastHour }) => number(lastHour.judged)],
        ["running", ({ lastHour }) => number(lastHour.running)],
        ["ended", ({ lastHour }) => t("live.pair", { one: lastHour.won, other: lastHour.lost })],
    ],
    process: [
        ["requests", ({ process }) => process.seconds ? number(Math.round(60 * process.requests / process.seconds)) : "…"],
        ["failed", ({ process }) => t("live.pair", { one: process.failures, other: process.limited })],
        ["durations", ({ process }) => process.requests
            ? t("live.pair", { one: milliseconds(process.half), other: milliseconds(process.most) }) : t("live.noRequests")],
        ["clients", ({ process }) => number(process.connections)],
        ["pool", ({ process }) => t("live.pooled", { used: process.poolInUse, idle: process.poolIdle })],
        ["waiting", ({ process }) => number(process.waiting)],
        ["errors", ({ process }) => number(process.statementErrors)],
        ["memory", ({ process }) =>
            t("live.pair", { one: bytes(process.memory), other: process.load === undefined ? "…" : `${number(process.load)} %` })],
    ],
    postgres: [
        ["version", ({ postgres }) => postgres.version.split(" ")[0]],
        ["size", ({ postgres }) => bytes(postgres.size)],
        ["sessions", ({ postgres }) => t("live.of", { one: postgres.connections, other: postgres.maximum })],
        ["oldest", ({ postgres }) => postgres.oldest === undefined ? untold() : span(postgres.oldest)],
    ],
};

const section = (id, title, about, ...children) =>
    h("section", { id }, h("h2", {}, title), about ? h("p", { class: "fine" }, about) : false, ...children);
const list = (group) => h("dl", { class: "facts" }, ...facts[group].map(([id]) =>
    h("div", {}, h("dt", {}, t(`fact.${id}`)), h("dd", { id: `live-${id}` }, "…"))));

/** Shows it, and keeps it up to date as long as it is there. */
export async function showLive(place) {
    const state = h("p", { id: "live-state", class: "fine" }, t("live.reading"));
    const wrong = h("div", { id: "live-warnings" });
    const requests = chart(t("live.requests"), t("live.requestsWhat"));
    requests.classList.add("live-chart");
    const [services, standbys] = [h("div", { class: "list" }), h("div", { class: "list" })];
    place.append(heading(t("live.title")), state, wrong,
        h("p", { class: "fine" }, h("a", { href: "#manual/trouble" }, t("live.trouble"))),
        section("live-game", t("live.players"), t("live.playersWhat"), list("game")),
        section("live-process", t("live.process"), t("live.processWhat"), list("process")), requests,
        section("live-postgres", t("live.postgres"), undefined, list("postgres")),
        section("live-services", t("live.services"), t("live.servicesWhat"), services),
        section("live-standbys", t("live.standbys"), undefined, standbys));
    let [readAt, told, isStale, timer] = [undefined, "", false, undefined];

    function show({ release, readAt: at, database, process }) {
        readAt = at;
        const known = { ...database, process };
        for (const [id, value] of Object.values(facts).flat()) {
            place.querySelector(`#live-${id}`).replaceChildren(value(known));
        }
        const found = [...process.warnings, ...database.warnings];
        if (told !== found.join()) {
            told = found.join();
            wrong.replaceChildren(...found.length ? [h("ul", { class: "warnings" }, ...found.map((name) => {
                // A service may know more than a page that was opened before its release.
                const warning = hasText(`warning.${name}`) ? t(`warning.${name}`) : name;
                const link = { href: `#manual/${sections[name] ?? "trouble"}`, "aria-label": t("live.doAbout", { warning }) };
                return h("li", {}, `${warning} `, h("a", link, t("live.do")));
            }))] : []);
        }
        if (!found.length && !wrong.firstChild) wrong.replaceChildren(h("p", { class: "all-well" }, t("live.well")));
        const { minutes } = process;
        requests.hidden = minutes.length === 0;
        if (minutes.length) {
            requests.show(minutes.map((_, index) => {
                const ago = minutes.length - index;
                return { short: t("live.minutes", { count: ago }), long: ago === 1 ? t("live.lastMinute") : t("live.minutesAgo", { count: ago }) };
            }), [{ name: t("live.answered"), values: minutes.map(([all, failed]) => all - failed) },
                { name: t("live.failed"), tone: 5, values: minutes.map(([, failed]) => failed) }]);
        }
        services.replaceChildren(table(t("live.services"), ["service", "release", "started", "report"].map((name) => t(`live.${name}`)), database.services.map((one) => [
            one.id, one.release === release ? one.release : t("live.releaseHere", { release: one.release, here: release }), moment(one.startedAt),
            t(one.silent < 30 ? "live.ago" : "live.silent", { span: span(one.silent) })])));
        const { standbys: all, isTold } = database.postgres;
        standbys.replaceChildren(all.length
            ? table(t("live.standbys"), [t("live.name"), t("column.state"), t("live.mode"), `#${t("live.lag")}`, `#${t("live.behind")}`], all.map((one) => [
                one.name, one.state, one.mode,
                one.lag === undefined ? t(isTold ? "live.noLag" : "live.notShown") : `${fixed(one.lag / 1000)} s`,
                one.behind === undefined ? t("live.notShown") : bytes(one.behind)]))
            : h("p", { class: "fine" }, t("live.noStandby")));
        if (all.length && !isTold) standbys.append(h("p", {}, untold()));
    }

    function say(stale, error) {
        if (stale !== isStale) announce(t(stale ? "live.outOfDate" : "live.upToDate"));
        isStale = stale;
        state.classList.toggle("is-stale", stale);
        state.classList.toggle("fine", !stale);
        const values = { problem: stale && explain(error), time: readAt && clock(readAt) };
        state.textContent = t(!stale ? "live.asOf" : readAt ? "live.stale" : "live.empty", values);
    }

    async function read() {
        try {
            show(await ask("live"));
            say(false);
        } catch (error) {
            say(true, error);
        }
        plan();
    }

    function plan() {
        clearTimeout(timer);
        if (!place.isConnected) document.removeEventListener("visibilitychange", look);
        else if (!document.hidden) timer = setTimeout(read, interval);
    }

    // When the page is seen again it shows the state at once.
    function look() {
        clearTimeout(timer);
        if (!document.hidden && place.isConnected) read();
        else if (!place.isConnected) document.removeEventListener("visibilitychange", look);
    }

    document.addEventListener("visibilitychange", look);
    await read();
}
