// The commitment to a word: the SHA-256 of its salt, a colon and the word, told before the first guess.

import { $, h, picture } from "./dom.js";
import { read, write } from "./storage.js";

const kept = 60;

/** What this device saw first under a name: the service cannot change a commitment behind our back. */
export function firstSeen(name, commitment) {
    const seen = read("seals") ?? [];
    const known = seen.find(([known]) => known === name);
    if (known) return known[1];
    write("seals", [...seen, [name, commitment]].slice(-kept));
    return commitment;
}

/** Whether this browser can compute a digest: not on a page that came over plain HTTP from another machine. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/** Whether a word that is opened is the one of the commitment. */
export async function isGenuine({ salt, secret }, commitment) {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt}:${secret}`));
    const digest = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return digest === commitment;
}

/** A line that says what became of the seal of a game that is over. */
export async function verdict(play) {
    if (!canVerify()) return "The seal is open: check it by hand.";
    return (await isGenuine(play.game, play.commitment))
        ? "Seal verified: the same word all along."
        : "The seal does not fit: this is another word.";
}

/** Shows the short fingerprint at the head of the game; nothing without a commitment. */
export function showSeal(commitment, isOpen) {
    $("seal").hidden = commitment === undefined;
    $("seal").classList.toggle("is-open", isOpen);
    $("digest").textContent = commitment?.slice(0, 6) ?? "";
}

/** What the dialog of the seal says. */
export async function sealContent(commitment, play) {
    const content = [
        h("p", {}, "This is the fingerprint of your word, told before the first guess: the SHA\u2011256 of a random salt, a colon and the word. It gives nothing away, and no other word fits it."),
        h("code", { class: "code" }, commitment),
    ];
    if (!play?.isOver) {
        content.push(h("p", { class: "fine" }, "When the game is over you get salt and word, and this page checks them. It keeps the fingerprint it saw first."));
        return content;
    }
    const { salt, secret } = play.game;
    content.push(
        h("p", {}, "The game is over, so here are salt and word:"),
        h("code", { class: "code", id: "opened" }, `${salt}:${secret}`),
        h("p", { class: "verdict", id: "verdict" }, picture("wax", "wax"), h("strong", {}, await verdict(play))),
        h("p", { class: "fine" }, canVerify() ? "To check it yourself, in a terminal:" : "This browser computes digests only for pages that come over HTTPS. In a terminal:"),
        h("code", { class: "code" }, `printf %s '${salt}:${secret}' | sha256sum`));
    return content;
}
