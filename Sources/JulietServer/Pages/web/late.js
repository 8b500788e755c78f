// What comes later: modules that are not needed to begin playing, and their texts.

import { Problem } from "./api.js";
import { comes, Unreachable, whenBack } from "./connection.js";
import { h } from "./dom.js";
import { button, comingLine } from "./forms.js";
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
 * dialog says so, with the text `what` if there is one, and offers to try again.
 */
export function lateFiller(load, show, what) {
    return async function fillLate(content) {
        const hadFocus = content.contains(document.activeElement);
        content.replaceChildren(comingLine());
        try {
            // Nothing is shown if the dialog was closed meanwhile.
            await comes(late(load).then((part) => content.closest("dialog").open && show(part, content)));
        } catch (error) {
            if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
            content.replaceChildren(...lateFailure(error, () => fillLate(content), what));
        }
        if (!hadFocus || content.contains(document.activeElement)) return;
        // The button that was pressed is gone.
        content.tabIndex = -1;
        (content.querySelector("[role=alert] + button") ?? content).focus();
    };
}

/** What is said where a part cannot be loaded, or has been refused what it asked. `what` names the text of what cannot be seen. */
export function lateFailure(error, again, what) {
    const { reason, needsReload } = error;
    const act = needsReload ? () => location.reload() : again;
    const text = error instanceof Problem ? "failure.other" : needsReload ? `failure.${reason}` : `away.${reason}`;
    const element = button(t(needsReload ? "reload" : "again"), act);
    if (error instanceof Unreachable && !needsReload) whenBack(element, act);
    return [h("p", { role: "alert" }, what && reason !== "version" ? `${t(what)} ` : "", t(text)), element];
}
