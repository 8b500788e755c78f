// Dialogs: opened by the buttons that name them, filled when they open, closed by their cross, Escape or a touch beside.

import { $, h, picture } from "./dom.js";
import { t } from "./texts.js";

const fillers = new Map();

/** Says what fills a dialog whenever it opens. */
export function fill(id, filler) { fillers.set(id, filler); }

/** Opens a dialog. */
export function open(id) {
    const dialog = $(id);
    fillers.get(id)?.(dialog.querySelector(".content"));
    if (!dialog.open) dialog.showModal();
}

export const close = (id) => $(id).close();

/** Closes whatever is open. */
export function closeAll() {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

/** Whether a dialog has the player's attention. */
export const isAnyOpen = () => document.querySelector("dialog[open]") !== null;

/** Gives every dialog its cross, and its button the power to open it. */
export function prepareDialogs() {
    for (const dialog of document.querySelectorAll("dialog")) {
        dialog.querySelector("header").append(h("span", { class: "unseen told", role: "status" }),
            h("button", { type: "button", class: "tool", "aria-label": t("close"), click: () => dialog.close() }, picture("cross")));
        // The content is removed: a code that was shown is gone, and no id is in the page twice.
        dialog.addEventListener("close", () => fillers.has(dialog.id) && dialog.querySelector(".content").replaceChildren());
        // What `closedby` does, for browsers that do not know it.
        dialog.addEventListener("click", (event) => event.target === dialog && isBeside(dialog, event) && dialog.close());
    }
    document.addEventListener("click", (event) => {
        const button = event.target.closest("[data-opens]");
        if (button) open(button.dataset.opens);
    });
}

function isBeside(dialog, { clientX, clientY }) {
    const box = dialog.getBoundingClientRect();
    return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
