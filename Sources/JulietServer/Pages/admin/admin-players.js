// Finding a player.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { failure, field, heading, moment, number, pages, playerLink, table } from "./admin-views.js";
import { actionName } from "./admin-trail.js";

const how = {
    id: "the id", account: "an account of the app, claimed", merged: "the id of a player who was merged",
    transaction: "a transaction of the App Store", game: "a game", challenge: "a challenge they made", name: "the name",
};

/** Shows the search, and what is found for a text. */
export async function showPlayers(place, text) {
    const input = h("input", {
        type: "search", name: "search", required: true, maxlength: 128, autocomplete: "off", spellcheck: "false", value: text,
    });
    const form = h("form", {
        class: "line", role: "search",
        submit: (event) => {
            event.preventDefault();
            const wanted = input.value.trim();
            if (wanted !== "") location.hash = `players/${encodeURIComponent(wanted)}`;
        },
    }, field("Any part of a name, or an id", input, "Ids of players, app accounts, games or transactions, and codes of challenges."),
    h("button", { class: "button is-main" }, "Search"));
    place.append(heading("Players"), form);
    input.focus();
    if (text === "") return;

    const results = h("div", { role: "status" });
    place.append(results);
    try {
        let former;
        const columns = ["Player", "Id", "Found by", "#Energy", "Since (UTC)"];
        const list = await pages("Found", columns, async (before) => {
            const answer = await ask("players", { search: text, before });
            former ??= answer.former;
            return {
                next: answer.next,
                rows: answer.players.map((player) => [
                    playerLink(player.id, player.name ?? "Player of the app"),
                    playerLink(player.id, h("code", {}, player.id)), how[player.matched],
                    number(player.energy), moment(player.createdAt),
                ]),
            };
        }, "No player found. Ids and codes must be complete, and ids in the right letter case.", "More");
        results.append(...former === undefined ? [] : [formerPlayer(former)], list);
    } catch (error) {
        results.append(failure(error));
    }
}

/** What is left of a player who was deleted. */
function formerPlayer(actions) {
    return h("section", { id: "former" },
        h("h2", {}, "This player was deleted"),
        h("p", {}, "What operators did to this id is kept. Names, amounts and everything else were deleted."),
        h("div", { class: "list" }, table("What operators did", ["Day (UTC)", "Who", "What", "Why"],
            actions.map((action) => [action.on, action.actor, actionName(action.action), action.reason]))));
}
