// The player's name and recovery code, signing in and out, and how the page looks.

import { Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { close } from "./dialogs.js";
import { h } from "./dom.js";
import { player } from "./player.js";
import { copy } from "./share.js";
import { read, write } from "./storage.js";

/** Fills the dialog. */
export function showSettings(content) {
    content.replaceChildren(
        ...(player.token ? [nameForm(), ...recovery(content)] : [h("p", {}, "You become a player with your first game.")]),
        h("h3", {}, player.token ? "Play as somebody else" : "Played elsewhere already?"),
        signInForm(() => close("settings")),
        ...(player.token ? [signOut()] : []),
        h("h3", {}, "Appearance"),
        themeChoice(), contrastChoice());
}

/** Fills the dialog for a device that the service knows no more. */
export function showLost(content) {
    const end = () => close("lost");
    content.replaceChildren(
        h("p", {}, "The service does not know this device any more: it was signed out elsewhere, or its player was deleted."),
        signInForm(end),
        h("h3", {}, "Without a code"),
        h("button", { type: "button", class: "button", click: () => {
            player.forget();
            end();
        } }, "Go on as a new player"));
}

function nameForm() {
    return form("Your name", "Rename", { value: player.name ?? "", maxlength: "48", autocomplete: "nickname" },
        async (name) => {
            await player.rename(name);
            return "Renamed.";
        },
        { 422: "A name has 1 to 24 characters, and none that cannot be seen.", 400: "A name has 1 to 24 characters, and none that cannot be seen." });
}

function recovery(content) {
    const outcome = h("p", { role: "status" });
    const button = (text, action) => h("button", { type: "button", class: "button", click: () => attempt(action, outcome) }, text);
    const code = player.recoveryCode;
    return [
        h("h3", {}, "Recovery code"),
        h("p", {}, "With it you play on elsewhere, or after this browser has forgotten you. It works once; then there is a new one."),
        ...(code ? [h("code", { class: "code", id: "recovery-code" }, code)] : []),
        h("div", { class: "actions" },
            ...(code ? [button("Copy", async () => ((await copy(code)) ? "Copied." : ""))] : []),
            button("Make a new code", async () => {
                await player.renewRecoveryCode();
                showSettings(content);
                return "The old code is void.";
            })),
        outcome,
    ];
}

function signInForm(done) {
    return form("Recovery code", "Sign in", { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true },
        async (code) => {
            await player.signIn(code);
            done();
            return "";
        },
        { 401: "Nobody has this code, or it was used already.", 429: "Too many wrong codes. Wait ten minutes.", 400: "This is no recovery code." });
}

function signOut() {
    const outcome = h("p", { role: "status" });
    return h("div", {}, h("button", { type: "button", class: "button is-danger", click: () => attempt(async () => {
        await player.signOut();
        close("settings");
        return "";
    }, outcome) }, "Sign out here"), h("p", { class: "fine" }, "Without the recovery code there is no way back."), outcome);
}

function themeChoice() {
    const themes = [["auto", "As the device"], ["light", "Light"], ["dark", "Dark"]];
    const chosen = read("theme") ?? "auto";
    return h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, "Theme"), ...themes.map(([value, name]) =>
        h("label", {}, h("input", { type: "radio", name: "theme", value, checked: value === chosen, change: () => {
            write("theme", value === "auto" ? undefined : value);
            applyTheme();
        } }), h("span", {}, name))));
}

function contrastChoice() {
    const isMore = document.documentElement.dataset.contrast === "more";
    return h("label", { class: "check" }, h("input", { type: "checkbox", name: "contrast", checked: isMore, change: (event) => {
        write("contrast", event.target.checked ? "more" : "normal");
        applyTheme();
    } }), "High contrast, with patterns");
}

/** `theme.js` does it, since it runs before the modules. */
const applyTheme = () => dispatchEvent(new Event("juliet-theme"));

function form(label, verb, attributes, submit, refusals) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const field = h("input", attributes);
    return h("form", { class: "form", novalidate: true, submit: (event) => {
        event.preventDefault();
        attempt(() => submit(field.value), outcome, refusals);
    } }, h("label", {}, label, field), h("button", { class: "button" }, verb), outcome);
}

/** Does something and says what became of it. */
async function attempt(action, outcome, refusals = {}) {
    outcome.textContent = "…";
    try {
        outcome.textContent = await action();
    } catch (error) {
        if (error instanceof Unreachable) outcome.textContent = "No connection. Try again in a moment.";
        else if (error instanceof Problem) outcome.textContent = refusals[error.status] ?? "That did not work.";
        else throw error;
    }
}
