// A result as text: what was found when, and not a letter of it.

import { dayNumber } from "./clock.js";
import { $, h } from "./dom.js";
import { open } from "./dialogs.js";
import { serviceName, t } from "./texts.js";

const squares = { correct: "🟪", present: "🟧", absent: "⬜" };

/** How a game went: "3/6", with a star for hard mode, "X" for one that was not won. */
export const scoreOf = ({ state, guesses, maximumGuesses, hard }) =>
    `${state === "won" ? guesses.length : "X"}/${maximumGuesses}${hard ? "*" : ""}`;

/** The text for a game that is over, the last of so many days in a row. */
export function resultText(game, days) {
    const title = game.day ? `${serviceName} ${dayNumber(game.day)}` : serviceName;
    const about = [title, scoreOf(game), ...(days > 1 ? [t("share.days", { count: days })] : [])].join(" · ");
    const rows = game.guesses.map(({ marks }) => marks.map((mark) => squares[mark]).join(""));
    const address = new URL(game.challenge ? `c/${game.challenge}` : ".", document.baseURI).href;
    return [about, "", ...rows, "", address].join("\n");
}

/** Hands a text on, in the way this device has for it. Returns what to say of it; nothing when it speaks for itself. */
export async function share(text) {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
        try {
            await navigator.share({ text });
            return "";
        } catch (error) {
            if (error.name === "AbortError") return "";
        }
    }
    return (await copy(text)) ? t("copied") : "";
}

/** Saves a file that the page has made: where the browser saves what it loads, or where the player says. */
export function save(name, blob) {
    const address = URL.createObjectURL(blob);
    h("a", { href: address, download: name }).click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Copies a text; where the browser does not let us, shows it to be copied. Returns whether it is copied. */
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        if (copySelected(text)) return true;
        const field = h("textarea", { class: "sharing", readonly: true, "aria-label": t("copy.text") });
        field.value = text;
        $("text").querySelector(".content").replaceChildren(h("p", {}, t("copy.this")), field);
        open("text");
        field.focus();
        field.select();
        return false;
    }
}

/** Copies a text as what is selected: a page that came over plain HTTP from another machine has no clipboard. Returns whether it did. */
function copySelected(text) {
    const { activeElement } = document;
    const field = h("textarea", { class: "unseen", readonly: true });
    field.value = text;
    // Nothing beside an open dialog can be selected.
    ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(field);
    field.focus({ preventScroll: true });
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    activeElement?.focus({ preventScroll: true });
    return isCopied;
}
