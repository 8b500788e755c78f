// Which part of the page is shown, by the address's fragment: "#live", "#players", "#player/ID", "#together",
// "#league/ID", "#words", "#figures", "#figures/90", "#trail", "#manual/SECTION".

import { ask, onSignedOut } from "./admin-api.js";
import { $, h } from "./dom.js";
import { failure, heading } from "./admin-views.js";
import { showFigures } from "./admin-figures.js";
import { showLive } from "./admin-live.js";
import { showManual } from "./admin-manual.js";
import { showPlayer } from "./admin-player.js";
import { showPlayers } from "./admin-players.js";
import { showLeague, showTogether } from "./admin-together.js";
import { showTrail } from "./admin-trail.js";
import { showWords } from "./admin-words.js";

const parts = { live: showLive, manual: showManual, figures: showFigures, players: showPlayers, player: showPlayer, together: showTogether, league: showLeague, words: showWords, trail: showTrail };
// What is shown of a part is under another one in the head.
const within = { player: "players", league: "together", manual: "live" };
let isSignedOut = false;
let shown = 0;

async function show() {
    if (isSignedOut) return;
    const [name, rest = ""] = location.hash.slice(1).split(/\/(.*)/s);
    if (name === "content") return; // the way past the head
    const part = parts[name] ? name : "live";
    for (const link of document.querySelectorAll("nav a")) {
        const isCurrent = link.hash === `#${within[part] ?? part}`;
        if (isCurrent) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    const mine = ++shown;
    const place = h("div", {});
    $("content").replaceChildren(place);
    try {
        await parts[part](place, decoded(rest));
    } catch (error) {
        if (mine === shown && !isSignedOut) place.append(failure(error));
    }
    if (mine === shown) document.title = `${place.querySelector("h1")?.textContent ?? "Admin"}: Juliet, admin`;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

// Nothing of what was shown stays when the key is not valid any more.
onSignedOut(() => {
    isSignedOut = true;
    $("who").textContent = "";
    document.querySelector("nav").hidden = true;
    document.querySelector(".who").hidden = true;
    $("content").replaceChildren(
        heading("You are signed out"),
        h("p", {}, "The key is not valid any more, or its twelve hours are over."),
        h("p", {}, h("a", { class: "button is-main", href: "/admin" }, "Sign in")));
    $("content").focus();
});

addEventListener("hashchange", show);
try {
    $("who").textContent = (await ask("session")).name;
} catch {
    // What follows says what is wrong.
}
show();
