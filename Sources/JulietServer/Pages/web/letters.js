// Letters and marks in words, and how long names are.

import { t } from "./texts.js";

/** A word's letters, as a reader counts them, composed where that can be. */
export const lettersOf = (word) => Array.from(word.normalize("NFC"));

/** Whether a key of the keyboard is a letter, of whatever alphabet. */
export const isLetter = (key) => /^\p{L}$/u.test(key.normalize("NFC"));

/** A letter as it is shown: the capital that is this letter's alone. ß and the final ς have none, nor has ı except in Turkish. */
export function capital(letter, language) {
    const lower = (one) => one.toLocaleLowerCase(language);
    // Greek capitals lose their accents by the rules of the language, but not by the common ones.
    const uppers = [letter.toLocaleUpperCase(language), letter.toUpperCase()];
    // Georgian is read without capitals, and few fonts have them.
    return uppers.find((upper) => !/[\u1c90-\u1cbf]/.test(upper) && Array.from(upper).length === 1 && lower(upper) === lower(letter)) ?? letter;
}

/** Which way letters run: `rtl` from right to left, by the first of them. */
export const directionOf = (letters) => (/^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(letters[0] ?? "")
    ? "rtl" : "ltr");

/** What a tile or key of this mark is called; just the letter without one. */
export const labelOf = (letter, mark) => (mark ? t(`mark.${mark}`, { letter }) : letter);

/** A judged guess as a sentence. */
export function describe(guess, language) {
    const tiles = lettersOf(guess.word).map((letter, index) => labelOf(capital(letter, language), guess.marks[index]));
    return `${tiles.join("; ")}.`;
}

/** What is known of each letter: its best mark so far. */
export function knownMarks(guesses) {
    const rank = { absent: 1, present: 2, correct: 3 };
    const known = new Map();
    for (const { word, marks } of guesses) {
        lettersOf(word).forEach((letter, index) => {
            if (rank[marks[index]] > (rank[known.get(letter)] ?? 0)) known.set(letter, marks[index]);
        });
    }
    return known;
}

/** A whole word as it is shown. */
export const capitals = (word, language) => lettersOf(word).map((letter) => capital(letter, language)).join("");

/** How many characters the names of players and leagues have at most, and hints. */
export const nameLength = 24;
export const leagueNameLength = 40;
export const hintLength = 80;

/**
 * Why a name is too long: `length` for more characters than these as readers count them, `scalars` for more than four times as many code
 * points, as the service has it; undefined: it is not. An older browser counts only code points.
 */
export function excess(name, most) {
    const text = name.trim();
    if (Intl.Segmenter && Array.from(new Intl.Segmenter().segment(text)).length > most) return "length";
    return Array.from(text).length > 4 * most ? "scalars" : undefined;
}

/** Why a name or hint of at most so many characters is refused, in words. It is what the service's problem says. */
export function nameFault({ reason, character }, most) {
    const isKnown = ["invisible", "length", "scalars", "character", "place", "marks"].includes(reason);
    return t(`name.${isKnown ? reason : "refused"}`, { most, character });
}
