// Which part of the page is shown, by the address's fragment: "#live", "#players", "#player/ID", "#together", "#league/ID",
// "#names", "#words", "#figures", "#figures/90", "#trail", "#manual/PAGE/SECTION". What the key's role may not see is left out.

import { ask, mayBeSignedIn, onSignedOut, refusesSession, signOut } from "./admin-api.js";
import { $, h, pressOnce } from "./dom.js";
import { failure, heading } from "./admin-views.js";
import { languageChoice } from "./admin-language.js";
import { showFigures } from "./admin-figures.js";
import { showLive } from "./admin-live.js";
import { showManual } from "./admin-manual.js";
import { showNames } from "./admin-names.js";
import { showPlayer } from "./admin-player.js";
import { showPlayers } from "./admin-players.js";
import { showSignIn } from "./admin-sign-in.js";
import { showLeague, showTogether } from "./admin-together.js";
import { showTrail } from "./admin-trail.js";
import { showWords } from "./admin-words.js";
import { fillTexts, t } from "./texts.js";

fillTexts();
document.querySelector(".who").prepend(languageChoice());

// What shows each part, and the role that it takes; "any": every key. The first that a key may see is shown at first.
const parts = {
    live: [showLive, "support"], figures: [showFigures, "owner"],
    players: [showPlayers, "support"], player: [showPlayer, "support"],
    together: [showTogether, "support"], league: [showLeague, "support"], names: [showNames, "support"],
    words: [showWords, "words"], trail: [showTrail, "owner"], manual: [showManual, "any"],
};
// The part in the head under which a view without a link of its own is marked.
const within = { player: "players", league: "together", manual: "live" };
let role = "owner"; // until it is known: the service refuses what the key may not do
let isSignedOut = false;
let shown = 0;

async function show() {
    if (isSignedOut) return;
    const [name, rest = ""] = location.hash.slice(1).split(/\/(.*)/s);
    const part = mayShow(name) ? name : Object.keys(parts).find(mayShow);
    for (const link of document.querySelectorAll("nav a")) {
        const isCurrent = link.hash === `#${within[part] ?? part}`;
        if (isCurrent) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    const mine = ++shown;
    const place = h("div", {});
    $("content").replaceChildren(place);
    try {
        await parts[part][0](place, decoded(rest));
    } catch (error) {
        if (mine === shown && !isSignedOut) place.append(failure(error));
    }
    const title = place.querySelector("h1")?.textContent;
    if (mine === shown) document.title = title ? t("admin.pageOf", { part: title }) : t("admin.page");
}

function mayShow(name) {
    const needed = Object.hasOwn(parts, name) ? parts[name][1] : undefined;
    return needed !== undefined && (role === "owner" || needed === role || needed === "any");
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

// Nothing of what was shown stays when the session is not valid any more.
onSignedOut(() => {
    isSignedOut = true;
    $("who").textContent = "";
    document.querySelector("nav").hidden = true;
    document.querySelector(".who").hidden = true;
    $("content").replaceChildren(
        heading(t("admin.signedOut")),
        h("p", {}, t("admin.signedOutWhat")),
        h("p", {}, h("a", { class: "button is-main", href: "/admin" }, t("signIn.do"))));
    $("content").focus();
});

pressOnce();
// The link that skips the head leaves the address as it is: that says which part is shown, after a reload too.
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("content").focus();
});
document.querySelector(".who .button").addEventListener("click", async () => {
    try {
        await signOut();
    } catch (error) {
        // The session may still be valid: whoever leaves must know.
        if (!refusesSession(error)) return $("content").prepend(failure(error));
    }
    location.reload();
});

async function begin() {
    if (!mayBeSignedIn()) return showSignIn($("content"));
    try {
        const session = await ask("session");
        role = session.role;
        $("who").textContent = session.name;
        for (const link of document.querySelectorAll("nav a")) {
            if (!mayShow(link.hash.slice(1))) link.remove();
        }
    } catch (error) {
        if (refusesSession(error)) return showSignIn($("content"));
        // What follows says what is wrong.
    }
    document.querySelector(".top").hidden = false;
    addEventListener("hashchange", show);
    show();
}

begin();
