// What operators do about a player. Each deed is asked first, says why, and happens once.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { newKey } from "./hex.js";
import { announce, asking, changing, explain, field, moment, number, question, reasonField, table } from "./admin-views.js";

const maximumGrant = 0; // the service writes the number (AdminPages.swift)

const openedBy = { registration: "Registration", recoveryCode: "Recovery code", passkey: "Passkey" };
const final = "This cannot be undone.";

/**
 * The form by which energy is given and taken. `changed` shows what is different then.
 */
export function energyForm(place, id, changed) {
    const amount = h("input", { type: "number", name: "amount", required: true, min: 1, max: maximumGrant, step: 1, inputmode: "numeric" });
    const [reason, line] = reasonField("Such as a ticket’s number. It is kept for good: no names.");
    const isShown = h("input", { type: "checkbox", name: "isShown", checked: true });
    const undo = h("button", { type: "button", class: "button", "aria-haspopup": "dialog", hidden: true }, "Undo");
    const form = h("form", { class: "card", id: "grant", "aria-label": "Give or take energy" },
        h("h2", {}, "Give or take energy"),
        h("div", { class: "line" }, field("Amount", amount, `1 to ${number(maximumGrant)}`), line,
            h("button", { class: "button is-main", value: "give" }, "Give"),
            h("button", { class: "button", value: "take" }, "Take")),
        h("p", {}, h("label", { class: "choice" }, isShown, " The player may read the reason, in their export")));
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
            title: `${moved > 0 ? "Take" : "Give"} ${number(Math.abs(moved))} back?`, verb: "Undo", reason: `undone: ${why}`.slice(0, 500),
            notes: [h("p", {}, "A second entry undoes it; the first one stays.")],
            send: (reason) => move(-moved, reason, shown, back),
            done: async ({ balance }) => {
                undo.hidden = true;
                form.querySelector(".message").textContent = `Undone. The balance is ${number(balance)}.`;
                await changed();
            },
        });
        undo.hidden = false;
        await changed();
        if (answer.isReplay) {
            return `It was ${moved > 0 ? "given" : "taken"} before: ${number(Math.abs(moved))}. The balance was ${number(answer.balance)} then.`;
        }
        return `${moved > 0 ? "Gave" : "Took"} ${number(Math.abs(moved))}. The balance is ${number(answer.balance)}.`;
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
        title, verb: "Do it",
        notes: [h("p", {}, `${text} ${final}`)],
        send: (reason, key) => change("ways", { id }, { kind, one, reason }, key),
        done: async () => {
            message.textContent = "Done.";
            announce("Done.");
            await changed();
            place.querySelector("h2").focus();
        },
    });
    const used = (hour) => hour ? `${hour.slice(0, 10)}, hour ${hour.slice(11, 13)}` : "never";
    const devices = table("Devices", ["Since (UTC)", "Signed in by", "Last used (UTC)", "Id", "Action"], sessions.map((session) => [
        moment(session.createdAt), openedBy[session.by] ?? session.by, used(session.lastUsedAt), h("code", {}, session.id),
        asking("Sign out…", take("Sign this device out?", "session", session.id, "It is signed out at once. Games go on when the player signs in again."),
            `Sign out the device of ${session.createdAt.slice(0, 19).replace("T", " ")}`),
    ]));
    const keys = table("Passkeys", ["Since (UTC)", "Name", "Last used (UTC)", "Id", "Action"], passkeys.map((passkey) => [
        moment(passkey.createdAt), `${passkey.name}${passkey.isSynced ? " (synced)" : ""}`, used(passkey.lastUsedAt), h("code", {}, passkey.id),
        asking("Remove…", take("Remove this passkey?", "passkey", passkey.id, "It no longer opens the account. Devices that it signed in stay signed in."),
            `Remove the passkey ${passkey.name}`),
    ]));
    const others = table("Identities", ["Since (UTC)", "Provider", "Issuer", "Subject", "Action"], identities.map((identity) => [
        moment(identity.createdAt), identity.provider, identity.issuer, h("code", {}, identity.subject),
        asking("Remove…", take("Remove this identity?", "identity", identity.provider, "It no longer opens the account. Devices that it signed in stay signed in."),
            `Remove the identity of ${identity.provider}`),
    ]));
    const list = (rows, element, nothing) => rows.length > 0 ? h("div", { class: "list" }, element) : h("p", { class: "fine" }, nothing);
    const all = [];
    if (sessions.length > 1) {
        all.push(asking("Sign out all devices…", take("Sign all devices out?", "session", undefined, "All are signed out at once.")));
    }
    if (sessions.length + passkeys.length + identities.length > 0) {
        all.push(asking("Remove every way to sign in…", take("Remove every way to sign in?", "all", undefined,
            "All devices are signed out, all passkeys and identities removed. The recovery code still works: make a new one as well.")));
    }
    place.replaceChildren(
        h("h2", { tabindex: -1 }, "Sign-in and devices"),
        list(sessions, devices, "No device is signed in."),
        list(passkeys, keys, "No passkeys."),
        list(identities, others, "No identities."),
        h("div", { class: "actions" }, ...all, asking("New recovery code…", () => askRecovery(place, id, changed))),
        message);
}

function askRecovery(place, id, changed) {
    question(place, {
        title: "Make a new recovery code?", verb: "Make the code",
        notes: [h("p", {}, "Make one only for somebody who cannot sign in any more and has proved to you who they are. Whoever has the code can act as the player. The old code stops working.")],
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
        h("h2", { id: "recovery" }, "The new recovery code"),
        h("p", {}, shown),
        h("p", {}, "It is shown only once and is not stored. Hand it over where nobody else can read it."),
        h("div", { class: "actions" },
            h("button", {
                type: "button", class: "button", click: async () => {
                    try {
                        await navigator.clipboard.writeText(code);
                        copied.textContent = "Copied.";
                    } catch {
                        // Without HTTPS a page has no clipboard.
                        getSelection().selectAllChildren(shown);
                        copied.textContent = document.execCommand("copy") ? "Copied." : "It is selected: copy it by hand.";
                    }
                },
            }, "Copy"),
            h("button", { type: "button", class: "button is-main", click: () => dialog.close() }, "I have handed it over")),
        copied);
    // Another part of the page may be shown by now, or nothing.
    if (!place.isConnected) return;
    place.parentElement.append(dialog);
    dialog.showModal();
}

/** The button that ends a running game. */
export const endGameButton = (place, id, game, changed) => asking("End it…", () => question(place, {
    title: "End this game?", verb: "End it",
    notes: [h("p", {}, `The game is lost, as if the player had given up: the word is shown, the price is not paid back, and a streak ends (not for a challenge or a past day). ${final}`)],
    send: (reason, key) => change("end-game", { id, game: game.id }, { reason }, key),
    done: async () => {
        announce("The game has ended.");
        await changed();
        place.querySelector("h2").focus();
    },
}), `End the game of ${game.startedAt.slice(0, 19).replace("T", " ")}`);

/** The section of what is kept: to take along, and to delete. */
export function dataSection(place, player, changed) {
    const { id } = player;
    const message = h("p", { class: "message is-good", role: "status" });
    const section = h("section", { id: "data" },
        h("h2", {}, "The player’s data"),
        h("p", {}, "Export everything that is stored about the player, as players can themselves, or delete the player."),
        h("div", { class: "actions" },
            asking("Export…", () => question(section, {
                title: "Export everything?", verb: "Export",
                notes: [h("p", {}, "A file with everything that is kept about the player. Give it only to the player, and delete your copy.")],
                send: (reason, key) => change("export", { id }, { reason }, key),
                done: async (document_) => {
                    download(`juliet-${id.replaceAll(/[^\w-]/g, "_")}.json`, JSON.stringify(document_, undefined, 2));
                    message.textContent = "The file is in your downloads.";
                    await changed();
                },
            })),
            asking("Delete…", async () => {
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
    const losses = [`${number(player.energy)} energy`, `${number(player.wins)} wins, and places on leaderboards`];
    if (player.name !== undefined) {
        losses.push("all games, challenges and memberships of leagues", "all devices, passkeys and identities, and the recovery code");
    }
    question(section, {
        title: `Delete ${player.name ?? "this player"}?`, verb: "Delete for good",
        notes: [
            h("p", {}, "Lost for good:"), h("ul", {}, ...losses.map((loss) => h("li", {}, loss))),
            h("p", {}, `The ledger is kept under a name that cannot be traced to the player, and no purchase can be used again. ${final}`),
        ],
        fields: [field("Type the id to confirm", typed, player.id)],
        send: (reason, key) => change("delete", { id: player.id }, { id: typed.value, reason }, key),
        done: () => {
            const title = h("h1", { tabindex: -1 }, "The player is deleted");
            place.replaceChildren(title, h("p", {}, "The audit trail says that a player was deleted. If you search for the id, you find what operators did to the player."), h("p", {}, h("a", { href: "#players" }, "To the players")));
            title.focus();
        },
    });
}
