// Who plays on this device. Nobody does until the first game starts; then the service makes a player.

import { ask, now, Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { newKey } from "./hex.js";
import { current, everybody, forget, fresh, isNamed, keep, leave, note, take } from "./players.js";
import { read } from "./storage.js";

/**
 * Tells `change` when the player or the energy has changed, `back` when a player has signed in, and `refused` when the service refuses
 * the token.
 */
class Player extends EventTarget {
    /** What the service told last: `{ known, token }`, the player and the token that asked. */
    #told;

    /** The player's token; undefined as long as there is no player. */
    get token() { return read("player")?.token; }

    /** What this browser keeps of the player. */
    get kept() { return current(); }

    /** The player as the service told last; undefined when another one plays by now. */
    get #known() { return this.#told && this.#told.token === this.token ? this.#told.known : undefined; }

    get energy() { return this.#known?.energy; }
    /** What is due of the energy that comes back, and when more will be: `{ due, nextAt }`; undefined: nothing. */
    get refill() { return this.#known?.refill; }
    get id() { return this.#known?.id ?? this.kept?.id; }
    get name() { return this.#known?.name ?? this.kept?.name; }
    /** Whether the player has chosen no name. */
    get isNameless() { return !isNamed(this); }
    get statistics() { return this.#known?.statistics; }

    /** The others who play in this browser. */
    get others() { return everybody().filter(({ token }) => token !== this.token); }

    /**
     * Makes a player if there is none; only one when two tabs begin at the same time, where the browser has locks. Returns
     * whether that player plays now: false when somebody has signed in meanwhile.
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

    /** Makes another player, of this name, and lets them play. Throws a `Problem` when the name is refused. */
    async make(name) {
        await this.#adopt(await ask("POST", "players", { body: { name }, isOnce: true }));
    }

    /** Asks in this player's name, or in that of the `token` among the options. */
    async ask(method, path, options = {}) {
        const { token = this.token } = options;
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
        // Another player's turn is told at once, also while the service cannot be asked.
        if (!token || token !== this.#told?.token) this.#tell("change");
        if (!token) return;
        this.#know(await this.ask("GET", "players/me", { ...options, token }), token);
    }

    /** Takes a balance that came with another answer. */
    pay(energy) {
        if (this.#known) this.#know({ ...this.#known, energy }, this.token);
    }

    /** Takes the energy that is due. Returns how much it was: none when another device was faster. */
    async takeRefill() {
        const { token, energy } = this;
        try {
            const answer = await this.ask("POST", "players/me/refill", { body: {}, key: newKey() });
            if (token === this.token && this.#known) {
                this.#know({ ...this.#known, energy: answer.energy, refill: answer.refill }, token);
            }
            return answer.energy - (energy ?? answer.energy);
        } catch (error) {
            if (!(error instanceof Problem) || error.status !== 409) throw error;
            await this.refresh();
            return 0;
        }
    }

    /** Gives the player of a token another name. Throws a `Problem` when it is refused. */
    async rename(name, token) {
        this.#know(await this.ask("PATCH", "players/me", { body: { name }, token, isOnce: true }), token);
    }

    /**
     * What is certain of the recovery code of a token's player. The contract has no question for it; but whoever uses a code has a session from
     * then on, and could make another code. Throws when the service cannot be asked.
     *
     * `state` is `good`: nobody but this browser has seen it; `used`: another device has signed in since, at `at`;
     * `shown`: the player was shown it here, at `at`; `unsure`: another device may have made a newer one;
     * `none`: this browser has none, or one that may have ended.
     */
    async codeState(token = this.token) {
        const { sessions } = await this.ask("GET", "sessions", { token, isOnce: true });
        const { recoveryCode, codeAt, shownAt, isRenewing } = fresh({ token }) ?? {};
        const own = Date.parse(sessions.find(({ isCurrent }) => isCurrent)?.createdAt);
        const others = sessions.filter(({ isCurrent }) => !isCurrent);
        const used = others.filter(({ createdAt, by = "recoveryCode" }) =>
            by === "recoveryCode" && Date.parse(createdAt) > (codeAt ?? own)).at(-1);
        if (used) return { state: "used", at: used.createdAt };
        if (!recoveryCode || isRenewing) return { state: "none" };
        if (others.length > 0) return { state: "unsure" };
        return shownAt === undefined ? { state: "good" } : { state: "shown", at: shownAt };
    }

    /** The code of a token's player, to be shown to them now. */
    showCode(token) {
        note(token, { shownAt: now() });
        return fresh({ token })?.recoveryCode;
    }

    /** Makes a new recovery code for a token's player; the old one ends. */
    async renewCode(token) {
        const { isRenewing } = fresh({ token }) ?? {};
        // On the disk until there is an answer: a code that may have ended is not shown as good.
        note(token, { isRenewing: true });
        try {
            const { recoveryCode } = await this.ask("POST", "players/me/recovery-code", { body: {}, token, isOnce: true });
            note(token, { recoveryCode, codeAt: now(), shownAt: now(), isRenewing: undefined });
            return recoveryCode;
        } catch (error) {
            if (error instanceof Problem) note(token, { isRenewing });
            throw error;
        }
    }

    /** Signs in with a recovery code. Throws a `Problem`, 401, when no player has it. */
    async signIn(recoveryCode) {
        await this.#adopt(await ask("POST", "sessions", { body: { recoveryCode }, isOnce: true }));
        this.#tell("back");
    }

    /** Signs in with a passkey, by what it has signed. Throws a `Problem`, 401, when no player has it. */
    async signInWithPasskey(passkey) {
        await this.#adopt(await ask("POST", "sessions", { body: { passkey }, isOnce: true }), { hasPasskey: true });
        this.#tell("back");
    }

    /** Notes that a passkey opens the player of a token: they need not be told how to keep what they have. */
    notePasskey(token) { note(token, { hasPasskey: true }); }

    /**
     * Makes another player of this browser and that of a token the same: what was the other's is theirs, and the other is gone.
     * Throws a `Problem`, and nothing has changed: 401 when the service does not know the other any more.
     */
    async merge(other, token) {
        const gone = fresh(other) ?? other;
        // On the disk until there is an answer, so that it is done once whatever happens.
        const key = gone.merging ?? newKey();
        note(gone.token, { merging: key });
        try {
            const merged = await ask("POST", "players/me/merge", { body: { token: gone.token }, token, key, isOnce: true });
            forget(gone.token);
            this.#know(merged, token);
        } catch (error) {
            if (error instanceof Problem) note(gone.token, { merging: undefined });
            throw error;
        }
    }

    /** Deletes the player of a token for good. Throws a `Problem`, 401, when there is none any more. */
    async delete(token) {
        await ask("DELETE", "players/me", { token, isOnce: true });
        this.forget(token);
    }

    /** Signs a player in again with the code that this browser has kept. Throws a `Problem`, 401, when it was used up. */
    async signInAgain(kept) {
        const { token, recoveryCode } = fresh(kept) ?? kept;
        try {
            await this.signIn(recoveryCode);
        } catch (error) {
            if (error instanceof Problem && error.status === 401) note(token, { recoveryCode: undefined });
            throw error;
        }
    }

    /** Lets another player of this browser play, if they are still here. */
    async switchTo(kept) {
        const other = fresh(kept);
        if (other) take(other);
        await this.refresh().catch((error) => {
            if (!(error instanceof Problem)) throw error;
        });
    }

    /** Ends the session of a token, also when the service knows it no more, and forgets its player. */
    async signOut(token) {
        try {
            await ask("DELETE", "sessions/current", { token, isOnce: true });
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
        }
        this.forget(token);
    }

    /** Forgets the player of a token in this browser alone. */
    forget(token) {
        forget(token);
        this.#tell("change");
    }

    /** Plays on without a player. The player stays in this browser's list. */
    leave() {
        leave();
        this.#tell("change");
    }

    /** Whether a player without a name is asked for one at this game's end: at the end of one game, until they have a name or want none. */
    asksName(game) {
        const { kept } = this;
        if (!kept || !this.isNameless || (kept.askedIn ?? game) !== game) return false;
        if (!kept.askedIn) note(kept.token, { askedIn: game });
        return true;
    }

    /** Notes that the player of a token wants no name. */
    skipName(token) { note(token, { askedIn: "" }); }

    /** Whether the player was told at this game's end how to keep what they have, or is to be told now: once. */
    tellsHowToKeep(game) {
        const { kept } = this;
        if (!kept || kept.shownAt || kept.hasPasskey || (kept.toldIn ?? game) !== game) return false;
        if (!kept.toldIn) note(kept.token, { toldIn: game });
        return true;
    }

    async #adopt({ player, token, recoveryCode }, news) {
        const before = fresh({ id: player.id });
        // Only a recovery code brings the next one; otherwise the one that there was is still good.
        const code = recoveryCode ? { recoveryCode, codeAt: now(), shownAt: undefined, isRenewing: undefined } : {};
        take({ ...before, id: player.id, name: player.name, token, ...code, ...news });
        this.#know(player, token);
        if (before && before.token !== token) await endSession(before.token);
    }

    /** Takes what the service told of the player of a token, which may be another's turn by now. */
    #know(known, token) {
        const isTurn = token === this.token;
        const kept = isTurn ? this.kept : fresh({ token });
        if (isTurn) this.#told = { known, token };
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
        // A session that goes on does no harm: its token was only here.
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
}

export const player = new Player();
