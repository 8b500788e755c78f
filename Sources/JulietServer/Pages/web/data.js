// Your data: what the service keeps of the player, to be seen, taken along and deleted.

import { ask, Problem } from "./api.js";
import { Unreachable } from "./connection.js";
import { close, open } from "./dialogs.js";
import { h } from "./dom.js";
import { button, deed, form, Said, sayOnDesk } from "./forms.js";
import { player } from "./player.js";
import { losses } from "./players-part.js";
import { hasEnergy } from "./service.js";
import { copy, save } from "./share.js";
import { t } from "./texts.js";

/** Fills the dialog. */
export async function showData(content) {
    try {
        if (!player.statistics) await player.refresh({ isOnce: true });
    } catch (error) {
        if (!(error instanceof Unreachable && player.id)) throw error;
    }
    const { id, token } = player;
    const [copyId, copied] = deed(t("copy"), async () => ((await copy(id)) ? t("copied") : ""));
    const [load, loaded] = deed(t("data.export"), async () => {
        await saveExport(token);
        return t("data.exported");
    }, {}, "export");
    const toDialog = (id, text) => button(text, () => {
        close("data");
        open(id);
    });
    content.replaceChildren(
        h("p", {}, t("data.what")),
        ...legalLinks(),
        h("h3", {}, t("data.id")),
        h("p", {}, t("data.idWhat")),
        h("code", { class: "code", id: "player-id" }, id),
        h("div", { class: "actions" }, copyId), copied,
        h("h3", {}, t("data.see")),
        h("div", { class: "actions" }, hasEnergy() && toDialog("power", t("power.history")), toDialog("ways", t("ways.title"))),
        h("h3", {}, t("data.take")),
        h("p", {}, t("data.takeWhat")),
        h("div", { class: "actions" }, load), loaded,
        h("h3", {}, t("data.end")),
        ...deletion());
}

/** What the operator says of themselves and of privacy, where the page has it. */
function legalLinks() {
    const links = [...document.querySelectorAll(".way-out a[data-legal]")].map((link) =>
        h("a", { href: link.getAttribute("href"), rel: "noopener" }, link.textContent));
    return links.length === 0 ? [] : [h("p", { class: "legal" }, ...links)];
}

async function saveExport(token) {
    const { isReplay, ...everything } = await player.ask("GET", "players/me/export", { token, isOnce: true });
    save(t("data.fileName"), new Blob([JSON.stringify(everything, undefined, 2)], { type: "application/json" }));
}

/** Asked twice: first with what is lost, then for the name. */
function deletion() {
    const place = h("div", { class: "deletion" });
    const first = button(t("data.delete"), () => {
        const { name, token } = player;
        place.replaceChildren(
            h("p", {}, t("data.deleteWhat", { name })),
            h("ul", { class: "losses" }, ...losses().map((loss) => h("li", {}, loss))),
            h("p", {}, t("data.deleteStays"), hasEnergy() ? ` ${t("data.noRefund")}` : ""),
            h("div", { class: "actions" }, button(t("data.goOn"), () => second(name, token), "is-danger go-on"), button(t("data.keep"), rest)));
        place.querySelector("button").focus();
    }, "is-danger delete-player");
    const rest = () => {
        place.replaceChildren(first);
        first.focus();
    };
    // Deletes the player whose name is typed, also when another one plays by then.
    const second = (name, token) => {
        const typing = form(t("data.typeName", { name }), t("data.deleteNow"), { autocomplete: "off", spellcheck: "false" }, async (typed) => {
            if (folded(typed) !== folded(name)) throw new Said(t("data.otherName"));
            await remove(name, token);
            close("data");
            sayOnDesk(t("data.deleted", { name }));
        }, { 401: t("lost.fine") });
        typing.querySelector("button").classList.add("is-danger");
        place.replaceChildren(typing, h("div", { class: "actions" }, button(t("data.keep"), rest)));
        place.querySelector("input").focus();
    };
    place.append(first);
    return [place];
}

/** Tokens whose players may be deleted: the answer did not arrive. */
const unsure = new Set();

/** Deletes a player. Throws a `Said` without a connection. */
async function remove(name, token) {
    try {
        // What is not answered now has surely deleted nothing.
        await ask("GET", "players/me", { token, isOnce: true }).catch((error) => {
            throw error instanceof Unreachable && !unsure.has(token) ? new Said(t("data.away")) : error;
        });
        await player.delete(token);
    } catch (error) {
        if (error instanceof Problem && error.status === 401 && unsure.has(token)) return player.forget(token);
        if (!(error instanceof Unreachable)) throw error;
        unsure.add(token);
        throw new Said(t("data.unsure", { name }));
    }
}

const folded = (name) => name.normalize("NFC").trim().toLocaleLowerCase();
