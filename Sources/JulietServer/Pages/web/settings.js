// How games are played, how the page looks and speaks, the player's name and devices, and who else plays here.

import { close, open } from "./dialogs.js";
import { h } from "./dom.js";
import { button, choice } from "./forms.js";
import { installPart } from "./install-part.js";
import { keepPart, passkeySignIn } from "./keep.js";
import { player } from "./player.js";
import { othersList, signInForm } from "./players-part.js";
import { read, write } from "./storage.js";
import { language, languages, t } from "./texts.js";
import { nameForm, nameOf } from "./who.js";

/** Fills the dialog. */
export function showSettings(content) {
    const done = () => close("settings");
    const toDialog = (id, text) => button(text, () => {
        done();
        open(id);
    }, `to-${id}`);
    content.replaceChildren(
        h("h3", {}, t("settings.playing")),
        ...hardChoice(),
        ...feelChoices(),
        h("h3", {}, t("settings.appearance")),
        themeChoice(), contrastChoice(),
        h("h3", {}, t("settings.language")),
        choice("language", t("settings.language"), Object.entries(languages), language, (chosen) => {
            write("language", chosen);
            location.reload();
        }),
        h("h3", {}, t("settings.name")),
        ...(player.token
            ? [renaming(), h("h3", {}, t("keep.title")), ...keepPart(), h("div", { class: "actions" }, toDialog("ways", t("ways.title")))]
            : [h("p", {}, t("settings.nobody"))]),
        ...installPart(),
        h("h3", { id: "somebody" }, player.token ? t("players.somebody") : t("players.elsewhere")),
        ...(player.token ? [h("p", {}, t("players.stays", { name: nameOf(player) }))] : []),
        ...othersList(done, { canMerge: player.token !== undefined }),
        ...(player.token ? [newPlayer(done)] : []),
        passkeySignIn(done),
        signInForm(done),
        ...(player.token ? [h("h3", {}, t("data.title")), toDialog("data", t("data.open")), h("h3", {}, t("leave.title")), h("p", {}, t("leave.fine")), button(t("leave.do"), () => {
            done();
            open("leave");
        }, "is-danger sign-out")] : []));
}

/** The heading above says what the field is for. */
function renaming() {
    const { token } = player;
    return nameForm(t("settings.rename"), async (name) => {
        await player.rename(name, token);
        return t("settings.renamed");
    }, { label: h("span", { class: "unseen" }, t("name.ask")), value: player.name });
}

/** Has somebody else play who is not here yet. Without a name, they become a player with their first game. */
function newPlayer(done) {
    const element = nameForm(t("players.new"), async (name) => {
        if (name.trim() === "") player.leave();
        else await player.make(name);
        done();
    }, { label: t("players.newName") });
    element.querySelector("button").classList.add("new-player");
    return element;
}

/** The mode of games to come, which this browser keeps. */
function hardChoice() {
    return [
        h("label", { class: "check" }, h("input", { type: "checkbox", name: "hard", checked: read("hard") === true, change: (event) => {
            write("hard", event.target.checked || undefined);
        } }), t("hard.title")),
        h("p", { class: "fine" }, t("hard.what")),
    ];
}

/** Sounds, and touches where the device can. */
function feelChoices() {
    const check = (name) => h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: read(name) === true, change: (event) => {
        write(name, event.target.checked || undefined);
    } }), t(`settings.${name}`));
    return [check("sounds"), ...(navigator.vibrate ? [check("haptics")] : [])];
}

function themeChoice() {
    const themes = ["auto", "light", "dark"].map((theme) => [theme, t(`settings.${theme}`)]);
    return choice("theme", t("settings.theme"), themes, read("theme") ?? "auto", (theme) => {
        write("theme", theme === "auto" ? undefined : theme);
        applyTheme();
    });
}

function contrastChoice() {
    const isMore = document.documentElement.dataset.contrast === "more";
    return h("label", { class: "check" }, h("input", { type: "checkbox", name: "contrast", checked: isMore, change: (event) => {
        write("contrast", event.target.checked ? "more" : "normal");
        applyTheme();
    } }), t("settings.contrast"));
}

/** `theme.js` does it, since it runs before the modules. */
const applyTheme = () => dispatchEvent(new Event("juliet-theme"));
