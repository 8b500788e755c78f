// What this service offers, and its prices: asked when it matters first, once.

import { ask } from "./api.js";
import { noteTimeZone } from "./clock.js";
import { read, write } from "./storage.js";

/**
 * What a game costs and what comes back, as the service told last, on an earlier visit if need be; before that the defaults. `refill`
 * and `dailyReward` may be missing.
 */
export const energyRules = read("energy") ?? { price: 5, start: 30 };

let isTold = read("energy") !== undefined;

/** Whether words cost energy here: where they are free, the page says nothing about energy. Undefined until the service has told. */
export const hasEnergy = () => (isTold ? energyRules.price > 0 : undefined);

/** The lists that words are dealt from: `languages`, the usual one first, and `nextList` before another one is; empty until the service has told. */
export const lists = { languages: [] };

/** The list that the player wants own words of: the usual one if they have not chosen, or not one that there is. */
export const chosenList = () => listOf(read("list") ?? {}) ?? lists.languages[0];

/** The letters that words of a game's list are written with; undefined: a to z, too many for keys, or not told yet. */
export const lettersOfList = (game) => listOf(game)?.letters;

function listOf({ language, length }) {
    return lists.languages.find((list) => list.language === language && list.length === length);
}

let asked;

/** What `GET /v2/service` says. Throws `Unreachable` when the service cannot be asked. */
export function service() {
    asked ??= ask("GET", "service", { isOnce: true }).then((offers) => {
        Object.assign(energyRules, { refill: undefined, dailyReward: undefined }, offers.energy);
        write("energy", offers.energy);
        isTold = true;
        Object.assign(lists, { languages: offers.languages, nextList: offers.nextList });
        noteTimeZone(offers.timeZone);
        dispatchEvent(new Event("juliet-service"));
        return offers;
    });
    asked.catch(() => { asked = undefined; });
    return asked;
}

/** Has it asked again when it matters next: it has changed. */
export function forgetService() { asked = undefined; }

/** The same where it is not needed: undefined when the service cannot be asked. */
export const serviceIfKnown = () => service().catch(() => undefined);
