// Days, and time that is left.

import { now } from "./api.js";
import { h } from "./dom.js";
import { language } from "./texts.js";

const two = (number) => String(number).padStart(2, "0");
const formats = Intl.DurationFormat && {
    long: new Intl.DurationFormat(language, { style: "digital" }),
    short: new Intl.DurationFormat(language, { minutes: "numeric", minutesDisplay: "always", seconds: "2-digit", secondsDisplay: "always" }),
};

/** Hours, minutes and seconds as the language writes them; as everybody reads them where the browser cannot. */
function inDigits([hours, minutes, seconds], isLong) {
    if (isLong) return formats?.long.format({ hours, minutes, seconds }) ?? `${hours}:${two(minutes)}:${two(seconds)}`;
    return formats?.short.format({ minutes, seconds }) ?? `${minutes}:${two(seconds)}`;
}

const pieces = (seconds) => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];

/** The whole seconds until a moment; zero when it has passed. */
export const secondsUntil = (moment) => Math.max(0, Math.ceil((Date.parse(moment) - now()) / 1000));

/** "4:05:09" until a moment. */
export const timeUntil = (moment) => inDigits(pieces(secondsUntil(moment)), true);

/** "1:05" or "2:03:20". */
export const duration = (seconds) => inDigits(pieces(seconds), seconds >= 3600);

/** The word of the day as the service has told of it last. */
let told;
/** The time zone in which days begin at midnight; undefined until the service has told, or if this browser does not know it. */
let timeZone;

/** Keeps when today and tomorrow end. */
export function noteDay(daily) { told = daily; }

/** Keeps in which time zone days begin. */
export function noteTimeZone(zone) {
    try { timeZone = zone && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone; } catch { timeZone = undefined; }
}

/** The name of that time zone: "Central European Time"; undefined if it is not known. */
export const timeZoneName = () => timeZone && new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "longGeneric" })
    .formatToParts(now()).find(({ type }) => type === "timeZoneName").value;

/** The day after a day. */
export const dayAfter = (day) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** Today, as the service has told; before it has, as its time zone has it. */
export function today() {
    if (told && secondsUntil(told.endsAt) > 0) return told.day;
    if (told && secondsUntil(told.tomorrow.endsAt) > 0) return dayAfter(told.day);
    // Swedish writes days as the service does.
    return new Intl.DateTimeFormat("sv", { timeZone: timeZone ?? "UTC" }).format(now());
}

/** A day such as 2026-11-21, in words; of another year with its year. */
export function dayInWords(day) {
    const year = today().slice(0, 4) === day.slice(0, 4) ? undefined : "numeric";
    return new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year, timeZone: "UTC" }).format(Date.parse(day));
}

/** The number of a day's word. */
export const dayNumber = (day) => (Date.parse(day) - Date.parse("2026-01-01")) / 86_400_000 + 1;

/** The date of a moment, here. */
export const dateOf = (moment) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(moment));

/** An element that shows the time until a moment, for as long as it is in the page. `end` is called when the moment has come. */
export function countdown(moment, end) {
    const time = h("time", {}, timeUntil(moment));
    const timer = setInterval(() => {
        time.textContent = timeUntil(moment);
        const isOver = secondsUntil(moment) === 0;
        if (time.isConnected && !isOver) return;
        clearInterval(timer);
        if (time.isConnected) end?.();
    }, 1000);
    return time;
}
