// What is for delight alone, and comes when the page can be played: a letter that opens, petals for a win, sounds, a moving example.

import { timeZoneName } from "./clock.js";
import { $, animate, h, movesLess, picture } from "./dom.js";
import { labelOf } from "./letters.js";
import { serviceIfKnown } from "./service.js";
import { read } from "./storage.js";
import { t } from "./texts.js";

// The envelope.

/** Lets the letter, which lay where `from` says, open, and the board come out of it. */
export function openLetter(from, board) {
    if (movesLess()) return;
    const letter = h("div", { class: "opening", "aria-hidden": "true" },
        picture("envelope-back"), h("i", { class: "sheet" }), picture("envelope-front"), picture("envelope-flap", "flap"), picture("wax", "wax"));
    for (const side of ["left", "top", "width", "height"]) letter.style.setProperty(side, `${from[side]}px`);
    letter.addEventListener("animationend", ({ target }) => target === letter && letter.remove());
    document.body.append(letter);
    animate(board, "is-opened");
}

// A win.

const petals = 26;

/** Lets petals fall over the board; where nothing is to move, a glow comes and goes. */
export function celebrate(board) {
    if (movesLess()) return animate(board, "is-glowing");
    const { left, top, width, height } = board.getBoundingClientRect();
    const shower = h("div", { class: "shower", "aria-hidden": "true" }, ...Array.from({ length: petals }, () => h("i", {})));
    for (const petal of shower.children) {
        const values = {
            left: `${left + width * Math.random()}px`, top: `${top + height * 0.3 * Math.random()}px`,
            "--drift": `${(Math.random() - 0.5) * 160}px`, "--fall": `${height * (0.6 + 0.6 * Math.random())}px`,
            "--turn": `${(Math.random() - 0.5) * 900}deg`, "--delay": `${Math.random() * 500}ms`, "--size": `${9 + Math.random() * 9}px`,
        };
        for (const [name, value] of Object.entries(values)) petal.style.setProperty(name, value);
    }
    document.body.append(shower);
    Promise.all(shower.getAnimations({ subtree: true }).map(({ finished }) => finished)).finally(() => shower.remove());
}

// Sounds, and what a hand feels. Both are off until the player switches them on.

const touches = { key: 8, no: [25, 40, 25], correct: 14, won: [40, 60, 40, 60, 90], lost: [120] };
const notes = { absent: 220, present: 330, correct: 440 };
let audio;

/** Sounds and touches for `key`, `no`, `turn` with the marks and how far apart they turn, in seconds, `won` or `lost`. */
export function feel(what, marks = [], apart = 0) {
    if (read("haptics")) {
        const touch = what === "turn" ? marks.flatMap((mark) => [mark === "correct" ? touches.correct : 0, apart * 1000]) : touches[what];
        navigator.vibrate?.(touch);
    }
    if (!read("sounds")) return;
    audio ??= new AudioContext();
    audio.resume();
    if (what === "key") note(520, 0, 0.03, 0.03);
    else if (what === "no") [0, 0.09].forEach((at) => note(150, at, 0.08, 0.06));
    else if (what === "turn") marks.forEach((mark, index) => note(notes[mark], index * apart + 0.2, 0.16, 0.07));
    else if (what === "won") [523, 659, 784, 1047].forEach((pitch, index) => note(pitch, index * 0.12, 0.3, 0.08));
    else [330, 262].forEach((pitch, index) => note(pitch, index * 0.2, 0.35, 0.07));
}

/** One note: its pitch in Hz, when it begins and how long it is in seconds, and how loud, up to 1. */
function note(pitch, at, length, loudness) {
    const start = audio.currentTime + at;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(loudness, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
}

// How it is played.

const example = { letters: ["T", "R", "U", "S", "T"], marks: ["absent", "present", "absent", "absent", "correct"] };
const again = 5000;

/** Fills the help: an example, and in which time zone days end. */
export function showHelp(place) {
    showExample(place);
    serviceIfKnown().then(() => {
        const zone = timeZoneName();
        $("midnight").textContent = zone ? t("help.midnight", { zone }) : "";
    });
}

/** Fills a place with a guess that is judged, again and again while it is looked at; once where nothing is to move. */
export function showExample(place) {
    const label = example.letters.map((letter, index) => labelOf(letter, example.marks[index])).join("; ");
    const row = h("div", { class: "row", role: "img", "aria-label": label }, ...example.letters.map((letter, index) =>
        h("span", { class: "tile", "data-mark": example.marks[index], "aria-hidden": "true" }, letter)));
    Array.from(row.children).forEach((tile, index) => tile.style.setProperty("--delay", `${index * 220}ms`));
    place.replaceChildren(row, h("p", { class: "fine" }, t("help.example")));
    const turn = () => {
        if (!row.isConnected) return clearInterval(timer);
        if (document.visibilityState === "visible") animate(row, "is-turned");
    };
    const timer = movesLess() ? undefined : setInterval(turn, again);
    animate(row, "is-turned");
}
