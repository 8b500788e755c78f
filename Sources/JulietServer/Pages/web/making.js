// Making a challenge: of a word that is dealt, or of one's own, with a hint.

import { close } from "./dialogs.js";
import { h } from "./dom.js";
import { attempt, button, choice, naming, Said, single } from "./forms.js";
import { hintLength, isLetter, lettersOf } from "./letters.js";
import { makeOnce } from "./once.js";
import { listChoice } from "./panels.js";
import { player } from "./player.js";
import { chosenList, energyRules, forgetService, lists } from "./service.js";
import { read } from "./storage.js";
import { language, languageName, number, t } from "./texts.js";
import { nameField } from "./who.js";

/** The word that the form begins with, once, and its language. */
export const wantedWord = { word: undefined, language: undefined };

const refusals = () => ({
    "word-unknown": t("play.unknown"), "list-unknown": t("game.listGone"), "word-refused": t("challenge.refused"),
    "hint-tells": t("challenge.hintTells"), "too-many": t("challenge.many"),
    "energy-insufficient": t("challenge.energy", { cost: energyRules.price }),
});

/** The form; `takesAnyWord` says whether the service takes words of no list. */
export function makingForm(takesAnyWord) {
    const outcome = h("p", { class: "outcome", role: "status" });
    const offer = h("div", { class: "offer" });
    const words = { dealt: dealtWord(), own: ownWord(takesAnyWord, () => offer.replaceChildren()) };
    const name = nameField();
    const hard = h("input", { type: "checkbox", checked: Boolean(read("hard")) });
    let days = 7;
    let chosen;
    const choose = (kind) => {
        chosen = words[kind];
        for (const { element } of Object.values(words)) element.hidden = element !== chosen.element;
        offer.replaceChildren();
    };
    const first = wantedWord.word ? "own" : "dealt";
    wantedWord.word = undefined;
    choose(first);

    const make = single(async (more = {}) => {
        offer.replaceChildren();
        await attempt(async () => {
            const body = { ...chosen.wish(), ...more, ...(hard.checked ? { hard: true } : {}), days };
            if (!await player.ensure()) throw new Said(t("failure.other"));
            await name.take();
            try {
                await naming(body.hint ?? "", hintLength, () => makeChallenge(body));
            } catch (error) {
                if (error.code === "list-unknown") forgetService();
                if (error.code !== "word-unknown") throw error;
                if (isOfList(takesAnyWord) && !lengthsOf(body.language).includes(lettersOf(body.word).length)) {
                    throw new Said(lengthText("challenge.listLength", body.language));
                }
                if (!canBeAnyWord(body.word) || body.anyWord) throw new Said(t("challenge.letters"));
                if (takesAnyWord) offer.append(h("p", {}, t("challenge.anyWhat")),
                    button(t("challenge.anyMake", { count: energyRules.price }), () => make({ anyWord: true })));
                throw error;
            }
        }, outcome, refusals());
        offer.lastElementChild?.scrollIntoView({ block: "nearest" });
    });

    return h("form", { class: "form", novalidate: true, submit: (event) => {
        event.preventDefault();
        make();
    } },
        choice("kind", t("challenge.word"), Object.keys(words).map((kind) => [kind, t(`challenge.word.${kind}`)]), first, choose),
        ...Object.values(words).map(({ element }) => element),
        name.element,
        choice("days", t("challenge.days"), [1, 7, 30].map((count) => [String(count), t("challenge.daysCount", { count })]), "7",
            (chosen) => { days = Number(chosen); }, true),
        h("label", { class: "check" }, hard, t("hard.title")),
        h("button", { class: "button is-main" }, t("challenge.make", { count: energyRules.price })), outcome, offer);
}

const input = (attributes) => h("input", { autocomplete: "off", dir: "auto", ...attributes });

/** A word that is dealt: from which list, if there are several. `wish` is what is asked of the service. */
function dealtWord() {
    const list = lists.languages.length > 1 && listChoice();
    return {
        element: h("div", {}, h("p", { class: "fine" }, t("challenge.dealtWhat")),
            list && h("label", { class: "list-choice" }, `${t("game.list")} `, list)),
        wish() {
            if (!list) return {};
            const { language, length } = lists.languages[list.selectedIndex];
            return { language, length };
        },
    };
}

/** Whether a word must be in a list; unknown as long as no list is. */
const isOfList = (takesAnyWord) => !takesAnyWord && lists.languages.length > 0;

/** How many letters the words of a language have here; of the usual one if none is named. */
const lengthsOf = (code = chosenList()?.language) =>
    lists.languages.filter(({ language }) => language === code).map(({ length }) => length);

/** What is said of the letters of a word of one's own. */
const lengthText = (name, code) =>
    t(name, { lengths: new Intl.ListFormat(language, { type: "disjunction" }).format(lengthsOf(code).map(number)) });

/** A word of one's own, of which language, if there are several, and a hint. `change` is told when it is another word. */
function ownWord(takesAnyWord, change) {
    const word = input({ name: "word", autocapitalize: "none", spellcheck: "false", maxlength: "24", input: change });
    word.value = wantedWord.word ?? "";
    const hint = input({ name: "hint" });
    const codes = [...new Set(lists.languages.map(({ language }) => language))];
    const wanted = (wantedWord.word && wantedWord.language) ?? chosenList()?.language;
    const what = h("p", { class: "fine" });
    const tell = () => {
        what.textContent = isOfList(takesAnyWord) ? lengthText("challenge.ownLength", select?.value) : t("challenge.ownWhat");
    };
    const select = codes.length > 1 ? h("select", { change: () => {
        tell();
        change();
    } }, ...codes.map((code) => h("option", { value: code, selected: code === wanted }, languageName(code)))) : undefined;
    tell();
    return {
        element: h("div", {}, h("label", {}, t("challenge.word"), word), what,
            select && h("label", { class: "list-choice" }, `${t("settings.language")}: `, select),
            h("label", {}, t("challenge.hint"), hint), h("p", { class: "fine" }, t("challenge.hintWhat"))),
        wish() {
            if (word.value.trim() === "") throw new Said(t("challenge.noWord"));
            return {
                word: word.value.trim(), ...(select ? { language: select.value } : {}),
                ...(hint.value.trim() ? { hint: hint.value.trim() } : {}),
            };
        },
    };
}

/** Whether a text has as many letters as a word, and nothing else; the service decides. */
function canBeAnyWord(text) {
    const letters = lettersOf(text);
    return letters.length >= 4 && letters.length <= 8 && letters.every(isLetter);
}

/** Pays for a challenge, and shows it. */
async function makeChallenge(body) {
    const { challenge, energy } = await makeOnce("challenge", "challenges", body);
    player.pay(energy);
    close("together");
    location.hash = `challenge/${challenge.code}`;
}
