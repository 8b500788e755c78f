// The page without a network: this service worker keeps one release of it, whole, and shows it when the network does not.
//
// Parts have addresses that name their release, so a page gets the parts that it was made with or none. What the service says of
// players and games is never kept here. The program fills in the two lines below when it starts.
"use strict";

/** What this release is called. */
const release = "";
/** The parts of the page by their addresses, "" the page itself, with the SHA-256 of each. */
const parts = {};

const { scope } = registration;
const prefix = `juliet ${scope} `;
const patience = 3000;

addEventListener("install", (event) => {
    skipWaiting();
    event.waitUntil(keep());
});

addEventListener("activate", (event) => event.waitUntil(forgetOlder()));

addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || !`${origin}${pathname}`.startsWith(scope)) return;
    const path = pathname.slice(new URL(scope).pathname.length);
    if (path === "" && request.mode === "navigate") event.respondWith(page(request));
    else if (path === "lottery" && request.mode === "navigate") event.respondWith(lottery(request));
    else if (path.startsWith("pages/")) event.respondWith(part(request));
});

/** Keeps all of the release, or, while services of two releases answer, nothing. */
async function keep() {
    const responses = await Promise.all(Object.entries(parts).map(async ([path, digest]) => {
        const address = new URL(path, scope).href;
        const response = await fetch(address, { cache: path === "" ? "no-cache" : "default" });
        if (!response.ok || (await digestOf(response.clone())) !== digest) throw new Error(`${address} is of another release`);
        return [address, response];
    }));
    const cache = await caches.open(prefix + release);
    for (const [address, response] of responses) await cache.put(address, response);
}

async function digestOf(response) {
    const bytes = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Forgets all but this release and the one before, which an open page may still be of. */
async function forgetOlder() {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    const others = names.filter((name) => name !== prefix + release);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** The page: from the network, and what is kept when that says nothing in time, or that it cannot. */
async function page(request) {
    const kept = () => caches.open(prefix + release).then((cache) => cache.match(scope, { ignoreVary: true }));
    const answer = fetch(request);
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, patience); });
    try {
        const response = (await Promise.race([answer, late])) ?? (await kept()) ?? (await answer);
        if (response.status === 404 || response.status === 410) await leave();
        return response.status < 500 ? response : (await kept()) ?? response;
    } catch (error) {
        const response = await kept();
        if (response) return response;
        throw error;
    } finally {
        clearTimeout(timer);
    }
}

/** The lottery, which is not kept: without a network the game's page says so. */
const lottery = (request) => fetch(request).catch(() => Response.redirect(`${scope}#lottery`));

/** A part of a release that is kept; any other from the network. */
async function part(request) {
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    for (const name of names) {
        const kept = await (await caches.open(name)).match(request.url, { ignoreVary: true });
        if (kept) return kept;
    }
    return fetch(request);
}

/** Where there is no page any more there is nothing to keep. */
async function leave() {
    await registration.unregister();
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    await Promise.all(names.map((name) => caches.delete(name)));
}
