// Leagues: the word of the day among people who know each other.

import { Problem } from "./api.js";
import { pattern } from "./board.js";
import { duration } from "./clock.js";
import { Unreachable } from "./connection.js";
import { close, open } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { asking, attempt, attemptAgain, choice, comingLine, form, quiet, Said } from "./forms.js";
import { lateFailure } from "./late.js";
import { leagueNameLength } from "./letters.js";
import { linkPart } from "./link-part.js";
import { makeOnce } from "./once.js";
import { sorryPanel } from "./panels.js";
import { player } from "./player.js";
import { resultOf } from "./statistics.js";
import { number, t } from "./texts.js";
import { watch } from "./watch.js";
import { nameField, panelForm } from "./who.js";

const periods = ["day", "week", "month", "all"];
const chosen = { period: "week" };

/** The league that the dialog opens with, once: its `id`. */
export const wantedLeague = { id: undefined };

const codeField = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "20" };
const refusals = () => ({
    404: t("league.unknown"), 429: t("signIn.tooMany"),
    "league-full": t("league.full"), "too-many": t("league.many"),
});

/** Fills a place with the player's leagues, or with one of them. */
export async function showLeagues(place) {
    const { id } = wantedLeague;
    wantedLeague.id = undefined;
    const list = h("ul", { class: "games" });
    place.replaceChildren(h("p", {}, t("league.what")), list, ...makingParts(place));
    if (!player.token) return;
    const outcome = h("p", { class: "outcome", role: "status" });
    list.before(outcome);
    await attemptAgain(async () => {
        const { leagues } = await player.ask("GET", "leagues", { isOnce: true });
        list.replaceChildren(...leagues.map((league) => h("li", {}, entry(place, league))));
        const wanted = leagues.find((league) => league.id === id);
        if (wanted) showLeague(place, wanted);
    }, outcome, { network: t("league.away") });
}

function entry(place, league) {
    return h("button", { type: "button", class: "entry", click: () => showLeague(place, league) },
        h("span", { class: "word" }, league.name), h("span", {}, t("league.members", { count: league.members })));
}

/** Makes sure that there is a player, the one that the dialog is about, and gives them the name that was typed. */
async function sure(who) {
    if (!await player.ensure()) throw new Said(t("failure.other"));
    await who.take();
}

function makingParts(place) {
    const who = nameField();
    return [
        ...(who.element ? [h("div", { class: "form" }, who.element)] : []),
        form(t("league.name"), t("league.make"), { most: leagueNameLength, autocomplete: "off" }, async (name) => {
            await sure(who);
            showLeague(place, (await makeOnce("league", "leagues", { name })).league);
        }, refusals()),
        form(t("league.code"), t("league.join"), codeField, async (invite) => {
            await sure(who);
            showLeague(place, (await player.ask("POST", "leagues/join", { body: { invite }, isOnce: true })).league);
        }, refusals()),
    ];
}

/** Fills a place with one league: its table, how others come in, and what its owner can do. */
function showLeague(place, league) {
    const table = h("div", {});
    const back = () => showLeagues(place);
    /** The members whose results are shown in full. */
    const opened = new Set();
    function follow() {
        const list = h("div", { class: "standing" }, comingLine());
        table.replaceChildren(list);
        watch(list, `leagues/${league.id}/table?period=${chosen.period}`, (answer) => show(list, answer, opened), (problem) => {
            if (problem?.status === 404) list.replaceChildren(h("p", { role: "alert" }, t("league.gone")));
            // A table that is there already stays.
            else if (list.querySelector(".coming")) list.replaceChildren(...lateFailure(problem ?? new Unreachable("network"), follow));
        });
    }
    const heading = h("h3", { tabindex: "-1" }, league.name);
    place.replaceChildren(
        quiet(t("league.back"), back), heading,
        choice("league-period", t("boards.period"), periods.map((period) => [period, t(`boards.${period}`)]), chosen.period, (period) => {
            chosen.period = period;
            follow();
        }),
        table,
        h("p", { class: "fine" }, t("league.points")),
        ...(league.invite ? [h("h3", {}, t("league.invite")), h("p", {}, t("league.inviteWhat")), linkPart(`#league/${league.invite}`)] : []),
        managing(place, league, back));
    follow();
    heading.focus();
}

/** Shows a table as it is now. What has the focus keeps it. */
function show(list, answer, opened) {
    const { key } = list.contains(document.activeElement) ? document.activeElement.dataset : {};
    list.replaceChildren(...standing(answer, opened));
    if (key) [...list.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === key)?.focus();
}

/** A table. Without today, that of the day would show everybody on the same place. */
function standing({ period, entries, endedToday, withoutToday }, opened) {
    const played = h("p", { class: "fine" }, t("league.played", { count: endedToday, members: entries.length }));
    const table = () => {
        const head = (name, isWide) => h("th", { scope: "col", class: isWide ? "wide" : "" }, t(name));
        const namesakes = new Map();
        return h("table", {},
            h("thead", {}, h("tr", {},
                head("boards.rank"), head("boards.player", true), !withoutToday && head("league.today"), head("league.pointsShort"))),
            h("tbody", {}, ...entries.map((entry) => {
                const { rank, name, points, today, isMe } = entry;
                namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
                return h("tr", { class: isMe ? "is-me" : "" },
                    h("td", {}, number(rank)),
                    h("td", { class: "wide" }, memberPart(entry, `${name} ${namesakes.get(name)}`, withoutToday, opened)),
                    !withoutToday && h("td", {}, ...(today
                        ? [pattern(today.marks), h("span", { class: "unseen" }, resultOf(today.state, today.guesses))] : ["–"])),
                    h("td", {}, number(points)));
            })));
    };
    return withoutToday ? [
        ...(period === "day" ? [] : [table()]), played,
        h("p", {}, t("league.hidden"), " ",
            h("a", { href: "#daily", "data-key": "play", click: () => close("together") }, t("daily.play"))),
    ] : [table(), played];
}

/** A member's name, which opens to their results. They are read out when they are opened. */
function memberPart(entry, key, withoutToday, opened) {
    const about = h("div", { class: "about", role: "status" });
    const fill = () => { if (about.childElementCount === 0) about.append(...results(entry, withoutToday)); };
    if (opened.has(key)) fill();
    return h("details", { class: "member", open: opened.has(key), toggle: ({ target }) => {
        if (target.open) {
            opened.add(key);
            fill();
        } else {
            opened.delete(key);
            about.replaceChildren();
        }
    } },
        h("summary", { "data-key": key }, entry.name, entry.isMe && h("span", { class: "unseen" }, ` (${t("you")})`)),
        about);
}

/** A member's results of the period, and what is known of today's. */
function results({ points, played, won, today }, withoutToday) {
    const count = (marks, kind) => marks.filter((mark) => mark === kind).length;
    return [
        h("p", {}, t("member.points", { count: points })),
        h("p", {}, t("member.days", { count: played, won })),
        ...(today ? [
            h("p", {}, t("member.today", { result: resultOf(today.state, today.guesses), time: duration(today.seconds) })),
            pattern(today.marks),
            ...today.marks.map((marks, index) => h("p", { class: "unseen" }, t("member.guess", {
                number: index + 1, correct: count(marks, "correct"), present: count(marks, "present"),
            }))),
        ] : withoutToday ? [] : [h("p", {}, t("member.notToday"))]),
    ];
}

/** What is seldom wanted: the members, and leaving; for the owner names, codes and the end. */
function managing(place, league, back) {
    const members = h("ul", { class: "members" });
    const outcome = h("p", { class: "outcome", role: "status" });
    const path = `leagues/${league.id}`;
    const again = async () => showLeague(place, await player.ask("GET", path, { isOnce: true }));
    const look = () => attemptAgain(async () => {
        const answer = await player.ask("GET", `${path}/members`, { isOnce: true });
        members.replaceChildren(...answer.members.map((member) => h("li", {},
            h("span", {}, member.name, member.isOwner && h("span", { class: "fine" }, " · ", t("league.owner"))),
            league.isOwner && !member.isMe && asking(t("league.remove"), () => t("league.removeAsk", { name: member.name }),
                async () => {
                    await player.ask("DELETE", `${path}/members/${member.id}`, { isOnce: true });
                    await again();
                }, { stay: t("together.no") }))));
    }, outcome);
    const owners = league.isOwner ? [
        form(t("league.name"), t("settings.rename"), { value: league.name, most: leagueNameLength, autocomplete: "off" }, async (name) =>
            showLeague(place, await player.ask("PATCH", path, { body: { name }, isOnce: true })), refusals()),
        asking(t("league.newCode"), () => t("league.newCodeAsk"), async () => {
            await player.ask("POST", `${path}/invite`, { body: {}, isOnce: true });
            await again();
        }, { stay: t("together.no") }),
        asking(t("league.end"), () => t("league.endAsk"), async () => {
            await player.ask("DELETE", path, { isOnce: true });
            back();
        }, { stay: t("together.no"), className: "is-danger" }),
    ] : [];
    return h("details", { class: "managing", toggle: (event) => event.target.open && look() },
        h("summary", {}, t("league.manage")),
        outcome, members, ...owners,
        asking(t("league.leave"), () => t(league.isOwner ? "league.leaveOwner" : "league.leaveAsk"), async () => {
            await player.ask("DELETE", `${path}/members/me`, { isOnce: true });
            back();
        }, { stay: t("together.no") }));
}

/** Puts an invite on the desk: nobody joins by a link alone. */
export async function offerInvite(desk, code) {
    try {
        const { league } = await desk.ask("GET", `invites/${encodeURIComponent(code)}`);
        desk.offer(invitePanel(desk, code, league), undefined, t("league.title"));
    } catch (error) {
        if (!(error instanceof Problem)) throw error;
        desk.offer(sorryPanel(t(error.status === 429 ? "signIn.tooMany" : "league.unknown")), undefined, t("league.title"));
    }
}

function invitePanel(desk, invite, { name, members }) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const who = nameField();
    const join = () => attempt(() => desk.act(async () => {
        await who.take();
        const { league } = await desk.ask("POST", "leagues/join", { body: { invite } });
        wantedLeague.id = league.id;
        location.hash = "daily";
        open("together");
    }), outcome, refusals());
    return [
        picture("envelope", "letter-shape"),
        h("h3", { tabindex: "-1" }, name),
        h("p", { class: "fine" }, t("league.members", { count: members })),
        h("p", {}, t("league.asked")),
        h("p", {}, player.isNameless ? t("league.seen") : t("league.seenAs", { name: player.name })),
        panelForm(who, join, h("button", { class: "button is-main" }, t("league.join")),
            h("a", { class: "button", href: "#daily" }, t("league.not"))),
        outcome,
    ];
}
