// The audit trail: who did what, when and why.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { heading, isPseudonym, moment, number, pages, playerLink, searchLink, signed } from "./admin-views.js";

const names = {
    "league.end": "Ended a league", "challenge.end": "Ended a challenge",
    "energy.grant": "Gave energy", "energy.take": "Took energy", "game.end": "Ended a game", "player.ways": "Removed every way to sign in",
    "player.export": "Exported a player", "player.delete": "Deleted a player", "word.retire": "Retired a word", "word.restore": "Brought a word back",
    "word.secret": "Made a word a secret", "word.guessable": "Made a word guessable only", "word.add": "Added a word",
    "words.block": "Blocked a word", "words.unblock": "Took back that a word was blocked", "challenge.hint": "Took a hint away",
    "words.import": "Imported lists", "words.meanings": "Changed meanings", "key.add": "Made a key", "key.revoke": "Revoked a key",
    "player.passkey": "Removed a passkey", "player.identity": "Removed an identity", "player.session": "Ended sessions",
    "player.recoveryCode": "Made a recovery code", "nonces.renew": "Renewed the nonce key", "rules.apply": "Changed the rules",
    "lottery.import": "Imported the lottery", "lottery.enter": "Entered into the lottery", "lottery.leave": "Took out of the lottery",
    "lottery.void": "Made an entry void", "lottery.valid": "Made an entry valid", "lottery.announce": "Announced a prize",
    "lottery.draw": "Started a draw", "name.rename": "Renamed a player", "name.hide": "Hid the name",
    "name.show": "Showed the name again", "name.refuse": "Refused names", "name.allow": "Allowed names",
    "day.plan": "Planned the word of a day", "day.clear": "Cleared the word of a day",
};

const kinds = { game: "ordinary game", daily: "word of the day", archive: "word of a past day", challenge: "challenge" };

/** What was done, in words. */
export const actionName = (action) => names[action] ?? action;

export const trailColumns = ["Time (UTC)", "Who", "What", "Whom", "Why", "Values"];

/** An action as a row of these columns. */
export function trailRow(action) {
    let whom = subject(action);
    if (action.player !== undefined) {
        whom = isPseudonym(action.player) ? action.player.replace("\t", " ") : playerLink(action.player);
    }
    return [moment(action.at), action.actor, actionName(action.action), whom, action.reason, values(action)];
}

/** What an action is about besides a player, with a link to where it is shown. */
function subject({ action, subject = "" }) {
    const code = subject.match(/^challenge\/(.+)$/)?.[1];
    if (code) return h("a", { href: `#together/${encodeURIComponent(code)}` }, subject);
    if (action.startsWith("word.")) return h("a", { href: `#words/${encodeURIComponent(subject)}` }, subject);
    if (action.startsWith("day.")) return h("a", { href: "#words" }, subject);
    if (subject.startsWith("name/")) return searchLink(subject.slice(5), subject);
    return subject;
}

function values({ action, details }) {
    if (details === undefined) return "";
    if (action === "key.add") return details.role;
    if (action.startsWith("energy.")) {
        const hidden = details.isShown === false ? "; the player does not see why" : "";
        return `${signed(details.amount)}, balance ${number(details.balance)}${hidden}`;
    }
    if (action === "game.end") return `${kinds[details.kind] ?? details.kind}, ${number(details.guesses)} ${details.guesses === 1 ? "guess" : "guesses"}`;
    if (action === "rules.apply") {
        return Object.entries(details.new).map(([rule, value]) => `${rule} ${details.former[rule]} → ${value}`).join(", ");
    }
    if (Array.isArray(details)) {
        return details.map((list) => `${list.kind}: ${number(list.added)} new, ${number(list.restored)} back, ${number(list.retired)} retired`).join("; ");
    }
    if (action.startsWith("word.")) {
        return `${details.isSecret ? "secret" : "guessable only"}${details.isRetired ? ", retired" : ""}`;
    }
    const shown = (value) => (typeof value === "number" ? number(value) : value);
    return Object.entries(details).map(([name, value]) => `${name}: ${shown(value)}`).join(", ");
}

/** Shows all of it, newest first. */
export async function showTrail(place) {
    place.append(heading("Audit trail"));
    place.append(await pages("What was done", trailColumns, async (before) => {
        const { actions, next } = await ask("trail", { before });
        return { next, rows: actions.map(trailRow) };
    }, "Nothing yet."));
    place.append(h("p", { class: "fine" }, "A name that begins with “os:” stands for somebody who used the command line."));
}
