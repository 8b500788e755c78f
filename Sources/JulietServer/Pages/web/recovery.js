// The recovery code as it is shown: one that another device may have used up is never shown as good. Without a connection the one
// that this browser keeps is there, and it is said that it is not checked.

import { attempt, button, quiet } from "./forms.js";
import { h, more } from "./dom.js";
import { dateOf } from "./clock.js";
import { Unreachable, whenBack } from "./connection.js";
import { player } from "./player.js";
import { fresh } from "./players.js";
import { copy, save } from "./share.js";
import { serviceName, t } from "./texts.js";

/** What is certain of a token's code; without a connection `kept`, and when it was given, or `away`, where this browser keeps none. */
async function stateOf(token) {
    try {
        return await player.codeState(token);
    } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        const { recoveryCode, codeAt, isRenewing } = fresh({ token }) ?? {};
        return recoveryCode && !isRenewing ? { state: "kept", at: codeAt } : { state: "away" };
    }
}

/** The part of a dialog that shows the code. `shown` is called when the player sees one. */
export function recoveryPart(shown = () => {}) {
    const { token } = player;
    const outcome = h("p", { role: "status", class: "outcome" });
    const content = h("div", { class: "recovery" });
    const put = (...children) => content.replaceChildren(...children);

    const show = (code, text = t("recovery.good")) => {
        put(h("p", {}, text), h("code", { class: "code", id: "recovery-code", tabindex: "-1" }, code),
            h("div", { class: "actions" },
                button(t("copy"), () => attempt(async () => ((await copy(code)) ? t("copied") : ""), outcome)),
                button(t("recovery.save"), () => saveCode(code, token), "save-code")));
        content.querySelector("code").focus();
        shown();
    };
    const renew = () => attempt(async () => show(await player.renewCode(token)), outcome);
    const makes = { class: "button", id: "make-code" };
    // The old one may be on a piece of paper: it ends only when the player says so.
    const ask = (text) => put(h("p", {}, text), h("div", { class: "actions" },
        h("button", { type: "button", ...makes, click: () => {
            put(h("p", {}, t("recovery.ends")), h("div", { class: "actions" },
                button(t("recovery.make"), renew), quiet(t("recovery.keep"), look)));
            content.querySelector("button").focus();
        } }, t("recovery.new"))));

    const look = () => attempt(async () => {
        const { state, at } = await stateOf(token);
        const date = at && dateOf(at);
        const shower = (click) => h("div", { class: "actions" },
            h("button", { type: "button", class: "button", id: "show-code", click }, t("recovery.show")));
        if (state === "good") {
            // Once more: the dialog may have been open for long.
            put(shower(() => attempt(async () => ((await stateOf(token)).state === "good" ? show(player.showCode(token)) : look()), outcome)));
        } else if (state === "kept" || state === "away") {
            const said = h("p", {}, t(`recovery.${state}`));
            put(said, state === "kept" ? shower(() => show(player.showCode(token), t("recovery.unchecked", { date }))) : "",
                h("p", {}, quiet(t("again"), look)));
            whenBack(said, look);
        } else if (state === "shown") {
            ask(t("recovery.shown", { date }));
        } else if (state === "unsure") {
            ask(t("recovery.unsure"));
        } else if (state === "none") {
            ask(t("recovery.none"));
        } else {
            put(h("p", {}, t("recovery.used", { date })),
                h("div", { class: "actions" }, h("button", { type: "button", ...makes, click: renew }, t("recovery.make"))));
        }
    }, outcome).then((isDone) => isDone || put(h("div", { class: "actions" }, button(t("again"), look))));

    look();
    return [h("p", {}, t("recovery.what")), content, outcome, more(t("recovery.more"), h("p", { class: "fine" }, t("recovery.how")))];
}

/** Saves the code as a file for a drawer or a printer. */
function saveCode(code, token) {
    const address = new URL(".", document.baseURI).href;
    const text = t("recovery.file", { title: serviceName, name: fresh({ token })?.name, code, address });
    save(t("recovery.fileName"), new Blob([text], { type: "text/plain" }));
}
