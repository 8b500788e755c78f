// Puts the page together.

import { Desk } from "./desk.js";
import { closeAll, fill, open, prepareDialogs } from "./dialogs.js";
import { prepareEnergy } from "./energy.js";
import { loadFont } from "./font.js";
import { prepareApp } from "./install.js";
import { lateFiller } from "./late.js";
import { showLeaderboards } from "./leaderboards.js";
import { player } from "./player.js";
import { showStatistics } from "./statistics.js";
import { onForeignWrite } from "./storage.js";
import { fillTexts } from "./texts.js";

fillTexts();
const desk = new Desk();

prepareDialogs();
fill("sealed", async (content) => content.replaceChildren(...(await desk.sealContent())));
fill("statistics", showStatistics);
fill("leaderboards", showLeaderboards);
for (const name of ["data", "keep", "leave", "lost", "merge", "power", "settings", "ways"]) {
    fill(name, lateFiller(() => import("./profile.js"), (part, content) => part.show[name](content)));
}
prepareEnergy();
fill("together", lateFiller(() => import("./together.js"), (part, content) => part.showTogether(content)));
fill("calendar", lateFiller(() => import("./calendar.js"), (part, content) => part.showCalendar(content)));

// The address says what lies on the desk.
const routes = /^(daily|game|(game|day|challenge|league)\/[\x21-\x7e]+)$/;
const route = () => (routes.test(location.hash.slice(1)) ? location.hash.slice(1) : "daily");
addEventListener("hashchange", () => desk.open(route()));

// Who plays.
let token = player.token;
/** The token that the service knew no more when it was asked last. */
let refused;
player.addEventListener("change", () => {
    if (player.token === token) return;
    const before = token;
    token = player.token;
    // What they say and ask is about who played.
    if (before !== undefined) closeAll();
    // Another player, other games; but who is made for a game is about to get it.
    if (!desk.isStarting || before !== undefined) desk.open(route());
});
player.addEventListener("refused", () => {
    desk.lose();
    // Once: who closes the dialog has the way to it behind it.
    if (refused !== player.token) open("lost");
    refused = player.token;
});

// Other tabs, other devices, other moments: what is shown is looked at again.
let isLooking = false;
let isLookDue = false;
async function look() {
    // One look at a time, which without network is a long one; what happens meanwhile is worth one more.
    isLookDue = true;
    if (isLooking) return;
    isLooking = true;
    while (isLookDue) {
        isLookDue = false;
        await Promise.allSettled([player.refresh(), desk.refresh()]);
    }
    isLooking = false;
}

onForeignWrite((name) => {
    if (name === "changed") look();
    else if (name === "language") location.reload();
    else if ((name === null || name === "player") && player.token !== token) player.refresh().catch(() => {});
});
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
addEventListener("focus", () => look());

player.refresh().catch(() => {});
desk.open(route());
prepareApp();

// What can wait until the page can be played.
(globalThis.requestIdleCallback ?? setTimeout)(async () => {
    const part = await import("./delight.js").catch(() => undefined);
    if (!part) return;
    fill("help", part.showExample);
    desk.delight(part);
    loadFont();
});
