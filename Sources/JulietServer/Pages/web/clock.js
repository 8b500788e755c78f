// Time that is left.

import { now } from "./api.js";
import { h } from "./dom.js";

/** "4:05:09" until a moment; zero when it has passed. */
export function timeUntil(moment) {
    const seconds = Math.max(0, Math.ceil((Date.parse(moment) - now()) / 1000));
    const two = (number) => String(number).padStart(2, "0");
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** "1:05" or "2:03:20". */
export function duration(seconds) {
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A day such as 2026-11-21, in the words of the reader's place. */
export function dayInWords(day) {
    return new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day));
}

/** An element that shows the time until a moment, for as long as it is in the page. */
export function countdown(moment) {
    const time = h("time", {}, timeUntil(moment));
    const timer = setInterval(() => {
        if (time.isConnected) time.textContent = timeUntil(moment);
        else clearInterval(timer);
    }, 1000);
    return time;
}
