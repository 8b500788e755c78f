// The word lists, one word of them, and the words of coming days.

import { ask, change, Problem, put, remove } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, asking, changing, failure, field, heading, question, table } from "./admin-views.js";
import { number, parts, t } from "./texts.js";

/** Shows the lists and the planned days, and a word when one is named: "en/music". */
export async function showWords(place, text) {
    const [language = "en", word = ""] = text.includes("/") ? text.split("/") : [text || "en", ""];
    const languageInput = h("input", {
        name: "language", required: true, pattern: "[a-z]{2,3}", maxlength: 3, size: 4, value: language, autocomplete: "off", spellcheck: "false",
    });
    const wordInput = h("input", {
        name: "word", required: true, maxlength: 40, value: word, autocomplete: "off", spellcheck: "false",
    });
    const form = h("form", {
        class: "line", role: "search",
        submit: (event) => {
            event.preventDefault();
            location.hash = `words/${encodeURIComponent(`${languageInput.value}/${wordInput.value.trim()}`)}`;
        },
    }, field(t("words.language"), languageInput, t("words.languageHint")), field(t("words.word"), wordInput, t("words.wordHint")),
    h("button", { class: "button is-main" }, t("words.look")));
    const found = h("div", {});
    const lists = h("section", {});
    const [days, showDays] = daysSection();
    const showAll = () => Promise.all([showLists(lists), showDays()]);
    place.append(heading(t("words.title")), form, found, lists, days);
    wordInput.focus();
    if (word !== "") await showWord(found, language, word, showAll);
    await showAll();
}

async function showLists(place) {
    const { lists } = await ask("words");
    place.replaceChildren(
        h("h2", {}, t("words.lists")),
        h("div", { class: "list" }, table(t("words.caption"), [
            t("words.language"), ...["letters", "secret", "guessable", "retired"].map((name) => `#${t(`words.${name}`)}`),
        ], lists.map((list) => [
            list.language, number(list.length), number(list.secret), number(list.guessable), number(list.retired),
        ]))),
        h("p", { class: "fine" }, ...parts("words.what", { command: h("code", {}, "juliet words import") })));
}

function describe(word) {
    if (word === undefined) return t("words.unknown");
    const kind = word.isSecret ? "secret" : "guessable";
    return t(word.isRetired ? `words.retired.${kind}.${word.isBanned ? "banned" : "unlisted"}` : `words.dealt.${kind}`);
}

/** Shows a word. `changed` shows what is different after a change. */
async function showWord(place, language, spelled, changed) {
    let word;
    try {
        word = await ask("word", { language, word: spelled });
    } catch (error) {
        if (!(error instanceof Problem) || error.code !== "not-found") {
            place.replaceChildren(failure(error));
            return;
        }
    }
    const name = word?.word ?? spelled;
    const description = h("p", { id: "word-state" }, describe(word));
    const reason = h("input", { type: "text", name: "reason", required: true, maxlength: 1000, autocomplete: "off" });
    const button = (value, label) => h("button", { class: "button", name: "change", value }, label);
    const buttons = word === undefined
        ? [button("addSecret", t("words.addSecret")), button("addGuessable", t("words.addGuessable"))]
        : [word.isRetired ? button("restore", t("words.restore")) : button("retire", t("words.retire")),
            word.isSecret ? button("guessable", t("words.makeGuessable")) : button("secret", t("words.makeSecret"))];
    const form = h("form", { class: "card", id: "word", "aria-label": t("words.form", { word: name }) },
        h("h2", { tabindex: -1 }, name), description,
        h("p", { class: "fine" }, t("words.stays")),
        h("div", { class: "line" }, field(t("reason"), reason, t("reason.word")), ...buttons));
    changing(form, async (key, submitter) => {
        // Another button is another change, even if the one before was not answered.
        const wanted = submitter?.value ?? buttons[0].value;
        const name = `${key}-${wanted}`;
        const answer = await change("word", { language, word: spelled }, { change: wanted, reason: reason.value }, name);
        await Promise.all([showWord(place, language, spelled, changed), changed()]);
        const text = t(answer.isReplay ? "done.before" : answer.isChanged ? "done" : "done.nothing");
        const note = place.querySelector(".message");
        note.classList.add("is-good");
        note.textContent = text;
        place.querySelector("h2")?.focus();
        announce(`${text} ${place.querySelector("#word-state")?.textContent ?? ""}`);
        return text;
    });
    place.replaceChildren(form);
}

function describeDay({ word, isRetired }) {
    if (word === undefined) return t("days.past");
    return isRetired ? t("days.retired", { word }) : word;
}

/** The section of the words of coming days, and what shows the planned ones anew. */
function daysSection() {
    const [range, list] = [h("span", {}), h("span", {})];
    const day = h("input", { type: "date", name: "day", required: true });
    const word = h("input", { name: "word", required: true, maxlength: 40, autocomplete: "off", spellcheck: "false" });
    const mayRepeat = h("input", { type: "checkbox", name: "repeat" });
    const form = h("form", { class: "card", id: "plan", "aria-label": t("days.form") },
        h("p", { class: "fine" }, t("days.again")),
        h("div", { class: "line" }, field(t("column.day"), day, range), field(t("column.word"), word, list), h("button", { class: "button" }, t("days.plan"))),
        h("p", {}, h("label", { class: "choice" }, mayRepeat, ` ${t("days.repeat")}`)));
    const place = h("div", { class: "list", id: "planned" });
    const title = h("h2", { tabindex: -1 }, t("days.title"));
    const section = h("section", { id: "days" }, title,
        h("p", {}, t("days.what")), form, place);

    const clear = (planned) => question(section, {
        title: t("days.clearAsk", { day: planned }), verb: t("days.clearDo"),
        notes: [h("p", {}, t("days.clearWhat"))],
        send: (reason) => remove(`days/${planned}`, { reason }),
        done: async ({ isChanged }) => {
            const message = form.querySelector(".message");
            message.className = "message is-good";
            message.textContent = t(isChanged ? "days.cleared" : "days.notPlanned", { day: planned });
            await show();
            title.focus();
        },
    });

    async function show() {
        const answer = await ask("days");
        [day.min, day.max] = [answer.from, answer.to];
        range.textContent = t("days.range", answer);
        list.textContent = t("days.list", { language: answer.language, count: answer.length });
        const rows = answer.days.map((one) => [
            h("time", { datetime: one.day }, one.day), describeDay(one),
            one.word !== undefined && asking(t("days.clear"), () => clear(one.day), t("days.clearOf", { day: one.day })),
        ]);
        place.replaceChildren(rows.length > 0
            ? table(t("days.planned"), [t("column.day"), t("column.word"), t("column.action")], rows)
            : h("p", { class: "fine" }, t("days.none")));
    }

    changing(form, async () => {
        const answer = await put("days", { day: day.value, word: word.value.trim(), repeat: mayRepeat.checked || undefined });
        await show();
        form.reset();
        const said = t("days.is", { day: answer.day, word: answer.word });
        return answer.isChanged ? said : `${t("done.nothing")} ${said}`;
    });
    return [section, show];
}
