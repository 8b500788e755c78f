// Finding a player.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { failure, field, heading, moment, pages, playerLink, sentences, table } from "./admin-views.js";
import { sentence } from "./admin-trail.js";
import { number, t } from "./texts.js";

/** Shows the search, and what is found for a text; without one, the newest players. */
export async function showPlayers(place, text) {
    const input = h("input", {
        type: "search", name: "search", maxlength: 128, autocomplete: "off", spellcheck: "false", value: text,
    });
    const form = h("form", {
        class: "line", role: "search",
        submit: (event) => {
            event.preventDefault();
            const wanted = input.value.trim();
            location.hash = wanted === "" ? "players" : `players/${encodeURIComponent(wanted)}`;
        },
    }, field(t("players.search"), input, t("players.searchHint")),
    h("button", { class: "button is-main" }, t("search")));
    place.append(heading(t("players.title")), form);
    input.focus();

    const results = h("div", { role: "status" });
    place.append(results);
    // Without a text, nothing says by what they were found.
    const found = text === "" ? [] : [t("players.foundBy")];
    const columns = [t("column.player"), t("column.id"), ...found, `#${t("players.energy")}`, t("column.since")];
    try {
        let former;
        const list = await pages(table(text === "" ? t("players.newest") : t("players.found"), columns), async (before) => {
            const answer = await ask("players", { search: text || undefined, before });
            former ??= answer.former;
            return {
                next: answer.next,
                rows: answer.players.map((player) => [
                    playerLink(player.id, player.name ?? t("players.ofApp")),
                    playerLink(player.id, h("code", {}, player.id)), ...found.map(() => t(`matched.${player.matched}`)),
                    number(player.energy), moment(player.createdAt),
                ]),
            };
        }, text === "" ? t("players.nobodyYet") : t("players.nobody"), t("more"));
        if (text === "") results.append(h("h2", {}, t("players.newest")));
        results.append(...former === undefined ? [] : [formerPlayer(former, text)], list);
    } catch (error) {
        results.append(failure(error));
    }
}

/** What is left of a player who was deleted. */
function formerPlayer(actions, id) {
    const list = sentences(t("trail.done"));
    for (const { on, ...action } of actions) list.add(sentence({ ...action, at: on }, h("code", {}, id)));
    return h("section", { id: "former" },
        h("h2", {}, t("players.former")), h("p", {}, t("players.formerWhat")), h("div", { class: "list" }, list));
}
