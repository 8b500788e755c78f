// Lists that the service tells by pages.

import { h } from "./dom.js";
import { deed } from "./forms.js";
import { player } from "./player.js";
import { t } from "./texts.js";

/**
 * Adds a page of a list, and a button for the next one. `entries` makes of an answer what stands in the list; `before` is what comes
 * before the page, and `last` the button that asked for it.
 */
export async function addPage(list, path, entries, before, last) {
    const page = await player.ask("GET", `${path}?limit=20${before ? `&before=${encodeURIComponent(before)}` : ""}`, { isOnce: true });
    last?.remove();
    list.append(...entries(page).map((entry) => h("li", {}, entry)));
    if (!page.next) return;
    const more = h("li", {}, ...deed(t("more"), () => addPage(list, path, entries, page.next, more)));
    list.append(more);
}
