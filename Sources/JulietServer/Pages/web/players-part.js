// Who plays in this browser, in the dialogs: another player's turn, signing in, signing out.

import { Unreachable } from "./connection.js";
import { close, open } from "./dialogs.js";
import { h } from "./dom.js";
import { attempt, button, form, quiet, Said, sayOnDesk } from "./forms.js";
import { player } from "./player.js";
import { forget, fresh } from "./players.js";
import { keepPart, passkeySignIn } from "./keep.js";
import { askToMerge } from "./merge.js";
import { recoveryPart } from "./recovery.js";
import { hasEnergy } from "./service.js";
import { list, number, t } from "./texts.js";
import { waysIn } from "./ways.js";
import { nameOf } from "./who.js";

/** The others of this browser, each with a button that makes it their turn, and one that makes both the same. */
export function othersList(done, { canMerge = false } = {}) {
    const { others } = player;
    return others.length === 0 ? [] : [h("ul", { class: "others" }, ...others.map((kept) =>
        h("li", {},
            button(t("players.switch", { name: nameOf(kept) }), async () => {
                done();
                await player.switchTo(kept);
            }),
            canMerge && quiet(t("players.merge"), () => {
                done();
                askToMerge(kept);
            }, { class: "quiet merge", "aria-label": t("players.mergeWith", { name: nameOf(kept) }) }))))];
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

/** What the dialog of signing out shows: what is lost, and the way back before anything else. */
export async function showLeave(content) {
    const { kept } = player;
    const { token } = kept;
    const name = nameOf(kept);
    // Without an answer it is as if there were no other way in.
    const [{ passkeys, identities, isUnknown }] = await Promise.all([
        waysIn().catch(() => ({ passkeys: [], identities: [], isUnknown: true })),
        player.statistics ? undefined : player.refresh({ isOnce: true }).catch(() => {}),
    ]);
    const isSafe = passkeys.length + identities.length > 0;
    const isBound = passkeys.length > 0 && !passkeys.some(({ isSynced }) => isSynced);
    const outcome = h("p", { role: "status", class: "outcome" });
    const gone = (text) => {
        close("leave");
        sayOnDesk(t(text, { name }));
    };
    const here = h("div", { class: "actions", hidden: true }, button(t("leave.here", { name }), () => {
        player.forget(token);
        gone("leave.doneHere");
    }, "is-danger"));
    const end = button(t(isSafe ? "leave.do" : "leave.without"), () => attempt(async () => {
        try {
            await player.signOut(token);
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            here.hidden = false;
            throw new Said(t("leave.away", { name }));
        }
        gone("leave.done");
    }, outcome).then(() => here.scrollIntoView({ block: "nearest" })), "is-danger");
    end.id = "sign-out-now";
    const noted = () => { end.textContent = t("leave.noted"); };
    content.replaceChildren(
        ...(isSafe ? [
            h("p", {}, t("leave.forgets", { name })),
            h("p", {}, passkeys.length > 0
                ? `${t("leave.passkey", { name, count: passkeys.length })} ${t(isBound ? "passkey.bound" : "passkey.synced", { count: passkeys.length })}`
                : t("leave.identity", { name, providers: list(identities.map(({ provider }) => provider)) })),
            ...(isBound ? [h("h3", {}, t("recovery.title")), ...recoveryPart()] : []),
        ] : [
            h("p", {}, t("leave.what", { name })),
            h("ul", { class: "losses" }, ...losses().map((loss) => h("li", {}, loss))),
            isUnknown ? h("p", { class: "fine" }, t("leave.unknown", { name })) : "",
            h("h3", {}, t("leave.first")),
            ...keepPart({ made: () => showLeave(content), shown: noted }),
        ]),
        h("div", { class: "actions is-end" }, end, button(t("leave.stay"), () => close("leave"))),
        outcome, here,
        h("p", { class: "fine" }, t("leave.instead", { name }), " ",
            quiet(t("players.somebody"), () => {
                close("leave");
                open("settings");
            })));
}

/** What a player has to lose, in words. */
export function losses() {
    const { energy, statistics } = player;
    if (!statistics) return [t("leave.all")];
    const { played, won, currentStreak } = statistics;
    return [
        played > 0 && t("leave.games", { count: played, won: number(won) }),
        currentStreak > 1 && t("leave.streak", { count: currentStreak }),
        hasEnergy() && energy > 0 && t("leave.energy", { count: energy }),
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
                const isDone = await attempt(() => player.signInAgain(kept), outcome, { 401: t("lost.used"), 429: t("signIn.tooMany") });
                if (isDone) end();
            } }, t("lost.again"))),
            outcome,
        ] : []),
        passkeySignIn(end),
        signInForm(end),
        ...othersList(end),
        h("h3", {}, t("lost.without")),
        h("button", { type: "button", class: "button", click: () => {
            // A player with neither session nor code can be opened no more, and is forgotten.
            if (!fresh(kept)?.recoveryCode) forget(kept.token);
            if (!player.token || player.token === kept.token) player.leave();
            end();
        } }, t("lost.new")));
}
