// What is offered where no word is being guessed: before a game and after it.

import { countdown } from "./clock.js";
import { open } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { capital, lengthInWords, lettersOf } from "./letters.js";
import { player } from "./player.js";
import { verdict } from "./seal.js";

/** What a game costs, as the contract says. */
export const cost = 5;

/** The word of the day, before it is begun. */
export function dailyPanel(daily, start) {
    return [
        picture("envelope", "letter-shape"),
        h("h3", { tabindex: "-1" }, "A word is sealed for you"),
        h("p", {}, `${lengthInWords(daily.length)}, six guesses, the same word for everybody today.`),
        h("div", { class: "actions" }, startButton("Play the word of the day", start)),
        h("p", { class: "fine" }, h("button", { type: "button", class: "quiet", "data-opens": "help" }, "How to play")),
    ];
}

/** A word of the player's own, before it is dealt. */
export function gamePanel(start) {
    const balance = player.energy === undefined ? "You start with energy for six." : `You have ${player.energy}.`;
    return [
        picture("envelope", "letter-shape"),
        h("h3", { tabindex: "-1" }, "A word you never had"),
        h("p", {}, `Sealed for you alone. It costs ${cost} energy. ${balance}`),
        h("div", { class: "actions" }, startButton("Play", start)),
    ];
}

/** No energy: what the day offers instead. */
export function emptyPanel(daily) {
    const isOpen = daily.game?.state !== undefined && daily.game.state !== "playing";
    return [
        picture("envelope", "letter-shape"),
        h("h3", { tabindex: "-1" }, "Not enough energy"),
        h("p", {}, `A word of your own costs ${cost} energy, and you have ${player.energy ?? 0}. The word of the day is always free.`),
        isOpen
            ? h("p", {}, "Today's is open already. The next comes in ", countdown(daily.endsAt), ".")
            : h("div", { class: "actions" }, h("a", { class: "button is-main", href: "#daily" }, "Play the word of the day")),
    ];
}

/** A game that is over. */
export function overPanel(play, { endsAt, next, share }) {
    const { game } = play;
    const word = lettersOf(game.secret).map((letter) => capital(letter, game.language)).join("");
    const line = h("span", {}, "");
    verdict(play).then((text) => line.append(text));
    return [
        h("h3", { tabindex: "-1" }, game.state === "won" ? `Opened in ${game.guesses.length} of ${game.maximumGuesses}` : "The seal held"),
        game.state === "lost" && h("p", {}, "The word was ", h("strong", {}, word), "."),
        h("p", { class: "verdict" }, picture("wax", "wax"), line),
        h("div", { class: "actions" },
            h("button", { type: "button", class: `button${next ? "" : " is-main"}`, click: share }, picture("share"), "Share"),
            next ? startButton(`Next word, ${cost} energy`, next) : h("a", { class: "button", href: "#game" }, "Play a word of your own")),
        endsAt && h("p", { class: "fine" }, "The next word of the day comes in ", countdown(endsAt), "."),
        player.statistics?.played <= 1 && h("p", { class: "fine" },
            "To play on elsewhere, or after this browser has forgotten you, ",
            h("button", { type: "button", class: "quiet", click: () => open("settings") }, "note your recovery code"), "."),
    ].filter(Boolean);
}

/** Something that cannot be shown. */
export const sorryPanel = (text) => [h("h3", { tabindex: "-1" }, text), h("a", { class: "button", href: "#daily" }, "To the word of the day")];

function startButton(text, start) {
    const button = h("button", { type: "button", class: "button is-main", click: async () => {
        button.disabled = true;
        try {
            await start();
        } finally {
            button.disabled = false;
        }
    } }, text);
    return button;
}
