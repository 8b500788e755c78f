// Finding a player.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { failure, field, heading, moment, number, playerLink, table } from "./admin-views.js";

const how = { id: "the id", account: "an account of the app, claimed", merged: "the id of a player who was merged", name: "the name" };

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
    }, field("Id, account of the app, or how a name begins", input), h("button", { class: "button is-main" }, "Search"));
    place.append(heading("Players"), form);
    input.focus();
    if (text === "") return;

    const results = h("div", { role: "status" });
    place.append(results);
    try {
        const { players, hasMore } = await ask("players", { search: text });
        if (players.length === 0) {
            results.append(h("p", {}, "Nobody is found. Ids and accounts have to be whole, in the right letter case."));
            return;
        }
        results.append(h("div", { class: "list" }, table("Found", ["Player", "Id", "Found by", "#Energy", "Since (UTC)"], players.map((player) => [
            playerLink(player.id, player.name ?? "Player of the app"), h("code", {}, player.id), how[player.matched],
            number(player.energy), moment(player.createdAt),
        ]))));
        if (hasMore) results.append(h("p", { class: "fine" }, "There are more: write more of the name."));
    } catch (error) {
        results.append(failure(error));
    }
}
