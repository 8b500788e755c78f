// The word lists, and one word of them.

import { ask, change, Problem } from "./admin-api.js";
import { h } from "./dom.js";
import { announce, changing, failure, field, heading, number, table } from "./admin-views.js";

/** Shows the lists, and a word when one is named: "en/music". */
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
    const lists = h("div", {});
    place.append(heading("Words"), form, found, lists);
    wordInput.focus();
    if (word !== "") await showWord(found, lists, language, word);
    await showLists(lists);
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

async function showWord(place, lists, language, spelled) {
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
    const reason = h("input", { type: "text", name: "reason", required: true, maxlength: 500, autocomplete: "off" });
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
        await Promise.all([showWord(place, lists, language, spelled), showLists(lists)]);
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
