// The recovery code as it is shown: one that another device may have used up is never shown as good.

import { attempt, button, quiet } from "./forms.js";
import { h, more } from "./dom.js";
import { dateOf } from "./clock.js";
import { player } from "./player.js";
import { fresh } from "./players.js";
import { copy, save } from "./share.js";
import { serviceName, t } from "./texts.js";

/** The part of a dialog that shows the code. `shown` is called when the player sees a good one. */
export function recoveryPart(shown = () => {}) {
    const { token } = player;
    const outcome = h("p", { role: "status", class: "outcome" });
    const content = h("div", { class: "recovery" });
    const put = (...children) => content.replaceChildren(...children);

    const show = (code) => {
        put(h("p", {}, t("recovery.good")), h("code", { class: "code", id: "recovery-code", tabindex: "-1" }, code),
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
        const { state, at } = await player.codeState(token);
        const date = at && dateOf(at);
        if (state === "good") {
            put(h("div", { class: "actions" }, h("button", { type: "button", class: "button", id: "show-code", click: () =>
                // Once more: the dialog may have been open for long.
                attempt(async () => ((await player.codeState(token)).state === "good" ? show(player.showCode(token)) : look()), outcome),
            }, t("recovery.show"))));
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
