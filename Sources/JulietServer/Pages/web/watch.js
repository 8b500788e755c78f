// Looking at something again and again, so that what others do is seen within three seconds.

import { now, Problem } from "./api.js";
import { comes, Unreachable } from "./connection.js";
import { player } from "./player.js";

const pause = 1500;
const longestPause = 15_000;
/** For what is over: hardly anything comes any more. */
const pauseAfterEnd = 60_000;

/**
 * Shows what a path answers, and again whenever the answer is another one, for as long as `place` is in the page and the same
 * player plays. It asks only while the page is seen. `fail` is told when nobody answers, with nothing, and with the `Problem` of a
 * refusal, which ends it.
 */
export async function watch(place, path, show, fail) {
    // The caller may have something to load before `place` is in the page.
    for (let tries = 0; tries < 100 && !place.isConnected; tries += 1) await turn(100);
    const { token } = player;
    let last;
    let wait = pause;
    let hasFailed = false;
    const isWanted = () => place.isConnected && player.token === token;
    while (isWanted()) {
        if (document.visibilityState === "visible") {
            try {
                const asked = player.ask("GET", path, { known: last?.tag, isOnce: true });
                const answer = await (last ? asked : comes(asked));
                if (!isWanted()) return;
                if (answer || hasFailed) show(answer ?? last);
                last = answer ?? last;
                wait = Date.parse(last.endsAt) <= now() ? pauseAfterEnd : pause;
                hasFailed = false;
            } catch (error) {
                if (!isWanted()) return;
                if (error instanceof Problem && error.status !== 429) return fail(error);
                if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
                fail();
                hasFailed = true;
                wait = Math.min(wait * 2, longestPause);
            }
        }
        await turn(wait);
    }
}

/** Waits, but not when the page comes into sight again. */
function turn(time) {
    return new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            document.removeEventListener("visibilitychange", end);
            resolve();
        };
        const timer = setTimeout(end, time);
        document.addEventListener("visibilitychange", end);
    });
}
