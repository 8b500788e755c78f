// Who plays on this device. Nobody does until the first game starts; then the service makes a player.

import { ask, newKey, now, Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { current, everybody, forget, keep, leave, take } from "./players.js";
import { read } from "./storage.js";

/** Tells `change` when player or energy are others than before, and `refused` when the service knows the token no more. */
class Player extends EventTarget {
    /** The player as the service told last. */
    #known;

    /** What proves that it is this player; undefined as long as there is none. */
    get token() { return read("player")?.token; }

    /** What this browser keeps of the player. */
    get kept() { return current(); }

    get energy() { return this.#known?.energy; }
    /** What is due of the energy that comes back, and when more will be: `{ due, nextAt }`; undefined: nothing. */
    get refill() { return this.#known?.refill; }
    get id() { return this.#known?.id ?? this.kept?.id; }
    get name() { return this.#known?.name ?? this.kept?.name; }
    get statistics() { return this.#known?.statistics; }

    /** The others who play in this browser. */
    get others() { return everybody().filter(({ token }) => token !== this.token); }

    /**
     * Makes a player if there is none. One, also when two tabs begin at the same time, where the browser lets them agree. Returns
     * whether it is who was to play: false when somebody has signed in meanwhile.
     */
    async ensure() {
        const make = async () => {
            if (this.token) return true;
            const made = await ask("POST", "players", { body: {} });
            if (this.token) return false;
            await this.#adopt(made);
            return true;
        };
        return navigator.locks ? navigator.locks.request("juliet.player", make) : make();
    }

    /** Asks in this player's name. */
    async ask(method, path, options = {}) {
        const token = this.token;
        try {
            return await ask(method, path, { ...options, token });
        } catch (error) {
            // Another tab may have signed in meanwhile.
            if (error instanceof Problem && error.status === 401 && token && token === this.token) this.#tell("refused");
            throw error;
        }
    }

    /** Looks what the service knows of the player. */
    async refresh(options) {
        const { token } = this;
        if (!token) {
            this.#known = undefined;
            return this.#tell("change");
        }
        const known = await this.ask("GET", "players/me", options);
        if (token === this.token) this.#know(known);
    }

    /** Takes a balance that came with another answer. */
    pay(energy) {
        if (this.#known) this.#know({ ...this.#known, energy });
    }

    /** Takes the energy that is due. Returns how much it was: none when another device was faster. */
    async takeRefill() {
        const { token, energy } = this;
        try {
            const answer = await this.ask("POST", "players/me/refill", { body: {}, key: newKey() });
            if (token === this.token && this.#known) this.#know({ ...this.#known, energy: answer.energy, refill: answer.refill });
            return answer.energy - (energy ?? answer.energy);
        } catch (error) {
            if (!(error instanceof Problem) || error.status !== 409) throw error;
            await this.refresh();
            return 0;
        }
    }

    /** Gives the player another name. Throws a `Problem` when it is refused. */
    async rename(name) {
        this.#know(await this.ask("PATCH", "players/me", { body: { name }, isOnce: true }));
    }

    /**
     * What is certain of the recovery code. The contract has no question for it; but whoever uses a code has a session from
     * then on, and could make another code. Throws when the service cannot be asked.
     *
     * `state` is `good`: nobody but this browser has seen it; `used`: another device has signed in since, at `at`;
     * `shown`: the player was shown it here, at `at` if that is known; `unsure`: another device may have made a newer one;
     * `none`: this browser has none.
     */
    async codeState() {
        const { recoveryCode, codeAt, shownAt } = this.kept ?? {};
        const { sessions } = await this.ask("GET", "sessions", { isOnce: true });
        const own = Date.parse(sessions.find(({ isCurrent }) => isCurrent)?.createdAt);
        const others = sessions.filter(({ isCurrent }) => !isCurrent);
        const used = others.filter(({ createdAt, by = "recoveryCode" }) =>
            by === "recoveryCode" && Date.parse(createdAt) > (codeAt ?? own)).at(-1);
        if (used) return { state: "used", at: used.createdAt };
        if (!recoveryCode) return { state: "none" };
        if (others.length > 0) return { state: "unsure" };
        return shownAt === undefined ? { state: "good" } : { state: "shown", at: shownAt || undefined };
    }

    /** The code, to be shown to the player now. */
    showCode() {
        keep({ ...this.kept, shownAt: now() });
        return this.kept.recoveryCode;
    }

    /** Makes a new recovery code; the old one ends. */
    async renewCode() {
        const { token } = this;
        const { recoveryCode } = await this.ask("POST", "players/me/recovery-code", { body: {}, isOnce: true });
        const kept = everybody().find((other) => other.token === token);
        keep({ ...kept, recoveryCode, codeAt: now(), shownAt: now() });
        return recoveryCode;
    }

    /** Becomes the player of a recovery code. Throws a `Problem`, 401, when it is nobody's. */
    async signIn(recoveryCode) {
        await this.#adopt(await ask("POST", "sessions", { body: { recoveryCode }, isOnce: true }));
    }

    /** Becomes the player of a passkey, by what it has signed. Throws a `Problem`, 401, when it is nobody's. */
    async signInWithPasskey(passkey) {
        await this.#adopt(await ask("POST", "sessions", { body: { passkey }, isOnce: true }));
        keep({ ...this.kept, hasPasskey: true });
    }

    /** Notes that a passkey opens this player: they need not be told how to keep what they have. */
    notePasskey() { keep({ ...this.kept, hasPasskey: true }); }

    /**
     * Makes another player of this browser and this one the same: what was the other's is this one's, and the other is gone.
     * Throws a `Problem`, and nothing has changed: 401 when the service does not know the other any more.
     */
    async merge(other) {
        const { token } = this;
        // On the disk until there is an answer, so that it is done once whatever happens.
        const key = other.merging ?? newKey();
        keep({ ...other, merging: key });
        try {
            const merged = await ask("POST", "players/me/merge", { body: { token: other.token }, token, key });
            forget(other);
            if (token === this.token) this.#know(merged);
        } catch (error) {
            keep({ ...other, merging: undefined });
            throw error;
        }
    }

    /** Deletes the player for good. */
    async delete() {
        const { kept, token } = this;
        await ask("DELETE", "players/me", { token, isOnce: true });
        forget(kept);
        this.#nobody();
    }

    /** Signs in again with the code that this browser has kept. Throws a `Problem`, 401, when it was used up. */
    async signInAgain() {
        const { kept } = this;
        try {
            await this.signIn(kept.recoveryCode);
        } catch (error) {
            if (error instanceof Problem && error.status === 401) keep({ ...kept, recoveryCode: undefined });
            throw error;
        }
    }

    /** Lets another player of this browser play. */
    async switchTo(kept) {
        take(kept);
        this.#known = undefined;
        this.#tell("change");
        await this.refresh().catch((error) => {
            if (!(error instanceof Problem)) throw error;
        });
    }

    /** Ends this device's session, also when the service knows it no more, and forgets the player. */
    async signOut() {
        const { kept, token } = this;
        try {
            await ask("DELETE", "sessions/current", { token, isOnce: true });
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
        }
        forget(kept);
        this.#nobody();
    }

    /** Plays on as nobody. The player stays in this browser. */
    leave() {
        leave();
        this.#nobody();
    }

    /** Whether the player was told at this game's end how to keep what they have, or is to be told now: once. */
    tellsHowToKeep(game) {
        const { kept } = this;
        if (!kept || kept.shownAt || kept.hasPasskey || (kept.toldIn ?? game) !== game) return false;
        if (!kept.toldIn) keep({ ...kept, toldIn: game });
        return true;
    }

    #nobody() {
        this.#known = undefined;
        this.#tell("change");
    }

    async #adopt({ player, token, recoveryCode }) {
        const before = everybody().find(({ id }) => id === player.id);
        // Only a recovery code brings the next one; otherwise the one that there was is still good.
        const code = recoveryCode ? { recoveryCode, codeAt: now(), shownAt: undefined } : {};
        take({ ...before, id: player.id, name: player.name, token, ...code });
        this.#know(player);
        if (before && before.token !== token) await endSession(before.token);
    }

    #know(known) {
        this.#known = known;
        const { kept } = this;
        if (kept && (kept.id !== known.id || kept.name !== known.name)) keep({ ...kept, id: known.id, name: known.name });
        this.#tell("change");
    }

    #tell(name) { this.dispatchEvent(new Event(name)); }
}

/** Ends a session of this browser's that another one of the same player has replaced. */
async function endSession(token) {
    try {
        await ask("DELETE", "sessions/current", { token, isOnce: true });
    } catch (error) {
        // It is of no more use to anybody: the token was only here.
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
}

export const player = new Player();
