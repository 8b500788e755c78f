// Past days: a calendar of words, each of which can be played.

import { Problem } from "./api.js";
import { dayAfter, dayInWords, today } from "./clock.js";
import { close } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { attempt, attemptAgain, comingLine, single } from "./forms.js";
import { sorryPanel } from "./panels.js";
import { player } from "./player.js";
import { serviceIfKnown } from "./service.js";
import { read } from "./storage.js";
import { language, number, t } from "./texts.js";

const dayOf = (date) => date.toISOString().slice(0, 10);
const firstOf = (year, month) => new Date(Date.UTC(year, month, 1));
const inUTC = (options) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
const states = ["won", "lost", "playing", "open"];

/** The month that is shown: where one was last. */
let shown;

/** Fills the dialog. */
export function showCalendar(content) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const place = h("div", { class: "calendar" }, comingLine());
    const legend = h("ul", { class: "legend days" },
        ...states.map((state) => h("li", {}, h("span", { class: "day", "data-state": state, "aria-hidden": "true" }), t(`calendar.${state}`))),
        h("li", {}, h("span", { class: "day is-planned", "aria-hidden": "true" }), t("calendar.planned")));
    content.replaceChildren(h("p", {}, t("calendar.what")), place, outcome, legend);
    showMonth(place, outcome);
}

async function showMonth(place, outcome, focused) {
    // In which time zone it is today, if the service has not told yet.
    if (!shown) await serviceIfKnown();
    shown ??= firstOf(Number(today().slice(0, 4)), Number(today().slice(5, 7)) - 1);
    const month = shown;
    const next = firstOf(month.getUTCFullYear(), month.getUTCMonth() + 1);
    place.setAttribute("aria-busy", "true");
    await attemptAgain(async () => {
        const page = await player.ask("GET", `daily/days?limit=31&before=${dayOf(next)}`, { isOnce: true });
        if (month !== shown || !place.isConnected) return;
        const turn = (months, name) => {
            const isThere = months < 0 ? page.days.length > 0 && page.days.at(-1).day < dayOf(month) || page.next !== undefined
                : dayOf(next) <= today();
            return h("button", { type: "button", class: "tool", "aria-label": t(`calendar.${name}`), "data-turn": name, disabled: !isThere,
                click: () => {
                    shown = firstOf(month.getUTCFullYear(), month.getUTCMonth() + months);
                    showMonth(place, outcome, name);
                } }, picture(name));
        };
        const heading = h("h3", { tabindex: "-1" }, inUTC({ month: "long", year: "numeric" }).format(month));
        place.replaceChildren(h("div", { class: "month" }, turn(-1, "previous"), heading, turn(1, "next")), table(month, page.days));
        if (focused) (place.querySelector(`[data-turn=${focused}]:not([disabled])`) ?? heading).focus();
    }, outcome, { network: t("calendar.away") });
    place.querySelector(".coming")?.remove();
    place.removeAttribute("aria-busy");
}

function table(month, days) {
    const known = new Map(days.map((day) => [day.day, day]));
    const cells = [];
    const first = firstWeekday();
    for (let blank = (month.getUTCDay() + 7 - first) % 7; blank > 0; blank -= 1) cells.push(h("td", {}));
    for (let date = month; date.getUTCMonth() === month.getUTCMonth(); date = new Date(date.getTime() + 86_400_000)) {
        cells.push(h("td", {}, cell(dayOf(date), known.get(dayOf(date)))));
    }
    const rows = [];
    while (cells.length > 0) rows.push(h("tr", {}, ...cells.splice(0, 7)));
    const weekdays = Array.from({ length: 7 }, (_, index) => Date.UTC(2026, 0, 4 + first + index)); // from a Sunday on
    return h("table", {},
        h("thead", {}, h("tr", {}, ...weekdays.map((day) =>
            h("th", { scope: "col", abbr: inUTC({ weekday: "long" }).format(day) }, inUTC({ weekday: "narrow" }).format(day))))),
        h("tbody", {}, ...rows));
}

/** The weekday that weeks begin with where the player is, 0 for Sunday; Monday where the browser does not know. */
function firstWeekday() {
    let locale;
    try {
        locale = new Intl.Locale(navigator.language);
    } catch {
        locale = new Intl.Locale(language);
    }
    const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 };
    return firstDay % 7;
}

/** One day: a link to it, if it had a word. */
function cell(day, known) {
    const digits = number(Number(day.slice(8)));
    if (!known) return h("span", { class: "day" }, digits);
    const state = known.game?.state ?? "open";
    const text = (state === "won" ? t("calendar.solved", { count: known.game.guesses }) : t(`calendar.${state}`))
        + (known.planned ? `, ${t("calendar.planned")}` : "");
    return h("a", {
        class: known.planned ? "day is-planned" : "day", href: day === today() ? "#daily" : `#day/${day}`, "data-state": state, "aria-label": `${dayInWords(day)}: ${text}`,
        "aria-current": day === today() ? "date" : undefined, click: () => close("calendar"),
    }, digits);
}

/** Puts a past day on the desk: the player's game of it, or the way to it. */
export async function showDay(desk, day) {
    await serviceIfKnown();
    if (day === today()) return location.replace("#daily");
    // Asks the list, which has no word in it; the answer of the day itself has.
    let known;
    try {
        known = (await desk.ask("GET", `daily/days?limit=1&before=${dayAfter(day)}`)).days[0];
    } catch (error) {
        if (!(error instanceof RangeError || (error instanceof Problem && error.status !== 401))) throw error;
    }
    if (known?.day !== day) return desk.offer(sorryPanel(t("calendar.none")));
    if (known.game) return desk.put(await desk.ask("GET", `games/${known.game.id}`));
    const outcome = h("p", { class: "outcome", role: "status" });
    const body = read("hard") ? { hard: true } : {};
    const begin = single(() => attempt(() => desk.start(async () => (await desk.ask("POST", `daily/${day}/game`, { body })).game), outcome,
        { 409: t("calendar.many") }));
    desk.offer([
        picture("envelope", "letter-shape"),
        h("h3", { tabindex: "-1" }, t("calendar.word", { number: known.number })),
        h("p", {}, t("calendar.fun"), known.planned ? ` ${t("day.planned")}` : ""),
        h("div", { class: "actions" },
            h("button", { type: "button", class: "button is-main", click: begin }, t("calendar.play")),
            h("button", { type: "button", class: "button", "data-opens": "calendar" }, t("calendar.other"))),
        outcome,
    ], undefined, dayInWords(day));
}
