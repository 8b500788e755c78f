// What comes later: modules that are not needed to begin playing, and their texts.

import { Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { button } from "./forms.js";
import { addTexts, language, t } from "./texts.js";

let texts;
/** Whether the last import has failed: some browsers never try an import twice. */
let hasFailed = false;

/**
 * Loads a part of the page that comes later, and the texts of such parts. `load` imports it, its name written out. Throws
 * `Unreachable` when it cannot be loaded, of reason `version` when the service has parts of another release, and `stuck` when it
 * failed again although the service answers.
 */
export async function late(load) {
    texts ??= import(`./texts-later-${language}.js`).then(({ default: more }) => addTexts(more));
    try {
        const [part] = await Promise.all([load(), texts]);
        hasFailed = false;
        return part;
    } catch (error) {
        texts = undefined;
        // An error that a module throws when it runs does not mean that the network fails.
        if (!(error instanceof TypeError)) throw error;
        const isAgain = hasFailed;
        hasFailed = true;
        throw new Unreachable(await whyNot(isAgain));
    }
}

/** Why a part cannot be loaded. A service of another release has no parts for this page. */
async function whyNot(isAgain) {
    const own = document.querySelector("script[type=module]").getAttribute("src");
    try {
        const page = await fetch(document.baseURI, { cache: "no-cache", credentials: "omit" });
        if (!page.ok) return "network";
        if (!(await page.text()).includes(own)) return "version";
        return isAgain ? "stuck" : "network";
    } catch {
        return "network";
    }
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
            // Nothing is shown if the dialog was closed meanwhile.
            if (content.closest("dialog").open) await show(part, content);
        } catch (error) {
            if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
            content.replaceChildren(...lateFailure(error, () => fillLate(content)));
        }
    };
}

/** What is said where a part cannot be loaded, or has been refused what it asked. */
export function lateFailure(error, again) {
    const reload = () => location.reload();
    const [text, verb] = error instanceof Problem ? ["failure.other", "again"]
        : error.reason === "version" ? ["failure.version", "reload"] : ["failure.network", "again"];
    return [h("p", { role: "alert" }, t(text)), button(t(verb), error.needsReload ? reload : again)];
}
