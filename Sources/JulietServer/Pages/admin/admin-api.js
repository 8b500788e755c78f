// Asking the service. Over HTTPS the session is in a cookie that no script sees. Without HTTPS a browser would send a cookie to
// every port of the host, so there the session is kept in this tab, and sent in a header.

import { hasText, t } from "./texts.js";

const root = new URL("/admin/api/", location.origin);
const patience = 20_000;
const kept = "juliet-admin-session";
let signedOut = () => {};

/** Calls a function when the session is not valid any more. */
export const onSignedOut = (action) => { signedOut = action; };

/** Whether there may be a session: no script sees a cookie. */
export const mayBeSignedIn = () => location.protocol === "https:" || sessionStorage.getItem(kept) !== null;

/** Whether a refusal says that the session is not valid: after many such it is 429, which limits nothing else here. */
export const refusesSession = (error) => error.status === 401 || error.status === 429;

/** Signs in with a key. */
export async function signIn(key) {
    const { session } = await send("POST", "session", {}, { key });
    if (session) sessionStorage.setItem(kept, session);
}

/** Signs out: the service ends the session. */
export async function signOut() {
    await send("DELETE", "session");
    sessionStorage.removeItem(kept);
}

/** A refusal of the service. The page has texts for the codes that it knows; of others the service says what is wrong. */
export class Problem extends Error {
    constructor(status, body) {
        const name = body.code === "request-invalid" ? `fault.${body.path?.replace("/", "")}` : `problem.${body.code}`;
        super(hasText(name) ? t(name) : body.detail ?? body.title ?? t("status", { status: `${status}` }));
        this.status = status;
        this.code = body.code;
    }
}

/** There was no answer, or one that says no more than that something failed: whether a change was made is not known. */
export class Unanswered extends Error {}

/** Asks for something. A parameter that is missing is left out. */
export const ask = (path, parameters) => send("GET", path, parameters);

/** Changes something, once under a key. */
export const change = (path, parameters, body, key) => send("POST", path, parameters, body, key);

/** Sets something. It needs no key: the same once more changes nothing. */
export const put = (path, body) => send("PUT", path, {}, body);

/** Removes something. It needs no key: the same once more changes nothing. */
export const remove = (path, body) => send("DELETE", path, {}, body);

async function send(method, path, parameters = {}, body, key) {
    const address = new URL(path, root);
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined) address.searchParams.set(name, value);
    }
    // The service takes a plus literally, so a space goes as %20.
    address.search = address.search.replaceAll("+", "%20");
    const headers = new Headers({ Accept: "application/json" });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (key) headers.set("Idempotency-Key", key);
    const session = sessionStorage.getItem(kept);
    if (session) headers.set("Authorization", `Bearer ${session}`);
    let response;
    let content;
    try {
        response = await fetch(address, {
            method, headers, cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(patience),
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        content = await response.json();
    } catch {
        throw new Unanswered(t("unanswered"));
    }
    if (response.ok) return content;
    if (refusesSession(response)) {
        sessionStorage.removeItem(kept);
        // Whoever asks about the session itself is told.
        if (path !== "session") signedOut();
    }
    const problem = new Problem(response.status, content);
    throw response.status >= 500 ? new Unanswered(problem.message) : problem;
}
