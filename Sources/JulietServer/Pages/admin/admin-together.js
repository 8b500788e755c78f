// Leagues and challenges: finding one, ending one that is abused, and taking a hint away.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, changing, failure, field, heading, moment, number, playerLink, table } from "./admin-views.js";

const states = { open: "Open", over: "Over", deleted: "Deleted" };

/** Shows the search, and what is found for a text; without one, the newest. */
export async function showTogether(place, text) {
    const input = h("input", {
        type: "search", name: "search", maxlength: 128, autocomplete: "off", spellcheck: "false", value: text,
    });
    const form = h("form", {
        class: "line", role: "search",
        submit: (event) => {
            event.preventDefault();
            location.hash = `together/${encodeURIComponent(input.value.trim())}`;
        },
    }, field("Part of a league’s name, a code, or an id of a league or a player", input),
    h("button", { class: "button is-main" }, "Search"));
    const results = h("div", { role: "status" });
    place.append(heading("Leagues and challenges"), form, results);
    input.focus();
    try {
        const { leagues, challenges, hasMore } = await ask("together", { search: text || undefined });
        results.append(
            h("h2", {}, "Leagues"), leagueList(leagues), h("h2", {}, "Challenges"), challengeList(challenges));
        if (challenges.some((challenge) => challenge.state !== "deleted")) results.append(endChallenge(challenges));
        if (challenges.some((challenge) => challenge.hint)) results.append(hideHint(challenges));
        if (hasMore) results.append(h("p", { class: "fine" }, "There are more: these are the newest twenty of each."));
    } catch (error) {
        results.append(failure(error));
    }
}

function leagueList(leagues) {
    if (leagues.length === 0) return h("p", {}, "None.");
    return h("div", { class: "list", id: "leagues" }, table("Leagues", ["League", "Owner", "#Members", "Since (UTC)"],
        leagues.map((league) => [
            h("a", { href: `#league/${league.id}` }, league.name),
            league.owner ? playerLink(league.owner, league.ownerName ?? league.owner) : "nobody",
            number(league.members), moment(league.createdAt),
        ])));
}

function challengeList(challenges) {
    if (challenges.length === 0) return h("p", {}, "None.");
    return h("div", { class: "list", id: "challenges" }, table("Challenges",
        ["Code", "State", "Word", "Hint", "Maker", "#Players", "Ends (UTC)"], challenges.map((challenge) => [
            h("code", {}, challenge.code), states[challenge.state],
            `${challenge.isAnyWord ? "any" : challenge.isOwnWord ? "own" : "dealt"}${challenge.isHard ? ", hard" : ""}`,
            challenge.hint ?? "",
            challenge.maker ? playerLink(challenge.maker, challenge.makerName ?? challenge.maker) : "nobody",
            number(challenge.players), moment(challenge.endsAt),
        ])));
}

function endChallenge(challenges) {
    const code = codes(challenges.filter((challenge) => challenge.state !== "deleted"));
    return deedForm({
        id: "end", title: "End a challenge", button: "End it", url: "end",
        note: "Nobody finds it any more. Games that were begun can be played to their end.",
    }, [field("Code", code)], () => ({ challenge: code.value }), () => {
        show(code.value, 1, states.deleted);
        return `Ended ${code.value}.`;
    });
}

function hideHint(challenges) {
    const code = codes(challenges.filter((challenge) => challenge.hint));
    return deedForm({
        id: "hint", title: "Take a hint away", button: "Take it away", url: "hint",
        note: "Nobody sees it any more, also not in games that were begun.",
    }, [field("Code", code)], () => ({ challenge: code.value }), () => {
        show(code.value, 3, "");
        return `Took the hint of ${code.value} away.`;
    });
}

const codes = (challenges) => h("select", { name: "code", required: true },
    ...challenges.map((challenge) => h("option", { value: challenge.code }, challenge.code)));

/** Shows a value in a column of a challenge's row. */
function show(code, column, text) {
    const row = [...document.querySelectorAll("#challenges tbody tr")]
        .find((row) => row.querySelector("code").textContent === code);
    if (row) row.children[column].textContent = text;
}

/** Shows a league by its id. */
export async function showLeague(place, id) {
    const league = await ask("league", { league: id });
    place.append(
        heading(league.name),
        h("p", {}, h("code", {}, league.id)),
        h("p", {}, "Since ", moment(league.createdAt), ". The first member to join owns it."),
        h("div", { class: "list", id: "members" }, table("Members", ["Player", "Id", "Since (UTC)"],
            league.list.map((member) => [
                playerLink(member.player, member.name ?? member.player), h("code", {}, member.player),
                moment(member.joinedAt),
            ]))),
        deedForm({
            id: "end", title: "End this league", button: "End it", url: "end",
            note: "It ends for all its members, and does not come back.",
        }, [], () => ({ league: id }), () => {
            place.querySelector("#members").remove();
            return "The league has ended.";
        }));
}

function deedForm({ id, title, note, button, url }, fields, which, done) {
    const reason = h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
    const form = h("form", { class: "card", id, "aria-label": title },
        h("h2", {}, title), h("p", { class: "fine" }, note),
        h("div", { class: "line" }, ...fields, field("Reason", reason, "For the audit trail. No names."),
            h("button", { class: "button" }, button)));
    return changing(form, async (key) => {
        await change(url, which(), { reason: reason.value }, key);
        reason.value = "";
        const text = done();
        announce(text);
        return text;
    });
}
