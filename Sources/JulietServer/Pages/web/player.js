// Who plays on this device. Nobody does until the first game starts; then the service makes a player.

import { ask, Problem } from "./api.js";
import { read, write } from "./storage.js";

/** Tells `change` when player or energy are others than before, and `refused` when the service knows the token no more. */
class Player extends EventTarget {
    /** The player as the service told last. */
    #known;

    /** What proves that it is this player; undefined as long as there is none. */
    get token() { return read("player")?.token; }

    /** The code to sign in with elsewhere, as far as this device knows it. */
    get recoveryCode() { return read("player")?.recoveryCode; }

    get energy() { return this.#known?.energy; }
    get name() { return this.#known?.name; }
    get statistics() { return this.#known?.statistics; }

    /** Makes a player if there is none. */
    async ensure() {
        if (!this.token) this.#adopt(await ask("POST", "players", { body: {} }));
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
        if (!this.token) {
            this.#known = undefined;
            return this.#tell("change");
        }
        this.#know(await this.ask("GET", "players/me", options));
    }

    /** Takes a balance that came with another answer. */
    pay(energy) {
        if (this.#known) this.#know({ ...this.#known, energy });
    }

    /** Gives the player another name. Throws a `Problem` when it is refused. */
    async rename(name) {
        this.#know(await this.ask("PATCH", "players/me", { body: { name }, isOnce: true }));
    }

    /** Makes a new recovery code; the old one ends. */
    async renewRecoveryCode() {
        const { recoveryCode } = await this.ask("POST", "players/me/recovery-code", { body: {}, isOnce: true });
        write("player", { token: this.token, recoveryCode });
    }

    /** Becomes the player of a recovery code. Throws a `Problem`, 401, when it is nobody's. */
    async signIn(recoveryCode) {
        this.#adopt(await ask("POST", "sessions", { body: { recoveryCode }, isOnce: true }));
    }

    /** Ends this device's session, also when the service knows it no more. */
    async signOut() {
        try {
            await ask("DELETE", "sessions/current", { token: this.token, isOnce: true });
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
        }
        this.forget();
    }

    /** Plays on as nobody. */
    forget() {
        write("player", undefined);
        this.#known = undefined;
        this.#tell("change");
    }

    #adopt({ player, token, recoveryCode }) {
        write("player", { token, recoveryCode });
        this.#know(player);
    }

    #know(known) {
        this.#known = known;
        this.#tell("change");
    }

    #tell(name) { this.dispatchEvent(new Event(name)); }
}

export const player = new Player();
