// Energy: how much there is, when more comes, what it is for, and where it came from and went.

import { dateOf, secondsUntil, timeUntil } from "./clock.js";
import { close } from "./dialogs.js";
import { h, more, picture } from "./dom.js";
import { deed } from "./forms.js";
import { player } from "./player.js";
import { energyRules, serviceIfKnown } from "./service.js";
import { language, number, t } from "./texts.js";

/** Fills the dialog. */
export async function showPower(content) {
    const [daily] = await Promise.all([
        player.ask("GET", "daily", { isOnce: true }), serviceIfKnown(), player.refresh({ isOnce: true }),
    ]);
    const balance = h("div", { class: "balance" });
    const clock = h("p", { role: "status" });
    const taking = h("div", {});
    let due;
    const draw = () => {
        balance.replaceChildren(picture("spark"), h("strong", {}, number(player.energy ?? 0)), h("span", {}, t("energy")));
        // A button that is there stays.
        if (due !== player.refill?.due) taking.replaceChildren(...take(entries, content));
        due = player.refill?.due;
        tell();
    };
    const tell = () => {
        const text = clockText();
        if (clock.textContent !== text) clock.textContent = text;
    };
    const entries = h("div", {});
    const listen = new AbortController();
    player.addEventListener("change", draw, { signal: listen.signal });
    const timer = setInterval(() => {
        if (clock.isConnected) return tell();
        clearInterval(timer);
        listen.abort();
    }, 1000);
    content.tabIndex = -1;
    content.replaceChildren(balance, taking, clock, h("p", {}, t("power.price", { count: energyRules.price })),
        more(t("power.more"), h("ul", { class: "rules" }, ...rules(daily).map((rule) => h("li", {}, rule)))),
        h("h3", {}, t("power.history")), entries);
    draw();
    await addHistory(entries);
}

/** The button that takes what is due; nothing without it. */
function take(entries, content) {
    const due = player.refill?.due ?? 0;
    if (due === 0) return [];
    const [element, outcome] = deed(t("energy.take", { count: due }), async () => {
        await player.takeRefill();
        content.focus();
        await addHistory(entries);
    }, {}, "is-main take-energy");
    return [h("div", { class: "actions" }, element), outcome];
}

/** When more comes. */
function clockText() {
    const { refill } = energyRules;
    const { nextAt } = player.refill ?? {};
    if (!refill) return t("power.never");
    if (nextAt && secondsUntil(nextAt) > 0) return t("power.next", { time: timeUntil(nextAt) });
    return t("power.full", { count: refill.upTo });
}

/** Where more comes from. */
function rules(daily) {
    const { refill, dailyReward } = energyRules;
    const hasEnded = daily.game && daily.game.state !== "playing";
    const toDaily = h("a", { href: "#daily", click: () => close("power") }, t("toDaily"));
    return [
        refill && t("power.refill", { amount: number(refill.amount), time: hours(refill.every), most: number(refill.upTo) }),
        dailyReward && h("span", {}, t("power.daily", { count: dailyReward }), " ", hasEnded ? "" : toDaily),
    ].filter(Boolean);
}

/** A time of whole hours or minutes, in words. */
function hours(seconds) {
    const [value, unit] = seconds % 3600 === 0 ? [seconds / 3600, "hour"] : [Math.round(seconds / 60), "minute"];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** The newest changes of the balance, and the way to those before. */
async function addHistory(place) {
    const rows = h("tbody", {});
    const more = h("div", { class: "actions" });
    const add = async (before) => {
        const query = `limit=10${before ? `&before=${encodeURIComponent(before)}` : ""}`;
        const page = await player.ask("GET", `players/me/energy?${query}`, { isOnce: true });
        rows.append(...page.entries.map(row));
        more.replaceChildren(...(page.next ? deed(t("more"), () => add(page.next)) : []));
    };
    await add();
    place.replaceChildren(
        h("table", { class: "history" },
            h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "wide" }, t("power.reason")),
                h("th", { scope: "col" }, t("power.change")), h("th", { scope: "col" }, t("power.balance")))), rows), more);
}

const reasons = ["registration", "import", "game", "purchase", "clientReport", "support", "refund", "lottery", "refill", "daily",
    "challenge", "merge"];

function row({ at, delta, balance, reason, game }) {
    const text = t(`reason.${reasons.includes(reason) ? reason : "other"}`);
    const signed = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
    return h("tr", {},
        h("td", { class: "wide" }, game ? h("a", { href: `#game/${game}`, click: () => document.querySelector("dialog[open]").close() },
            text) : text, h("span", { class: "fine" }, dateOf(at))),
        h("td", {}, signed.format(delta)), h("td", {}, number(balance)));
}
