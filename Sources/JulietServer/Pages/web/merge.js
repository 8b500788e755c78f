// Two players of this browser who are both the same person: made one.

import { ask, Problem } from "./api.js";
import { close, open } from "./dialogs.js";
import { h, more } from "./dom.js";
import { attempt, button, quiet } from "./forms.js";
import { player } from "./player.js";
import { hasEnergy } from "./service.js";
import { write } from "./storage.js";
import { number, t } from "./texts.js";
import { nameOf } from "./who.js";

/** The other one, whom the dialog is about. */
let other;

/** Asks whether another player of this browser and this one are to be one. */
export function askToMerge(kept) {
    other = kept;
    open("merge");
}

/** Fills the dialog. */
export async function showMerge(content) {
    const kept = other;
    const { token } = player;
    const [name, stays] = [nameOf(kept), nameOf(player)];
    const outcome = h("p", { role: "status", class: "outcome" });
    const way = h("p", { class: "fine" });
    const known = await figuresOf(kept);
    const merge = button(t("merge.do"), async () => {
        merge.disabled = no.disabled = true;
        const isDone = await attempt(() => join(kept, token, way), outcome, refusals(name));
        merge.disabled = no.disabled = isDone;
        if (!isDone) return;
        content.replaceChildren(h("p", { role: "status" }, t("merge.done", { name, stays })),
            h("div", { class: "actions" }, button(t("close"), () => close("merge"))));
        content.querySelector("button").focus();
    }, "is-main merge-now");
    const no = button(t("merge.no"), () => close("merge"));
    content.replaceChildren(
        h("p", {}, t("merge.what", { name, stays })),
        ...(known ? [h("p", {}, t("merge.figures", {
            name, count: known.statistics.played, won: number(known.statistics.won),
        }))] : []),
        more(t("merge.more", { stays }), h("ul", { class: "rules" },
            ...["games", "leagues", "ways", ...(hasEnergy() ? ["energy"] : [])].map((part) => h("li", {}, t(`merge.${part}`))))),
        h("div", { class: "actions" }, merge, no),
        outcome, way);
}

/** What the service knows of the other one; undefined when it does not know them any more. */
async function figuresOf({ token }) {
    try {
        return await ask("GET", "players/me", { token, isOnce: true });
    } catch (error) {
        if (error instanceof Problem) return undefined;
        throw error;
    }
}

/** Makes them one, the player of a token; a refusal is shown with what to do about it. */
async function join(kept, token, way) {
    const name = nameOf(kept);
    way.replaceChildren();
    try {
        await player.merge(kept, token);
        write("changed", { merged: kept.id });
    } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.status === 401 || error.code === "merge-unfinished") {
            way.append(quiet(t("players.switch", { name }), async () => {
                close("merge");
                await player.switchTo(kept);
            }));
        }
        throw error;
    }
}

/** Why they cannot be one, by code or status. */
const refusals = (name) => ({
    "merge-self": t("merge.self"), "merge-unfinished": t("merge.unfinished", { name }), "too-many": t("merge.often"),
    "energy-full": t("merge.full"), 401: t("merge.gone", { name }),
});
