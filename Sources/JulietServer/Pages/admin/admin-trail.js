// The audit trail: who did what to whom, when and why, a sentence for each deed.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { heading, isPseudonym, moment, pages, playerLink, searchLink, sentences } from "./admin-views.js";
import { hasText, number, parts, t } from "./texts.js";

/** How an action says how many there were of something; of one that does not say it, one. */
const counts = {
    "energy.grant": (details) => details?.amount ?? 0, "energy.take": (details) => Math.abs(details?.amount ?? 0),
    "player.passkey": (details) => details?.passkeys ?? 1, "player.identity": (details) => details?.identities ?? 1,
    "player.session": (details) => details?.sessions ?? 1, "lottery.announce": (details) => details?.prize ?? 0,
};

/**
 * What was done, as text and elements: a sentence, others about the values, and when and why.
 *
 * `whom` is what the player is called on their own page; else they are linked to.
 */
export function sentence(action, whom) {
    const { at, actor, reason, details } = action;
    const name = `deed.${action.action}`;
    const values = {
        who: h("strong", {}, actor), player: whom ?? player(action), subject: subject(action), count: counts[action.action]?.(details) ?? 1,
    };
    const said = hasText(name) ? parts(name, values)
        : parts("deed.other", { who: values.who, action: [action.action, action.player ?? action.subject].filter(Boolean).join(" ") });
    const line = { time: moment(at), reason: h("q", {}, reason ?? "") };
    return [
        h("p", {}, ...said, ...about(action, values).flatMap((more) => [" ", ...more])),
        h("p", { class: "fine" }, ...parts(reason === undefined ? "trail.when" : "trail.why", line)),
    ];
}

/** Whom an action is about: a player, or one who takes part in the lottery. */
function player({ player, subject = "" }) {
    if (player === undefined) return h("span", {}, t("trail.participant", { number: subject.replace(/^participant\//, "") }));
    if (isPseudonym(player)) return h("span", {}, t("trail.deleted", { id: player.replace(/^.*\t/, "") }));
    return h("span", {}, ...parts("trail.player", { id: playerLink(player) }));
}

/** What an action is about besides a player, with a link to where it is shown. */
function subject({ action, subject = "" }) {
    const [kind] = action.split(".");
    const name = subject.replace(/^(challenge|name|draw|participant)\//, "");
    const link = (part) => h("a", { href: `#${part}` }, name);
    if (kind === "challenge") return link(`together/${encodeURIComponent(name)}`);
    if (kind === "word") return link(`words/${encodeURIComponent(name)}`);
    if (kind === "day") return link("words");
    if (kind === "name") return searchLink(name.replace(/^=/, ""), name);
    return kind === "league" || kind === "words" ? h("code", {}, name) : name;
}

/** Sentences about an action's values. */
function about({ action, player: maker, details }, { player }) {
    const [kind] = action.split(".");
    const more = [];
    if (kind === "challenge" && maker !== undefined) more.push(parts("detail.maker", { player }));
    if (details === undefined) return more;
    if (Array.isArray(details)) {
        return details.map((list) => parts("detail.list", { ...list, kind: hasText(`detail.list.${list.kind}`) ? t(`detail.list.${list.kind}`) : list.kind }));
    }
    if (action === "rules.apply") {
        return Object.entries(details.new).map(([rule, value]) =>
            parts("detail.rule", { rule: h("code", {}, rule), new: shown(value), former: shown(details.former[rule]) }));
    }
    if (kind === "word") {
        return [...more, [t(`detail.${details.isSecret ? "secret" : "guessable"}${details.isRetired ? "Retired" : ""}`)]];
    }
    // What the first sentence has is not said again.
    const { amount, isShown, kind: sort, ...rest } = details;
    if (counts[action]) for (const name of ["passkeys", "identities", "sessions", "prize"]) delete rest[name];
    if (isShown === false) more.push([t("detail.isShown")]);
    if (action === "game.end") more.push([hasText(`detail.kind.${sort}`) ? t(`detail.kind.${sort}`) : shown(sort)]);
    return [...more, ...Object.entries(rest).map(([name, value]) => hasText(`detail.${name}`)
        ? parts(`detail.${name}`, typeof value === "number" ? { count: value } : { value: h("code", {}, shown(value)) })
        : parts("detail.other", { name, value: shown(value) }))];
}

const shown = (value) => typeof value === "number" ? number(value) : String(value);

/** A list of what was done, newest first. `about` is whom: `{id, name}`; without it, everything. */
export const deeds = (about) => pages(sentences(about ? t("trail.done") : t("trail.caption")), async (before) => {
    const { actions, next } = await ask("trail", { id: about?.id, before });
    return { next, rows: actions.map((action) => sentence(action, about && h("strong", {}, about.name))) };
}, t("trail.nothing"));

/** Shows all of it, newest first. */
export async function showTrail(place) {
    place.append(heading(t("trail.title")), await deeds(), h("p", { class: "fine" }, t("trail.os")));
}
