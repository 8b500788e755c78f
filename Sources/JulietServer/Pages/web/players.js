// The players of this browser. Each is kept under a name of its own, and `player` says by its token whose turn it is: two
// tabs that write at the same time lose neither.

import { namesBeginning, read, write } from "./storage.js";

const start = "players.";

/** A player is known by their id, and before the service has told it by a part of the token. */
const nameOf = ({ id, token }) => start + (id ?? token.slice(-16));

/**
 * Everybody who has played here and has not signed out: `id`, `name`, `token`, and perhaps
 * - `recoveryCode`, the last one that the service gave to this browser, with `codeAt`, when it did;
 * - `shownAt`, when the player was shown that code: from then on it may have been used elsewhere;
 * - `isRenewing`, whether a new code was asked for and is not answered yet: the last one may have ended;
 * - `askedIn`, the game at whose end the player was asked for a name; empty when they want none;
 * - `toldIn`, the game at whose end the player was told how to keep what they have;
 * - `hasPasskey`, whether a passkey was made or used here;
 * - `merging`, the key of a request to make them and another player one, until it is answered.
 */
export const everybody = () => namesBeginning(start).map(read).filter((kept) => kept?.token);

/** Whether a player has chosen their name: the service gives everybody one. */
export const isNamed = ({ name }) => name !== undefined && !/^Player \d{4}$/.test(name);

/** Whose turn it is; undefined: nobody's. */
export function current() {
    const turn = read("player");
    return turn?.token ? fresh({ token: turn.token }) : undefined;
}

/** A player as they are kept by now: another tab may have written since. Undefined: they are not here any more. */
export const fresh = ({ id, token }) => everybody().find((other) => (id ? other.id === id : other.token === token));

/** Keeps a player, and makes it their turn. */
export function take(player) {
    keep(player);
    write("player", { token: player.token });
    return player;
}

/** Keeps what is new of a player. */
export function keep(player) {
    write(nameOf(player), player);
    if (player.id) write(nameOf({ token: player.token }), undefined);
}

/** Adds what is news of the player of a token. Whoever is not here any more, or has signed in anew since, stays as they are. */
export function note(token, news) {
    const kept = fresh({ token });
    if (kept) keep({ ...kept, ...news });
}

/** Makes it nobody's turn. Whoever played stays. */
export const leave = () => write("player", undefined);

/** Forgets the player of a token for good. Whoever has signed in anew since stays. */
export function forget(token) {
    const kept = fresh({ token });
    if (kept) write(nameOf(kept), undefined);
    if (read("player")?.token === token) leave();
}
