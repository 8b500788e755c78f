// The commitment to a word: the SHA-256 of its salt, a colon and the word, told before the first guess.

import { $, h, more, picture } from "./dom.js";
import { hexOf } from "./hex.js";
import { namesBeginning, read, write } from "./storage.js";
import { t } from "./texts.js";

const most = 400;

/**
 * What this device saw first under a name: the service cannot change a commitment behind our back.
 *
 * `isEarly`: whether it is seen before the end. Returns `{ commitment, isEarly }`, early when it was ever seen so.
 */
export function firstSeen(name, commitment, isEarly) {
    const place = `seal.${name}`;
    const known = read(place);
    if (known && (known.isEarly || !isEarly || known.commitment !== commitment)) return known;
    const seen = { commitment, isEarly, at: Date.now() };
    write(place, seen);
    forgetOldest();
    return seen;
}

function forgetOldest() {
    const names = namesBeginning("seal.");
    if (names.length <= most) return;
    const oldest = names.map((name) => [read(name)?.at ?? 0, name]).sort(([a], [b]) => a - b).slice(0, most / 4);
    for (const [, name] of oldest) write(name, undefined);
}

/** The SHA-256 of bytes. On a page that came over plain HTTP from another machine the browser computes none, and the page does. */
export async function digestOf(bytes) {
    if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const { sha256 } = await import("./sha256.js");
    return sha256(bytes);
}

/** Whether a word that is told is the one of the commitment. */
async function isGenuine({ salt, secret }, commitment) {
    return hexOf(await digestOf(new TextEncoder().encode(`${salt}:${secret}`))) === commitment;
}

/**
 * What this browser can say of the seal of a game that is over: `verified`, only if it saw the seal before the end; `unseen`, if the
 * word fits a seal that it saw no earlier; `broken`; or `unchecked`, if what computes digests cannot be loaded.
 */
export async function verdict({ game, seal }) {
    try {
        if (!(await isGenuine(game, seal.commitment))) return "broken";
    } catch {
        return "unchecked";
    }
    return seal.isEarly ? "verified" : "unseen";
}

/** Shows the short fingerprint at the head of the game; nothing without a commitment. */
export function showSeal(commitment, isOpen) {
    $("seal").hidden = commitment === undefined;
    $("seal").classList.toggle("is-open", isOpen);
    $("digest").textContent = commitment?.slice(0, 6) ?? "";
}

/** What the dialog of the seal says. */
export async function sealContent(commitment, play) {
    const what = h("p", {}, t("seal.what"));
    const how = [h("p", {}, t("seal.how")), h("code", { class: "code" }, commitment)];
    if (!play?.isOver) return [what, more(t("seal.more"), ...how, h("p", { class: "fine" }, t("seal.later")))];
    const { salt, secret } = play.game;
    const found = await verdict(play);
    return [
        what,
        h("p", { class: "verdict", id: "verdict" }, picture("wax", "wax"), h("strong", {}, t(`seal.${found}`))),
        more(t("seal.more"),
            found === "unseen" && h("p", {}, t("seal.whyUnseen")),
            ...how,
            h("p", {}, t("seal.over")),
            h("code", { class: "code", id: "opened" }, `${salt}:${secret}`),
            h("p", { class: "fine" }, t("seal.yourself")),
            h("code", { class: "code" }, `printf %s '${salt}:${secret}' | sha256sum`)),
    ];
}
