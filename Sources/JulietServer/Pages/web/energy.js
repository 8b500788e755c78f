// Energy at the head of the page: how much there is, and whether more can be taken.

import { secondsUntil } from "./clock.js";
import { $ } from "./dom.js";
import { player } from "./player.js";
import { hasEnergy, serviceIfKnown } from "./service.js";
import { t } from "./texts.js";

/** How long after a look that told nothing new the next one comes, in milliseconds. */
const pause = 15_000;

/** Shows the energy from now on, and looks again when more is due. */
export function prepareEnergy() {
    player.addEventListener("change", show);
    addEventListener("juliet-service", show);
    let lookedAt = 0;
    setInterval(() => {
        const { nextAt } = player.refill ?? {};
        if (!nextAt || !hasEnergy() || secondsUntil(nextAt) > 0 || Date.now() - lookedAt < pause || document.hidden) return;
        lookedAt = Date.now();
        player.refresh({ isOnce: true }).then(() => { lookedAt = 0; }, () => {});
    }, 1000);
}

function show() {
    const { energy } = player;
    const due = player.refill?.due ?? 0;
    if (energy !== undefined && hasEnergy() === undefined) serviceIfKnown();
    $("energy").hidden = energy === undefined || hasEnergy() === false;
    // Until it is known, its place is kept: nothing moves then.
    $("energy").style.visibility = hasEnergy() ? "" : "hidden";
    $("energy").classList.toggle("is-due", due > 0);
    $("energy-amount").textContent = energy ?? "";
    $("energy-due").textContent = due > 0 ? t("energy.due", { count: due }) : "";
}
