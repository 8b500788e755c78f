// What is offered where no word is being guessed: before a game and after it.

import { countdown, dayInWords } from "./clock.js";
import { comes } from "./connection.js";
import { h, has, picture } from "./dom.js";
import { button, quiet } from "./forms.js";
import { capitals } from "./letters.js";
import { player } from "./player.js";
import { verdict } from "./seal.js";
import { chosenList, energyRules, hasEnergy, lists } from "./service.js";
import { write } from "./storage.js";
import { foreignName, languageName, parts, t } from "./texts.js";
import { nameOf } from "./who.js";

const heading = (text) => h("h3", { tabindex: "-1" }, text);
const actions = (...children) => h("div", { class: "actions" }, ...children);

/** The word of the day, before it is begun. */
export function dailyPanel(daily, start) {
    return [
        picture("envelope", "letter-shape"),
        heading(t("daily.title")),
        h("p", {}, t("daily.what", { count: daily.length }), daily.language && lists.nextList && lists.nextList.language !== daily.language
            ? ` ${t("daily.next", { day: dayInWords(lists.nextList.from), language: languageName(lists.nextList.language) })}` : ""),
        daily.planned && h("p", { class: "fine" }, t("day.planned")),
        actions(startButton(t("daily.play"), start)),
        h("p", { class: "fine" }, h("button", { type: "button", class: "quiet", "data-opens": "help" }, t("help.title"))),
        // A browser that nobody has played in shows how the game is played.
        ...(player.token || player.others.length > 0 ? [] : [h("div", { class: "example" }, h("div", { class: "row" }), h("p", { class: "fine" }, t("help.example")))]),
        ...returning(),
    ].filter(Boolean);
}

/** A word of the player's own, before it is dealt. */
export function gamePanel(start) {
    const [usual, other] = lists.languages;
    const foreign = other ? undefined : foreignName(usual?.language);
    const choice = other && listChoice(keepList);
    return [
        picture("envelope", "letter-shape"),
        heading(t("game.title")),
        h("p", {}, t("game.what", { count: hasEnergy() ? energyRules.price : 0 }), ...(!hasEnergy() ? [] : [
            " ", player.energy === undefined
                ? t("game.new", { count: Math.floor(energyRules.start / energyRules.price) })
                : t("game.energy", { count: player.energy }),
        ]), foreign ? ` ${t("game.language", { language: foreign })}` : ""),
        other && h("label", { class: "list-choice" }, `${t("game.list")} `, choice),
        actions(startButton(t("game.play"), () => {
            // Another tab may have chosen since.
            if (other) keepList(choice.selectedIndex);
            return start();
        })),
        ...returning(),
    ].filter(Boolean);
}

/** The choice of the list that the word is of. */
export function listChoice(change) {
    const chosen = chosenList();
    return h("select", { change: ({ target }) => change?.(target.selectedIndex) }, ...lists.languages.map((list) =>
        h("option", { selected: list === chosen }, t("game.listOf", { language: languageName(list.language), count: list.length }))));
}

function keepList(index) {
    const { language, length } = lists.languages[index];
    write("list", { language, length });
}

/** What a challenge says of its word before the end: a hint of whoever chose it, and that it is any word. */
export const hintParts = ({ hint, anyWord }) => [
    ...(hint ? parts("head.hint", { hint: h("bdi", {}, hint) }) : []), hint && anyWord ? " · " : "", anyWord ? t("head.anyLetters") : "",
];

/** What a word means, under the word; nothing where the service does not know it. */
export const meaningLine = ({ meaning, language }) => meaning && h("p", { class: "meaning", lang: language }, meaning);

/** The way back for players of this browser when none of them plays now. */
function returning() {
    const [last] = player.token ? [] : player.others;
    if (!last) return [];
    const name = nameOf(last);
    return [h("p", { class: "fine" }, t("players.before"), " ",
        player.others.length === 1
            ? quiet(t("players.switch", { name }), () => player.switchTo(last))
            : h("button", { type: "button", class: "quiet", "data-opens": "settings" }, t("players.choose")))];
}

/** No energy: what can be done about it. `take` takes what is due. */
export function emptyPanel(daily, take) {
    const { price, dailyReward } = energyRules;
    const { due = 0, nextAt } = player.refill ?? {};
    const isOver = daily.game?.state !== undefined && daily.game.state !== "playing";
    const isEnough = (player.energy ?? 0) + due >= price;
    const reward = !isOver && dailyReward && t("empty.reward", { count: dailyReward });
    return [
        picture("envelope", "letter-shape"),
        heading(t("empty.title")),
        h("p", {}, t("empty.what", { cost: price, energy: player.energy ?? 0 }), ...(reward ? [" ", reward] : [])),
        actions(
            due > 0 && startButton(t("energy.take", { count: due }), take, isEnough || isOver),
            !isOver && h("a", { class: `button${isEnough ? "" : " is-main"}`, href: "#daily" }, t("empty.play")),
            isOver && due === 0 && h("button", { type: "button", class: "button is-main", "data-opens": has("daysGoneBy") ? "calendar" : "power" },
                t(has("daysGoneBy") ? "over.days" : "empty.more"))),
        nextAt && !isEnough && h("p", {}, ...parts("empty.refill", { time: countdown(nextAt) })),
        isOver && untilNewDay("empty.next", daily.endsAt, nextAt ? "fine" : ""),
    ].filter(Boolean);
}

/**
 * A game that is over. `next` is what to do next, a button or a link; `about` what the game means for the player; `share` and
 * `shareImage` hand the result on.
 */
export function overPanel(play, { endsAt, next, share, shareImage, about = [] }) {
    const { game } = play;
    const isWon = game.state === "won";
    const isResigned = !isWon && game.guesses.length < game.maximumGuesses;
    const word = h("strong", {}, capitals(game.secret, game.language));
    const isMain = next ? "" : " is-main";
    return [
        heading(isWon ? t("over.won", { count: game.guesses.length }) : t(isResigned ? "over.resigned" : "over.lost")),
        h("p", {}, isWon && `${t("over.praise", { count: game.guesses.length })} `, ...parts("over.word", { word }), game.reward > 0 && hasEnergy() && ` ${t("over.reward", { count: game.reward })}`),
        meaningLine(game),
        actions(
            h("span", { class: "next" }, next),
            h("button", { type: "button", class: `button share${isMain}`, click: share }, picture("share"), t("over.share")),
            shareImage && h("button", { type: "button", class: "button share-image", click: shareImage }, t("over.image"))),
        ...about,
        endsAt && untilNewDay("over.tomorrow", endsAt, "fine"),
        isWon && player.statistics?.won === 1 && player.tellsHowToKeep(game.id) && h("p", { class: "fine keeping" },
            t("over.keep"), " ", h("button", { type: "button", class: "quiet", "data-opens": "keep" }, t("over.how"))),
        verdictLine(play),
    ].filter(Boolean);
}

/**
 * Puts what to do next, a button or a link or nothing, where `overPanel` has it. Nothing else of the panel changes; the way to a new day
 * stays where it is, if it is there already.
 */
export function showNext(panel, next) {
    const place = panel.querySelector(".next");
    const hadFocus = place.contains(document.activeElement);
    const known = next?.matches(".new-day") && panel.querySelector(".new-day");
    if (known) known.classList.add("is-main");
    if (!known || !place.contains(known)) place.replaceChildren(...(next && !known ? [next] : []));
    if (hadFocus) (known || (place.querySelector("a, button") ?? panel.querySelector("h3"))).focus();
    panel.querySelector(".share").classList.toggle("is-main", !next);
}

/** The way to the word of a day that has begun since. */
const toNewDay = (className = "") => h("a", { class: `button new-day ${className}`.trim(), href: "#daily" }, t("over.newDay"));

/** A line with the time until the next word of the day; once that is there, the way to it, where there is none yet. */
function untilNewDay(name, endsAt, className) {
    const line = h("div", { class: className });
    const time = countdown(endsAt, () => line.replaceChildren(line.parentElement.querySelector(".new-day") ? "" : actions(toNewDay())));
    line.append(h("p", {}, ...parts(name, { time })));
    return line;
}

/**
 * What to do after a game: the word of a new day, `isNewDay`; else, as the energy allows, a word of one's own, `start` begins it; energy
 * that is due, `take` takes it; the word of the day. Undefined when there is nothing but to wait. Without `start` a word of one's own is a
 * link.
 */
export function nextStep({ start, take, isDailyOver, isNewDay }) {
    if (isNewDay) return toNewDay("is-main");
    const { price } = energyRules;
    const { due = 0 } = player.refill ?? {};
    const energy = player.energy ?? 0;
    if (energy >= price) {
        return start
            ? startButton(t("over.next", { count: price }), start)
            : h("a", { class: "button is-main", href: "#game" }, t("over.own"));
    }
    if (energy + due >= price) return startButton(t("energy.take", { count: due }), take);
    if (!isDailyOver) return h("a", { class: "button is-main", href: "#daily" }, t("empty.play"));
    return has("daysGoneBy") ? h("button", { type: "button", class: "button is-main", "data-opens": "calendar" }, t("over.days")) : undefined;
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

/** A game that cannot be shown because nobody plays in this browser. */
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

function startButton(text, start, isMain = true) {
    const button = h("button", { type: "button", class: `button${isMain ? " is-main" : ""}`, click: async () => {
        button.disabled = true;
        try {
            await comes(start());
        } finally {
            button.disabled = false;
        }
    } }, text);
    return button;
}

/** What cannot be seen now, of a route: for this `reason` the service does not answer. `again` tries again; `game` is the last one, which is kept. */
export const awayPanel = (route, reason, again, game) => [
    heading(t(`away.${route === "game" ? "own" : route.split("/")[0]}`)),
    h("p", {}, t(`away.${reason}`)),
    actions(button(t("again"), again, "is-main"), game && h("a", { class: "button", href: `#game/${game.id}` }, t("away.last"))),
];

/** What stands above it, where that is not a day. */
export const awayTitle = (route) => {
    const [kind, id] = route.split("/");
    if (kind === "day" && Date.parse(id)) return dayInWords(id);
    return { challenge: t("head.challenge"), league: t("together.title"), lottery: t("lottery.title") }[kind] ?? t("panel.title");
};
