// The word lists, one word of them, and the words of coming days.

import { ask, change, Problem, put, remove } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, asking, changing, failure, field, heading, number, question, table } from "./admin-views.js";

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
    }, field("Language", languageInput, "such as en"), field("Word", wordInput, "in any letter case"),
    h("button", { class: "button is-main" }, "Look up"));
    const found = h("div", {});
    const lists = h("section", {});
    const [days, showDays] = daysSection();
    const showAll = () => Promise.all([showLists(lists), showDays()]);
    place.append(heading("Words"), form, found, lists, days);
    wordInput.focus();
    if (word !== "") await showWord(found, language, word, showAll);
    await showAll();
}

async function showLists(place) {
    const { lists } = await ask("words");
    place.replaceChildren(
        h("h2", {}, "Lists"),
        h("div", { class: "list" }, table("Words by language and length", ["Language", "#Letters", "#Secret", "#Guessable", "#Retired"], lists.map((list) => [
            list.language, number(list.length), number(list.secret), number(list.guessable), number(list.retired),
        ]))),
        h("p", { class: "fine" }, "Guessable words include the secret ones. Retired words are no longer dealt, but may still be guessed. ",
            "Import whole lists with ", h("code", {}, "juliet words import"), "."));
}

function describe(word) {
    if (word === undefined) return "It is not in the lists.";
    const kind = word.isSecret ? "a secret" : "guessable only";
    if (word.isRetired) return `Retired, ${kind}: no game deals it, ${word.isBanned ? "whatever lists say" : "because no list names it"}.`;
    return word.isSecret ? "A secret: games deal it." : "Guessable only: no game deals it.";
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
        ? [button("addSecret", "Add as a secret"), button("addGuessable", "Add as guessable")]
        : [word.isRetired ? button("restore", "Bring back") : button("retire", "Retire"),
            word.isSecret ? button("guessable", "Make it guessable only") : button("secret", "Make it a secret")];
    const form = h("form", { class: "card", id: "word", "aria-label": `The word ${name}` },
        h("h2", { tabindex: -1 }, name), description,
        h("p", { class: "fine" }, "Running games, and words of days already chosen, stay as they are. If a list that you import ",
            "later has the word as a secret, it is one again."),
        h("div", { class: "line" }, field("Reason", reason, "For the audit trail."), ...buttons));
    changing(form, async (key, submitter) => {
        // Another button is another change, even if the one before was not answered.
        const wanted = submitter?.value ?? buttons[0].value;
        const name = `${key}-${wanted}`;
        const answer = await change("word", { language, word: spelled }, { change: wanted, reason: reason.value }, name);
        await Promise.all([showWord(place, language, spelled, changed), changed()]);
        const text = answer.isReplay ? "This was already done." : answer.isChanged ? "Done." : "Nothing had to change.";
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
    if (word === undefined) return "Planned. Its word is not shown any more.";
    return isRetired ? `${word} (retired since; it stays)` : word;
}

/** The section of the words of coming days, and what shows the planned ones anew. */
function daysSection() {
    const [range, list] = [h("span", {}), h("span", {})];
    const day = h("input", { type: "date", name: "day", required: true });
    const word = h("input", { name: "word", required: true, maxlength: 40, autocomplete: "off", spellcheck: "false" });
    const mayRepeat = h("input", { type: "checkbox", name: "repeat" });
    const form = h("form", { class: "card", id: "plan", "aria-label": "Plan the word of a day" },
        h("p", { class: "fine" }, "A day that is planned already gets the new word."),
        h("div", { class: "line" }, field("Day", day, range), field("Word", word, list), h("button", { class: "button" }, "Plan")),
        h("p", {}, h("label", { class: "choice" }, mayRepeat, " May repeat the word of a day within a year")));
    const place = h("div", { class: "list", id: "planned" });
    const title = h("h2", { tabindex: -1 }, "Words of coming days");
    const section = h("section", { id: "days" }, title,
        h("p", {}, "The word of a day is chosen by chance, unless you plan it here."), form, place);

    const clear = (planned) => question(section, {
        title: `Clear the word of ${planned}?`, verb: "Clear it",
        notes: [h("p", {}, "It is then chosen by chance again.")],
        send: (reason) => remove(`days/${planned}`, { reason }),
        done: async ({ isChanged }) => {
            const message = form.querySelector(".message");
            message.className = "message is-good";
            message.textContent = isChanged
                ? `The word of ${planned} is chosen by chance.` : `${planned} was not planned any more.`;
            await show();
            title.focus();
        },
    });

    async function show() {
        const answer = await ask("days");
        [day.min, day.max] = [answer.from, answer.to];
        range.textContent = `${answer.from} to ${answer.to}`;
        list.textContent = `of the list ${answer.language}, ${answer.length} letters`;
        const rows = answer.days.map((one) => [
            h("time", { datetime: one.day }, one.day), describeDay(one),
            one.word !== undefined && asking("Clear…", () => clear(one.day), `Clear the word of ${one.day}`),
        ]);
        place.replaceChildren(rows.length > 0
            ? table("Planned days", ["Day", "Word", "Action"], rows) : h("p", { class: "fine" }, "No day is planned."));
    }

    changing(form, async () => {
        const answer = await put("days", { day: day.value, word: word.value.trim(), repeat: mayRepeat.checked || undefined });
        await show();
        form.reset();
        const said = `The word of ${answer.day} is ${answer.word}.`;
        return answer.isChanged ? said : `Nothing had to change. ${said}`;
    });
    return [section, show];
}
