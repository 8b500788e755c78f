// What comes later: modules, and the texts of them all, that nobody needs to begin playing.

import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { button } from "./forms.js";
import { addTexts, language, t } from "./texts.js";

let texts;

/**
 * Loads a part of the page that comes later, such as `late(() => import("./part.js"))`, with the texts of such parts. Throws
 * `Unreachable` when it cannot be loaded.
 */
export async function late(load) {
    try {
        texts ??= import(`./texts-later-${language}.js`).then(({ default: more }) => addTexts(more));
        const [part] = await Promise.all([load(), texts]);
        return part;
    } catch (error) {
        texts = undefined;
        // What a module of ours throws when it runs is no want of a network.
        if (!(error instanceof TypeError)) throw error;
        throw new Unreachable("network");
    }
}

/**
 * What fills a dialog by a part that comes later: `show` is given the part and the dialog's content. Where it cannot be loaded the
 * dialog says so, and offers to try again.
 */
export function lateFiller(load, show) {
    return async function fillLate(content) {
        // The dialog is about to open; who has closed it before the part came is not bothered with it.
        content.replaceChildren(h("p", { role: "status" }, "…"));
        try {
            const part = await late(load);
            if (content.closest("dialog").open) await show(part, content);
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            content.replaceChildren(h("p", { role: "alert" }, t("failure.network")), button(t("again"), () => fillLate(content)));
        }
    };
}
