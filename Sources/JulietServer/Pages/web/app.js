// Puts the page together.

import { Desk } from "./desk.js";
import { closeAll, fill, open, prepareDialogs } from "./dialogs.js";
import { pressOnce } from "./dom.js";
import { prepareEnergy } from "./energy.js";
import { prepareApp } from "./install.js";
import { late, lateFiller } from "./late.js";
import { showLeaderboards } from "./leaderboards.js";
import { player } from "./player.js";
import { showStatistics } from "./statistics.js";
import { onForeignWrite } from "./storage.js";
import { fillTexts } from "./texts.js";
import { prepareWho } from "./who.js";

fillTexts();
pressOnce();
const desk = new Desk();

prepareDialogs();
fill("sealed", async (content) => content.replaceChildren(...(await desk.sealContent())));
fill("statistics", showStatistics);
fill("leaderboards", showLeaderboards);
const [profile, together, calendar] = [() => import("./profile.js"), () => import("./together.js"), () => import("./calendar.js")];
for (const name of ["data", "keep", "leave", "lost", "merge", "power", "settings", "ways"]) {
    fill(name, lateFiller(profile, (part, content) => part.show[name](content)));
}
prepareEnergy();
prepareWho();
fill("together", lateFiller(together, (part, content) => part.showTogether(content), "away.together"));
fill("calendar", lateFiller(calendar, (part, content) => part.showCalendar(content), "away.calendar"));

// The address says what lies on the desk.
const routes = /^(daily|game|lottery|(game|day|challenge|league)\/[\x21-\x7e]+)$/;
const route = () => (routes.test(location.hash.slice(1)) ? location.hash.slice(1) : "daily");
addEventListener("hashchange", () => desk.open(route()));
document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    // A link to the word of the day where that of a day before is shown.
    if (desk.isPast && link?.hash && link.hash === location.hash) desk.open(route());
    // The lottery is a page of its own, which nothing keeps.
    if (!navigator.onLine && link?.getAttribute("href") === "lottery") {
        event.preventDefault();
        location.hash = "lottery";
    }
});

// Who plays.
let token = player.token;
/** The token that the service refused last. */
let refused;
player.addEventListener("change", () => {
    if (player.token === token) return;
    const before = token;
    token = player.token;
    // Open dialogs are about the player before.
    if (before !== undefined) closeAll();
    // Another player has other games; but one who was just made for a game is about to get it.
    if (!desk.isStarting || before !== undefined) desk.open(route());
});
player.addEventListener("back", () => desk.greet());
addEventListener("juliet-said", ({ detail }) => desk.say(detail));
player.addEventListener("refused", () => {
    desk.lose();
    // Opened once a token: the panel behind the dialog leads to it again.
    if (refused !== player.token) open("lost");
    refused = player.token;
});

// What is shown is read again, since another tab or device may have changed it.
let isLooking = false;
let isLookDue = false;
async function look() {
    // One look at a time, which takes long without network; whatever happens meanwhile causes one more.
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
    fill("help", part.showHelp);
    desk.delight(part);
    // Without HTTPS nothing keeps the other parts for when there is no network, so they are loaded now.
    if (!navigator.serviceWorker) for (const load of [profile, together, calendar]) late(load).catch(() => {});
});
