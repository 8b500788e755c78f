// What the page says, in the player's language. All texts are in `texts-en.js`, `texts-de.js` and so on, and those of parts that come
// later in `texts-later-en.js` and so on: data alone.
//
// A third language: see "Texts" in docs/architecture.md.

/** The languages that there are, each by its own name. */
export const languages = { en: "English", de: "Deutsch" };

/** The language that the page speaks: `theme.js` has chosen it. */
export const language = document.documentElement.lang in languages ? document.documentElement.lang : "en";

/** What the service is called. */
export const serviceName = document.documentElement.dataset.name;

const texts = { ...(await import(`./texts-${language}.js`)).default };
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** Takes the texts of parts that come later. */
export const addTexts = (more) => { Object.assign(texts, more); };

/** A number as it is written in this language. */
export const number = (value) => numbers.format(value);

/** A language as this one calls it. */
export const languageName = (code) => new Intl.DisplayNames(language, { type: "language" }).of(code);

/** The same for a language that is not the page's; undefined for that. */
export const foreignName = (code) => (code && code !== language ? languageName(code) : undefined);

/** A share of one, in per cent. */
export const percent = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(value);

/** Several things as a sentence lists them. */
export const list = (items) => new Intl.ListFormat(language).format(items);

/** Whether there is a text of a name. */
export const hasText = (name) => Object.hasOwn(texts, name);

/** The text of a name, with values in the places of its `{names}`; `count` chooses between its forms. */
export const t = (name, values = {}) => parts(name, values).join("");

/** The same in pieces: a value may be an element. */
export function parts(name, values = {}) {
    let text = texts[name];
    if (text === undefined) throw new Error(`no text ${name}`);
    if (typeof text === "object") text = text[`=${values.count}`] ?? text[plurals.select(values.count)] ?? text.other;
    return text.split(/\{(\w+)\}/).map((piece, index) => {
        if (index % 2 === 0) return piece;
        const value = values[piece];
        return typeof value === "number" ? number(value) : value;
    });
}

/** Puts the texts into what the page is written with: `data-text`, and `data-label` for what has no text to be seen. */
export function fillTexts() {
    document.title = t(document.documentElement.dataset.title, { title: serviceName });
    for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
    for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
}
