// What comes later: modules, and the texts of them all, that nobody needs to begin playing.

import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { button } from "./forms.js";
import { addTexts, language, t } from "./texts.js";

let texts;

/**
 * Loads a part of the page that comes later, and the texts of such parts. `load` imports it, its name written out. Throws
 * `Unreachable` when it cannot be loaded, of reason `version` when the service has parts of another release.
 */
export async function late(load) {
    texts ??= import(`./texts-later-${language}.js`).then(({ default: more }) => addTexts(more));
    try {
        const [part] = await Promise.all([load(), texts]);
        return part;
    } catch (error) {
        texts = undefined;
        // What a module of ours throws when it runs is no want of a network.
        if (!(error instanceof TypeError)) throw error;
        throw new Unreachable(await isOfAnotherRelease() ? "version" : "network");
    }
}

/** Whether the service has another release of the page by now: then it has no parts for this one. */
async function isOfAnotherRelease() {
    const own = document.querySelector("script[type=module]").getAttribute("src");
    const page = await fetch(document.baseURI, { cache: "no-cache", credentials: "omit" }).catch(() => undefined);
    return page?.ok === true && !(await page.text()).includes(own);
}

/**
 * What fills a dialog by a part that comes later: `show` is given the part and the dialog's content. Where it cannot be loaded the
 * dialog says so, and offers to try again.
 */
export function lateFiller(load, show) {
    return async function fillLate(content) {
        content.replaceChildren(h("p", { role: "status" }, "…"));
        try {
            const part = await late(load);
            // Who has closed the dialog meanwhile is not bothered with it.
            if (content.closest("dialog").open) await show(part, content);
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            content.replaceChildren(...lateFailure(error, () => fillLate(content)));
        }
    };
}

/** What is said where a part cannot be loaded. */
export function lateFailure({ reason }, again) {
    const [text, verb, action] = reason === "version"
        ? ["failure.version", "reload", () => location.reload()]
        : ["failure.network", "again", again];
    return [h("p", { role: "alert" }, t(text)), button(t(verb), action)];
}
