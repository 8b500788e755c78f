// What goes on now: in the process that serves this page, and in the database. It is read again every ten seconds, as long as
// the page is seen.

import { ask } from "./admin-api.js";
import { chart } from "./admin-chart.js";
import { h } from "./dom.js";
import { announce, explain, heading, moment, number, table } from "./admin-views.js";

const interval = 10_000;
/** What a warning says, and the section of the manual that tells more. */
const warnings = {
    ready: ["This service cannot serve games: the database cannot be reached, its schema is incomplete, or there are no words.", "watching-it"],
    failures: ["More than one request in a hundred failed in the last five minutes.", "at-3-am"],
    slow: ["One request in a hundred took longer than a second.", "proxies-limits-and-overload"],
    lost: ["Connections to PostgreSQL were lost, or could not be made.", "at-3-am"],
    waiting: ["More than 1,000 statements wait for PostgreSQL.", "proxies-limits-and-overload"],
    refused: ["Connections were turned away: http.maximumConnections, or too few files (ulimit).", "proxies-limits-and-overload"],
    log: ["The log is not read fast enough: lines were dropped.", "the-log"],
    releases: ["Services of different releases run.", "a-new-release"],
    days: ["Today or tomorrow has no word: there are no secret words, or no service has chosen one.", "at-3-am"],
    connections: ["PostgreSQL has used four fifths of its connections.", "growth"],
    transaction: ["A transaction has been open for more than an hour: PostgreSQL cannot clean up what changed since.", "at-3-am"],
    standby: ["A standby is more than a minute behind.", "at-3-am"],
    archive: ["PostgreSQL could not archive its log: its disk is filling up.", "at-3-am"],
};

const bytes = (value) => value < 2 ** 30 ? `${number(Math.round(value / 2 ** 20))} MiB` : `${(value / 2 ** 30).toFixed(1)} GiB`;
const milliseconds = (value) => value === undefined ? "more than 10,000 ms" : `${number(value / 1000)} ms`;
const clock = (text) => `${text.slice(11, 19)} UTC`;

/** A span of seconds, in its largest unit. */
function span(seconds) {
    if (seconds < 1) return "0 s";
    const [size, unit] = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([size]) => seconds >= size);
    return `${number(Math.floor(seconds / size))} ${unit}`;
}

const untold = () => h("span", { class: "fine" }, "PostgreSQL does not show this to the owner: ", h("a", { href: "#manual/the-admin-page" }, "how to allow it"));

/** What each fact is called, and what it says. */
const facts = {
    game: [
        ["players", "Players, last hour", ({ lastHour }) => number(lastHour.players)],
        ["paid", "Games paid for, last hour", ({ lastHour }) => number(lastHour.paid)],
        ["judged", "Judged games begun, last hour", ({ lastHour }) => number(lastHour.judged)],
        ["running", "Of these, running", ({ lastHour }) => number(lastHour.running)],
        ["ended", "Won and lost, last hour", ({ lastHour }) => `${number(lastHour.won)}, ${number(lastHour.lost)}`],
    ],
    process: [
        ["requests", "Requests a minute", ({ process }) => process.seconds ? number(Math.round(60 * process.requests / process.seconds)) : "…"],
        ["failed", "Failed; refused by limits", ({ process }) => `${number(process.failures)}, ${number(process.limited)}`],
        ["durations", "Median, 99th percentile", ({ process }) =>
            process.requests ? `${milliseconds(process.half)}, ${milliseconds(process.most)}` : "no requests"],
        ["clients", "Connections of clients", ({ process }) => number(process.connections)],
        ["pool", "Connections to PostgreSQL", ({ process }) =>
            `${number(process.poolInUse)} in use, ${number(process.poolIdle)} idle`],
        ["waiting", "Statements that wait", ({ process }) => number(process.waiting)],
        ["errors", "Statements that failed", ({ process }) => number(process.statementErrors)],
        ["memory", "Memory, processor", ({ process }) =>
            `${bytes(process.memory)}, ${process.load === undefined ? "…" : `${process.load} %`}`],
    ],
    postgres: [
        ["version", "Version", ({ postgres }) => postgres.version.split(" ")[0]],
        ["size", "Size of the database", ({ postgres }) => bytes(postgres.size)],
        ["sessions", "Connections", ({ postgres }) => `${number(postgres.connections)} of ${number(postgres.maximum)}`],
        ["oldest", "Oldest transaction", ({ postgres }) => postgres.oldest === undefined ? untold() : span(postgres.oldest)],
    ],
};

const section = (id, title, about, ...children) =>
    h("section", { id }, h("h2", {}, title), about ? h("p", { class: "fine" }, about) : false, ...children);
const list = (group) => h("dl", { class: "facts" }, ...facts[group].map(([id, name]) =>
    h("div", {}, h("dt", {}, name), h("dd", { id: `live-${id}` }, "…"))));

/** Shows it, and keeps it up to date as long as it is there. */
export async function showLive(place) {
    const state = h("p", { id: "live-state", class: "fine" }, "Reading …");
    const wrong = h("div", { id: "live-warnings" });
    const requests = chart("Requests", "Requests to this process, without those of this page. One bar is one minute.");
    requests.classList.add("live-chart");
    const [services, standbys] = [h("div", { class: "list" }), h("div", { class: "list" })];
    place.append(heading("Live"), state, wrong,
        section("live-game", "Players", "Of all services, from the database.", list("game")),
        section("live-process", "This service", "In the last five minutes, without this page’s own requests.", list("process")), requests,
        section("live-postgres", "PostgreSQL", undefined, list("postgres")),
        section("live-services", "Services", "Services that reported in the last hour; a running one reports every ten seconds.", services),
        section("live-standbys", "Standbys", undefined, standbys));
    let [readAt, told, isStale, timer] = [undefined, "", false, undefined];

    function show({ release, readAt: at, database, process }) {
        readAt = at;
        const known = { ...database, process };
        for (const [id, , value] of Object.values(facts).flat()) {
            place.querySelector(`#live-${id}`).replaceChildren(value(known));
        }
        const found = [...process.warnings, ...database.warnings];
        if (told !== found.join()) {
            told = found.join();
            wrong.replaceChildren(...found.length ? [h("ul", { class: "warnings" }, ...found.map((name) => {
                // A service may know more than a page that was opened before its release.
                const [text, anchor] = warnings[name] ?? [name, "at-3-am"];
                return h("li", {}, `${text} `, h("a", { href: `#manual/${anchor}`, "aria-label": `What to do: ${text}` }, "What to do"));
            }))] : []);
        }
        if (!found.length && !wrong.firstChild) wrong.replaceChildren(h("p", { class: "all-well" }, "Nothing is known to be wrong."));
        const { minutes } = process;
        requests.hidden = minutes.length === 0;
        if (minutes.length) {
            requests.show(minutes.map((_, index) => {
                const ago = minutes.length - index;
                return { short: `${ago} min`, long: ago === 1 ? "The last minute" : `${ago} minutes ago` };
            }), [{ name: "Answered", values: minutes.map(([all, failed]) => all - failed) },
                { name: "Failed", tone: 5, values: minutes.map(([, failed]) => failed) }]);
        }
        services.replaceChildren(table("Services", ["Service", "Release", "Started", "Last report"], database.services.map((one) => [
            one.id, one.release === release ? one.release : `${one.release} (here: ${release})`, moment(one.startedAt),
            one.silent < 30 ? `${span(one.silent)} ago` : `silent for ${span(one.silent)}`])));
        const { standbys: all, isTold } = database.postgres;
        standbys.replaceChildren(all.length
            ? table("Standbys", ["Name", "State", "Mode", "#Lag", "#Behind"], all.map((one) => [
                one.name, one.state, one.mode, one.lag === undefined ? isTold ? "none" : "not shown" : `${(one.lag / 1000).toFixed(1)} s`,
                one.behind === undefined ? "not shown" : bytes(one.behind)]))
            : h("p", { class: "fine" }, "None is connected."));
        if (all.length && !isTold) standbys.append(h("p", {}, untold()));
    }

    function say(stale, error) {
        if (stale !== isStale) announce(stale ? "What you see is out of date." : "Up to date again.");
        isStale = stale;
        state.classList.toggle("is-stale", stale);
        state.classList.toggle("fine", !stale);
        state.textContent = stale ? `${explain(error)} ${readAt ? `The values are from ${clock(readAt)}` : "There are no values yet"}.`
            : `As of ${clock(readAt)}, read again every ten seconds while you look.`;
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
