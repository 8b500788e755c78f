// Runs before the page is drawn, so that it never shows in colours or a language that the player did not choose.
"use strict";

{
    const contrast = matchMedia("(prefers-contrast: more)");
    const root = document.documentElement;

    // A link to a challenge, `c/CODE`, has brought the game's page. From here on its address is the page's own, and all
    // that is relative is relative to that.
    const link = root.dataset.asks && /^(.*\/)c\/([^/]+)$/.exec(location.pathname);
    if (link) {
        history.replaceState(null, "", `${link[1]}#challenge/${link[2]}`);
        // The link's own answer says that there is none: then `challenges.js` does not ask.
        if ("unknown" in root.dataset) root.dataset.unknown = link[2];
    }

    const read = (name) => {
        try {
            return JSON.parse(localStorage.getItem(`juliet.${name}`));
        } catch {
            return null;
        }
    };

    const apply = () => {
        root.dataset.theme = read("theme") ?? "auto";
        root.dataset.contrast = read("contrast") ?? (contrast.matches ? "more" : "normal");
    };

    // Where the service has a longer name it is written smaller.
    if (root.dataset.name?.length > 10) root.dataset.isNameLong = "";

    // The page of the API is in English alone.
    if (root.dataset.title) {
        const languages = ["en", "de"];
        const wanted = [read("language"), ...navigator.languages].map((tag) => String(tag).split("-")[0]);
        root.lang = wanted.find((language) => languages.includes(language)) ?? "en";
        const texts = document.createElement("link");
        texts.rel = "modulepreload";
        texts.href = new URL(`texts-${root.lang}.js`, document.currentScript.src);
        document.head.append(texts);
    }

    // What the page asks first is asked while its module is on its way: `api.js` takes the answer.
    if (root.dataset.asks && /^(#daily)?$/.test(location.hash)) {
        const address = new URL(root.dataset.asks, document.baseURI).href;
        const token = read("player")?.token;
        const headers = { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
        // As patient as `api.js`.
        const signal = AbortSignal.timeout?.(10_000);
        const response = fetch(address, { headers, signal, cache: "no-store", credentials: "omit" }).catch(() => undefined);
        globalThis.julietFirst = { address, token, response };
    }

    apply();
    contrast.addEventListener("change", apply);
    addEventListener("storage", apply);
    addEventListener("juliet-theme", apply);
}
