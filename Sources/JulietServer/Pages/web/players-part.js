// Who plays in this browser, in the dialogs: another player's turn, signing in, signing out.

import { close, open } from "./dialogs.js";
import { h } from "./dom.js";
import { attempt, button, form, quiet } from "./forms.js";
import { player } from "./player.js";
import { forget } from "./players.js";
import { recoveryPart } from "./recovery.js";
import { number, t } from "./texts.js";

const nameOf = (kept) => kept.name ?? t("players.unnamed");

/** The others of this browser, each with a button that makes it their turn. */
export function othersList(done) {
    const { others } = player;
    return others.length === 0 ? [] : [h("ul", { class: "others" }, ...others.map((kept) =>
        h("li", {}, button(t("players.switch", { name: nameOf(kept) }), async () => {
            done();
            await player.switchTo(kept);
        }))))];
}

/** The field for a recovery code. */
export function signInForm(done) {
    return form(t("signIn.label"), t("signIn.do"),
        { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true },
        async (code) => {
            await player.signIn(code);
            done();
        },
        { 401: t("signIn.nobody"), 429: t("signIn.tooMany"), 400: t("signIn.malformed") });
}

/** What the dialog shows that a new player is sent to. */
export const showKeep = (content) => content.replaceChildren(...recoveryPart());

/** What the dialog of signing out shows: what is lost, and the code before anything else. */
export function showLeave(content) {
    const outcome = h("p", { role: "status", class: "outcome" });
    const end = button(t("leave.without"), () => attempt(async () => {
        await player.signOut();
        close("leave");
    }, outcome), "is-danger");
    end.id = "sign-out-now";
    content.replaceChildren(
        h("p", {}, t("leave.what", { name: nameOf(player.kept) })),
        h("ul", { class: "losses" }, ...losses().map((loss) => h("li", {}, loss))),
        h("h3", {}, t("leave.first")),
        ...recoveryPart(() => { end.textContent = t("leave.noted"); }),
        h("div", { class: "actions is-end" }, end, button(t("leave.stay"), () => close("leave"))),
        outcome,
        h("p", { class: "fine" }, t("leave.instead", { name: nameOf(player.kept) }), " ",
            quiet(t("players.somebody"), () => {
                close("leave");
                open("settings");
                document.getElementById("somebody").scrollIntoView();
            })));
    if (!player.statistics) {
        player.refresh({ isOnce: true })
            .then(() => content.querySelector(".losses").replaceChildren(...losses().map((loss) => h("li", {}, loss))), () => {});
    }
}

function losses() {
    const { energy, statistics } = player;
    if (!statistics) return [];
    const { played, won, currentStreak } = statistics;
    return [
        played > 0 && t("leave.games", { count: played, won: number(won) }),
        currentStreak > 1 && t("leave.streak", { count: currentStreak }),
        energy > 0 && t("leave.energy", { count: energy }),
    ].filter(Boolean);
}

/** Fills the dialog for a device that the service knows no more. */
export function showLost(content) {
    const { kept } = player;
    if (!kept) return content.replaceChildren();
    const end = () => close("lost");
    const outcome = h("p", { role: "status", class: "outcome" });
    content.replaceChildren(
        h("p", {}, t("lost.what", { name: nameOf(kept) })),
        ...(kept.recoveryCode ? [
            h("div", { class: "actions" }, h("button", { type: "button", class: "button is-main", id: "sign-in-again", click: async () => {
                const isDone = await attempt(() => player.signInAgain(), outcome, { 401: t("lost.used"), 429: t("signIn.tooMany") });
                if (isDone) end();
            } }, t("lost.again"))),
            outcome,
        ] : []),
        signInForm(end),
        ...othersList(end),
        h("h3", {}, t("lost.without")),
        h("button", { type: "button", class: "button", click: () => {
            // Who has neither session nor code left is nobody's any more.
            if (player.kept.recoveryCode) player.leave();
            else {
                forget(player.kept);
                player.leave();
            }
            end();
        } }, t("lost.new")));
}
