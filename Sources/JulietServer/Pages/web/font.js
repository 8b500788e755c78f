// The font of the headings. It is loaded when the page can be played, and shown from the next game or visit on: nothing moves.

import { write } from "./storage.js";

let isHere = false;

/** Loads the font when the browser has nothing better to do, unless it is to save data. */
export function loadFont() {
    const root = document.documentElement;
    if (root.dataset.font || navigator.connection?.saveData) return;
    (globalThis.requestIdleCallback ?? setTimeout)(async () => {
        try {
            const face = new FontFace("Fraunces", `url("${new URL("fraunces.woff2", import.meta.url)}")`, { weight: "400 700" });
            document.fonts.add(await face.load());
            isHere = true;
            // `theme.js` shows it from the next visit on, before anything is drawn.
            write("font", true);
        } catch {
            // Without it the page is as it was.
        }
    });
}

/** Shows the font, if it is here, when all that is shown changes anyway. */
export function showFont() {
    if (isHere) document.documentElement.dataset.font = "own";
}
