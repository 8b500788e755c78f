// Puts the page of the lottery together: what the service tells goes to the stage, and at the end of a draw it is checked.

import { ask, Problem } from "./api.js";
import { comes } from "./connection.js";
import { fill, prepareDialogs } from "./dialogs.js";
import { $, h, more } from "./dom.js";
import { LotteryEvents } from "./lottery-events.js";
import { Players } from "./lottery-players.js";
import { faultOf } from "./lottery-proof.js";
import { entriesInWords, rounds, Stage, Starting } from "./lottery-stage.js";
import { firstSeen, showSeal } from "./seal.js";
import { fillTexts, parts, t } from "./texts.js";

fillTexts();

const stage = new Stage($("stage"));
const starting = new Starting($("starting"), () => start(shown.draw));
const players = new Players($("players"), $("invitation"));

/** The state that is shown. */
let shown = {};
/** Whether somebody tries again what could not be shown. */
let triesAgain = false;
/** What this page was shown of the draw before its end. */
let seen = {};
/** The end of the last draw that this page has seen. */
let ended;
/** What the service tells of draws that are over, by their number: a promise. */
const draws = new Map();
/** What this page found of draws that are over, by their number: a promise of a sentence. */
const verdicts = new Map();

prepareDialogs();
fill("sealed", (content) => content.replaceChildren(...sealContent()));

new LotteryEvents((state) => {
    const isNew = state.state !== shown.state || state.draw !== shown.draw;
    shown = state;
    if (state.commitment) see(state);
    show(state, isNew);
}, (again) => {
    if (shown.state) return;
    say(triesAgain ? t("away.still") : "");
    triesAgain = false;
    if ($("stage").dataset.state === "failure") return;
    stage.failure(() => {
        triesAgain = true;
        say("");
        again();
    });
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && players.refresh());

function see(state) {
    if (seen.draw !== state.draw) {
        const { commitment, isEarly } = firstSeen(`lottery ${state.draw}`, state.commitment, state.seed === undefined);
        seen = { draw: state.draw, commitment, isEarly, rounds: new Map() };
    }
    seen.listDigest ??= state.listDigest;
    if (state.state === "round") seen.rounds.set(state.round, state.userId);
}

function show(state, isNew) {
    if (state.commitment) {
        const isOver = state.seed !== undefined;
        showSeal(state.commitment, isOver);
        $("note").textContent = t("lottery.note", { number: state.draw, entries: entriesInWords(state.entries) });
    }
    if (isNew) say("");
    // Those who come in the midst of a draw see who takes part, too.
    if (isNew && state.state !== "landing") players.show();
    switch (state.state) {
        case "landing": return showLanding(state);
        case "loading":
            stage.loading(state);
            if (isNew) {
                $("stage").scrollIntoView({ block: "nearest" });
                tell(t("lottery.started"));
            }
            break;
        case "round": stage.round(state); break;
        case "winner":
        case "noWinner": showEnd(state, isNew); break;
        default: stage.failure();
    }
    $("last").hidden = true;
    starting.hide();
}

function showLanding(state) {
    stage.landing(state, ended?.draw === state.last?.draw ? ended?.content : undefined);
    starting.show(state);
    showLast(state.last);
    players.refresh();
}

function showEnd(state, isNew) {
    const line = h("span", {}, t("lottery.checking"));
    ended = { draw: state.draw, content: stage.result(state, line, roundsOf(state.draw)) };
    verdict(state, { ...seen }).then((text) => {
        line.textContent = text;
        if (isNew) tell(t(state.state === "winner" ? "lottery.tellWinner" : "lottery.tellNobody", { name: state.name, verdict: text }));
    });
}

/** The last draw, for those who have not seen it here. */
function showLast(last) {
    $("last").hidden = last === undefined || ended?.draw === last.draw;
    // It may be read, or checked.
    if ($("last").hidden || $("last").dataset.draw === String(last.draw)) return;
    $("last").dataset.draw = last.draw;
    const line = h("p", { class: "fine", role: "status" });
    const check = h("button", { type: "button", class: "quiet", click: async () => {
        line.replaceChildren(t("lottery.checking"));
        line.textContent = await verdict(last, { ...firstSeen(`lottery ${last.draw}`, last.commitment, false), rounds: new Map() });
    } }, t("lottery.check"));
    line.append(check);
    $("last").replaceChildren(
        h("h3", { id: "last-title" }, t("lottery.last")),
        h("p", {}, ...parts(last.state !== "winner" ? "lottery.lastVoid" : last.prize > 0 ? "lottery.lastPrize" : "lottery.lastWon",
            { name: h("strong", {}, last.name), count: last.prize })),
        line, roundsOf(last.draw));
}

async function start(draw) {
    say("");
    try {
        await comes(ask("POST", `../lottery/draws/${draw}`, { isOnce: true }));
        say("");
        // The button is about to be removed, so the focus moves.
        $("heading").focus({ preventScroll: true });
    } catch (error) {
        if (!(error instanceof Problem)) return say(t("failure.network"));
        const { code, body } = error;
        if (code === "pause") say(t("lottery.wait", { count: body.retryAfter ?? 1 }));
        else say(t({ empty: "lottery.nobody", operator: "lottery.operators" }[code] ?? "lottery.refused"));
    }
}

/** What this browser finds when it repeats a draw. */
function verdict(state, seen) {
    if (!verdicts.has(state.draw)) verdicts.set(state.draw, check(state, seen));
    return verdicts.get(state.draw);
}

async function check(state, seen) {
    try {
        const fault = await faultOf(await drawOf(state.draw), seen);
        if (fault) return t("lottery.broken", { fault: t(`lottery.fault.${fault[0]}`, fault[1]) });
        return t(seen.isEarly ? "lottery.verified" : "lottery.unseen", { rounds });
    } catch {
        verdicts.delete(state.draw);
        return t("lottery.failure");
    }
}

/** What the service tells of a draw that is over. */
function drawOf(number) {
    if (!draws.has(number)) {
        draws.set(number, ask("GET", `../lottery/draws/${number}`));
        draws.get(number).catch(() => draws.delete(number));
    }
    return draws.get(number);
}

/** The names of all rounds of a draw that is over, to be opened. */
function roundsOf(number) {
    const list = h("ol", {});
    drawOf(number).then(({ rounds }) => list.replaceChildren(...rounds.map(({ name }) => h("li", {}, name))), () => {});
    return h("details", { class: "rounds" }, h("summary", {}, t("lottery.rounds")), list);
}

function sealContent() {
    return [h("p", {}, t("lottery.sealWhat")), more(t("seal.more"), ...sealProof())];
}

/** How the seal can be checked. */
function sealProof() {
    const content = [
        h("p", {}, t("lottery.sealHow")),
        h("code", { class: "code" }, shown.commitment ?? ""),
    ];
    if (shown.listDigest) content.push(h("p", {}, t("lottery.sealList")), h("code", { class: "code" }, shown.listDigest));
    if (!shown.seed) return [...content, h("p", { class: "fine" }, t("lottery.sealLater"))];
    return [
        ...content,
        h("p", {}, t("lottery.sealOver")),
        h("code", { class: "code", id: "seed" }, shown.seed),
        h("p", { class: "fine" }, t("seal.yourself")),
        h("code", { class: "code" }, `printf %s ${shown.seed} | xxd -r -p | sha256sum`),
        h("p", { class: "fine" }, t("lottery.sealFits")),
        h("code", { class: "code" }, `curl -s ${new URL(`lottery/draws/${shown.draw}`, document.baseURI)} > draw.json\njuliet lottery verify --file draw.json`),
    ];
}

function say(text) { $("message").textContent = text; }

/** Tells screen readers. */
function tell(text) { $("announcer").textContent = text; }
