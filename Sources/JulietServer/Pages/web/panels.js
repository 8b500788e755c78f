// What is offered where no word is being guessed: before a game and after it.

import { countdown } from "./clock.js";
import { h, picture } from "./dom.js";
import { quiet } from "./forms.js";
import { capitals } from "./letters.js";
import { player } from "./player.js";
import { verdict } from "./seal.js";
import { parts, t } from "./texts.js";

/** What a game costs, as the contract says. */
export const cost = 5;

const heading = (text) => h("h3", { tabindex: "-1" }, text);
const actions = (...children) => h("div", { class: "actions" }, ...children);

/** The word of the day, before it is begun. */
export function dailyPanel(daily, start) {
    return [
        picture("envelope", "letter-shape"),
        heading(t("daily.title")),
        h("p", {}, t("daily.what", { count: daily.length })),
        actions(startButton(t("daily.play"), start)),
        h("p", { class: "fine" }, h("button", { type: "button", class: "quiet", "data-opens": "help" }, t("help.title"))),
        // Who has never played here is shown how it goes.
        ...(player.token || player.others.length > 0 ? [] : [h("div", { class: "example" })]),
        ...returning(),
    ];
}

/** A word of the player's own, before it is dealt. */
export function gamePanel(start) {
    return [
        picture("envelope", "letter-shape"),
        heading(t("game.title")),
        h("p", {}, t("game.what", { cost }), " ",
            player.energy === undefined ? t("game.new") : t("game.energy", { count: player.energy })),
        actions(startButton(t("game.play"), start)),
        ...returning(),
    ];
}

/** Who has played here, and does not now, finds the way back. */
function returning() {
    const [last] = player.token ? [] : player.others;
    if (!last) return [];
    const name = last.name ?? t("players.unnamed");
    return [h("p", { class: "fine" }, t("players.before", { name }), " ",
        player.others.length === 1
            ? quiet(t("players.switch", { name }), () => player.switchTo(last))
            : h("button", { type: "button", class: "quiet", "data-opens": "settings" }, t("players.choose")))];
}

/** No energy: what the day offers instead. */
export function emptyPanel(daily) {
    const isOver = daily.game?.state !== undefined && daily.game.state !== "playing";
    return [
        picture("envelope", "letter-shape"),
        heading(t("empty.title")),
        h("p", {}, t("empty.what", { cost, energy: player.energy ?? 0 })),
        isOver
            ? h("p", {}, ...parts("empty.next", { time: countdown(daily.endsAt) }))
            : actions(h("a", { class: "button is-main", href: "#daily" }, t("empty.play"))),
    ];
}

/** A game that is over. */
export function overPanel(play, { endsAt, next, share }) {
    const { game } = play;
    const isWon = game.state === "won";
    const isResigned = !isWon && game.guesses.length < game.maximumGuesses;
    const word = h("strong", {}, capitals(game.secret, game.language));
    return [
        heading(isWon ? t("over.won", { count: game.guesses.length }) : t(isResigned ? "over.resigned" : "over.lost")),
        !isWon && h("p", {}, ...parts("over.word", { word })),
        actions(
            h("button", { type: "button", class: `button${next ? "" : " is-main"}`, click: share }, picture("share"), t("over.share")),
            next ? startButton(t("over.next", { cost }), next) : h("a", { class: "button", href: "#game" }, t("over.own"))),
        endsAt && h("p", { class: "fine" }, ...parts("over.tomorrow", { time: countdown(endsAt) })),
        isWon && player.statistics?.won === 1 && player.tellsHowToKeep(game.id) && h("p", { class: "fine keeping" },
            t("over.keep"), " ", h("button", { type: "button", class: "quiet", "data-opens": "keep" }, t("over.how"))),
        verdictLine(play),
    ].filter(Boolean);
}

/** A small line that opens to its proof. */
function verdictLine(play) {
    const text = h("span", {});
    const line = h("p", { class: "verdict" },
        h("button", { type: "button", class: "quiet", "data-opens": "sealed" }, picture("wax", "wax"), text));
    verdict(play).then((found) => {
        line.dataset.verdict = found;
        text.append(t(`seal.${found}`));
    });
    return line;
}

/** A game that this browser's player cannot see, for want of a player. */
export function strangerPanel() {
    return [
        heading(t("stranger.title")),
        h("p", {}, t("stranger.what")),
        actions(
            h("button", { type: "button", class: "button is-main", "data-opens": "settings" }, t("signIn.do")),
            h("a", { class: "button", href: "#daily" }, t("toDaily"))),
        ...returning(),
    ];
}

/** A player whom the service knows no more: what is behind the dialog that says so. */
export function lostPanel() {
    return [
        heading(t("lost.title")),
        h("p", {}, t("lost.fine")),
        actions(h("button", { type: "button", class: "button is-main", "data-opens": "lost" }, t("lost.way"))),
    ];
}

/** Something that cannot be shown. */
export const sorryPanel = (text) => [heading(text), h("a", { class: "button", href: "#daily" }, t("toDaily"))];

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

/** What cannot be shown yet, for nobody answers and nothing is kept. */
export const awayPanel = () => [heading(t("away.title")), h("p", {}, t("away.what"))];
