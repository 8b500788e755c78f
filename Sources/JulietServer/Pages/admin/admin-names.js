// Names: what no name may have in it, and the name of one player.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, changing, field, heading, pages, searchLink } from "./admin-views.js";

const reasonField = () => h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
const button = (value, label) => h("button", { class: "button", name: "change", value }, label);

/** Shows what is refused, and refuses or allows a part. */
export async function showNames(place) {
    const part = h("input", { name: "part", required: true, autocomplete: "off", spellcheck: "false" });
    const reason = reasonField();
    const refuse = button("refuse", "Refuse");
    const list = h("section", { id: "parts" });
    const form = h("form", { class: "card", id: "part", "aria-label": "Refuse or allow a part of names" },
        h("h2", {}, "Refuse or allow"),
        h("p", { class: "fine" }, "A name that has the part is refused when a player, a league or a passkey is named, and so is a hint. ",
            "Letter case, accents and letters that look the same make no difference. Names that are there stay. ",
            "Each release refuses some parts of its own; what you allow stays allowed."),
        h("div", { class: "line" }, field("Part of names", part, "2 to 24 characters; with = before it, only the whole word"),
            field("Reason", reason, "For the audit trail."), refuse, button("allow", "Allow again")));
    changing(form, async (key, submitter) => {
        const wanted = (submitter ?? refuse).value;
        const text = part.value.trim();
        const { isReplay } = await change(
            "names", { part: text }, { change: wanted, reason: reason.value }, `${key}-${wanted}`);
        form.reset();
        await showParts(list);
        const said = `${wanted === "refuse" ? "Refused" : "Allowed again"}: ${text}.`;
        return isReplay ? `This was already done. ${said}` : said;
    });
    place.append(heading("Names"), form, list);
    await showParts(list);
}

async function showParts(place) {
    const list = await pages("What is refused", ["Part of names", "Players with it"], async (before) => {
        const { parts, next } = await ask("names", { before });
        return { next, rows: parts.map((part) => [part, searchLink(part.replace(/^=/, ""), "Search")]) };
    }, "Nothing is refused.", "More");
    place.replaceChildren(h("h2", {}, "What is refused"), list);
}

/** The form for the name of a player. `changed(name)` is called with the name that they have then. */
export function nameForm(player, changed) {
    const state = h("p", { id: "name-state" });
    const name = h("input", { name: "name", autocomplete: "off", spellcheck: "false" });
    const reason = reasonField();
    const rename = button("rename", "Rename");
    const hide = button("hide", "Hide the name");
    const form = h("form", { class: "card", id: "name", "aria-label": "Change the name" },
        h("h2", {}, "Name"), state,
        h("div", { class: "line" }, field("New name", name, "1 to 24 characters, to rename"),
            field("Reason", reason, "For the audit trail. No names."), rename, hide));
    const tell = ({ hiddenName }) => {
        state.replaceChildren(...hiddenName === undefined
            ? ["The player sees what you do here, and may take another name at any time."]
            : ["Hidden: ", h("strong", {}, hiddenName), ". Everybody sees a generated name until the player takes another one."]);
        hide.value = hiddenName === undefined ? "hide" : "show";
        hide.textContent = hiddenName === undefined ? "Hide the name" : "Show the name again";
    };
    tell(player);
    return changing(form, async (key, submitter) => {
        const wanted = (submitter ?? rename).value;
        const body = { change: wanted, reason: reason.value };
        if (wanted === "rename") body.name = name.value;
        const answer = await change("name", { id: player.id }, body, `${key}-${wanted}`);
        form.reset();
        tell(answer);
        await changed(answer.name);
        const said = `${answer.isReplay ? "This was already done. " : ""}The name is ${answer.name}.`;
        announce(said);
        return said;
    });
}
