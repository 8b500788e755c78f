// Names: what no name may have in it, and the name of one player.

import { ask, change } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, changing, field, heading, pages, searchLink, table } from "./admin-views.js";
import { parts, t } from "./texts.js";

const reasonField = () => h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
const button = (value, label) => h("button", { class: "button", name: "change", value }, label);

/** Shows what is refused, and refuses or allows a part. */
export async function showNames(place) {
    const part = h("input", { name: "part", required: true, autocomplete: "off", spellcheck: "false" });
    const reason = reasonField();
    const refuse = button("refuse", t("names.refuse"));
    const list = h("section", { id: "parts" });
    const form = h("form", { class: "card", id: "part", "aria-label": t("names.form") },
        h("h2", {}, t("names.formTitle")),
        h("p", { class: "fine" }, t("names.what")),
        h("div", { class: "line" }, field(t("names.part"), part, t("names.partHint")),
            field(t("reason"), reason, t("reason.word")), refuse, button("allow", t("names.allow"))));
    changing(form, async (key, submitter) => {
        const wanted = (submitter ?? refuse).value;
        const text = part.value.trim();
        const { isReplay } = await change(
            "names", { part: text }, { change: wanted, reason: reason.value }, `${key}-${wanted}`);
        form.reset();
        await showParts(list);
        const said = t(wanted === "refuse" ? "names.refused" : "names.allowed", { part: text });
        return isReplay ? `${t("done.before")} ${said}` : said;
    });
    place.append(heading(t("names.title")), form, list);
    await showParts(list);
}

async function showParts(place) {
    const list = await pages(table(t("names.list"), [t("names.part"), t("names.with")]), async (before) => {
        const { parts, next } = await ask("names", { before });
        return { next, rows: parts.map((part) => [part, searchLink(part.replace(/^=/, ""), t("search"))]) };
    }, t("names.nothing"), t("more"));
    place.replaceChildren(h("h2", {}, t("names.list")), list);
}

/** The form for the name of a player. `changed(name)` is called with the name that they have then. */
export function nameForm(player, changed) {
    const state = h("p", { id: "name-state" });
    const name = h("input", { name: "name", autocomplete: "off", spellcheck: "false" });
    const reason = reasonField();
    const rename = button("rename", t("name.rename"));
    const hide = button("hide", t("name.hide"));
    const form = h("form", { class: "card", id: "name", "aria-label": t("name.form") },
        h("h2", {}, t("name.title")), state,
        h("div", { class: "line" }, field(t("name.new"), name, t("name.newHint")),
            field(t("reason"), reason, t("reason.hint")), rename, hide));
    const tell = ({ hiddenName }) => {
        state.replaceChildren(...hiddenName === undefined
            ? [t("name.what")] : parts("name.hidden", { name: h("strong", {}, hiddenName) }));
        hide.value = hiddenName === undefined ? "hide" : "show";
        hide.textContent = t(hiddenName === undefined ? "name.hide" : "name.show");
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
        const said = `${answer.isReplay ? `${t("done.before")} ` : ""}${t("name.is", { name: answer.name })}`;
        announce(said);
        return said;
    });
}
