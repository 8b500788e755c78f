// Asking the service. One function; it repeats requests that may not have arrived. That is safe for all of the page's:
// guesses carry their number, a game that is paid for carries a key, and the rest changes nothing twice.

import { Unreachable, untilAnswered } from "./connection.js";

const root = new URL("v2/", document.baseURI);
const patience = 10_000;

/** The service's clock minus this device's, in milliseconds. */
let clockOffset = 0;

/** The answer to what `theme.js` has asked already, for whoever asks it first. */
let { julietFirst: first } = globalThis;

/** Now, by the service's clock. */
export const now = () => Date.now() + clockOffset;

/** A refusal of the service. `body` is its problem: `code`, and what helps. */
export class Problem extends Error {
    constructor(status, body) {
        super(body.title ?? `status ${status}`);
        this.status = status;
        this.code = body.code;
        this.body = body;
    }
}

/**
 * Asks, until there is an answer.
 *
 * Throws a `Problem` when the service refuses, and what `signal` was aborted with. With `isOnce`, an attempt that
 * fails is not repeated but throws `Unreachable`. `known` is the `tag` of an answer that is here already: undefined comes when
 * it is still the same.
 */
export function ask(method, path, { body, token, key, known, signal, isOnce = false } = {}) {
    const attempt = () => send(method, path, { body, token, key, known, signal });
    return isOnce ? attempt() : untilAnswered(attempt, signal);
}

async function send(method, path, { body, token, key, known, signal }) {
    const headers = new Headers({ Accept: "application/json" });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (token) headers.set("Authorization", `Bearer ${token}`);
    if (key) headers.set("Idempotency-Key", key);
    if (known) headers.set("If-None-Match", known);

    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), patience);
    const abort = () => limit.abort();
    signal?.addEventListener("abort", abort);
    let response;
    let text;
    try {
        const address = new URL(path, root).href;
        const early = method === "GET" && first?.address === address && first.token === token ? first.response : undefined;
        if (early) first = undefined;
        response = (await early) ?? await fetch(address, {
            method, headers, signal: limit.signal, cache: "no-store", credentials: "omit",
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        text = await response.text();
        // The request that `theme.js` sent early does not follow `signal`.
        signal?.throwIfAborted();
    } catch {
        signal?.throwIfAborted();
        throw new Unreachable("network");
    } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
    }
    readClock(response);
    return answer(response, text);
}

function answer(response, text) {
    if (response.status === 304) return undefined;
    let content = {};
    try {
        if (text !== "") content = JSON.parse(text);
    } catch {
        throw new Unreachable("service"); // somebody between us and the service has answered
    }
    if (response.ok) {
        const { headers } = response;
        return { ...content, isReplay: headers.get("Idempotent-Replayed") === "true", tag: headers.get("ETag") ?? undefined };
    }
    const retryAfter = Number(response.headers.get("Retry-After") ?? 0) || 0;
    const isPassing = response.status >= 500 || response.status === 408 || (response.status === 429 && retryAfter <= 30);
    if (isPassing) throw new Unreachable("service", retryAfter);
    throw new Problem(response.status, content);
}

function readClock(response) {
    const date = Date.parse(response.headers.get("Date") ?? "");
    // `Date` has whole seconds, so less than that is no difference.
    if (!Number.isNaN(date)) clockOffset = Math.abs(date - Date.now()) < 2000 ? 0 : date - Date.now();
}
