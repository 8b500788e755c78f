// What is made once, however often it is sent.

import { Problem } from "./api.js";
import { newKey } from "./hex.js";
import { player } from "./player.js";
import { read, write } from "./storage.js";

/**
 * Makes something in the player's name, and returns the answer. Its key is on the disk, under `name`, until there is an answer: the
 * same body is made once, whatever happens, and another body gets another key. Throws what `player.ask` throws.
 */
export async function makeOnce(name, path, body) {
    const wish = JSON.stringify(body);
    const kept = read(name);
    const key = kept?.wish === wish ? kept.key : newKey();
    write(name, { wish, key });
    try {
        const answer = await player.ask("POST", path, { body, key, isOnce: true });
        write(name, undefined);
        return answer;
    } catch (error) {
        if (error instanceof Problem) write(name, undefined);
        throw error;
    }
}
