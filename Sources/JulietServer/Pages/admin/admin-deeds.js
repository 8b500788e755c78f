// What operators do about a player. Each deed is asked first, says why, and happens once.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { newKey } from "./hex.js";
import { announce, asking, changing, explain, field, moment, momentText, question, reasonField, table, usedAt } from "./admin-views.js";
import { hasText, t } from "./texts.js";

const maximumGrant = 0; // the service writes the number (AdminPages.swift)

/** A text that ends with that there is no way back. */
const forGood = (name) => t(name, { final: t("final") });

/**
 * The form by which energy is given and taken. `changed` shows what is different then.
 */
export function energyForm(place, id, changed) {
    const amount = h("input", { type: "number", name: "amount", required: true, min: 1, max: maximumGrant, step: 1, inputmode: "numeric" });
    const [reason, line] = reasonField(t("grant.reason"));
    const isShown = h("input", { type: "checkbox", name: "isShown", checked: true });
    const undo = h("button", { type: "button", class: "button", "aria-haspopup": "dialog", hidden: true }, t("grant.undo"));
    const form = h("form", { class: "card", id: "grant", "aria-label": t("grant.title") },
        h("h2", {}, t("grant.title")),
        h("div", { class: "line" }, field(t("grant.amount"), amount, t("grant.range", { most: maximumGrant })), line,
            h("button", { class: "button is-main", value: "give" }, t("grant.give")),
            h("button", { class: "button", value: "take" }, t("grant.take"))),
        h("p", {}, h("label", { class: "choice" }, isShown, ` ${t("grant.shown")}`)));
    const move = (change_, why, shown, key) => change("energy", { id }, { amount: change_, reason: why, isShown: shown }, key);
    changing(form, async (key, button) => {
        const moved = Number(amount.value) * (button?.value === "take" ? -1 : 1);
        const [why, shown] = [reason.value, isShown.checked];
        undo.hidden = true;
        // The other button is another deed, with a key of its own.
        const answer = await move(moved, why, shown, `${key}-${moved > 0 ? "give" : "take"}`);
        form.reset();
        // One key for all tries, so that it is undone once.
        const back = newKey();
        undo.onclick = () => question(place, {
            title: t(moved > 0 ? "grant.takeBack" : "grant.giveBack", { amount: Math.abs(moved) }), verb: t("grant.undo"),
            reason: t("grant.undoReason", { reason: why }).slice(0, 500),
            notes: [h("p", {}, t("grant.undoWhat"))],
            send: (reason) => move(-moved, reason, shown, back),
            done: async ({ balance }) => {
                undo.hidden = true;
                form.querySelector(".message").textContent = t("grant.undone", { balance });
                await changed();
            },
        });
        undo.hidden = false;
        await changed();
        const values = { amount: Math.abs(moved), balance: answer.balance };
        if (answer.isReplay) return t(moved > 0 ? "grant.gaveBefore" : "grant.tookBefore", values);
        return t(moved > 0 ? "grant.gave" : "grant.took", values);
    });
    form.append(undo);
    return form;
}

/** The section of how the player signs in, and on which devices. It shows itself anew. */
export async function showWays(place, id, changed) {
    const { sessions, passkeys, identities } = await ask("ways", { id });
    const said = place.querySelector(".message")?.textContent ?? "";
    const message = h("p", { class: "message is-good", role: "status" }, said);
    const take = (title, kind, one, text) => () => question(place, {
        title: t(title), verb: t("do"),
        notes: [h("p", {}, forGood(text))],
        send: (reason, key) => change("ways", { id }, { kind, one, reason }, key),
        done: async () => {
            message.textContent = t("done");
            announce(t("done"));
            await changed();
            place.querySelector("h2").focus();
        },
    });
    const used = (hour) => hour ? usedAt(hour) : t("never");
    const by = (way) => hasText(`ways.by.${way}`) ? t(`ways.by.${way}`) : way;
    const columns = (...names) => [t("column.since"), ...names.map((name) => t(name)), t("column.action")];
    const devices = table(t("ways.devices"), columns("ways.by", "column.used", "column.id"), sessions.map((session) => [
        moment(session.createdAt), by(session.by), used(session.lastUsedAt), h("code", {}, session.id),
        asking(t("ways.signOut"), take("ways.signOutAsk", "session", session.id, "ways.signOutWhat"),
            t("ways.signOutOf", { time: momentText(session.createdAt) })),
    ]));
    const keys = table(t("ways.passkeys"), columns("ways.name", "column.used", "column.id"), passkeys.map((passkey) => [
        moment(passkey.createdAt), passkey.isSynced ? t("ways.synced", { name: passkey.name }) : passkey.name, used(passkey.lastUsedAt),
        h("code", {}, passkey.id),
        asking(t("ways.remove"), take("ways.removePasskeyAsk", "passkey", passkey.id, "ways.removeWhat"),
            t("ways.removePasskeyOf", { name: passkey.name })),
    ]));
    const others = table(t("ways.identities"), columns("ways.provider", "ways.issuer", "ways.subject"), identities.map((identity) => [
        moment(identity.createdAt), identity.provider, identity.issuer, h("code", {}, identity.subject),
        asking(t("ways.remove"), take("ways.removeIdentityAsk", "identity", identity.provider, "ways.removeWhat"),
            t("ways.removeIdentityOf", { provider: identity.provider })),
    ]));
    const list = (rows, element, nothing) => rows.length > 0 ? h("div", { class: "list" }, element) : h("p", { class: "fine" }, nothing);
    const all = [];
    if (sessions.length > 1) {
        all.push(asking(t("ways.signOutAll"), take("ways.signOutAllAsk", "session", undefined, "ways.signOutAllWhat")));
    }
    if (sessions.length + passkeys.length + identities.length > 0) {
        all.push(asking(t("ways.removeAll"), take("ways.removeAllAsk", "all", undefined, "ways.removeAllWhat")));
    }
    place.replaceChildren(
        h("h2", { tabindex: -1 }, t("ways.title")),
        list(sessions, devices, t("ways.noDevice")),
        list(passkeys, keys, t("ways.noPasskey")),
        list(identities, others, t("ways.noIdentity")),
        h("div", { class: "actions" }, ...all, asking(t("recovery.new"), () => askRecovery(place, id, changed))),
        message);
}

function askRecovery(place, id, changed) {
    question(place, {
        title: t("recovery.ask"), verb: t("recovery.do"),
        notes: [h("p", {}, t("recovery.what"))],
        send: (reason, key) => change("recovery-code", { id }, { reason }, key),
        done: async ({ recoveryCode }) => {
            showRecovery(place, recoveryCode);
            await changed();
        },
    });
}

/** It is shown once: nothing of it is left when the dialog closes. */
function showRecovery(place, code) {
    const copied = h("p", { class: "message is-good", role: "status" });
    const shown = h("code", { id: "recovery-code" }, code);
    const dialog = h("dialog", { "aria-labelledby": "recovery", close: () => dialog.remove() },
        h("h2", { id: "recovery" }, t("recovery.title")),
        h("p", {}, shown),
        h("p", {}, t("recovery.once")),
        h("div", { class: "actions" },
            h("button", {
                type: "button", class: "button", click: async () => {
                    try {
                        await navigator.clipboard.writeText(code);
                        copied.textContent = t("recovery.copied");
                    } catch {
                        // Without HTTPS a page has no clipboard.
                        getSelection().selectAllChildren(shown);
                        copied.textContent = t(document.execCommand("copy") ? "recovery.copied" : "recovery.selected");
                    }
                },
            }, t("recovery.copy")),
            h("button", { type: "button", class: "button is-main", click: () => dialog.close() }, t("recovery.handedOver"))),
        copied);
    // Another part of the page may be shown by now, or nothing.
    if (!place.isConnected) return;
    place.parentElement.append(dialog);
    dialog.showModal();
}

/** The button that ends a running game. */
export const endGameButton = (place, id, game, changed) => asking(t("end.game"), () => question(place, {
    title: t("end.gameAsk"), verb: t("end.gameDo"),
    notes: [h("p", {}, forGood("end.gameWhat"))],
    send: (reason, key) => change("end-game", { id, game: game.id }, { reason }, key),
    done: async () => {
        announce(t("end.gameDone"));
        await changed();
        place.querySelector("h2").focus();
    },
}), t("end.gameOf", { time: momentText(game.startedAt) }));

/** The section of what is kept: to take along, and to delete. */
export function dataSection(place, player, changed) {
    const { id } = player;
    const message = h("p", { class: "message is-good", role: "status" });
    const section = h("section", { id: "data" },
        h("h2", {}, t("data.title")),
        h("p", {}, t("data.what")),
        h("div", { class: "actions" },
            asking(t("data.export"), () => question(section, {
                title: t("data.exportAsk"), verb: t("data.exportDo"),
                notes: [h("p", {}, t("data.exportWhat"))],
                send: (reason, key) => change("export", { id }, { reason }, key),
                done: async (document_) => {
                    download(`juliet-${id.replaceAll(/[^\w-]/g, "_")}.json`, JSON.stringify(document_, undefined, 2));
                    message.textContent = t("data.exported");
                    await changed();
                },
            })),
            asking(t("data.delete"), async () => {
                try {
                    // Asked anew, so that the dialog lists what would be lost now.
                    askDeletion(section, place, await ask("player", { id }));
                } catch (error) {
                    message.textContent = explain(error);
                }
            })),
        message);
    return section;
}

function download(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function askDeletion(section, place, player) {
    const typed = h("input", { type: "text", name: "id", required: true, maxlength: 128, autocomplete: "off", spellcheck: "false" });
    const losses = [t("data.lostEnergy", { count: player.energy }), t("data.lostWins", { count: player.wins })];
    if (player.name !== undefined) losses.push(t("data.lostGames"), t("data.lostWays"));
    question(section, {
        title: t("data.deleteAsk", { name: player.name ?? t("data.thisPlayer") }), verb: t("data.deleteDo"),
        notes: [
            h("p", {}, t("data.lost")), h("ul", {}, ...losses.map((loss) => h("li", {}, loss))),
            h("p", {}, forGood("data.deleteWhat")),
        ],
        fields: [field(t("data.confirm"), typed, player.id)],
        send: (reason, key) => change("delete", { id: player.id }, { id: typed.value, reason }, key),
        done: () => {
            const title = h("h1", { tabindex: -1 }, t("data.deleted"));
            place.replaceChildren(title, h("p", {}, t("data.deletedWhat")), h("p", {}, h("a", { href: "#players" }, t("data.toPlayers"))));
            title.focus();
        },
    });
}
