// Challenges: one word, and friends who find it for themselves.

import { now, Problem } from "./api.js";
import { pattern } from "./board.js";
import { countdown, dateOf, duration, secondsUntil } from "./clock.js";
import { comes } from "./connection.js";
import { close, open } from "./dialogs.js";
import { h, picture } from "./dom.js";
import { asking, attempt, attemptAgain, comingLine, form } from "./forms.js";
import { capitals } from "./letters.js";
import { linkPart } from "./link-part.js";
import { makingForm } from "./making.js";
import { addPage } from "./paging.js";
import { hintParts, meaningLine, sorryPanel } from "./panels.js";
import { player } from "./player.js";
import { isNamed } from "./players.js";
import { firstSeen } from "./seal.js";
import { serviceIfKnown } from "./service.js";
import { resultOf } from "./statistics.js";
import { number, parts, t } from "./texts.js";
import { watch } from "./watch.js";
import { nameField, panelForm } from "./who.js";

const isOver = ({ endsAt }) => Date.parse(endsAt) <= now();
const pathOf = (code) => `challenges/${encodeURIComponent(code)}`;

// In the dialog.

/** Fills a place with the player's challenges, and how to make one. */
export async function showChallenges(place) {
    const list = h("ul", { class: "games" });
    const outcome = h("p", { class: "outcome", role: "status" });
    // It says the price, and which words there are.
    place.replaceChildren(comingLine());
    const offers = await comes(serviceIfKnown());
    place.replaceChildren(h("p", {}, t("challenge.what")), outcome, list,
        h("h3", {}, t("challenge.new")), makingForm(offers?.anyWords),
        h("h3", {}, t("challenge.have")), codeForm());
    if (!player.token) return;
    await attemptAgain(() => addPage(list, "challenges", ({ challenges }) => challenges.map(entry)), outcome,
        { network: t("challenge.away") });
}

function entry(challenge) {
    const { code, game, players } = challenge;
    const end = isOver(challenge) ? t("challenge.ended") : t("challenge.until", { date: dateOf(challenge.endsAt) });
    const state = game ? resultOf(game.state, game.guesses.length) : challenge.ownWord && challenge.isMine ? t("challenge.yours") : "";
    return h("a", { href: `#challenge/${code}`, click: () => close("together") },
        h("span", {}, h("span", { class: "word" }, titleOf(challenge)),
            h("span", { class: "fine" }, t("challenge.players", { count: players }), " · ", end)),
        game ? pattern(game.guesses.map(({ marks }) => marks)) : "", h("span", {}, state));
}

function titleOf({ by, isMine }) {
    if (isMine) return t("challenge.mine");
    return isNamed({ name: by }) ? t("challenge.by", { name: by }) : t("challenge.somebody");
}

const codeForm = () => form(t("challenge.code"), t("challenge.open"),
    { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "20" },
    async (typed) => {
        const { code } = await player.ask("GET", pathOf(typed.trim() || "-"), { isOnce: true });
        close("together");
        location.hash = `challenge/${code}`;
    },
    { 404: t("challenge.unknown"), 429: t("signIn.tooMany") });

// On the desk.

/** Puts a challenge on the desk: the player's game, or the way to it. */
export async function offerChallenge(desk, code) {
    const sorry = (name) => desk.offer(sorryPanel(t(name)), undefined, t("head.challenge"));
    // Unknown codes are counted: one that the page's link had is not asked for again.
    const { dataset } = document.documentElement;
    const isUnknown = dataset.unknown === code;
    delete dataset.unknown;
    if (isUnknown) return sorry("challenge.unknown");
    let challenge;
    try {
        challenge = await desk.ask("GET", pathOf(code));
    } catch (error) {
        if (!(error instanceof Problem) || error.status === 401) throw error;
        return sorry(error.status === 429 ? "signIn.tooMany" : "challenge.unknown");
    }
    firstSeen(`challenge ${challenge.code}`, challenge.commitment, challenge.secret === undefined);
    if (challenge.game) return desk.put(challenge.game);
    desk.offer(challengePanel(desk, challenge), challenge.commitment, t("head.challenge"));
}

function challengePanel(desk, challenge) {
    const { code, isMine, ownWord, hard, endsAt, language, length, secret } = challenge;
    const isOwn = isMine && ownWord;
    const outcome = h("p", { class: "outcome", role: "status" });
    const canPlay = !isOwn && !isOver(challenge);
    const name = canPlay ? nameField() : {};
    const begin = () => attempt(() => desk.start(async () => {
        await name.take();
        return (await desk.ask("POST", `${pathOf(code)}/game`, { body: {} })).game;
    }), outcome, {
        "challenge-own-word": t("challenge.own"), "challenge-over": t("challenge.over"), "challenge-full": t("challenge.full"),
        "too-many": t("calendar.many"),
    });
    const word = h("strong", {}, secret ? capitals(secret, language) : "");
    return [
        ...(isMine ? [] : [picture("envelope", "letter-shape")]),
        h("h3", { tabindex: "-1" }, titleOf(challenge)),
        h("p", {}, ...(secret ? parts(isOver(challenge) ? "over.word" : "challenge.secret", { word }) : [t("challenge.one", { count: length })]), hard ? ` ${t("challenge.hard")}` : ""),
        h("p", { class: "hint" }, ...hintParts(challenge)),
        meaningLine(challenge),
        isOver(challenge)
            ? h("p", { class: "fine" }, t("challenge.over"))
            : h("p", { class: "fine" }, ...ending(endsAt)),
        canPlay && panelForm(name, begin, h("button", { class: "button is-main" }, t("challenge.play"))),
        outcome,
        ...(isMine && !isOver(challenge) ? [h("p", {}, t("challenge.give")), linkPart(`c/${code}`)] : []),
        resultsOf(challenge),
        ...(isMine ? [asking(t("challenge.end"), () => t("challenge.endAsk"), async () => {
            await player.ask("DELETE", pathOf(code), { isOnce: true });
            location.hash = "daily";
            open("together");
        }, { stay: t("together.no") })] : []),
    ];
}

/** When a challenge ends: the day, and on the last one the time. */
const ending = (endsAt) => (secondsUntil(endsAt) > 86_400
    ? [t("challenge.runs", { date: dateOf(endsAt) })] : parts("challenge.left", { time: countdown(endsAt) }));

/** The results of a challenge, as they come in. */
export function resultsOf({ code, players, results }) {
    const list = h("div", {}, comingLine());
    const show = (challenge) => list.replaceChildren(...standing(challenge));
    if (players !== undefined) show({ players, results });
    watch(list, pathOf(code), show, (problem) => {
        if (problem || !list.querySelector("p:not(.coming)")) {
            list.replaceChildren(h("p", { class: "fine" }, t(problem ? "challenge.unknown" : "failure.network")));
        }
    });
    return h("section", { class: "results" }, h("h4", {}, t("challenge.results")), list);
}

function standing({ players, results = [] }) {
    const head = (name, isWide) => h("th", { scope: "col", class: isWide ? "wide" : "" }, name);
    return [
        h("p", { class: "fine" }, t("challenge.players", { count: players })),
        ...(results.length === 0 ? [] : [h("table", {},
            h("thead", {}, h("tr", {},
                head(t("boards.rank")), head(t("boards.player"), true), head(t("boards.guesses")), head(t("boards.time")))),
            h("tbody", {}, ...results.map(({ rank, name, state, guesses, seconds, marks, isMe }) => h("tr", { class: isMe ? "is-me" : "" },
                h("td", {}, number(rank)),
                h("td", { class: "wide" }, h("span", { class: "who" }, h("span", {}, name, isMe && h("span", { class: "unseen" }, ` (${t("you")})`)),
                    pattern(marks))),
                h("td", {}, state === "won" ? number(guesses) : t("statistics.lost")),
                h("td", {}, state === "won" ? duration(seconds) : "–")))))]),
    ];
}
