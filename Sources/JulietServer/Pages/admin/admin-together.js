// Leagues and challenges: finding one, ending one that is abused, and taking a hint away.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, changing, failure, field, heading, moment, playerLink, table } from "./admin-views.js";
import { number, parts, t } from "./texts.js";

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
    }, field(t("together.search"), input),
    h("button", { class: "button is-main" }, t("search")));
    const results = h("div", { role: "status" });
    place.append(heading(t("together.title")), form, results);
    input.focus();
    try {
        const { leagues, challenges, hasMore } = await ask("together", { search: text || undefined });
        results.append(
            h("h2", {}, t("together.leagues")), leagueList(leagues), h("h2", {}, t("together.challenges")), challengeList(challenges));
        if (challenges.some((challenge) => challenge.state !== "deleted")) results.append(endChallenge(challenges));
        if (challenges.some((challenge) => challenge.hint)) results.append(hideHint(challenges));
        if (hasMore) results.append(h("p", { class: "fine" }, t("together.more")));
    } catch (error) {
        results.append(failure(error));
    }
}

function leagueList(leagues) {
    if (leagues.length === 0) return h("p", {}, t("none"));
    return h("div", { class: "list", id: "leagues" }, table(t("together.leagues"),
        [t("together.league"), t("together.owner"), `#${t("together.members")}`, t("column.since")],
        leagues.map((league) => [
            h("a", { href: `#league/${league.id}` }, league.name),
            league.owner ? playerLink(league.owner, league.ownerName ?? league.owner) : t("together.nobody"),
            number(league.members), moment(league.createdAt),
        ])));
}

function challengeList(challenges) {
    if (challenges.length === 0) return h("p", {}, t("none"));
    const columns = [t("column.code"), t("column.state"), t("column.word"), t("together.hint"), t("together.maker"),
        `#${t("together.players")}`, t("together.ends")];
    const word = ({ isAnyWord, isOwnWord, isHard }) => {
        const its = t(isAnyWord ? "together.any" : isOwnWord ? "together.own" : "together.dealt");
        return isHard ? t("together.hard", { word: its }) : its;
    };
    return h("div", { class: "list", id: "challenges" }, table(t("together.challenges"), columns,
        challenges.map((challenge) => [
            h("code", {}, challenge.code), t(`together.${challenge.state}`), word(challenge), challenge.hint ?? "",
            challenge.maker ? playerLink(challenge.maker, challenge.makerName ?? challenge.maker) : t("together.nobody"),
            number(challenge.players), moment(challenge.endsAt),
        ])));
}

function endChallenge(challenges) {
    const code = codes(challenges.filter((challenge) => challenge.state !== "deleted"));
    return deedForm({
        id: "end", title: t("together.endChallenge"), button: t("together.end"), url: "end", note: t("together.endChallengeWhat"),
    }, [field(t("column.code"), code)], () => ({ challenge: code.value }), () => {
        show(code.value, 1, t("together.deleted"));
        return t("together.ended", { code: code.value });
    });
}

function hideHint(challenges) {
    const code = codes(challenges.filter((challenge) => challenge.hint));
    return deedForm({
        id: "hint", title: t("together.hideHint"), button: t("together.hide"), url: "hint", note: t("together.hideHintWhat"),
    }, [field(t("column.code"), code)], () => ({ challenge: code.value }), () => {
        show(code.value, 3, "");
        return t("together.hidden", { code: code.value });
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
        h("p", {}, ...parts("together.leagueWhat", { time: moment(league.createdAt) })),
        h("div", { class: "list", id: "members" }, table(t("together.members"), [t("column.player"), t("column.id"), t("column.since")],
            league.list.map((member) => [
                playerLink(member.player, member.name ?? member.player), h("code", {}, member.player),
                moment(member.joinedAt),
            ]))),
        deedForm({
            id: "end", title: t("together.endLeague"), button: t("together.end"), url: "end", note: t("together.endLeagueWhat"),
        }, [], () => ({ league: id }), () => {
            place.querySelector("#members").remove();
            return t("together.leagueEnded");
        }));
}

function deedForm({ id, title, note, button, url }, fields, which, done) {
    const reason = h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
    const form = h("form", { class: "card", id, "aria-label": title },
        h("h2", {}, title), h("p", { class: "fine" }, note),
        h("div", { class: "line" }, ...fields, field(t("reason"), reason, t("reason.hint")),
            h("button", { class: "button" }, button)));
    return changing(form, async (key) => {
        await change(url, which(), { reason: reason.value }, key);
        reason.value = "";
        const text = done();
        announce(text);
        return text;
    });
}
