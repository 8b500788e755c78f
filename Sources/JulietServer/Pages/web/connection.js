// Whether the service can be reached, waiting until it can, and showing that one waits.

import { $ } from "./dom.js";
import { t } from "./texts.js";

const longestPause = 15_000;
const waiting = new Set();
/** What the player waits for, a sign each. */
const coming = new Set();
/** How long nothing is said of it, in milliseconds: most answers are here before. The line in `layout.css` waits as long. */
const calm = 300;
let telling;

/** The request may or may not have arrived: nobody answered, or the service could not. */
export class Unreachable extends Error {
    constructor(reason, retryAfter = 0) {
        super(reason);
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    /** Whether waiting does not help, and the page is to be loaded anew. */
    get needsReload() { return ["version", "stuck"].includes(this.reason); }
}

// The browser knows first that there is no network. It may be wrong: then the next answer says so.
addEventListener("offline", () => {
    waiting.add("offline");
    tell("network");
});
addEventListener("online", () => settle("offline"));

/** Repeats an attempt until it is answered. Says meanwhile that it waits, and for what. */
export async function untilAnswered(attempt, signal) {
    let pause = 500;
    const token = {};
    try {
        while (true) {
            try {
                const answer = await attempt();
                settle("offline");
                return answer;
            } catch (error) {
                signal?.throwIfAborted();
                if (!(error instanceof Unreachable) || error.needsReload) throw error;
                waiting.add(token);
                tell(error.reason);
                // It may take long, and that is said.
                coming.clear();
                rest();
                await woken(Math.max(pause, error.retryAfter * 1000), signal);
                pause = Math.min(pause * 2, longestPause);
            }
        }
    } finally {
        settle(token);
    }
}

/** Shows that something comes for as long as the player waits for a promise, if that takes long, and has it read out. Returns the same. */
export async function comes(promise) {
    const sign = {};
    coming.add(sign);
    document.documentElement.dataset.coming = "";
    telling ??= setTimeout(() => {
        // What is below a dialog is not read out.
        ([...document.querySelectorAll("dialog[open] .told")].at(-1) ?? $("announcer")).textContent = t("coming");
    }, calm);
    try {
        return await promise;
    } finally {
        coming.delete(sign);
        rest();
    }
}

/** When nothing is waited for any more, nothing says so. */
function rest() {
    if (coming.size > 0) return;
    clearTimeout(telling);
    telling = undefined;
    delete document.documentElement.dataset.coming;
    for (const place of [$("announcer"), ...document.querySelectorAll(".told")]) {
        if (place.textContent === t("coming")) place.textContent = "";
    }
}

/** What something brings, if it brings it within so many milliseconds; undefined otherwise. */
export const soon = (something, patience) => Promise.race([something, new Promise((resolve) => { setTimeout(resolve, patience); })]);

/** Does something when the service answers again, if an element is still in the page then. */
export async function whenBack(element, action) {
    do await woken(longestPause); while (element.isConnected && !await isAnswering());
    if (element.isConnected) action();
}

/** Whether the service answers, or whoever stands before it. What a browser keeps for use without a network is not asked. */
const isAnswering = () => fetch(new URL("v2/service", document.baseURI), { cache: "no-store", credentials: "omit" })
    .then(({ ok }) => ok, () => false);

function settle(token) {
    waiting.delete(token);
    if (waiting.size === 0) tell("");
}

function tell(reason) {
    const text = reason ? t(`waiting.${reason}`) : "";
    if ($("banner").textContent !== text) $("banner").textContent = text;
}

/** Waits for a pause to end, or for a sign that the network is back. */
function woken(pause, signal) {
    return new Promise((resolve, reject) => {
        const end = (settle) => () => {
            clearTimeout(timer);
            removeEventListener("online", awake);
            document.removeEventListener("visibilitychange", awake);
            signal?.removeEventListener("abort", cancel);
            settle();
        };
        const awake = end(resolve);
        const cancel = end(() => reject(signal.reason));
        const timer = setTimeout(awake, pause);
        addEventListener("online", awake);
        document.addEventListener("visibilitychange", awake);
        signal?.addEventListener("abort", cancel);
    });
}
