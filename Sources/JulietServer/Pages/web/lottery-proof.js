// Repeats a draw from its seed and its list: the service cannot have drawn anything else.

import { hexOf } from "./hex.js";
import { digestOf } from "./seal.js";

const rounds = 10;

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** The places in the list that the rounds fall on: of the first eight bytes of a digest, each place is equally likely. */
async function drawnPlaces(seed, listDigest, count) {
    const places = [];
    const one = BigInt(count);
    const end = ((1n << 64n) / one) * one;
    for (let round = 1; round <= rounds; round += 1) {
        for (let attempt = 0; ; attempt += 1) {
            const digest = await digestOf(Uint8Array.of(...bytesOf(seed), ...bytesOf(listDigest), round, attempt));
            const number = new DataView(digest.buffer).getBigUint64(0);
            if (number >= end) continue;
            places.push(Number(number % one));
            break;
        }
    }
    return places;
}

/**
 * Looks whether a draw that is over is what its seal said.
 *
 * `seen` is what this page was shown before its end: the commitment, the digest of the list, and who was drawn by round.
 * Returns what does not fit, as the name of a text and its values; nothing when all does.
 */
export async function faultOf({ seed, list, rounds: told, winner }, seen) {
    if (hexOf(await digestOf(bytesOf(seed))) !== seen.commitment) return ["seed"];
    const digest = hexOf(await digestOf(new TextEncoder().encode(list)));
    if (seen.listDigest !== undefined && digest !== seen.listDigest) return ["list"];
    const entries = list.split("\n").slice(0, -1).map((line) => line.split(" "));
    const places = await drawnPlaces(seed, digest, entries.length);
    const drawn = places.map((place) => Number(entries[place][0]));
    if (told.length !== rounds || told.some(({ userId }, index) => userId !== drawn[index])) return ["rounds"];
    for (const [round, userId] of seen.rounds) {
        if (drawn[round - 1] !== userId) return ["round", { round }];
    }
    const isVoid = entries[places[rounds - 1]][1] === "1";
    if ((isVoid ? undefined : drawn[rounds - 1]) !== winner?.userId) return ["winner"];
    return undefined;
}
